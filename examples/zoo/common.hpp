// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Common parts of the headers of systems.
#pragma once

#include "tern/blocks.hpp"

namespace zoo::inline TERN_ISA {

using tern::activation, tern::graph, tern::index_t, tern::padding, tern::sample_shape, tern::value;

inline constexpr tern::loss_config summed{.reduce = tern::reduction::sum};

/// A system that classifies images of three channels.
/// \tparam Side     pixels of an image
/// pixels at the reduced size, which suffices to compare policies
template <index_t Side, index_t Reduced>
struct classifier {
  static constexpr sample_shape full = sample_shape::image(3, Side, Side),
                                reduced = sample_shape::image(3, Reduced, Reduced);
  using loss = tern::cross_entropy<summed>;
};

}  // namespace zoo::inline TERN_ISA
