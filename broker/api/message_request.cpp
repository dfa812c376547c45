// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/message_request.h"

#include "base/time_text.h"
#include "streams/json_decode.h"
#include "subjects/subject_filter.h"

#include <algorithm>

namespace jetglass::api {

void MessageRequest::declare(streams::JsonFields& fields)
{
    fields.add("seq", seq);
    fields.add("last_by_subj", lastBySubject);
    fields.add("next_by_subj", nextBySubject);
    fields.addTime("start_time", startTime);
    fields.addInt("batch", batch);
    fields.addInt("max_bytes", maxBytes);
    fields.add("multi_last", multiLast);
    fields.add("up_to_seq", upToSeq);
    fields.addTime("up_to_time", upToTime);
    fields.add("no_hdr", noHeaders);
}

StreamSeq MessageRequest::start(store::MessageStore& store) const
{
    if (!startTime)
        return StreamSeq(seq);
    return store.seqAtTime(base::parseRfc3339(*startTime).value_or(0));
}

bool MessageRequest::find(store::MessageStore& store, store::MessageView& message) const
{
    const StreamSeq from = start(store);
    if (!nextBySubject.empty())
        return store.loadNext(
            subjects::SubjectFilter({nextBySubject}), std::max(from, StreamSeq(1)), message);
    if (!from.isZero())
        return store.load(from, message);
    if (lastBySubject == ">")
        return store.load(store.state().last, message);
    return store.loadLast(subjects::SubjectFilter({lastBySubject}), StreamSeq{}, message);
}

} // namespace jetglass::api
