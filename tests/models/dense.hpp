// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layers whose results have the extents of what goes in: norms, softmax, and functions of single elements.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

#include "tern/core/config.hpp"

namespace tern::test {

/// Elements of such a layer that are run at most; channels are never fewer than the model's.
inline constexpr index_t most_elements = 200'000;

/// "batchnorm 56x56x64 to 56x56x64": up to three axes, and channels last.
struct dense_layer {
  std::string op;
  index_t samples = 1, extent[3] = {1, 1, 1}, channels = 1;

  index_t positions() const { return extent[0] * extent[1] * extent[2]; }
  index_t elements() const { return samples * positions() * channels; }
};

/// The layer with fewer positions if it has too many elements, or with a few samples if it has room for them. Ends the
/// program if the text describes no such layer.
inline dense_layer dense_of(const std::string& text) {
  dense_layer l;
  long size[4] = {};
  char op[32] = {}, from[64] = {}, to[64] = {};
  const int parts = std::sscanf(text.c_str(), "%31s %63[0-9x] to %63[0-9x]", op, from, to),
            sizes = std::sscanf(from, "%ldx%ldx%ldx%ld", &size[0], &size[1], &size[2], &size[3]);
  if (parts != 3 || sizes < 1 || std::string(from) != to) {
    std::fprintf(stderr, "this layer does not keep its extents: %s\n", text.c_str());
    std::exit(2);
  }
  l.op = op, l.channels = size[sizes - 1];
  for (int r = 0; r + 1 < sizes; ++r) l.extent[4 - sizes + r] = size[r];
  for (index_t& e : l.extent)
    while (l.elements() > most_elements && e > 4) e = (e + 1) / 2;
  while (l.samples < 3 && l.elements() / l.samples * (l.samples + 1) <= most_elements) ++l.samples;
  return l;
}

}  // namespace tern::test
