// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "client/connection.h"

#include <QTimer>

#include <functional>
#include <memory>
#include <vector>

namespace jetglass::scenes {

/// A prepared situation: real clients bring the embedded broker into it. Used for pictures, for
/// --demo and by tests.
class Stage final : public QObject
{
    Q_OBJECT
public:
    explicit Stage(const QString& url, QObject* parent = nullptr);

    /// Names of scenes, for the command line.
    static QStringList names();
    /// Runs a scene; \a done gets an empty text when everything stands. Unknown names are a
    /// problem, too.
    void play(const QString& name, std::function<void(const QString& problem)> done);
    /// Publishes and works on ORDERS until the stage is gone.
    void startTraffic();

private:
    client::Connection& client(const QString& name);
    void trafficStep();

    QString m_url;
    std::vector<std::pair<QString, std::unique_ptr<client::Connection>>> m_clients;
    QTimer m_traffic;
    int m_step = 0;
};

} // namespace jetglass::scenes
