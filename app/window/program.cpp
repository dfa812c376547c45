// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/program.h"

#include "client/override_name.h"
#include "pages/stream_page.h"
#include "window/start_page.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTextStream>
#include <QTimer>

namespace jetglass::window {

namespace {

constexpr int kSettleMs = 700; // a picture is taken when answers and charts have arrived

void complain(const QString& text)
{
    QTextStream(stderr) << "jetglass: " << text << Qt::endl;
}

QString temporaryStore()
{
    static QTemporaryDir folder;
    return folder.path();
}

/// A picture must not depend on what this user chose before, nor change it.
Options isolated(Options options)
{
    if (!options.shot.isEmpty()) {
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, temporaryStore());
    }
    return options;
}

bool readSize(const QString& text, QSize& size)
{
    const QStringList parts = text.split(QLatin1Char('x'));
    if (parts.size() != 2)
        return false;
    size = QSize(parts[0].toInt(), parts[1].toInt());
    return size.width() >= 200 && size.height() >= 200;
}

void declareOptions(QCommandLineParser& parser)
{
    parser.addOptions({{QStringLiteral("port"),
                           QStringLiteral("Port for clients, default 4222; -1 = any free one."),
                           QStringLiteral("number")},
        {QStringLiteral("store"),
            QStringLiteral("Streams are kept in jetstream/ in it; default: in "
                           "~/.local/share/jetglass/jetglass."),
            QStringLiteral("folder")},
        {QStringLiteral("theme"),
            QStringLiteral("system, light or dark; default: as last chosen."),
            QStringLiteral("name")},
        {QStringLiteral("language"),
            QStringLiteral("system, en or zh_CN; default: as last chosen."),
            QStringLiteral("name")},
        {QStringLiteral("scene"),
            QStringLiteral("Begin with a prepared situation: %1.")
                .arg(scenes::Stage::names().join(QStringLiteral(", "))),
            QStringLiteral("name")},
        {QStringLiteral("shot"),
            QStringLiteral("Write a picture of the window and end."),
            QStringLiteral("file.png")},
        {QStringLiteral("size"),
            QStringLiteral("Size of the picture, default 1280x720."),
            QStringLiteral("size")},
        {QStringLiteral("demo"), QStringLiteral("Begin with example streams and traffic.")}});
}

/// All three say themselves what was wrong.
bool readPort(const QCommandLineParser& parser, std::optional<int>& port)
{
    if (!parser.isSet(QStringLiteral("port")))
        return true;
    const QString text = parser.value(QStringLiteral("port"));
    bool number = false;
    port = text.toInt(&number);
    if (number && *port >= -1 && *port <= 65535)
        return true;
    complain(QStringLiteral("not a port: %1").arg(text));
    return false;
}

bool readTheme(const QCommandLineParser& parser, std::optional<settings::ThemeChoice>& theme)
{
    if (!parser.isSet(QStringLiteral("theme")))
        return true;
    const QString text = parser.value(QStringLiteral("theme"));
    settings::ThemeChoice choice{};
    if (!settings::Preferences::parse(text, choice)) {
        complain(QStringLiteral("not a theme: %1 (system, light, dark)").arg(text));
        return false;
    }
    theme = choice;
    return true;
}

bool readLanguage(const QCommandLineParser& parser, std::optional<settings::Language>& language)
{
    if (!parser.isSet(QStringLiteral("language")))
        return true;
    const QString text = parser.value(QStringLiteral("language"));
    settings::Language choice{};
    if (!settings::Preferences::parse(text, choice)) {
        complain(QStringLiteral("not a language: %1 (system, en, zh_CN)").arg(text));
        return false;
    }
    language = choice;
    return true;
}

} // namespace

std::optional<Options> Options::parse(const QStringList& arguments)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral("A JetStream that you can see through."));
    const QCommandLineOption help = parser.addHelpOption();
    const QCommandLineOption version = parser.addVersionOption();
    declareOptions(parser);
    if (!parser.parse(arguments)) {
        complain(parser.errorText());
        return std::nullopt;
    }
    if (parser.isSet(help))
        parser.showHelp(0);
    if (parser.isSet(version))
        parser.showVersion();
    Options options;
    const auto value = [&parser](const char* name) { return parser.value(QLatin1String(name)); };
    if (!readPort(parser, options.port) || !readTheme(parser, options.theme)
        || !readLanguage(parser, options.language))
        return std::nullopt;
    if (parser.isSet(QStringLiteral("size")) && !readSize(value("size"), options.size)) {
        complain(QStringLiteral("not a size: %1").arg(value("size")));
        return std::nullopt;
    }
    options.store = value("store");
    options.scene = value("scene");
    options.shot = value("shot");
    options.demo = parser.isSet(QStringLiteral("demo"));
    if (!options.scene.isEmpty() && !scenes::Stage::names().contains(options.scene)) {
        complain(QStringLiteral("no such scene: %1 (%2)")
                     .arg(options.scene, scenes::Stage::names().join(QStringLiteral(", "))));
        return std::nullopt;
    }
    return options;
}

Program::Program(Options options)
    : m_options(isolated(std::move(options)))
{
    if (m_options.theme)
        m_preferences.setTheme(*m_options.theme, false);
    if (m_options.language)
        m_preferences.setLanguage(*m_options.language, false);
    m_preferences.apply();
    m_window = std::make_unique<MainWindow>(m_preferences);
    connect(&m_broker, &EmbeddedBroker::started, this, &Program::brokerStarted);
    connect(&m_broker, &EmbeddedBroker::failed, this, &Program::brokerFailed);
    connect(&m_window->startPage(), &StartPage::portChosen, this, &Program::startBroker);
    connect(&m_window->startPage(), &StartPage::storeChosen, this, &Program::useStore);
    connect(&m_window->startPage(), &StartPage::folderWanted, this, &Program::chooseStore);
    connect(&m_window->startPage(), &StartPage::retry, this, [this] { startBroker(m_port); });
}

