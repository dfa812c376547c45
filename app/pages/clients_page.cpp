// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/clients_page.h"

#include "items/message_state.h"
#include "pages/table_style.h"
#include "text/quantity.h"

#include <QEvent>
#include <QLabel>
#include <QTableView>
#include <QVBoxLayout>

namespace jetglass::pages {

using models::PlainTableModel;

ClientsPage::ClientsPage(models::Session& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_title(new QLabel(this))
    , m_table(new QTableView(this))
{
    QFont bold = m_title->font();
    bold.setWeight(QFont::DemiBold);
    m_title->setFont(bold);
    m_title->setContentsMargins(12, 8, 12, 0);
    setUpTable(*m_table);
    m_table->setModel(&m_model);
    m_table->setItemDelegate(new ToneDelegate(PlainTableModel::ToneRole, m_table));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_title);
    layout->addWidget(m_table, 1);
    connect(&session.clients, &models::ClientDirectory::changed, this, [this] {
        if (isVisible())
            refresh();
    });
    retranslate();
}

void ClientsPage::select(ClientId client)
{
    refresh();
    for (int row = 0; row < m_model.rowCount(); ++row) {
        const QModelIndex at = m_model.index(row, 0);
        if (at.data(PlainTableModel::KeyRole).toULongLong() == static_cast<quint64>(client))
            m_table->setCurrentIndex(at);
    }
}

void ClientsPage::refresh()
{
    const qint64 now = m_session.source.now();
    const ClientsAnswer& answer = m_session.clients.clients();
    std::vector<PlainTableModel::Row> rows;
    for (const ClientRow& c : answer.rows) {
        const QString name = m_session.clients.nameOf(c.id);
        const int tone =
            static_cast<int>(c.pendingBytes > 0 ? items::Tone::Waiting : items::Tone::Normal);
        rows.push_back({static_cast<quint64>(c.id),
            {{QString::number(static_cast<quint32>(c.id)), {}, true},
                {name, name},
                {QString::fromStdString(c.lang + " " + c.version).trimmed(), {}},
                {QString::fromStdString(c.address), {}},
                {QString::fromStdString(c.user), {}},
                {text::count(c.subscriptions), {}, true},
                {text::count(c.inMsgs), text::bytes(c.inBytes), true},
                {text::count(c.outMsgs), text::bytes(c.outBytes), true},
                {text::bytes(c.pendingBytes),
                    tr("Written for this client and not yet taken by it"),
                    true,
                    tone},
                {c.start > 0 ? text::duration(now - c.start) : QString(),
                    text::exactTime(c.start)}}});
    }
    const bool wasEmpty = m_model.rowCount() == 0;
    m_model.setRows(std::move(rows));
    m_title->setText(tr("%n connection(s) to %1", nullptr, m_model.rowCount())
                         .arg(m_session.source.serverUrl()));
    if (wasEmpty && m_model.rowCount() > 0)
        fitColumns(*m_table);
}

void ClientsPage::showEvent(QShowEvent* event)
{
    refresh();
    QWidget::showEvent(event);
}

void ClientsPage::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QWidget::changeEvent(event);
}

void ClientsPage::retranslate()
{
    m_model.setHeaders({tr("Number"),
                           tr("Name"),
                           tr("Library"),
                           tr("Address"),
                           tr("User"),
                           tr("Subscriptions"),
                           tr("In"),
                           tr("Out"),
                           tr("Waiting"),
                           tr("Since")},
        {QStringLiteral("cid"),
            QStringLiteral("name"),
            QStringLiteral("lang, version"),
            QStringLiteral("ip, port"),
            QStringLiteral("authorized_user"),
            QStringLiteral("subscriptions"),
            QStringLiteral("in_msgs"),
            QStringLiteral("out_msgs"),
            QStringLiteral("pending_bytes"),
            QStringLiteral("start")});
    m_table->setAccessibleName(tr("Connections"));
    refresh();
}

} // namespace jetglass::pages
