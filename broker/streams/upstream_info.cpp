// SPDX-License-Identifier: GPL-3.0-or-later
#include "streams/upstream_info.h"

#include <nlohmann/json.hpp>

namespace jetglass::streams {

nlohmann::ordered_json upstreamToJson(const UpstreamInfo& info)
{
    const StreamSource& source = info.source;
    nlohmann::ordered_json out = {{"name", source.name}};
    if (source.external)
        out["external"] = {{"api", source.external->api}, {"deliver", source.external->deliver}};
    out["lag"] = info.lag;
    if (info.seq > 0)
        out["seq"] = info.seq;
    out["active"] = info.active;
    if (info.error)
        out["error"] = {{"code", info.error->apiCode},
            {"err_code", info.error->apiErrCode},
            {"description", info.error->text}};
    if (!source.filterSubject.empty())
        out["filter_subject"] = source.filterSubject;
    for (const SubjectTransform& transform : source.subjectTransforms)
        out["subject_transforms"].push_back({{"src", transform.src}, {"dest", transform.dest}});
    return out;
}

} // namespace jetglass::streams
