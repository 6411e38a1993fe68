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
  course<net, loss> c(64, k.threads);
  outcome o;
  o.untrained = share_wrong(c.infer(k.held_out.images), k.held_out.labels, 10);
  std::mt19937 random(1);
  c.learn(k, 1e-3, drawn_digits(k.learned, random, side, 1, 2));
  std::vector<bool> right;
  o.trained = share_wrong(c.infer(k.held_out.images), k.held_out.labels, 10, &right);
  o.shown = sheet_of_digits(k.held_out, right, side, 30, 8);
  return o;
}

}  // namespace
}  // namespace lessons::inline TERN_ISA

namespace lessons {
lesson make_lesson(tern::isa_tag::current) {
  return {"A vision transformer of 3 layers: digits",
          "share of digits that are read wrongly",
          "digits that were held out; those read wrongly are bright behind",
          0.06,
          3000,
          side,
          learn};
}
}  // namespace lessons
