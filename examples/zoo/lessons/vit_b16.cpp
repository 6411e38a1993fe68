// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A small vision transformer learns handwritten digits: 16 patches of 4 x 4 pixels.
#include "../vit_b16.hpp"

#include "course.hpp"

namespace lessons::inline TERN_ISA {
namespace {

constexpr index_t side = 16;
using system = zoo::vit_of<zoo::vit_sizes{.width = 48, .heads = 4, .layers = 3, .patch = 4, .classes = 10}>;
using net = tern::network<system, tern::sample_shape::image(1, side, side), tern::simd<>>;
using loss = tern::cross_entropy<zoo::summed>;

outcome learn(const task& k) {
  return learn_digits<net, loss>(k, {.side = side, .channels = 1, .batch = 64, .shift = 2, .columns = 30, .rows = 8});
}

}  // namespace
}  // namespace lessons::inline TERN_ISA

namespace lessons {
lesson make_lesson(tern::isa_tag::current) {
  return {"A vision transformer of 3 layers: digits",
          "share of digits that are read wrongly",
          "digits that were held out; those read wrongly have a bright background",
          0.06,
          3000,
          side,
          learn};
}
}  // namespace lessons
