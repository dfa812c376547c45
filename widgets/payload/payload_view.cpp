// SPDX-License-Identifier: GPL-3.0-or-later
#include "payload/payload_view.h"

#include "payload/hex_text.h"
#include "payload/json_highlighter.h"
#include "payload/json_text.h"
#include "payload/long_lines.h"
#include "style/metrics.h"
#include "style/words.h"

#include <QApplication>
#include <QButtonGroup>
#include <QClipboard>
#include <QEvent>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QTableWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace jetglass::payload {

using style::Theme;
using style::Words;

PayloadView::PayloadView(QWidget* parent)
    : QWidget(parent)
{
    build();
    retranslate();
    applyLook();
    clear();
}

PayloadView::~PayloadView() = default;

void PayloadView::build()
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    m_headersTitle = new QLabel(this);
    m_headers = new QTableWidget(0, 2, this);
    m_headers->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_headers->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_headers->verticalHeader()->hide();
    m_headers->horizontalHeader()->setStretchLastSection(true);
    m_headers->setWordWrap(false);
    m_headersTitle->setBuddy(m_headers);
    column->addWidget(m_headersTitle);
    column->addWidget(m_headers);

    auto* bar = new QHBoxLayout;
    bar->setSpacing(2);
    m_payloadTitle = new QLabel(this);
    m_payloadTitle->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_payloadTitle->installEventFilter(this);
    bar->addWidget(m_payloadTitle, 1);
    m_forms = new QButtonGroup(this);
    for (const Form form : {Form::Json, Form::Text, Form::Hex}) {
        auto* button = new QToolButton(this);
        button->setCheckable(true);
        button->setAutoRaise(true);
        m_forms->addButton(button, static_cast<int>(form));
        bar->addWidget(button);
    }
    m_copy = new QToolButton(this);
    m_copy->setAutoRaise(true);
    bar->addWidget(m_copy);
    column->addLayout(bar);

    m_notice = new QWidget(this);
    m_notice->setAutoFillBackground(true);
    auto* notice = new QHBoxLayout(m_notice);
    notice->setContentsMargins(8, 4, 8, 4);
    m_noticeText = new QLabel(m_notice);
    m_noticeText->setWordWrap(true);
    m_showAll = new QToolButton(m_notice);
    notice->addWidget(m_noticeText, 1);
    notice->addWidget(m_showAll);
    column->addWidget(m_notice);

    m_text = new QPlainTextEdit(this);
    m_text->setReadOnly(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_payloadTitle->setBuddy(m_text);
    column->addWidget(m_text, 1);
    m_highlighter = new JsonHighlighter(m_text->document());

    connect(m_forms, &QButtonGroup::idClicked, this, [this](int id) {
        setForm(static_cast<Form>(id));
    });
    connect(m_copy, &QToolButton::clicked, this, &PayloadView::copy);
    connect(m_showAll, &QToolButton::clicked, this, &PayloadView::showAll);
}

void PayloadView::retranslate()
{
    m_headers->setHorizontalHeaderLabels({tr("Header"), tr("Value")});
    m_headers->setAccessibleName(tr("Headers of the message"));
    m_text->setAccessibleName(tr("Payload of the message"));
    m_forms->button(static_cast<int>(Form::Json))->setText(tr("JSON"));
    m_forms->button(static_cast<int>(Form::Text))->setText(tr("Text"));
    m_forms->button(static_cast<int>(Form::Hex))->setText(tr("Hex"));
    m_copy->setText(tr("Copy"));
    m_copy->setToolTip(tr("Copy the payload in this form"));
    m_showAll->setText(tr("Show all"));
    m_text->setPlaceholderText(tr("Empty payload"));
    if (m_hasMessage) {
        showHeaders();
        showPayload();
    } else {
        clear();
    }
}

void PayloadView::applyLook()
{
    const Theme& theme = Theme::of(palette());
    m_text->setFont(style::fixedFont(font()));
    m_headers->setFont(font());
    QFont strong = font();
    strong.setBold(true);
    m_headersTitle->setFont(strong);
    m_payloadTitle->setFont(strong);
    m_highlighter->setTheme(theme);
    QPalette notice = palette();
    notice.setColor(QPalette::Window, theme.neutralFill);
    m_notice->setPalette(notice);
    const int row = QFontMetrics(font()).height() + 6;
    m_headers->verticalHeader()->setDefaultSectionSize(row);
}

void PayloadView::clear()
{
    m_message = {};
    m_hasMessage = false;
    m_cut = false;
    m_headersTitle->hide();
    m_headers->hide();
    m_notice->hide();
    m_payloadTitle->setText(tr("Payload"));
    m_text->clear();
    m_text->setEnabled(false);
    m_copy->setEnabled(false);
    for (QAbstractButton* button : m_forms->buttons()) {
        button->setEnabled(false);
    }
}

void PayloadView::setMessage(const items::PayloadItem& message)
{
    const bool same = m_hasMessage && m_message.seq == message.seq;
    m_all = same && m_all;
    m_message = message;
    m_hasMessage = true;
    m_text->setEnabled(true);
    m_copy->setEnabled(true);
    chooseForm();
    showHeaders();
    showPayload();
}

