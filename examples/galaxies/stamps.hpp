// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pictures in files, and the stamps that are cut from one.
#pragma once

#include <string>
#include <vector>

#include "network.hpp"

namespace galaxies {

/// A picture: rows of pixels with three colours in [0, 1].
struct picture {
  index_t width = 0, height = 0;
  std::vector<float> pixels;

  const float* at(index_t x, index_t y) const { return &pixels[static_cast<std::size_t>((y * width + x) * colours)]; }
  float* at(index_t x, index_t y) { return &pixels[static_cast<std::size_t>((y * width + x) * colours)]; }
};

/// Throws std::runtime_error if the file is no PNG or cannot be read.
picture read_png(const std::string& file);
/// Throws std::runtime_error if the file cannot be written; leaves none half-written.
void write_png(const std::string& file, const picture& p);

/// Cuts squares of `side` pixels whose middle is brighter than the sky from some rows, one after the other.
/// \param step  pixels between candidate positions
std::vector<float> cut_stamps(const picture& sky, index_t first_row, index_t last_row, index_t step);

/// A picture of rows of `count` stamps.
picture sheet(const std::vector<const float*>& rows, index_t count);

}  // namespace galaxies
