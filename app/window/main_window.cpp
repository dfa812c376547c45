// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/main_window.h"

#include "pages/activity_panel.h"
#include "pages/clients_page.h"
#include "pages/config_page.h"
#include "pages/consume_page.h"
#include "pages/explorer.h"
#include "pages/inspector.h"
#include "pages/lanes_page.h"
#include "pages/messages_page.h"
#include "pages/publish_page.h"
#include "pages/replay_page.h"
#include "pages/stream_page.h"
#include "pages/welcome_page.h"
#include "scenes/example.h"
#include "window/acting.h"
#include "window/actions.h"
#include "window/command_palette.h"
#include "window/message_menu.h"
#include "window/scrolled_panel.h"
#include "window/start_page.h"
#include "window/status_line.h"

#include <QClipboard>
#include <QDialog>
#include <QDockWidget>
#include <QEvent>
#include <QGuiApplication>
#include <QMenu>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>

#include <utility>

namespace jetglass::window {

MainWindow::MainWindow(settings::Preferences& preferences, QWidget* parent)
    : QMainWindow(parent)
    , m_preferences(preferences)
    , m_stack(new QStackedWidget(this))
    , m_start(new StartPage(m_stack))
    , m_actions(new Actions(*this))
    , m_status(new StatusLine(this))
{
    setObjectName(QStringLiteral("mainWindow"));
    setDockOptions(AnimatedDocks | AllowTabbedDocks | AllowNestedDocks);
    setTabPosition(Qt::RightDockWidgetArea, QTabWidget::North);
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    m_stack->addWidget(m_start);
    setCentralWidget(m_stack);
    statusBar()->addWidget(m_status, 1);
    statusBar()->setSizeGripEnabled(false);
    connect(m_status, &StatusLine::addressClicked, this, &MainWindow::copyAddress);
    connect(m_status, &StatusLine::clientsClicked, this, &MainWindow::showClients);
    connect(&preferences, &settings::Preferences::themeChanged, this, [this] {
        m_actions->refreshState();
    });
    connect(&preferences, &settings::Preferences::languageChanged, this, [this] {
        m_actions->refreshState();
    });
    resize(1280, 720);
    restoreGeometry(preferences.windowGeometry());
    m_actions->refreshState();
    retranslate();
}

MainWindow::~MainWindow()
{
    detach();
}

void MainWindow::attach(sources::FlowSource& source, client::Connection* connection)
{
    detach();
    m_connection = connection;
    if (connection)
        m_overrides = std::make_unique<controllers::OverrideController>(*connection);
    m_session = std::make_unique<models::Session>(source);
    m_welcome = new pages::WelcomePage(source.serverUrl(), m_stack);
    m_streamPage = new pages::StreamPage(*m_session, m_stack);
    m_clientsPage = new pages::ClientsPage(*m_session, m_stack);
    m_stack->addWidget(m_welcome);
    m_stack->addWidget(m_streamPage);
    m_stack->addWidget(m_clientsPage);
    buildDocks();
    connectSession();
    m_status->setSession(m_session.get());
    restoreState(m_preferences.windowState());
    selectFirstStream();
    choosePage();
    m_actions->refreshState();
    retranslate();
}

void MainWindow::detach()
{
    if (!m_session)
        return;
    m_status->setSession(nullptr);
    m_actions->setDockActions({});
    for (QDialog* dialog : findChildren<QDialog*>(QString(), Qt::FindDirectChildrenOnly))
        delete dialog; // they look at the session
    qDeleteAll(m_docks);
    m_docks.clear();
    for (QWidget* page : std::initializer_list<QWidget*>{m_welcome, m_streamPage, m_clientsPage})
        delete page;
    m_welcome = nullptr;
    m_streamPage = nullptr;
    m_clientsPage = nullptr;
    m_explorer = nullptr;
    m_inspector = nullptr;
    m_publish = nullptr;
    m_consume = nullptr;
    m_replay = nullptr;
    m_session.reset();
    m_overrides.reset();
    m_connection = nullptr;
    m_stack->setCurrentWidget(m_start);
}

void MainWindow::showRecovery(RecoveryReport report)
{
    m_status->setRecovery(std::move(report));
}

QDockWidget* MainWindow::addDock(const QString& name, QWidget* content, Qt::DockWidgetArea area)
{
    auto* dock = new QDockWidget(this);
    dock->setObjectName(name);
    // No focus proxy: behind other docks it would lead Tab to what is hidden, and there it stays.
    auto* frame = new QWidget(dock);
    frame->setMinimumSize(content->minimumWidth(), 1);
    auto* layout = new QVBoxLayout(frame);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(content);
    dock->setWidget(frame);
    dock->setFeatures(QDockWidget::DockWidgetClosable);
    dock->setTitleBarWidget(
        new QWidget(dock)); // tabs name the panels; the View menu shows and hides them
    addDockWidget(area, dock);
    // Behind the current tab a dock still counts as visible: its fields would take the focus, its
    // mnemonics the keys of those in front.
    connect(dock, &QDockWidget::visibilityChanged, content, &QWidget::setVisible);
    m_docks.push_back(dock);
    return dock;
}

void MainWindow::buildDocks()
{
    m_explorer = new pages::Explorer(*m_session);
    m_explorer->setMinimumWidth(190);
    QDockWidget* explorer = addDock(QStringLiteral("explorer"), m_explorer, Qt::LeftDockWidgetArea);
    m_inspector = new pages::Inspector(*m_session, m_connection != nullptr);
    m_inspector->setMinimumWidth(320);
    QDockWidget* inspector =
        addDock(QStringLiteral("inspector"), m_inspector, Qt::RightDockWidgetArea);
    if (m_connection) {
        m_publish = new pages::PublishPage(m_connection, &m_session->source);
        m_consume = new pages::ConsumePage(m_connection, &m_session->source);
        m_replay = new pages::ReplayPage(m_connection, &m_session->source);
        QDockWidget* before = inspector;
        const std::initializer_list<std::pair<QString, QWidget*>> acting{
            {QStringLiteral("publish"), m_publish},
            {QStringLiteral("consume"), m_consume},
            {QStringLiteral("replay"), m_replay}};
        for (const auto& [name, page] : acting) {
            QDockWidget* dock = addDock(name, new ScrolledPanel(page), Qt::RightDockWidgetArea);
            tabifyDockWidget(before, dock);
            before = dock;
        }
    }
    inspector->raise();
    resizeDocks({explorer, inspector}, {236, 316}, Qt::Horizontal);
    for (QTabBar* bar : findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly)) {
        bar->setElideMode(Qt::ElideNone);
        bar->setUsesScrollButtons(true);
        bar->setDocumentMode(true);
        bar->setDrawBase(false);
        bar->setExpanding(false);
    }
    std::vector<QAction*> shown;
    for (QDockWidget* dock : m_docks)
        shown.push_back(dock->toggleViewAction());
    m_actions->setDockActions(shown);
}

