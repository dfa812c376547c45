// SPDX-License-Identifier: GPL-3.0-or-later
#include "archive/tar_reader.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>
#include <vector>

namespace jetglass::archive {

namespace {

constexpr std::size_t kTarBlock = 512;
constexpr std::uint64_t kLargestExtension = 1U << 20U;
constexpr const char* kInvalidTar = "archive/tar: invalid tar header";
constexpr const char* kCut = "unexpected EOF";

constexpr char kPax = 'x';
constexpr char kGnuLongName = 'L';
constexpr char kGnuLongLink = 'K';
constexpr char kRegular = '0';
constexpr char kOldRegular = '\0';

struct Field
{
    std::size_t at;
    std::size_t size;
};
constexpr Field kTarName{0, 100};
constexpr Field kTarSize{124, 12};
constexpr Field kTarChecksum{148, 8};
constexpr std::size_t kTarType = 156;
constexpr Field kTarMagic{257, 6};
constexpr Field kTarPrefix{345, 155};

std::string_view tarText(std::string_view block, Field field)
{
    const std::string_view all = block.substr(field.at, field.size);
    return all.substr(0, std::min(all.find('\0'), all.size()));
}

/// Octal digits between blanks; GNU's binary form for what does not fit.
std::optional<std::uint64_t> tarNumber(std::string_view block, Field field)
{
    std::string_view all = block.substr(field.at, field.size);
    if ((static_cast<unsigned char>(all.front()) & 0x80U) != 0) {
        std::uint64_t value = static_cast<unsigned char>(all.front()) & 0x3fU;
        for (const char c : all.substr(1)) {
            if (value >> 55U != 0)
                return {};
            value = value << 8U | static_cast<unsigned char>(c);
        }
        return value;
    }
    const auto blank = [](char c) { return c == ' ' || c == '\0'; };
    while (!all.empty() && blank(all.front()))
        all.remove_prefix(1);
    while (!all.empty() && blank(all.back()))
        all.remove_suffix(1);
    std::uint64_t value = 0;
    if (all.empty())
        return value;
    const auto [end, error] = std::from_chars(all.data(), all.data() + all.size(), value, 8);
    if (error != std::errc{} || end != all.data() + all.size())
        return {};
    return value;
}

bool checksumHolds(std::string_view block)
{
    const auto stored = tarNumber(block, kTarChecksum);
    std::uint64_t sum = 0;
    std::int64_t signedSum = 0; // some old writers added up signed bytes
    for (std::size_t i = 0; i < kTarBlock; ++i) {
        const bool own = i >= kTarChecksum.at && i < kTarChecksum.at + kTarChecksum.size;
        const char c = own ? ' ' : block[i];
        sum += static_cast<unsigned char>(c);
        signedSum += static_cast<signed char>(c);
    }
    return stored && (*stored == sum || static_cast<std::int64_t>(*stored) == signedSum);
}

/// Without "." and ".." and doubled separators; empty if it leads out of the archive.
std::optional<std::string> cleaned(std::string_view path)
{
    std::vector<std::string_view> parts;
    while (!path.empty()) {
        const std::size_t end = std::min(path.find('/'), path.size());
        const std::string_view part = path.substr(0, end);
        path.remove_prefix(std::min(end + 1, path.size()));
        if (part.empty() || part == ".")
            continue;
        if (part != "..") {
            parts.push_back(part);
            continue;
        }
        if (parts.empty())
            return {};
        parts.pop_back();
    }
    std::string clean;
    for (const std::string_view part : parts) {
        if (!clean.empty())
            clean += '/';
        clean += part;
    }
    if (clean.empty())
        return {};
    return clean;
}

} // namespace

void TarReader::feed(std::string_view bytes)
{
    m_data = {};
    if (m_at > 0) {
        m_in.erase(0, m_at);
        m_at = 0;
    }
    m_in += bytes;
}

TarReader::Step TarReader::fail(std::string error)
{
    m_error = std::move(error);
    return Step::Failed;
}

TarReader::Step TarReader::refuse()
{
    m_unexpected = true;
    return fail("unexpected content");
}

TarReader::Step TarReader::next()
{
    while (m_error.empty()) {
        m_data = {};
        switch (m_part) {
        case Part::Done:
            m_at = m_in.size();
            return Step::End;
        case Part::Header: {
            const Step step = readHeader();
            if (step != Step::Data)
                return step;
            break;
        }
        case Part::Extension:
            if (!readExtension()) {
                if (!m_error.empty())
                    return Step::Failed;
                return m_finished ? fail(kCut) : Step::NeedInput;
            }
            break;
        case Part::Content:
            return readContent();
        case Part::Padding: {
            const std::size_t taken = std::min<std::uint64_t>(m_padding, m_in.size() - m_at);
            m_at += taken;
            m_padding -= taken;
            if (m_padding > 0)
                return m_finished ? fail(kCut) : Step::NeedInput;
            m_part = Part::Header;
            break;
        }
        }
    }
    return Step::Failed;
}

/// Data: go on with the next part.
TarReader::Step TarReader::readHeader()
{
    const std::string_view in = rest();
    if (in.size() < kTarBlock) {
        if (!m_finished)
            return Step::NeedInput;
        if (!in.empty())
            return fail(kCut);
        m_part = Part::Done;
        return Step::Data;
    }
    const std::string_view block = in.substr(0, kTarBlock);
    if (block.find_first_not_of('\0') == std::string_view::npos) {
        m_part = Part::Done;
        return Step::Data;
    }
    m_at += kTarBlock;
    if (!checksumHolds(block))
        return fail(kInvalidTar);
    const auto size = tarNumber(block, kTarSize);
    if (!size)
        return fail(kInvalidTar);
    const char type = block[kTarType];
    if (type == kPax || type == kGnuLongName || type == kGnuLongLink) {
        if (*size > kLargestExtension)
            return fail("archive/tar: header field too long");
        m_part = Part::Extension;
        m_extension = type;
        m_collected.clear();
        m_left = *size;
        m_padding = (kTarBlock - *size % kTarBlock) % kTarBlock;
        return Step::Data;
    }
    m_left = *size;
    return beginFile(block);
}

TarReader::Step TarReader::beginFile(std::string_view block)
{
    std::string path(tarText(block, kTarName));
    if (const std::string_view prefix = tarText(block, kTarPrefix);
        tarText(block, kTarMagic) == "ustar" && !prefix.empty())
        path = std::string(prefix) + "/" + path;
    if (!m_longName.empty())
        path = std::exchange(m_longName, {});
    if (const auto named = m_pax.find("path"); named != m_pax.end())
        path = named->second;
    if (const auto sized = m_pax.find("size"); sized != m_pax.end()) {
        const std::string& digits = sized->second;
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), m_left);
        if (error != std::errc{} || end != digits.data() + digits.size())
            return fail(kInvalidTar);
    }
    m_pax.clear();
    const char type = block[kTarType];
    const bool regular = type == kRegular || (type == kOldRegular && !path.ends_with('/'));
    if (!regular)
        return refuse();
    const auto clean = cleaned(path);
    if (!clean)
        return refuse();
    m_name = *clean;
    m_size = m_left;
    m_padding = (kTarBlock - m_size % kTarBlock) % kTarBlock;
    m_part = Part::Content;
    return Step::File;
}

