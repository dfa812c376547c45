// SPDX-License-Identifier: GPL-3.0-or-later
// The one place where Asio's implementation is compiled.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wold-style-cast"
#include <asio/impl/src.hpp>
#pragma GCC diagnostic pop
