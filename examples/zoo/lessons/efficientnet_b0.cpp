// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// EfficientNet-B0 learns handwritten digits, of 64 x 64 pixels and three equal channels.
#include "../efficientnet.hpp"

#include "course.hpp"

namespace lessons::inline TERN_ISA {
namespace {

constexpr index_t side = 64;
using system = zoo::efficientnet_b0;
using net = tern::network<system, system::reduced, tern::simd<>>;

outcome learn(const task& k) {
  course<net, system::loss> c(16, k.threads);
  const std::vector<float> x = in_channels(k.held_out.images, 3);
  outcome o;
  o.untrained = share_wrong(c.infer(x), k.held_out.labels, net::out.channels);
  std::mt19937 random(1);
  c.learn(k, 1e-3, drawn_digits(k.learned, random, side, 3, 4));
  std::vector<bool> right;
  o.trained = share_wrong(c.infer(x), k.held_out.labels, net::out.channels, &right);
  o.shown = sheet_of_digits(k.held_out, right, side, 20, 6);
  return o;
}

}  // namespace
}  // namespace lessons::inline TERN_ISA

namespace lessons {
lesson make_lesson(tern::isa_tag::current) {
  return {"EfficientNet-B0: digits",
          "share of digits that are read wrongly",
          "digits that were held out; those read wrongly are bright behind",
          0.05,
          400,
          side,
          learn};
}
}  // namespace lessons