TarReader::Step TarReader::readContent()
{
    if (m_left == 0) {
        m_part = Part::Padding;
        return Step::FileEnd;
    }
    const std::string_view in = rest();
    if (in.empty())
        return m_finished ? fail(kCut) : Step::NeedInput;
    m_data = in.substr(0, std::min<std::uint64_t>(m_left, in.size()));
    m_at += m_data.size();
    m_left -= m_data.size();
    return Step::Data;
}

/// False: more input is needed, or it failed.
bool TarReader::readExtension()
{
    const std::string_view in = rest();
    const std::size_t taken = std::min<std::uint64_t>(m_left, in.size());
    m_collected += in.substr(0, taken);
    m_at += taken;
    m_left -= taken;
    if (m_left > 0)
        return false;
    m_part = Part::Padding;
    if (m_extension == kPax) {
        if (!parsePax(m_collected)) {
            fail(kInvalidTar);
            return false;
        }
    } else if (m_extension == kGnuLongName) {
        m_longName = m_collected.substr(0, m_collected.find('\0'));
    }
    return true;
}

/// Records "<length> <key>=<value>\n", the length counting all of it.
bool TarReader::parsePax(std::string_view text)
{
    while (!text.empty()) {
        std::size_t size = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
        const auto digits = static_cast<std::size_t>(end - text.data());
        if (error != std::errc{} || size > text.size() || size < digits + 3 || text[digits] != ' '
            || text[size - 1] != '\n')
            return false;
        const std::string_view record = text.substr(digits + 1, size - digits - 2);
        const std::size_t equals = record.find('=');
        if (equals == std::string_view::npos || equals == 0)
            return false;
        m_pax[std::string(record.substr(0, equals))] = std::string(record.substr(equals + 1));
        text.remove_prefix(size);
    }
    return true;
}

} // namespace jetglass::archive
