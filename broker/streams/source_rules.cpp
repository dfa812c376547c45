// SPDX-License-Identifier: GPL-3.0-or-later
#include "streams/source_rules.h"

#include "streams/api_error.h"
#include "streams/subject_transform.h"
#include "subjects/subject.h"

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

Result<void> checkTransforms(const StreamSource& source, const Wording& wording)
{
    for (const SubjectTransform& transform : source.subjectTransforms) {
        if (!transform.src.empty() && !subjects::isValidStreamSubject(transform.src))
            return Error::api(400,
                wording.badSource,
                std::string(wording.what) + " transform source: invalid subject " + transform.src);
        if (auto done = Transform::compile(transform.src, transform.dest); !done)
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

Result<void> checkExternal(const StreamSource& source)
{
    if (!source.external)
        return {};
    const auto& [api, deliver] = *source.external;
    if (!deliver.empty() && !subjects::isValidLiteral(deliver))
        return Error::api(400,
            10024,
            "stream external delivery prefix " + deliver + " must not contain wildcards");
    if (!subjects::isValidLiteral(api))
        return errors::invalidConfig(
            "stream external api prefix \"" + api + "\" must be a valid subject without wildcards");
    if (subjects::collide(api, "$JS.API"))
        return Error::api(
            400, 10021, "stream external api prefix " + api + " must not overlap with $JS.API");
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

bool sameSource(const StreamSource& a, const StreamSource& b)
{
    const bool sameConsumer = a.consumer.has_value() == b.consumer.has_value()
        && (!a.consumer || a.consumer->name == b.consumer->name);
    return a.name == b.name && a.external == b.external && sameConsumer
        && a.filterSubject == b.filterSubject && a.subjectTransforms == b.subjectTransforms;
}

Result<void> checkSource(const StreamConfig& config, std::size_t n)
{
    const StreamSource& source = config.sources[n];
    if (source.name.empty() || (!source.external && !isValidAssetName(source.name)))
        return Error::api(400, 10141, "sourced stream name is invalid");
    for (std::size_t other = 0; other < n; ++other)
        if (sameSource(config.sources[other], source))
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
    return {};
}

bool readsItself(const StreamConfig& config, const StreamSource& source)
{
    if (source.external || source.name != config.name)
        return false;
    if (source.filterSubject.empty())
        return true;
    for (const std::string& subject : config.subjects)
        if (subjects::collide(subject, source.filterSubject))
            return true;
    return false;
}

} // namespace

bool isValidAssetName(std::string_view name)
{
    return !name.empty() && name.find_first_of(" \t\r\n\f.*>/\\") == std::string_view::npos;
}

Result<void> checkMirror(const StreamConfig& config)
{
    if (!config.mirror)
        return {};
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
    if (mirror.name.empty() || (!mirror.external && !isValidAssetName(mirror.name)))
        return Error::api(400, 10142, "mirrored stream name is invalid");
    if (auto done = checkExternal(mirror); !done)
        return done;
    if (!mirror.external && mirror.name == config.name)
        return errors::invalidConfig("detected cycle");
    return {};
}

Result<void> checkSources(const StreamConfig& config)
{
    if (!config.sources.empty() && config.allowMsgSchedules)
        return Error::api(400, 10187, "stream source can not also schedule messages");
    for (std::size_t n = 0; n < config.sources.size(); ++n)
        if (auto done = checkSource(config, n); !done)
            return done;
    for (const StreamSource& source : config.sources)
        if (auto done = checkExternal(source); !done)
            return done;
    for (const StreamSource& source : config.sources)
        if (readsItself(config, source))
            return errors::invalidConfig("detected cycle");
    return {};
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