void PayloadView::chooseForm()
{
    JsonProblem problem;
    const bool whole = m_message.payloadSize <= static_cast<quint64>(m_message.payload.size());
    const bool json = !m_message.payload.isEmpty() && prettyJson(m_message.payload, &problem);
    QAbstractButton* button = m_forms->button(static_cast<int>(Form::Json));
    button->setEnabled(json);
    // A disabled button carries its reason.
    button->setToolTip(json ? tr("Indented; the order of keys and the form of numbers stay")
            : !whole ? tr("Only the first bytes are loaded, so it cannot be read as JSON yet")
            : m_message.payload.isEmpty()
            ? tr("The payload is empty")
            : tr("Not JSON: %1 at byte %2").arg(problem.what).arg(problem.offset));
    m_forms->button(static_cast<int>(Form::Text))->setEnabled(true);
    m_forms->button(static_cast<int>(Form::Hex))->setEnabled(true);
    if (m_wanted && (*m_wanted != Form::Json || json)) {
        m_form = *m_wanted;
    } else {
        m_form = json ? Form::Json : isText(m_message.payload, !whole) ? Form::Text : Form::Hex;
    }
}

void PayloadView::setForm(Form form)
{
    m_wanted = form;
    if (m_hasMessage) {
        chooseForm();
        showPayload();
    }
}

QString PayloadView::textOf(const QByteArray& bytes, Form form) const
{
    switch (form) {
    case Form::Json: {
        const auto pretty = prettyJson(bytes);
        return pretty ? *pretty : QString::fromUtf8(bytes);
    }
    case Form::Hex:
        return hexText(bytes);
    case Form::Text:
        break;
    }
    return QString::fromUtf8(bytes);
}

void PayloadView::showPayload()
{
    m_forms->button(static_cast<int>(m_form))->setChecked(true);
    fitTitle();
    const qsizetype limit = m_form == Form::Hex ? kHexLimit : kTextLimit;
    QByteArray bytes = m_message.payload;
    qsizetype shown = bytes.size();
    QString text;
    if (!m_all && bytes.size() > limit) {
        shown = limit;
        // JSON is indented as a whole and cut afterwards: half a document does not parse.
        text = m_form == Form::Json ? textOf(bytes, m_form).left(limit)
                                    : textOf(bytes.left(limit), m_form);
    } else {
        text = textOf(bytes, m_form);
    }
    m_highlighter->setActive(m_form == Form::Json);
    m_text->setLineWrapMode(
        m_form == Form::Text ? QPlainTextEdit::WidgetWidth : QPlainTextEdit::NoWrap);
    m_text->setPlainText(breakLongLines(text, m_linesBroken));
    updateNotice(shown);
}

/// A narrow panel has no room for the size beside the buttons: better no size than half of one.
void PayloadView::fitTitle()
{
    if (!m_hasMessage) {
        return;
    }
    const QString whole = tr("Payload · %1").arg(Words::size(m_message.payloadSize));
    const bool fits = m_payloadTitle->fontMetrics().horizontalAdvance(whole)
        <= m_payloadTitle->contentsRect().width();
    m_payloadTitle->setText(fits ? whole : tr("Payload"));
    m_payloadTitle->setToolTip(fits ? QString() : whole);
}

bool PayloadView::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_payloadTitle && event->type() == QEvent::Resize) {
        fitTitle();
    }
    return QWidget::eventFilter(watched, event);
}

void PayloadView::updateNotice(qsizetype shown)
{
    m_cut = static_cast<quint64>(shown) < m_message.payloadSize;
    m_notice->setVisible(m_cut || m_linesBroken);
    m_showAll->setVisible(m_cut);
    if (m_linesBroken && !m_cut) {
        m_noticeText->setText(tr("Very long lines are broken here; Copy gives them whole."));
    }
    if (m_cut) {
        m_noticeText->setText(
            tr("The first %1 of %2 are shown.")
                .arg(Words::size(static_cast<quint64>(shown)), Words::size(m_message.payloadSize)));
    }
}

void PayloadView::showAll()
{
    m_all = true;
    if (m_message.payloadSize > static_cast<quint64>(m_message.payload.size())) {
        emit loadAllRequested(m_message.seq);
    }
    showPayload();
}

void PayloadView::showHeaders()
{
    const auto count = static_cast<int>(m_message.headers.size());
    m_headersTitle->setVisible(count > 0);
    m_headers->setVisible(count > 0);
    m_headersTitle->setText(tr("Headers (%n)", nullptr, count));
    m_headers->setRowCount(count);
    for (int row = 0; row < count; ++row) {
        const auto& [name, value] = m_message.headers[static_cast<std::size_t>(row)];
        m_headers->setItem(row, 0, new QTableWidgetItem(name));
        auto* cell = new QTableWidgetItem(value);
        cell->setToolTip(value);
        m_headers->setItem(row, 1, cell);
    }
    m_headers->resizeColumnToContents(0);
    constexpr int kMostRows = 5;
    const int rows = std::clamp(count, 1, kMostRows);
    m_headers->setFixedHeight(m_headers->horizontalHeader()->sizeHint().height()
        + rows * m_headers->verticalHeader()->defaultSectionSize() + 2 * m_headers->frameWidth());
}

QString PayloadView::shownText() const
{
    return m_text->toPlainText();
}

void PayloadView::copy()
{
    QApplication::clipboard()->setText(textOf(m_message.payload, m_form));
}

void PayloadView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
    } else if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        applyLook();
    }
}

} // namespace jetglass::payload
