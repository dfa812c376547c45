// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/replay_page.h"

#include "client/subject_text.h"
#include "forms/same_as_view.h"
#include "forms/tone.h"
#include "pages/consume_parts.h"
#include "text/breakable.h"
#include "text/quantity.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QRadioButton>
#include <QVBoxLayout>

#include <algorithm>

namespace jetglass::pages {

using controllers::ReplayController;
using controllers::ReplayPlan;
using controllers::ReplayProgress;
using controllers::ReplayTarget;
using forms::Tone;

namespace {

enum Speed
{
    Original,
    Factor,
    Fastest
};

/// A wait that is over before it can be read is not told.
constexpr qint64 kShortWaitNs = 400'000'000;

} // namespace

ReplayPage::ReplayPage(client::Connection* connection, sources::FlowSource* source, QWidget* parent)
    : QWidget(parent)
    , m_connection(connection)
    , m_source(source)
    , m_controller(connection)
{
    build();
    connectAll();
    retranslate();
    refreshStreams();
}

void ReplayPage::build()
{
    auto* layout = new QVBoxLayout(this);
    auto* form = new QFormLayout;
    form->setRowWrapPolicy(QFormLayout::WrapAllRows); // panels are narrow
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_streamLabel = new QLabel(this);
    m_stream = new QComboBox(this);
    m_stream->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_stream->setMinimumContentsLength(12);
    m_streamLabel->setBuddy(m_stream);
    form->addRow(m_streamLabel, m_stream);

    m_rangeLabel = new QLabel(this);
    m_first = new QLineEdit(this);
    m_toLabel = new QLabel(this);
    m_last = new QLineEdit(this);
    m_rangeLabel->setBuddy(m_first);
    setFocusProxy(m_first);
    auto* range = new QHBoxLayout;
    range->addWidget(m_first);
    range->addWidget(m_toLabel);
    range->addWidget(m_last);
    form->addRow(m_rangeLabel, range);
    m_rangeFacts = wrappingLabel(this);
    form->addRow(m_rangeFacts);

    m_filterLabel = new QLabel(this);
    m_filter = new QLineEdit(this);
    m_filterLabel->setBuddy(m_filter);
    form->addRow(m_filterLabel, m_filter);

    m_usePrefix = new QRadioButton(this);
    m_usePrefix->setChecked(true);
    m_prefix = new QLineEdit(QStringLiteral("replay"), this);
    form->addRow(m_usePrefix, m_prefix);
    m_useSubject = new QRadioButton(this);
    m_subject = new QLineEdit(this);
    m_subject->setEnabled(false);
    form->addRow(m_useSubject, m_subject);

    m_speedLabel = new QLabel(this);
    m_speed = new QComboBox(this);
    m_speed->addItems({QString(), QString(), QString()});
    m_factor = new QDoubleSpinBox(this);
    m_factor->setRange(0.01, 1000);
    m_factor->setValue(10);
    m_factor->setPrefix(QStringLiteral("× "));
    m_factor->setEnabled(false);
    m_speedLabel->setBuddy(m_speed);
    auto* speed = new QHBoxLayout;
    speed->addWidget(m_speed);
    speed->addWidget(m_factor);
    speed->addStretch(1);
    form->addRow(m_speedLabel, speed);
    layout->addLayout(form);
    buildTarget(layout);
}

void ReplayPage::buildTarget(QVBoxLayout* layout)
{
    m_keepIds = new QCheckBox(this);
    layout->addWidget(m_keepIds);
    m_target = wrappingLabel(this);
    layout->addWidget(m_target);
    m_start = new QPushButton(this);
    m_start->setDefault(true);
    m_cancel = new QPushButton(this);
    m_progress = new QProgressBar(this);
    m_progress->setRange(0, 1000);
    QSizePolicy policy = m_progress->sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    m_progress->setSizePolicy(policy);
    m_progress->hide(); // empty it would look like a field to fill in
    auto* line = new QHBoxLayout;
    line->addWidget(m_start);
    line->addWidget(m_cancel);
    line->addWidget(m_progress, 1);
    layout->addLayout(line);
    m_result = wrappingLabel(this);
    layout->addWidget(m_result);
    m_sameAs = new forms::SameAsView(this);
    layout->addWidget(m_sameAs, 1);
}

void ReplayPage::connectAll()
{
    const auto changed = [this] { refresh(); };
    connect(m_stream, &QComboBox::currentIndexChanged, this, [this] {
        m_first->clear();
        m_last->clear();
        refresh();
    });
    for (QLineEdit* edit : {m_first, m_last, m_filter, m_prefix, m_subject})
        connect(edit, &QLineEdit::textChanged, this, changed);
    connect(m_useSubject, &QRadioButton::toggled, this, [this](bool subject) {
        m_subject->setEnabled(subject);
        m_prefix->setEnabled(!subject);
        refresh();
    });
    connect(m_speed, &QComboBox::currentIndexChanged, this, [this](int index) {
        m_factor->setEnabled(index == Factor);
        refresh();
    });
    connect(m_factor, &QDoubleSpinBox::valueChanged, this, changed);
    connect(m_keepIds, &QCheckBox::toggled, this, changed);
    connect(m_start, &QPushButton::clicked, this, &ReplayPage::start);
    connect(m_cancel, &QPushButton::clicked, &m_controller, &ReplayController::cancel);
    connect(&m_controller, &ReplayController::progressChanged, this, &ReplayPage::onProgress);
    if (m_connection)
        connect(m_connection, &client::Connection::stateChanged, this, changed);
    if (m_source)
        connect(m_source, &sources::FlowSource::overviewChanged, this, &ReplayPage::refreshStreams);
}

void ReplayPage::setRange(const QString& stream, quint64 first, quint64 last)
{
    m_stream->setCurrentIndex(m_stream->findText(stream));
    m_first->setText(first > 0 ? QString::number(first) : QString());
    m_last->setText(last > 0 ? QString::number(last) : QString());
}

const StreamOverview* ReplayPage::stream() const
{
    return m_source ? m_source->stream(m_stream->currentText()) : nullptr;
}

ReplayPlan ReplayPage::plan() const
{
    ReplayPlan p;
    p.stream = m_stream->currentText();
    const StreamOverview* s = stream();
    p.first = m_first->text().isEmpty() ? (s ? std::max<quint64>(1, s->counts.first.value()) : 1)
                                        : m_first->text().toULongLong();
    const quint64 newest = s ? s->counts.last.value() : 0;
    // The end stands still from here on: what is published meanwhile is not replayed.
    p.last = m_last->text().isEmpty() ? newest : std::min(newest, m_last->text().toULongLong());
    p.filter = m_filter->text().trimmed();
    p.prefix = m_prefix->text().trimmed();
    p.fixedSubject = m_useSubject->isChecked() ? m_subject->text().trimmed() : QString();
    p.speed = m_speed->currentIndex() == Original ? 1
        : m_speed->currentIndex() == Factor       ? m_factor->value()
                                                  : 0;
    p.keepIds = m_keepIds->isChecked();
    return p;
}

QString ReplayPage::problem(const ReplayPlan& p) const
{
    if (p.stream.isEmpty())
        return tr("There is no stream to replay.");
    const auto isNumber = [](const QString& t) {
        bool ok = t.isEmpty();
        if (!ok)
            (void)t.toULongLong(&ok);
        return ok;
    };
    if (!isNumber(m_first->text()) || !isNumber(m_last->text()))
        return tr("A sequence is a whole number.");
    if (p.first == 0 || p.last < p.first)
        return tr("There is nothing in this range.");
    if (!p.filter.isEmpty() && !client::isValidSubject(p.filter))
        return tr("The filter is not a subject.");
    if (m_useSubject->isChecked()
        && (!client::isValidSubject(p.fixedSubject) || client::hasWildcard(p.fixedSubject)))
        return tr("The target has to be one exact subject.");
    if (!m_useSubject->isChecked()
        && (!client::isValidSubject(p.prefix) || client::hasWildcard(p.prefix)))
        return tr("The prefix has to be one or more words with dots between them.");
    return {};
}

void ReplayPage::refreshStreams()
{
    QStringList names;
    if (m_source) {
        for (const StreamOverview& s : m_source->overview()->streams)
            names.append(QString::fromStdString(s.name));
    }
    refill(m_stream, names);
    refresh();
}

void ReplayPage::refresh()
{
    const ReplayPlan p = plan();
    const StreamOverview* s = stream();
    if (s && s->counts.messages > 0) {
        m_first->setPlaceholderText(QString::number(s->counts.first.value()));
        m_last->setPlaceholderText(QString::number(s->counts.last.value()));
        forms::say(m_rangeFacts,
            Tone::Quiet,
            tr("The stream holds %L1 messages, sequences %2 to %3.")
                .arg(s->counts.messages)
                .arg(s->counts.first.value())
                .arg(s->counts.last.value()));
    } else {
        forms::say(m_rangeFacts, Tone::Quiet, tr("The stream is empty."));
    }
    const QString trouble = problem(p);
    bool ok = trouble.isEmpty();
    if (!ok) {
        forms::say(m_target, Tone::Waiting, trouble);
    } else if (m_source) {
        const ReplayTarget t = controllers::replayTarget(p, m_source->overview()->streams);
        const QString to = text::breakable(t.patterns.join(QStringLiteral(", ")));
        // Told of a replay that can begin only: one that is refused ends nowhere.
        const QString end =
            QLatin1Char(' ') + tr("It ends at %1 even if more comes in.").arg(p.last);
        if (t.loop) {
            ok = false;
            forms::say(m_target,
                Tone::Bad,
                tr("This would be a loop: %1 captures %2 and feeds the stream that is replayed. "
                   "Choose another target.")
                    .arg(text::breakable(t.loopThrough), to));
        } else if (t.capturedBy.isEmpty()) {
            forms::say(m_target,
                Tone::Plain,
                tr("Goes to %1. No stream captures that, so only clients that subscribe now get "
                   "it.")
                        .arg(to)
                    + end);
        } else {
            forms::say(m_target,
                Tone::Waiting,
                tr("Goes to %1. Stored again by: %2.")
                        .arg(to, text::breakable(t.capturedBy.join(QStringLiteral(", "))))
                    + end);
        }
    }
    const bool running = m_controller.progress().running;
    // A button that is switched off would pass the focus on to whatever comes next.
    const bool held = m_start->hasFocus() || m_cancel->hasFocus();
    m_start->setEnabled(ok && !running && m_connection && m_connection->isConnected());
    m_cancel->setEnabled(running);
    if (held)
        (running ? m_cancel : m_start)->setFocus();
    refreshSameAs(p);
}

void ReplayPage::refreshSameAs(const ReplayPlan& p)
{
    if (m_connection)
        m_sameAs->setServer(m_connection->options().servers.value(0));
    const bool stored = m_source
        && !controllers::replayTarget(p, m_source->overview()->streams).capturedBy.isEmpty();
    m_sameAs->setAction(client::ReplayAction{
        p.stream, p.first, p.last, p.prefix, p.fixedSubject, p.speed, p.keepIds, stored});
}

void ReplayPage::start()
{
    if (!m_start->isEnabled() || !m_source)
        return;
    const ReplayPlan p = plan();
    const ReplayTarget t = controllers::replayTarget(p, m_source->overview()->streams);
    const StreamOverview* s = stream();
    m_controller.start(p, s && s->config.allowDirect, !t.capturedBy.isEmpty());
    refresh();
}

void ReplayPage::onProgress(const ReplayProgress& p)
{
    m_progress->setVisible(p.running);
    m_progress->setValue(p.permille());
    QString words =
        tr("%L1 published, at sequence %2 of %3.").arg(p.published).arg(p.at).arg(p.last);
    if (p.failed > 0)
        words += tr(" %L1 refused.").arg(p.failed);
    Tone tone = Tone::Plain;
    if (p.next != 0 && p.nextIn > kShortWaitNs) {
        words += QLatin1Char(' ')
            + tr("Waiting: %1 came in %2 after the one before it, so it goes out in %3.")
                  .arg(p.next)
                  .arg(text::duration(p.nextAfter), text::duration(p.nextIn));
        tone = Tone::Waiting;
    }
    if (!p.running && p.cancelled) {
        words += tr(" Cancelled; what was published stays published.");
        tone = Tone::Waiting;
    } else if (!p.running && !p.error) {
        words += tr(" Done.");
        tone = Tone::Good;
    }
    if (p.error) {
        words += QLatin1Char(' ') + p.error->text() + QLatin1Char(' ') + p.error->meaning();
        tone = Tone::Bad;
    }
    forms::say(m_result, tone, words);
    if (!p.running)
        refresh();
}

void ReplayPage::retranslate()
{
    m_streamLabel->setText(tr("St&ream"));
    m_rangeLabel->setText(tr("Se&quences"));
    m_toLabel->setText(tr("to"));
    m_first->setAccessibleName(tr("First sequence"));
    m_last->setAccessibleName(tr("Last sequence"));
    m_filterLabel->setText(tr("&Only subjects"));
    m_filter->setPlaceholderText(tr("all"));
    m_usePrefix->setText(tr("Put in front of each su&bject"));
    m_prefix->setAccessibleName(m_usePrefix->text());
    m_useSubject->setText(tr("All to one sub&ject"));
    m_subject->setAccessibleName(m_useSubject->text());
    m_speedLabel->setText(tr("S&peed"));
    m_speed->setItemText(Original, tr("as they came in"));
    m_speed->setItemText(Factor, tr("faster or slower"));
    m_speed->setItemText(Fastest, tr("as fast as possible"));
    m_factor->setAccessibleName(tr("Factor on the original pace"));
    m_keepIds->setText(tr("&Keep Nats-Msg-Id and Nats-Expected-*"));
    m_keepIds->setToolTip(tr("With its id a message is a duplicate inside the window, and its "
                             "expectations hardly hold."));
    m_start->setText(tr("Star&t"));
    m_cancel->setText(tr("&Cancel"));
    m_progress->setAccessibleName(tr("Progress of the replay"));
}

void ReplayPage::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        refresh();
        if (!m_result->text().isEmpty())
            onProgress(m_controller.progress());
    }
    QWidget::changeEvent(event);
}

} // namespace jetglass::pages
