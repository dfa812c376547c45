// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/acting.h"

#include "client/config_json.h"
#include "dialogs/config_dialog.h"
#include "dialogs/delete_dialog.h"
#include "dialogs/override_dialog.h"
#include "dialogs/purge_dialog.h"
#include "pages/replay_page.h"
#include "window/main_window.h"

namespace jetglass::window::acting {

namespace {

struct Chosen
{
    const StreamOverview* stream = nullptr;
    const ConsumerOverview* consumer = nullptr;
    [[nodiscard]] QString streamName() const
    {
        return stream ? QString::fromStdString(stream->name) : QString();
    }
};

Chosen chosen(MainWindow& window)
{
    const models::Session* session = window.session();
    if (!session)
        return {};
    const models::Selection& selection = session->selection;
    return {session->source.stream(selection.stream()),
        session->source.consumer(selection.stream(), selection.consumer())};
}

/// Not modal: what is being changed can be looked at meanwhile. Belongs to the window and goes when
/// it is closed.
void open(QDialog* dialog)
{
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show();
    dialog->raise();
    dialog->activateWindow();
}

} // namespace

bool canAct(const MainWindow& window)
{
    return window.connection() != nullptr;
}

void newStream(MainWindow& window)
{
    if (!canAct(window))
        return;
    auto* dialog =
        new dialogs::StreamDialog(window.connection(), &window.session()->source, {}, &window);
    QObject::connect(dialog, &dialogs::StreamDialog::saved, &window, &MainWindow::selectStream);
    open(dialog);
}

void newConsumer(MainWindow& window)
{
    const Chosen at = chosen(window);
    if (canAct(window) && at.stream)
        open(new dialogs::ConsumerDialog(window.connection(),
            &window.session()->source,
            client::toJson(at.stream->config),
            {},
            &window));
}

void edit(MainWindow& window)
{
    const Chosen at = chosen(window);
    if (!canAct(window) || !at.stream)
        return;
    sources::FlowSource* source = &window.session()->source;
    const QJsonObject stream = client::toJson(at.stream->config);
    if (at.consumer)
        open(new dialogs::ConsumerDialog(
            window.connection(), source, stream, client::toJson(at.consumer->config), &window));
    else
        open(new dialogs::StreamDialog(window.connection(), source, stream, &window));
}

void remove(MainWindow& window)
{
    const Chosen at = chosen(window);
    if (!canAct(window) || !at.stream)
        return;
    sources::FlowSource* source = &window.session()->source;
    if (at.consumer)
        open(new dialogs::DeleteConsumerDialog(window.connection(),
            source,
            at.streamName(),
            QString::fromStdString(at.consumer->name),
            &window));
    else
        open(
            new dialogs::DeleteStreamDialog(window.connection(), source, at.streamName(), &window));
}

void purge(MainWindow& window)
{
    const Chosen at = chosen(window);
    if (canAct(window) && at.stream)
        open(new dialogs::PurgeDialog(
            window.connection(), &window.session()->source, at.streamName(), &window));
}

void replay(MainWindow& window)
{
    const Chosen at = chosen(window);
    if (!at.stream || !window.replayPage())
        return;
    window.replayPage()->setRange(
        at.streamName(), at.stream->counts.first.value(), at.stream->counts.last.value());
    window.focusReplay();
}

void overrideDelivery(MainWindow& window, ConsumerId consumer)
{
    models::Session* session = window.session();
    if (!session || !window.overrides() || session->selection.sequence() == 0)
        return;
    open(new dialogs::OverrideDialog(*window.overrides(),
        *session,
        StreamSeq(session->selection.sequence()),
        consumer == ConsumerId{} ? session->selection.consumer() : consumer,
        &window));
}

} // namespace jetglass::window::acting
