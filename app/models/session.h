// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/chart_feed.h"
#include "models/client_directory.h"
#include "models/live_view.h"
#include "models/selection.h"
#include "models/subject_hues.h"

namespace jetglass::models {

/// What all views of one source share. Made once per source, handed to the pages by reference.
struct Session
{
    explicit Session(sources::FlowSource& from)
        : source(from)
        , live(from)
        , clients(from)
        , charts(live)
    {
    }

    sources::FlowSource& source;
    LiveView live;
    ClientDirectory clients;
    SubjectHues hues;
    ChartFeed charts;
    Selection selection;
};

} // namespace jetglass::models
