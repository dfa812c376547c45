// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/payload_item.h"

#include <string_view>

namespace jetglass::pages {

items::PayloadItem payloadItem(const MessageRow& row)
{
    items::PayloadItem item;
    item.seq = row.seq.value();
    item.subject = QString::fromStdString(row.subject);
    item.time = row.time;
    item.payload = QByteArray(row.payload.data(), static_cast<qsizetype>(row.payload.size()));
    item.payloadSize = row.payloadSize;
    std::string_view rest(row.headers);
    bool first = true;
    while (!rest.empty()) {
        const std::size_t end = rest.find("\r\n");
        const std::string_view line = rest.substr(0, end);
        rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 2);
        const std::size_t colon = line.find(':');
        if (colon != std::string_view::npos) {
            const QString value = QString::fromUtf8(
                line.data() + colon + 1, static_cast<qsizetype>(line.size() - colon - 1));
            item.headers.emplace_back(
                QString::fromUtf8(line.data(), static_cast<qsizetype>(colon)), value.trimmed());
        } else if (first && line.size() > 8) {
            // "NATS/1.0 503 No Responders": a status stands in the version line.
            item.headers.emplace_back(QStringLiteral("Status"),
                QString::fromUtf8(line.data() + 8, static_cast<qsizetype>(line.size() - 8))
                    .trimmed());
        }
        first = false;
    }
    return item;
}

} // namespace jetglass::pages
