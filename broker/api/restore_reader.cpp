// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/restore_reader.h"

#include "archive/entry_codec.h"

namespace jetglass::api {

RestoreReader::Step RestoreReader::fail(Error error)
{
    m_error = std::move(error);
    return Step::Failed;
}

/// The content first works off what it has, then gets the next decompressed chunk.
RestoreReader::Step RestoreReader::step()
{
    if (m_content && !m_contentHungry) {
        const Step step = m_content->step();
        if (step == Step::Failed)
            return fail(m_content->error());
        if (step != Step::NeedInput)
            return step;
        m_contentHungry = true;
    }
    switch (m_s2.next()) {
    case archive::S2Reader::Step::Data:
        take(m_s2.data());
        return Step::More;
    case archive::S2Reader::Step::NeedInput:
        return Step::NeedInput;
    case archive::S2Reader::Step::Failed:
        return fail({Errc::Corrupt, m_s2.error(), 0, 0});
    case archive::S2Reader::Step::End:
        break;
    }
    if (!m_content)
        return fail({Errc::Corrupt, m_preamble.empty() ? "EOF" : "unexpected EOF", 0, 0});
    if (!m_finished) {
        m_finished = true;
        m_content->finish();
    }
    m_contentHungry = false;
    return Step::More;
}

void RestoreReader::take(std::string_view data)
{
    m_contentHungry = false;
    if (m_content)
        return m_content->feed(data);
    m_preamble += data;
    if (m_preamble.size() < archive::kEntryMagic.size()) {
        m_contentHungry = true;
        return;
    }
    m_content = m_preamble.starts_with(archive::kEntryMagic) ? makeEntryContent(m_target)
                                                             : makeTarContent(m_target);
    m_content->feed(m_preamble);
    m_preamble.clear();
}

} // namespace jetglass::api
