// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/session.h"

#include <QWidget>

class QLabel;
class QSplitter;
class QTabWidget;

namespace jetglass::pages {

class ActivityPanel;
class ChartsPanel;
class ConfigPage;
class LanesPage;
class MessagesPage;

/// Everything about the selected stream: one line of facts, tabs for the views of it, activity and
/// charts below.
class StreamPage final : public QWidget
{
    Q_OBJECT
public:
    enum Tab
    {
        LanesTab,
        MessagesTab,
        ConfigTab
    };

    explicit StreamPage(models::Session& session, QWidget* parent = nullptr);

    [[nodiscard]] LanesPage& lanes() { return *m_lanes; }
    [[nodiscard]] MessagesPage& messages() { return *m_messages; }
    [[nodiscard]] ConfigPage& config() { return *m_config; }
    [[nodiscard]] ActivityPanel& activity() { return *m_activity; }
    [[nodiscard]] ChartsPanel& charts() { return *m_charts; }
    [[nodiscard]] QTabWidget& tabs() { return *m_tabs; }
    [[nodiscard]] QWidget& lower() { return *m_lower; }

protected:
    void changeEvent(QEvent* event) override;

private:
    void refreshFacts();
    void retranslate();

    models::Session& m_session;
    QLabel* m_name;
    QLabel* m_facts;
    QTabWidget* m_tabs;
    LanesPage* m_lanes;
    MessagesPage* m_messages;
    ConfigPage* m_config;
    QWidget* m_lower;
    ActivityPanel* m_activity;
    ChartsPanel* m_charts;
};

} // namespace jetglass::pages
