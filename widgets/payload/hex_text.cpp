// SPDX-License-Identifier: GPL-3.0-or-later
#include "payload/hex_text.h"

#include <QStringDecoder>

#include <algorithm>

namespace jetglass::payload {

namespace {

constexpr qsizetype kPerLine = 16;
constexpr char kDigits[] = "0123456789abcdef";

void appendByte(QByteArray& out, char byte)
{
    const auto value = static_cast<unsigned char>(byte);
    out += kDigits[value >> 4U];
    out += kDigits[value & 15U];
}

} // namespace

QString hexText(const QByteArray& bytes)
{
    QByteArray out;
    out.reserve((bytes.size() / kPerLine + 1) * 78);
    for (qsizetype at = 0; at < bytes.size(); at += kPerLine) {
        out += QByteArray::number(at, 16).rightJustified(8, '0') + "  ";
        const qsizetype count = std::min(kPerLine, bytes.size() - at);
        for (qsizetype i = 0; i < kPerLine; ++i) {
            if (i == kPerLine / 2) {
                out += ' ';
            }
            if (i < count) {
                appendByte(out, bytes[at + i]);
                out += ' ';
            } else {
                out += "   ";
            }
        }
        out += ' ';
        for (qsizetype i = 0; i < count; ++i) {
            const char c = bytes[at + i];
            out += c >= ' ' && c <= '~' ? c : '.';
        }
        out += '\n';
    }
    if (!out.isEmpty()) {
        out.chop(1);
    }
    return QString::fromLatin1(out);
}

bool isText(const QByteArray& bytes, bool cut)
{
    QByteArray checked = bytes;
    if (cut) {
        // Drop what may be the first bytes of a longer character.
        qsizetype end = checked.size();
        for (int i = 0;
             i < 3 && end > 0 && (static_cast<unsigned char>(checked[end - 1]) & 0xC0U) == 0x80U;
             ++i) {
            --end;
        }
        if (end > 0 && static_cast<unsigned char>(checked[end - 1]) >= 0xC0U) {
            --end;
        }
        checked.truncate(end);
    }
    QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
    const QString text = decoder(checked);
    if (decoder.hasError()) {
        return false;
    }
    return std::none_of(text.begin(), text.end(), [](QChar c) {
        return c.unicode() < 0x20 && c != u'\n' && c != u'\r' && c != u'\t' && c != u'\f';
    });
}

} // namespace jetglass::payload
