// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/message_menu.h"

#include "dialogs/purge_dialog.h"
#include "pages/activity_panel.h"
#include "pages/lanes_page.h"
#include "pages/payload_item.h"
#include "pages/publish_page.h"
#include "pages/replay_page.h"
#include "pages/stream_page.h"
#include "text/quantity.h"
#include "window/acting.h"
#include "window/main_window.h"

#include <QApplication>
#include <QClipboard>
#include <QCoreApplication>
#include <QMenu>

namespace jetglass::window {

namespace {

struct MessageMenu
{
    Q_DECLARE_TR_FUNCTIONS(MessageMenu)
};

/// False only if the lanes know that nobody holds it: the dialog looks for itself.
bool mayBePending(MainWindow& window, quint64 seq, ConsumerId consumer)
{
    const models::LaneFeed& feed = window.streamPage().lanes().feed();
    for (int lane = 0; lane < static_cast<int>(feed.lanes().size()); ++lane) {
        if (consumer != ConsumerId{} && feed.consumerAt(lane) != consumer)
            continue;
        const items::LaneCell* cell = feed.laneCell(lane, seq);
        if (!cell || items::isPending(cell->state))
            return true;
    }
    return false;
}

QString streamName(MainWindow& window)
{
    const StreamOverview* stream =
        window.session()->source.stream(window.session()->selection.stream());
    return stream ? QString::fromStdString(stream->name) : QString();
}

void publishAgain(MainWindow& window, quint64 seq)
{
    MessageQuestion question;
    question.stream = window.session()->selection.stream();
    question.first = StreamSeq(seq);
    question.count = 1;
    question.payloadLimit = 1024 * 1024;
    window.session()->source.ask(question, &window, [&window, seq](const MessageAnswer& answer) {
        if (answer.rows.empty() || answer.rows.front().seq.value() != seq || !window.publishPage())
            return;
        const items::PayloadItem item = pages::payloadItem(answer.rows.front());
        client::Message message;
        message.subject = item.subject;
        message.payload = item.payload;
        for (const auto& [name, value] : item.headers)
            message.headers.append({name, value});
        window.publishPage()->setMessage(message);
        window.focusPublish();
    });
}

void purgeBefore(MainWindow& window, quint64 seq)
{
    auto* dialog = new dialogs::PurgeDialog(
        window.connection(), &window.session()->source, streamName(window), &window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    client::PurgeRequest request;
    request.seq = seq;
    dialog->setRequest(request);
    dialog->show();
}

} // namespace

void openMessageMenu(MainWindow& window, quint64 seq, ConsumerId consumer, const QPoint& globalPos)
{
    models::Session* session = window.session();
    if (!session || seq == 0)
        return;
    if (consumer != ConsumerId{})
        session->selection.setConsumer(session->selection.stream(), consumer);
    session->selection.setSequence(seq);
    QMenu menu(&window);
    const QString number = text::count(seq);
    menu.addAction(MessageMenu::tr("Show only events of %1").arg(number), &window, [&window, seq] {
        window.streamPage().activity().showSequence(seq);
    });
    menu.addAction(MessageMenu::tr("Copy sequence"), &window, [seq] {
        QApplication::clipboard()->setText(QString::number(seq));
    });
    if (window.connection()) {
        menu.addSeparator();
        QAction* change = menu.addAction(MessageMenu::tr("Override its delivery…"),
            &window,
            [&window, consumer] { acting::overrideDelivery(window, consumer); });
        change->setEnabled(mayBePending(window, seq, consumer));
        menu.addAction(MessageMenu::tr("Publish again…"), &window, [&window, seq] {
            publishAgain(window, seq);
        });
        menu.addAction(MessageMenu::tr("Replay from here…"), &window, [&window, seq] {
            const StreamOverview* stream =
                window.session()->source.stream(window.session()->selection.stream());
            if (!stream || !window.replayPage())
                return;
            window.replayPage()->setRange(
                QString::fromStdString(stream->name), seq, stream->counts.last.value());
            window.focusReplay();
        });
        menu.addAction(MessageMenu::tr("Purge what is before…"), &window, [&window, seq] {
            purgeBefore(window, seq);
        });
    }
    menu.exec(globalPos);
}

} // namespace jetglass::window
