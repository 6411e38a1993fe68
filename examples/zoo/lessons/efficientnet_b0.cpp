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
  return learn_digits<net, system::loss>(
      k, {.side = side, .channels = 3, .batch = 16, .shift = 4, .columns = 20, .rows = 6});
}

}  // namespace
}  // namespace lessons::inline TERN_ISA

namespace lessons {
lesson make_lesson(tern::isa_tag::current) {
  return {"EfficientNet-B0: digits",
          "share of digits that are read wrongly",
          "digits that were held out; those read wrongly have a bright background",
          0.05,
          400,
          side,
          learn};
}
}  // namespace lessons