Program::~Program()
{
    m_stage.reset();
    m_window->detach();
    m_window.reset();
    m_connection.reset();
    m_source.reset();
    m_broker.stop();
}

void Program::start()
{
    // Nor does a picture touch what is stored or what listens on the usual port.
    const bool picture = !m_options.shot.isEmpty();
    if (picture)
        m_window->resize(m_options.size);
    startBroker(m_options.port.value_or(picture ? -1 : m_preferences.port()));
    m_window->show();
}

BrokerConfig Program::config(int port) const
{
    BrokerConfig config;
    config.port = port;
    config.jetstream.enabled = true;
    QString folder = m_options.store;
    if (folder.isEmpty()
        && (!m_options.shot.isEmpty() || m_options.demo || !m_options.scene.isEmpty()))
        folder = temporaryStore();
    if (folder.isEmpty())
        folder = QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation);
    QDir().mkpath(folder);
    config.jetstream.storeDir = QDir(folder).absolutePath().toStdString();
    config.log.quiet = true;
    config.lab = true;
    config.executable = "jetglass";
    return config;
}

void Program::startBroker(int port)
{
    m_port = port;
    m_window->startPage().showStarting();
    m_broker.start(config(port));
}

void Program::brokerStarted()
{
    m_source = std::make_unique<sources::EmbeddedSource>(*m_broker.broker());
    m_connection = std::make_unique<client::Connection>();
    client::ConnectOptions options;
    options.servers = QStringList{m_source->serverUrl()};
    options.name = client::kWindowClient;
    m_connection->open(options);
    // With the first overview at hand the window opens on the right page.
    connect(
        m_source.get(),
        &sources::FlowSource::overviewChanged,
        this,
        [this] {
            m_window->attach(*m_source, m_connection.get());
            m_window->showRecovery(m_broker.broker()->recoveryReport());
            emit ready();
            playScene();
        },
        Qt::SingleShotConnection);
}

void Program::brokerFailed(const Error& error)
{
    using Kind = text::StartProblem::Kind;
    const QString store = QString::fromStdString(m_broker.config().jetstream.storeDir);
    StartPage::Trouble trouble;
    trouble.problem = text::startProblem(error, store);
    trouble.port = m_port;
    const Kind kind = trouble.problem.kind;
    if (kind == Kind::PortTaken)
        trouble.freePort = EmbeddedBroker::nextFreePort(m_port < 0 ? 4223 : m_port + 1);
    else if (kind != Kind::Other)
        trouble.freshStore = freshStore(store);
    if (kind == Kind::StoreTaken)
        trouble.holder = lockHolder(trouble.problem.file);
    m_window->startPage().showTrouble(trouble);
    // A picture of the trouble would pass for the one that was asked for.
    if (!m_options.shot.isEmpty())
        fail(kind == Kind::PortTaken ? QStringLiteral("no picture: port %1 is taken (%2)")
                                           .arg(m_port)
                                           .arg(trouble.problem.words)
                                     : QStringLiteral("no picture: %1").arg(trouble.problem.words));
}

void Program::fail(const QString& problem)
{
    complain(problem);
    QApplication::exit(1);
}

void Program::useStore(const QString& folder)
{
    m_options.store = folder;
    startBroker(m_port);
}

void Program::chooseStore()
{
    auto* dialog = new QFileDialog(m_window.get());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    const QString store = QString::fromStdString(m_broker.config().jetstream.storeDir);
    dialog->setDirectory(QFileInfo(store).absolutePath());
    connect(dialog, &QFileDialog::fileSelected, this, &Program::useStore);
    dialog->open();
}

void Program::playScene()
{
    // A picture of somebody's own store shows what is in it.
    const bool example = m_options.demo || (!m_options.shot.isEmpty() && m_options.store.isEmpty());
    const QString name =
        m_options.scene.isEmpty() && example ? QStringLiteral("orders") : m_options.scene;
    if (name.isEmpty()) {
        if (!m_options.shot.isEmpty())
            takeShot();
        return;
    }
    m_stage = std::make_unique<scenes::Stage>(m_source->serverUrl());
    m_stage->play(name, [this](const QString& problem) {
        if (!problem.isEmpty() && !m_options.shot.isEmpty())
            return fail(problem);
        if (!problem.isEmpty())
            complain(problem);
        if (m_options.demo)
            m_stage->startTraffic();
        emit sceneStands();
        if (!m_options.shot.isEmpty())
            takeShot();
    });
}

void Program::takeShot()
{
    QTimer::singleShot(kSettleMs, this, [this] {
        if (models::Session* session = m_window->session()) {
            if (const StreamOverview* orders = session->source.stream(QStringLiteral("ORDERS"))) {
                session->selection.setStream(orders->id);
                if (!orders->consumers.empty())
                    session->selection.setConsumer(orders->id, orders->consumers.back().id);
                for (const ConsumerOverview& consumer : orders->consumers) {
                    if (consumer.name == "payments") {
                        session->selection.setConsumer(orders->id, consumer.id);
                        session->selection.setSequence(consumer.counts.floorStreamSeq.value() + 1);
                    }
                }
            }
        }
        QTimer::singleShot(kSettleMs, this, [this] {
            if (!m_window->grab().save(m_options.shot))
                return fail(QStringLiteral("cannot write %1").arg(m_options.shot));
            QApplication::exit(0);
        });
    });
}

} // namespace jetglass::window
