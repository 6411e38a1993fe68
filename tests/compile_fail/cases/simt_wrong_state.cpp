// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: simt: the first argument of the call must be tern::simt_host, tern::simt_threads or, with tern/simt.cuh,
// error: tern::simt_stream
#include "tern/simt.hpp"

using signal = tern::view<float, tern::dims<3>, tern::layout_channels_last>;

void call(signal x, tern::view<float, tern::dims<3>> w, signal y) {
  struct stream {
  } not_a_state;
  tern::kernel<tern::conv1d<tern::conv1d_config{.in = 3, .out = 4}>, tern::simt<>>{}(not_a_state, x, w, y);
}
