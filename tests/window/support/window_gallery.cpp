// SPDX-License-Identifier: GPL-3.0-or-later
// Not a test: brings the real program into every situation that a reader meets, offscreen, and
// writes a picture of each into a folder, for people to look at.
//   window_gallery FOLDER [light|dark] [en|zh_CN] [WIDTHxHEIGHT]
#include "dialogs/config_dialog.h"
#include "dialogs/override_dialog.h"
#include "dialogs/purge_dialog.h"
#include "forms/consumer_form.h"
#include "forms/stream_form.h"
#include "lanes/lane_view.h"
#include "pages/activity_panel.h"
#include "pages/consume_page.h"
#include "pages/lanes_page.h"
#include "pages/messages_page.h"
#include "pages/publish_page.h"
#include "pages/replay_page.h"
#include "pages/stream_page.h"
#include "scenes/scene.h"
#include "scenes/script.h"
#include "window/acting.h"
#include "window/program.h"
#include "window/start_page.h"

#include <QAction>
#include <QApplication>
#include <QDir>
#include <QLineEdit>
#include <QPainter>
#include <QPixmap>
#include <QSettings>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include <cstdio>

using namespace jetglass;
using window::Program;

namespace {

/// A picture is taken of the running program: counters and charts fill by real time.
constexpr int kSettleMs = 900;

class Gallery
{
public:
    Gallery(Program& program, const QDir& folder, const QString& suffix)
        : m_program(program)
        , m_folder(folder)
        , m_suffix(suffix)
    {
    }

