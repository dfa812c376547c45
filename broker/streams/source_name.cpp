// SPDX-License-Identifier: GPL-3.0-or-later
#include "streams/source_name.h"

#include "base/base64.h"
#include "base/time_text.h"

#include <charconv>
#include <vector>

namespace jetglass::streams {
namespace {

/// Between the sources and between the destinations of several transforms.
constexpr char kJoint = '\f';

std::string_view orAll(std::string_view subject)
{
    return subject.empty() ? std::string_view(">") : subject;
}

std::vector<std::string_view> wordsOf(std::string_view value)
{
    std::vector<std::string_view> words;
    std::size_t from = 0;
    for (;;) {
        const std::size_t blank = value.find(' ', from);
        words.push_back(value.substr(from, blank == std::string_view::npos ? blank : blank - from));
        if (blank == std::string_view::npos)
            return words;
        from = blank + 1;
    }
}

} // namespace

std::string sourceIndex(const StreamSource& source)
{
    std::string name = source.name;
    if (source.external)
        name += ":" + base::shortHash(source.external->api);
    if (source.consumer)
        name += ":C=" + base::shortHash(source.consumer->name);
    if (source.subjectTransforms.empty())
        return name + " " + std::string(orAll(source.filterSubject)) + " >";
    std::string from;
    std::string to;
    for (const SubjectTransform& transform : source.subjectTransforms) {
        if (!from.empty()) {
            from += kJoint;
            to += kJoint;
        }
        from += orAll(transform.src);
        to += orAll(transform.dest);
    }
    return name + " " + from + " " + to;
}

std::string sourceHeader(std::string_view index,
    std::uint64_t originSeq,
    std::string_view originSubject,
    std::string_view identity)
{
    const std::size_t blank = index.find(' ');
    std::string out(index.substr(0, blank));
    out += ' ';
    out += std::to_string(originSeq);
    out += index.substr(blank);
    out += ' ';
    out += originSubject;
    if (!identity.empty()) {
        out += ' ';
        out += identity;
    }
    return out;
}

std::optional<SourceMark> parseSourceHeader(std::string_view value)
{
    const std::vector<std::string_view> words = wordsOf(value);
    if (words.size() < 2 || words.size() == 3)
        return {};
    SourceMark mark;
    mark.stream = words[0];
    const std::string_view number = words[1];
    if (std::from_chars(number.data(), number.data() + number.size(), mark.seq).ec != std::errc{})
        return {};
    if (words.size() >= 4) {
        mark.index.append(words[0]).append(" ").append(words[2]).append(" ").append(words[3]);
        if (words.size() >= 5)
            mark.subject = words[4];
        if (words.size() >= 6)
            mark.identity = words[5];
    }
    return mark;
}

std::string streamIdentity(std::int64_t created)
{
    return base::shortHash(base::rfc3339(created));
}

} // namespace jetglass::streams
