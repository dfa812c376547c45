// SPDX-License-Identifier: GPL-3.0-or-later
#include "archive/content_encoding.h"

#include "archive/s2_stream.h"

#include <algorithm>
#include <new>
#include <zlib.h>

namespace jetglass::archive {

namespace {

std::string packSnappy(std::string_view bytes)
{
    S2Writer writer(S2Framing::Snappy);
    writer.add(bytes);
    writer.finish();
    return std::move(writer.out());
}

std::string packGzip(std::string_view bytes)
{
    constexpr int kGzipFrame = 16;
    constexpr int kMemoryLevel = 8;
    z_stream stream{};
    if (deflateInit2(&stream,
            Z_DEFAULT_COMPRESSION,
            Z_DEFLATED,
            MAX_WBITS + kGzipFrame,
            kMemoryLevel,
            Z_DEFAULT_STRATEGY)
        != Z_OK)
        throw std::bad_alloc();
    std::string out(deflateBound(&stream, bytes.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

} // namespace

ContentEncoding acceptedEncoding(std::string_view accepted)
{
    if (accepted.empty())
        return ContentEncoding::None;
    std::string lower(accepted);
    std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
    });
    if (lower.find("snappy") != std::string::npos || lower.find("s2") != std::string::npos)
        return ContentEncoding::Snappy;
    return lower.find("gzip") != std::string::npos ? ContentEncoding::Gzip
                                                   : ContentEncoding::Identity;
}

std::string_view encodingName(ContentEncoding encoding)
{
    switch (encoding) {
    case ContentEncoding::Snappy:
        return "snappy";
    case ContentEncoding::Gzip:
        return "gzip";
    case ContentEncoding::Identity:
        return "identity";
    case ContentEncoding::None:
        break;
    }
    return {};
}

std::string encodeContent(std::string_view bytes, ContentEncoding encoding)
{
    switch (encoding) {
    case ContentEncoding::Snappy:
        return packSnappy(bytes);
    case ContentEncoding::Gzip:
        return packGzip(bytes);
    case ContentEncoding::Identity:
    case ContentEncoding::None:
        break;
    }
    return std::string(bytes);
}

} // namespace jetglass::archive