void MainWindow::connectSession()
{
    sources::FlowSource& source = m_session->source;
    // The session is the context: the source may live longer than what is connected here.
    connect(&source, &sources::FlowSource::overviewChanged, &m_session->selection, [this] {
        selectWanted();
        selectFirstStream();
        choosePage();
    });
    connect(&m_session->selection,
        &models::Selection::streamChanged,
        this,
        &MainWindow::selectionChanged);
    connect(&m_session->selection,
        &models::Selection::consumerChanged,
        this,
        &MainWindow::selectionChanged);
    connect(&m_session->selection, &models::Selection::sequenceChanged, this, [this] {
        m_actions->refreshState();
    });
    connect(m_explorer, &pages::Explorer::clientChosen, this, [this](ClientId client) {
        showClients();
        m_clientsPage->select(client);
    });
    connect(m_explorer, &pages::Explorer::streamChosen, this, [this] {
        m_clientsShown = false;
        choosePage();
        selectionChanged(); // a panel may have gone elsewhere since
    });
    connect(m_explorer,
        &pages::Explorer::contextMenuRequested,
        this,
        [this](StreamId stream, ConsumerId consumer, const QPoint& at) {
            if (stream == StreamId{})
                return;
            m_session->selection.setConsumer(stream, consumer);
            QMenu::exec(m_actions->forSelection(), at, nullptr, this);
        });
    connect(&m_streamPage->lanes(), &pages::LanesPage::messageActivated, this, [this] {
        for (QDockWidget* dock : m_docks) {
            if (dock->objectName() == QStringLiteral("inspector")) {
                dock->show();
                dock->raise();
            }
        }
    });
    connect(&m_streamPage->lanes(),
        &pages::LanesPage::contextMenuRequested,
        this,
        [this](quint64 seq, ConsumerId consumer, const QPoint& at) {
            openMessageMenu(*this, seq, consumer, at);
        });
    connect(&m_streamPage->messages(),
        &pages::MessagesPage::contextMenuRequested,
        this,
        [this](quint64 seq, const QPoint& at) { openMessageMenu(*this, seq, ConsumerId{}, at); });
    connect(&m_streamPage->config(), &pages::ConfigPage::editRequested, this, [this] {
        acting::edit(*this);
    });
    connect(m_inspector, &pages::Inspector::settingClicked, this, [this](const QString& setting) {
        showTab(pages::StreamPage::ConfigTab);
        m_streamPage->config().showSetting(setting);
    });
    connect(m_inspector, &pages::Inspector::overrideWanted, this, [this](ConsumerId consumer) {
        acting::overrideDelivery(*this, consumer);
    });
    connect(m_welcome, &pages::WelcomePage::exampleWanted, this, &MainWindow::createExample);
    connect(
        m_welcome, &pages::WelcomePage::streamWanted, this, [this] { acting::newStream(*this); });
}

/// A stream that has gone cannot stay selected; the first one is better than none.
void MainWindow::selectFirstStream()
{
    const auto overview = m_session->source.overview();
    if (m_session->source.stream(m_session->selection.stream()))
        return;
    m_session->selection.setStream(
        overview->streams.empty() ? StreamId{} : overview->streams.front().id);
}

