// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: reversible: its config must be that of the to_stream
#include "tern/blocks.hpp"

using namespace tern;
using net =
    network<sequence<to_stream<>, reversible<skip, skip, coupling_config{.stream = stream_kind::grid}>, from_stream<>>,
            sample_shape::features(4), reference>;
static_assert(net::parameters >= 0);