    void play(const QString& scene, const QString& stream)
    {
        QString problem = QStringLiteral("still running");
        m_stage = std::make_unique<scenes::Stage>(session().source.serverUrl());
        m_stage->play(scene, [&problem](const QString& text) { problem = text; });
        if (!QTest::qWaitFor([&problem] { return problem.isEmpty(); }, 20'000))
            std::fprintf(stderr, "%s: %s\n", qPrintable(scene), qPrintable(problem));
        (void)QTest::qWaitFor([&] { return session().source.stream(stream) != nullptr; });
        choose(stream, QString(), 0);
    }

    void choose(const QString& stream, const QString& consumer, quint64 seq)
    {
        const StreamOverview* found = session().source.stream(stream);
        if (!found)
            return;
        session().selection.setConsumer(found->id, {}); // of the same stream, too
        for (const ConsumerOverview& each : found->consumers) {
            if (QString::fromStdString(each.name) == consumer)
                session().selection.setConsumer(found->id, each.id);
        }
        session().selection.setSequence(seq);
    }

    void shoot(const QString& name, QWidget* widget = nullptr)
    {
        QTest::qWait(kSettleMs);
        QWidget* target = widget ? widget : &window();
        QPixmap picture = target->grab();
        if (!widget) {
            QPainter painter(&picture);
            for (QWidget* popup : QApplication::topLevelWidgets()) {
                if (popup->windowType() == Qt::Popup && popup->isVisible())
                    painter.drawPixmap(popup->pos() - target->pos(), popup->grab());
            }
        }
        picture.save(m_folder.filePath(name + m_suffix + QStringLiteral(".png")));
    }

    template<class Dialog>
    void shootDialog(const QString& name, const std::function<void(Dialog&)>& prepare = {})
    {
        auto* dialog = window().findChild<Dialog*>();
        if (!dialog)
            return;
        if (prepare)
            prepare(*dialog);
        shoot(name, dialog);
        delete dialog;
    }

    [[nodiscard]] window::MainWindow& window() { return m_program.window(); }
    [[nodiscard]] models::Session& session() { return *window().session(); }
    void endStage() { m_stage.reset(); }

private:
    Program& m_program;
    QDir m_folder;
    QString m_suffix;
    std::unique_ptr<scenes::Stage> m_stage;
};

void shootOrders(Gallery& gallery)
{
    window::MainWindow& window = gallery.window();
    gallery.play(QStringLiteral("orders"), QStringLiteral("ORDERS"));
    gallery.choose(QStringLiteral("ORDERS"), QStringLiteral("payments"), 42);
    gallery.shoot(QStringLiteral("lanes"));
    window.showTab(pages::StreamPage::MessagesTab);
    gallery.shoot(QStringLiteral("messages"));
    window.showTab(pages::StreamPage::ConfigTab);
    gallery.shoot(QStringLiteral("settings"));
    window.showClients();
    gallery.shoot(QStringLiteral("clients"));
    window.showTab(pages::StreamPage::LanesTab);
    window.streamPage().lanes().view().setZoom({72, 1});
    gallery.shoot(QStringLiteral("lanes-wide"));
    window.streamPage().lanes().view().resetZoom();
    gallery.choose(QStringLiteral("TASKS"), QStringLiteral("workers"), 0);
    gallery.shoot(QStringLiteral("workqueue"));
    window.openPalette();
    gallery.shoot(QStringLiteral("palette"));
    for (QWidget* popup : QApplication::topLevelWidgets()) {
        if (popup != &window && popup->isVisible())
            popup->close();
    }
}

void shootPanels(Gallery& gallery)
{
    window::MainWindow& window = gallery.window();
    gallery.choose(QStringLiteral("ORDERS"), QStringLiteral("audit"), 0);
    window.focusPublish();
    client::Message message;
    message.subject = QStringLiteral("orders.created");
    message.payload = "{\"order_id\":\"ORD-7\"}";
    message.headers = {{QStringLiteral("Nats-Msg-Id"), QStringLiteral("ord-7")}};
    window.publishPage()->setMessage(message);
    window.publishPage()->publish();
    gallery.shoot(QStringLiteral("publish"));
    window.publishPage()->publish();
    message.subject = QStringLiteral("nobody.listens");
    QTest::qWait(300);
    window.publishPage()->setMessage(message);
    window.publishPage()->publish();
    gallery.shoot(QStringLiteral("publish-refused"));
    window.focusConsume();
    window.consumePage()->setConsumer(QStringLiteral("ORDERS"), QStringLiteral("audit"));
    window.consumePage()->fetch();
    QTest::qWait(400);
    window.consumePage()->fetch();
    gallery.shoot(QStringLiteral("consume"));
    window.focusReplay();
    window.replayPage()->setRange(QStringLiteral("ORDERS"), 27, 56);
    gallery.shoot(QStringLiteral("replay"));
    window.replayPage()->start();
    gallery.shoot(QStringLiteral("replay-done"));
    controllers::ReplayPlan slow = window.replayPage()->plan();
    slow.speed = 0.000'01;
    window.replayPage()->controller()->start(slow, false, false);
    gallery.shoot(QStringLiteral("replay-waits"));
    window.replayPage()->controller()->cancel();
}

void shootDialogs(Gallery& gallery)
{
    window::MainWindow& window = gallery.window();
    gallery.choose(QStringLiteral("ORDERS"), QString(), 0);
    window::acting::newStream(window);
    gallery.shootDialog<dialogs::StreamDialog>(
        QStringLiteral("stream-form"), [](dialogs::StreamDialog& dialog) {
            for (QLineEdit* edit : dialog.findChildren<QLineEdit*>()) {
                if (edit->isVisible() && edit->text().isEmpty()) {
                    edit->setText(QStringLiteral("MY INVOICES"));
                    break;
                }
            }
        });
    window::acting::newStream(window);
    gallery.shootDialog<dialogs::StreamDialog>(
        QStringLiteral("stream-overlap"), [](dialogs::StreamDialog& dialog) {
            dialog.form()->form()->setText(QStringLiteral("name"), QStringLiteral("INVOICES"));
            dialog.form()->form()->setText(
                QStringLiteral("subjects"), QStringLiteral("invoices.>\norders.*.eu"));
        });
    window::acting::edit(window);
    gallery.shootDialog<dialogs::StreamDialog>(QStringLiteral("stream-edit"));
    window::acting::newConsumer(window);
    gallery.shootDialog<dialogs::ConsumerDialog>(QStringLiteral("consumer-form"));
    window::acting::purge(window);
    gallery.shootDialog<dialogs::PurgeDialog>(QStringLiteral("purge"));
    window::acting::remove(window);
    gallery.shootDialog<QDialog>(QStringLiteral("delete"));
    gallery.choose(QStringLiteral("ORDERS"), QStringLiteral("payments"), 31);
    window::acting::overrideDelivery(window);
    gallery.shootDialog<dialogs::OverrideDialog>(QStringLiteral("override"));
}

/// The longest name that the server takes, and a subject and a payload without a place to break.
void shootLongest(Gallery& gallery)
{
    const QString name = QString(QStringLiteral("LONGEST-NAME-")).repeated(20).left(255);
    const QString subject = QString(QStringLiteral("level-of-a-long-subject.")).repeated(10);
    scenes::Script script;
    client::Connection& client = *gallery.window().connection();
    script.createStream(client,
        QStringLiteral(R"({"name":"%1","subjects":["level-of-a-long-subject.>"],"num_replicas":1})")
            .arg(name));
    script.createConsumer(client,
        name,
        QStringLiteral(R"({"durable_name":"%1","ack_policy":"explicit"})")
            .arg(QString(QStringLiteral("reader-of-")).repeated(20)));
    for (int i = 0; i < 12; ++i)
        script.publish(client, subject + QString::number(i), QString(2000, QLatin1Char('x')));
    QString problem = QStringLiteral("still running");
    script.run([&problem](const QString& text) { problem = text; });
    const auto ready = [&] { return problem.isEmpty() && gallery.session().source.stream(name); };
    if (!QTest::qWaitFor(ready, 20'000))
        std::fprintf(stderr, "longest: %s\n", qPrintable(problem));
    gallery.choose(name, QString(), 5);
    window::MainWindow& window = gallery.window();
    window.showTab(pages::StreamPage::LanesTab);
    gallery.shoot(QStringLiteral("longest"));
    window.showTab(pages::StreamPage::MessagesTab);
    window.replayPage()->setRange(name, 0, 0);
    gallery.shoot(QStringLiteral("longest-messages"));
    window.showTab(pages::StreamPage::LanesTab);
}

void shootExtremes(Gallery& gallery)
{
    gallery.window().streamPage().lanes().view().resetZoom();
    gallery.play(QStringLiteral("long-names"),
        QStringLiteral("WAREHOUSE-INVENTORY-RECONCILIATION-EUROPE-CENTRAL-PRODUCTION-2026"));
    gallery.window().showTab(pages::StreamPage::LanesTab);
    gallery.shoot(QStringLiteral("long-names"));
    gallery.window().showTab(pages::StreamPage::MessagesTab);
    gallery.shoot(QStringLiteral("long-names-messages"));
    gallery.window().showTab(pages::StreamPage::LanesTab);
    gallery.play(QStringLiteral("dense"), QStringLiteral("EVENTS"));
    gallery.window().streamPage().lanes().view().zoomToFit();
    gallery.shoot(QStringLiteral("dense"));
    gallery.window().streamPage().lanes().view().setZoom({2, 1});
    gallery.shoot(QStringLiteral("ticks"));
    gallery.endStage();
    window::StartPage start;
    start.resize(gallery.window().size());
    window::StartPage::Trouble trouble;
    trouble.problem.kind = text::StartProblem::Kind::PortTaken;
    trouble.port = 4222;
    trouble.freePort = 4223;
    start.showTrouble(trouble);
    start.show();
    gallery.shoot(QStringLiteral("port-taken"), &start);
    trouble.problem.kind = text::StartProblem::Kind::StoreTaken;
    trouble.problem.file = QStringLiteral("~/.local/share/jetglass/jetstream/$G");
    trouble.freePort = 0;
    trouble.freshStore = QStringLiteral("~/.local/share/jetglass-2");
    trouble.holder = {4711, QStringLiteral("jetglass")};
    start.showTrouble(trouble);
    gallery.shoot(QStringLiteral("store-taken"), &start);
}

} // namespace

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    const QStringList words = QApplication::arguments();
    if (words.size() < 2) {
        std::fprintf(stderr, "window_gallery FOLDER [light|dark] [en|zh_CN] [WIDTHxHEIGHT]\n");
        return 2;
    }
    const QString theme = words.value(2, QStringLiteral("light"));
    const QString language = words.value(3, QStringLiteral("en"));
    const QStringList size = words.value(4, QStringLiteral("1280x720")).split(QLatin1Char('x'));
    QTemporaryDir store;
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, store.path());
    window::Options options;
    options.port = -1;
    options.store = store.filePath(QStringLiteral("store"));
    options.theme =
        theme == QLatin1String("dark") ? settings::ThemeChoice::Dark : settings::ThemeChoice::Light;
    options.language = language == QLatin1String("zh_CN") ? settings::Language::Chinese
                                                          : settings::Language::English;
    Program program(options);
    program.window().resize(size.value(0).toInt(), size.value(1).toInt());
    bool ready = false;
    QObject::connect(&program, &Program::ready, [&ready] { ready = true; });
    program.start();
    if (!QTest::qWaitFor([&ready] { return ready; }, 20'000)
        || !QTest::qWaitFor([&program] { return program.window().connection()->isConnected(); }))
        return 1;
    QDir().mkpath(words[1]);
    Gallery gallery(program, QDir(words[1]), QStringLiteral("-%1-%2").arg(theme, language));
    gallery.shoot(QStringLiteral("empty"));
    shootOrders(gallery);
    shootPanels(gallery);
    shootDialogs(gallery);
    shootExtremes(gallery);
    shootLongest(gallery);
    return 0;
}