void MainWindow::selectStream(const QString& name)
{
    m_wantedStream = name;
    selectWanted();
}

void MainWindow::selectWanted()
{
    const StreamOverview* stream =
        m_session && !m_wantedStream.isEmpty() ? m_session->source.stream(m_wantedStream) : nullptr;
    if (!stream)
        return;
    m_wantedStream.clear();
    m_clientsShown = false;
    m_session->selection.setStream(stream->id);
    choosePage();
}

QString MainWindow::selectedName() const
{
    const StreamOverview* stream =
        m_session ? m_session->source.stream(m_session->selection.stream()) : nullptr;
    return stream ? QString::fromStdString(stream->name) : QString();
}

void MainWindow::choosePage()
{
    if (!m_session)
        return;
    QWidget* page = m_streamPage;
    if (m_clientsShown)
        page = m_clientsPage;
    else if (m_session->source.overview()->streams.empty())
        page = m_welcome;
    m_stack->setCurrentWidget(page);
}

void MainWindow::selectionChanged()
{
    const StreamOverview* stream = m_session->source.stream(m_session->selection.stream());
    const ConsumerOverview* consumer =
        m_session->source.consumer(m_session->selection.stream(), m_session->selection.consumer());
    const QString name = stream ? QString::fromStdString(stream->name) : QString();
    if (m_publish && stream)
        m_publish->setStream(name);
    if (m_consume && stream)
        m_consume->follow(name, consumer ? QString::fromStdString(consumer->name) : QString());
    m_actions->refreshState();
    retranslate();
}

void MainWindow::showTab(int tab)
{
    if (!m_session)
        return;
    m_clientsShown = false;
    choosePage();
    m_streamPage->tabs().setCurrentIndex(tab);
}

void MainWindow::showClients()
{
    m_clientsShown = true;
    choosePage();
}

void MainWindow::focusExplorer()
{
    if (m_explorer)
        m_explorer->focusFilter();
}

void MainWindow::raiseDock(const QString& name)
{
    for (QDockWidget* dock : m_docks) {
        if (dock->objectName() != name)
            continue;
        dock->show();
        dock->raise();
        QWidget* content = dock->widget()->layout()->itemAt(0)->widget();
        content->show(); // it was hidden while it was behind the others
        if (auto* panel = qobject_cast<ScrolledPanel*>(content)) {
            panel->widget()->setFocus(Qt::ShortcutFocusReason);
            panel->showFocused(); // also when its first field has had the focus all the time
        } else {
            content->setFocus();
        }
    }
}

void MainWindow::focusPublish()
{
    raiseDock(QStringLiteral("publish"));
}

void MainWindow::focusConsume()
{
    if (m_consume)
        m_consume->setStream(selectedName());
    raiseDock(QStringLiteral("consume"));
}

void MainWindow::focusReplay()
{
    raiseDock(QStringLiteral("replay"));
}

void MainWindow::copyAddress()
{
    if (!m_session)
        return;
    QGuiApplication::clipboard()->setText(m_session->source.serverUrl());
    statusBar()->showMessage(tr("Copied: %1").arg(m_session->source.serverUrl()), 2000);
}

void MainWindow::createExample()
{
    if (!m_connection)
        return;
    m_welcome->setBusy(true);
    m_welcome->showProblem(QString());
    scenes::createOrders(*m_connection, this, [this](const QString& problem) {
        if (!m_welcome)
            return;
        m_welcome->setBusy(false);
        m_welcome->showProblem(problem);
    });
}

void MainWindow::openPalette()
{
    std::vector<Command> commands;
    for (QAction* action : m_actions->all()) {
        if (action->isEnabled())
            commands.push_back({m_actions->fullText(*action),
                action->shortcut().toString(QKeySequence::NativeText),
                [action] { action->trigger(); }});
    }
    if (m_session) {
        for (const StreamOverview& stream : m_session->source.overview()->streams) {
            commands.push_back(
                {QString::fromStdString(stream.name), tr("stream"), [this, id = stream.id] {
                     if (!m_session)
                         return;
                     m_clientsShown = false;
                     m_session->selection.setStream(id);
                     choosePage();
                 }});
        }
    }
    auto* palette = new CommandPalette(std::move(commands), this);
    palette->show();
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    m_preferences.setWindow(saveGeometry(), m_session ? saveState() : m_preferences.windowState());
    QMainWindow::closeEvent(event);
}

void MainWindow::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) {
        m_actions->retranslate();
        retranslate();
    } else if (event->type() == QEvent::PaletteChange) {
        m_actions->refreshIcons();
    }
    QMainWindow::changeEvent(event);
}

void MainWindow::retranslate()
{
    const QString stream = selectedName();
    setWindowTitle(stream.isEmpty() ? QStringLiteral("Jetglass") : tr("%1 – Jetglass").arg(stream));
    const QStringList titles{
        tr("Explorer"), tr("Inspector"), tr("Publish"), tr("Consume"), tr("Replay")};
    for (std::size_t i = 0; i < m_docks.size(); ++i)
        m_docks[i]->setWindowTitle(titles[static_cast<qsizetype>(i)]);
}

} // namespace jetglass::window
