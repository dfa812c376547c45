// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "client/request.h"

namespace jetglass::client {

enum class ConsumerAction
{
    Create, ///< refuses to touch an existing consumer
    Update, ///< refuses to make a new one
    CreateOrUpdate
};

/// The body of CONSUMER.CREATE for \a config.
[[nodiscard]] QJsonObject consumerRequest(
    const QString& stream, const QJsonObject& config, ConsumerAction action);
/// The endpoint after "$JS.API.": with the name if there is one, so permissions on names work.
[[nodiscard]] QString consumerCreateEndpoint(const QString& stream, const QJsonObject& config);

void createConsumer(Connection& c,
    const QString& stream,
    const QJsonObject& config,
    ConsumerAction action,
    QObject* context,
    ApiHandler handler);
void deleteConsumer(Connection& c,
    const QString& stream,
    const QString& name,
    QObject* context,
    ApiHandler handler);
void consumerInfo(Connection& c,
    const QString& stream,
    const QString& name,
    QObject* context,
    ApiHandler handler);
/// Pauses until \a until (RFC 3339); empty resumes.
void pauseConsumer(Connection& c,
    const QString& stream,
    const QString& name,
    const QString& until,
    QObject* context,
    ApiHandler handler);

} // namespace jetglass::client
