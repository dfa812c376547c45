// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/config_page.h"

#include "forms/eliding_label.h"
#include "items/message_state.h"
#include "pages/table_style.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

namespace jetglass::pages {

using models::PlainTableModel;

ConfigPage::ConfigPage(models::Session& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_title(new forms::ElidingLabel(this, Qt::ElideMiddle))
    , m_edit(new QPushButton(this))
    , m_table(new QTableView(this))
{
    QFont bold = m_title->font();
    bold.setWeight(QFont::DemiBold);
    m_title->setFont(bold);
    setUpTable(*m_table);
    m_table->setModel(&m_model);
    m_table->setItemDelegate(new ToneDelegate(PlainTableModel::ToneRole, m_table));
    m_table->setObjectName(QStringLiteral("configTable"));
    auto* head = new QHBoxLayout;
    head->setContentsMargins(12, 8, 12, 0);
    head->addWidget(m_title, 1);
    head->addWidget(m_edit);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addLayout(head);
    layout->addWidget(m_table, 1);
    connect(m_edit, &QPushButton::clicked, this, &ConfigPage::editRequested);
    connect(&session.selection, &models::Selection::streamChanged, this, &ConfigPage::refresh);
    connect(&session.selection, &models::Selection::consumerChanged, this, &ConfigPage::refresh);
    connect(&session.source, &sources::FlowSource::overviewChanged, this, [this] {
        if (isVisible())
            refresh();
    });
    retranslate();
}

void ConfigPage::refresh()
{
    const models::Selection& selection = m_session.selection;
    const StreamOverview* stream = m_session.source.stream(selection.stream());
    const ConsumerOverview* consumer =
        m_session.source.consumer(selection.stream(), selection.consumer());
    if (consumer) {
        m_title->setText(tr("Consumer %1").arg(QString::fromStdString(consumer->name)));
        m_rows = text::settingRows(consumer->config);
    } else if (stream) {
        m_title->setText(tr("Stream %1").arg(QString::fromStdString(stream->name)));
        m_rows = text::settingRows(stream->config);
    } else {
        m_title->clear();
        m_rows.clear();
    }
    m_edit->setEnabled(stream != nullptr);
    std::vector<PlainTableModel::Row> rows;
    quint64 key = static_cast<quint64>(selection.stream()) << 40
        | static_cast<quint64>(selection.consumer()) << 8;
    for (const text::SettingRow& row : m_rows) {
        const int tone = static_cast<int>(row.isDefault ? items::Tone::Muted : items::Tone::Normal);
        const int muted = static_cast<int>(items::Tone::Muted);
        rows.push_back({key++,
            {{row.name, row.meaning, false, tone},
                {row.value, row.value, false, tone},
                {row.term, {}, false, muted},
                {row.meaning, row.meaning, false, muted}}});
    }
    const bool sameShape = static_cast<int>(rows.size()) == m_model.rowCount();
    m_model.setRows(std::move(rows));
    if (!sameShape)
        fitColumns(*m_table);
}

void ConfigPage::showSetting(const QString& term)
{
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        if (!m_rows[i].term.contains(term))
            continue;
        const QModelIndex at = m_model.index(static_cast<int>(i), 0);
        m_table->setCurrentIndex(at);
        m_table->scrollTo(at, QAbstractItemView::PositionAtCenter);
        return;
    }
}

void ConfigPage::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

void ConfigPage::retranslate()
{
    m_model.setHeaders({tr("Setting"), tr("Value"), tr("In NATS"), tr("What it does")});
    m_edit->setText(tr("Edit…"));
    m_table->setAccessibleName(tr("Settings"));
    refresh();
}

} // namespace jetglass::pages
