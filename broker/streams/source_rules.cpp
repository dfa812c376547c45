// SPDX-License-Identifier: GPL-3.0-or-later
#include "streams/source_rules.h"

#include "streams/api_error.h"
#include "streams/source_name.h"
#include "subjects/subject.h"
#include "subjects/subject_transform.h"

#include <algorithm>
#include <deque>
#include <set>
#include <string>
#include <vector>

namespace jetglass::streams {
namespace {

/// The errors of mirrors and sources differ in number and wording, not in what they check.
struct Wording
{
    const char* what;
    int badSource;
    int badDestination;
    int badConsumer;
};
constexpr Wording kMirror{"mirror", 10151, 10154, 10213};
constexpr Wording kSource{"source", 10145, 10146, 10215};
/// Many streams that copy from each other in layers give more ways than can be walked.
constexpr std::size_t kMaxQueue = 4096;

Result<void> checkTransforms(const StreamSource& source, const Wording& wording)
{
    for (const SubjectTransform& transform : source.subjectTransforms) {
        if (!transform.src.empty() && !subjects::isValidStreamSubject(transform.src))
            return Error::api(400,
                wording.badSource,
                std::string(wording.what) + " transform source: invalid subject " + transform.src);
        if (auto done = subjects::Transform::compileChecked(transform.src, transform.dest); !done)
            return Error::api(400,
                wording.badDestination,
                std::string(wording.what) + " transform: " + done.error().text);
    }
    return {};
}

Result<void> checkConsumer(const StreamSource& source, const Wording& wording)
{
    if (!source.consumer)
        return {};
    if (!isValidAssetName(source.consumer->name)
        || !subjects::isValidLiteral(source.consumer->deliverSubject) || source.optStartSeq != 0
        || source.optStartTime || !source.filterSubject.empty())
        return Error::api(400,
            wording.badConsumer,
            "stream " + std::string(wording.what) + " consumer config is invalid");
    return {};
}

/// The prefixes of all external origins: first where messages come, then where requests go.
Result<void> checkPrefixes(const std::vector<const StreamSource*>& origins, const FindConfig& find)
{
    for (const StreamSource* origin : origins) {
        const std::string prefix = origin->external ? origin->external->deliver : std::string();
        if (prefix.empty())
            continue;
        if (!subjects::isValidLiteral(prefix))
            return Error::api(400,
                10024,
                "stream external delivery prefix " + prefix + " must not contain wildcards");
        for (const StreamSource* other : origins) {
            const StreamConfig* local = other->external ? nullptr : find(other->name);
            for (const std::string& subject : local ? local->subjects : std::vector<std::string>())
                if (subjects::collide(subject, (prefix + ".").append(subject)))
                    return Error::api(400,
                        10022,
                        ("stream external delivery prefix " + prefix)
                            .append(" overlaps with stream subject ")
                            .append(subject));
        }
    }
    for (const StreamSource* origin : origins) {
        if (!origin->external || origin->external->api.empty())
            continue;
        const std::string& api = origin->external->api;
        if (!subjects::isValidLiteral(api))
            return errors::invalidConfig("stream external api prefix \"" + api
                + "\" must be a valid subject without wildcards");
        if (subjects::collide(api, "$JS.API"))
            return Error::api(
                400, 10021, "stream external api prefix " + api + " must not overlap with $JS.API");
    }
    return {};
}

/// A source reads the same subject space twice if its filters lie inside each other.
bool sourceFiltersOverlap(const StreamSource& source)
{
    for (std::size_t a = 0; a < source.subjectTransforms.size(); ++a)
        for (std::size_t b = 0; b < source.subjectTransforms.size(); ++b)
            if (a != b
                && subjects::isSubset(
                    source.subjectTransforms[a].src, source.subjectTransforms[b].src))
                return true;
    return false;
}

/// Messages of the origin could be too large for the copy.
bool takesLess(const StreamConfig& copy, const StreamSource& source, const FindConfig& find)
{
    const StreamConfig* origin = source.external ? nullptr : find(source.name);
    return origin && copy.maxMsgSize > 0 && origin->maxMsgSize > 0
        && copy.maxMsgSize < origin->maxMsgSize;
}

Result<void> checkSource(const StreamConfig& config, std::size_t n, const FindConfig& find)
{
    const StreamSource& source = config.sources[n];
    if (!isValidAssetName(source.name))
        return Error::api(400, 10141, "sourced stream name is invalid");
    for (std::size_t other = 0; other < n; ++other)
        if (sourceIndex(config.sources[other]) == sourceIndex(source))
            return Error::api(400, 10140, "duplicate source configuration detected");
    if (!source.filterSubject.empty() && !source.subjectTransforms.empty())
        return Error::api(400,
            10144,
            "source with multiple subject transforms cannot also have a single subject filter");
    if (auto done = checkTransforms(source, kSource); !done)
        return done;
    if (sourceFiltersOverlap(source))
        return Error::api(400, 10147, "source filters can not overlap");
    if (auto done = checkConsumer(source, kSource); !done)
        return done;
    for (std::size_t other = 0; other < n; ++other)
        if (source.consumer && config.sources[other].consumer
            && config.sources[other].name == source.name
            && config.sources[other].consumer->name == source.consumer->name)
            return Error::api(400, 10216, "duplicate stream source consumer detected");
    if (takesLess(config, source, find))
        return Error::api(400, 10046, "stream source must have max message size >= target");
    return {};
}

/// What \a config sources under that filter may be what it stores itself.
bool feedsBack(const StreamConfig& config, const std::string& filter)
{
    if (filter.empty())
        return true;
    return std::any_of(config.subjects.begin(), config.subjects.end(), [&](const auto& subject) {
        return subjects::collide(subject, filter);
    });
}

/// Breadth first from the new configuration along what it copies from; external origins are out of
/// sight.
Result<void> checkCycle(const StreamConfig& config, const FindConfig& find)
{
    std::deque<const StreamConfig*> queue{&config};
    std::set<std::string, std::less<>> visited;
    while (!queue.empty()) {
        const StreamConfig& at = *queue.front();
        queue.pop_front();
        visited.insert(at.name);
        const auto lookAt = [&](const StreamSource& source, bool closes) {
            if (source.external)
                return true;
            if (visited.contains(source.name))
                return !closes;
            if (const StreamConfig* next = queue.size() < kMaxQueue ? find(source.name) : nullptr)
                queue.push_back(next);
            return true;
        };
        for (const StreamSource& source : at.sources)
            if (!lookAt(source, feedsBack(at, source.filterSubject)))
                return errors::invalidConfig("detected cycle");
        if (at.mirror && !lookAt(*at.mirror, true))
            return errors::invalidConfig("detected cycle");
    }
    return {};
}

Result<void> checkMirrorAlone(const StreamConfig& config)
{
    const StreamSource& mirror = *config.mirror;
    if (config.firstSeq > 0)
        return Error::api(400, 10143, "stream mirrors can not have first sequence configured");
    if (!config.subjects.empty())
        return Error::api(400, 10034, "stream mirrors can not contain subjects");
    if (!config.sources.empty())
        return Error::api(400, 10031, "stream mirrors can not also contain other sources");
    if (config.allowMsgCounter)
        return Error::api(400, 10173, "stream mirrors can not also calculate counters");
    if (config.allowAtomic)
        return Error::api(400, 10198, "stream mirrors can not also use atomic publishing");
    if (config.allowBatched)
        return Error::api(400, 10209, "stream mirrors can not also use batch publishing");
    if (config.allowMsgSchedules)
        return Error::api(400, 10186, "stream mirrors can not also schedule messages");
    if (auto done = checkConsumer(mirror, kMirror); !done)
        return done;
    if (!mirror.filterSubject.empty() && !mirror.subjectTransforms.empty())
        return Error::api(400,
            10150,
            "mirror with multiple subject transforms cannot also have a single subject filter");
    if (config.subjectDeleteMarkerTtl > 0)
        return errors::invalidConfig("subject delete markers forbidden on mirrors");
    if (auto done = checkTransforms(mirror, kMirror); !done)
        return done;
    for (std::size_t a = 0; a < mirror.subjectTransforms.size(); ++a)
        for (std::size_t b = a + 1; b < mirror.subjectTransforms.size(); ++b)
            if (subjects::collide(mirror.subjectTransforms[a].src, mirror.subjectTransforms[b].src))
                return Error::api(400, 10152, "mirror subject filters can not overlap");
    return {};
}

Result<void> checkMirror(StreamConfig& config, bool pedantic, const FindConfig& find)
{
    if (!config.mirror)
        return {};
    if (auto done = checkMirrorAlone(config); !done)
        return done;
    const StreamSource& mirror = *config.mirror;
    if (mirror.external)
        return {};
    if (!isValidAssetName(mirror.name))
        return Error::api(400, 10142, "mirrored stream name is invalid");
    if (takesLess(config, mirror, find))
        return Error::api(400, 10030, "stream mirror must have max message size >= source");
    if (const StreamConfig* origin = find(mirror.name)) {
        if (pedantic && config.mirrorDirect != origin->allowDirect)
            return errors::pedantic("origin stream has direct get set, mirror has it disabled");
        config.mirrorDirect = origin->allowDirect;
    }
    return {};
}

Result<void> checkSources(const StreamConfig& config, const FindConfig& find)
{
    if (!config.sources.empty() && config.allowMsgSchedules)
        return Error::api(400, 10187, "stream source can not also schedule messages");
    for (std::size_t n = 0; n < config.sources.size(); ++n)
        if (auto done = checkSource(config, n, find); !done)
            return done;
    return {};
}

} // namespace

bool isValidAssetName(std::string_view name)
{
    return !name.empty() && name.find_first_of(" \t\r\n\f.*>/\\") == std::string_view::npos;
}

Result<void> checkUpstreams(StreamConfig& config, bool pedantic, const FindConfig& find)
{
    const FindConfig known =
        find ? find : [](std::string_view) -> const StreamConfig* { return nullptr; };
    if (auto done = checkMirror(config, pedantic, known); !done)
        return done;
    if (auto done = checkSources(config, known); !done)
        return done;
    std::vector<const StreamSource*> origins;
    if (config.mirror)
        origins.push_back(&*config.mirror);
    for (const StreamSource& source : config.sources)
        origins.push_back(&source);
    if (auto done = checkPrefixes(origins, known); !done)
        return done;
    return checkCycle(config, known);
}

Result<void> checkSourceFilters(const StreamConfig& config)
{
    if (config.mirror && !config.mirror->filterSubject.empty()
        && !subjects::isValidStreamSubject(config.mirror->filterSubject))
        return errors::createFailed(
            "subject filter '" + config.mirror->filterSubject + "' for the mirror invalid subject");
    for (const StreamSource& source : config.sources)
        if (!source.filterSubject.empty() && !subjects::isValidStreamSubject(source.filterSubject))
            return errors::createFailed(
                "subject filter '" + source.filterSubject + "' for the source: invalid subject");
    return {};
}

} // namespace jetglass::streams
