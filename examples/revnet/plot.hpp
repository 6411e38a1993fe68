// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <ostream>

#include "model.hpp"

namespace revnet {

/// Bytes for activations by strategy and depth.
struct bytes_by_depth {
  double of[strategies][depth_count];
};

/// Draws lines of them as an SVG, both axes logarithmic.
void plot(const bytes_by_depth&, index_t batch, std::ostream&);

}  // namespace revnet
