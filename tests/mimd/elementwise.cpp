// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gradients of slopes of every shape under mimd.
#include <vector>

#include "tern/mimd.hpp"
#include "tests/mimd/devices.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {
namespace {

using policy = mimd<few_tiles>;

TEST_CASE("the slopes of a channel, one per position, may be larger than a tile", "[elementwise][mimd]") {
  using bend = elementwise<elementwise_config{.act = activation::prelu}>;
  const index_t n = 3, c = 2, h = 40, w = 30;
  auto x = random_vector(n * c * h * w, 1), dy = random_vector(n * c * h * w, 2), slope = random_vector(c * h * w, 3);
  std::vector<float> dslope(slope.size()), wanted(slope.size());
  const auto field = [=](std::vector<float>& v) { return last(v, n, c, h, w); };
  const auto once = [=](std::vector<float>& v) { return last(v, index_t{1}, c, h, w); };
  tile_machine machine(16, 8000);
  CHECK(machine.bytes_per_tile() < n * h * w * 4);
  kernel<bend, policy>{}.backward_slope(machine, field(dy), field(x), once(dslope));
  kernel<bend, reference>{}.backward_slope(field(dy), field(x), once(wanted));
  CHECK(same_bits(dslope, wanted));
}

TEST_CASE("a machine made for a tensor runs gradients of slopes of every shape", "[elementwise][mimd]") {
  using bend = elementwise<elementwise_config{.act = activation::prelu}>;
  const index_t n = 6, c = 5, h = 7, w = 4;
  auto x = random_vector(n * c * h * w, 1), dy = random_vector(n * c * h * w, 2);
  const auto field = [=](std::vector<float>& v) { return last(v, n, c, h, w); };
  const kernel<bend, policy> k;
  for (int kept = 0; kept < 8; ++kept) {
    const index_t e[] = {kept & 1 ? n : 1, kept & 2 ? h : 1, kept & 4 ? w : 1};
    std::vector<float> dslope(static_cast<std::size_t>(e[0] * c * e[1] * e[2])), wanted(dslope.size());
    const auto of = [&](std::vector<float>& v) { return last(v, e[0], c, e[1], e[2]); };
    tile_machine machine = k.make_state(field(x));
    k.backward_slope(machine, field(dy), field(x), of(dslope));
    kernel<bend, reference>{}.backward_slope(field(dy), field(x), of(wanted));
    CHECK(same_bits(dslope, wanted));
  }
}

TEST_CASE("tiles that are too small for a gradient of slopes are named with the axes of the call",
          "[elementwise][mimd]") {
  using bend = elementwise<elementwise_config{.act = activation::prelu}>;
  auto x = random_vector(2 * 3 * 50 * 40, 1), dy = random_vector(2 * 3 * 50 * 40, 2);
  std::vector<float> dslope(3 * 50, 7);
  tile_machine machine(4, 100);
  CHECK(message([&] {
          kernel<bend, policy>{}.backward_slope(machine, last(dy, 2, 3, 50, 40), last(x, 2, 3, 50, 40),
                                                last(dslope, 1, 3, 50, 1));
        }).starts_with("sums: batch 1, 3 channels, 1x50x1 positions need "));
  CHECK(dslope == std::vector<float>(3 * 50, 7));
}

}  // namespace
}  // namespace tern::test
