// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interface between main.cpp and a lesson, which is compiled for an instruction set of its own: plain data.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "tern/core/config.hpp"
#include "tern/isa.hpp"

namespace lessons {

using tern::index_t;

/// Gray images of one size from 0 to 1, row by row of a sheet.
struct picture {
  index_t side = 0;     ///< pixels of an image
  index_t columns = 0;  ///< images of a row
  std::vector<float> pixels;
};

/// Handwritten digits: images of side x side, one after the other.
struct digit_images {
  std::vector<float> images;
  std::vector<std::int32_t> labels;
};

struct task {
  index_t steps = 0;
  int threads = 1;
  digit_images learned, held_out;               ///< if the lesson needs digits
  std::function<void(index_t, double)> report;  ///< after a step: its number, and the loss
};

struct outcome {
  double untrained = 0, trained = 0;  ///< the measure on held-out samples; less is better
  picture shown;
  std::vector<std::pair<const char*, std::vector<double>>> curves;  ///< to be compared, if there are any
};

struct lesson {
  const char* title;
  const char* measure;
  const char* image_rows;  ///< what the rows of the picture are
  double wanted;           ///< the measure after `steps` steps must be less
  index_t steps;
  index_t digits_side;  ///< pixels of the digits that it needs, or 0
  outcome (*learn)(const task&);
};
#define LESSON(isa) lesson make_lesson(tern::isa_tag::isa);
LESSON(avx512)
LESSON(avx2)
LESSON(neon64)
LESSON(scalar)
#undef LESSON

}  // namespace lessons
