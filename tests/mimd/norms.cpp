// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Norms under mimd: machines that have room for every pass, channels that are larger than a tile, and calls that do not
// fit.
#include <array>
#include <string>
#include <vector>

#include "tern/mimd.hpp"
#include "tests/mimd/devices.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {
namespace {

using policy = mimd<few_tiles>;

TEST_CASE("norms on tiles have the calls of other models; one machine has room for every pass", "[norm][mimd]") {
  using norm = kernel<group_norm<norm_config{.groups = 4}>, policy>;
  auto x = random_vector(2 * 12 * 5 * 7, 1), dy = random_vector(2 * 12 * 5 * 7, 2), scale = random_vector(12, 3),
       shift = random_vector(12, 4);
  std::vector<float> y(x.size()), wanted(x.size()), mean(8), rstd(8), dx(x.size()), dx_wanted(x.size()), dscale(12),
      dscale_wanted(12), dshift(12), dshift_wanted(12);
  const auto of_groups = [](std::vector<float>& v) { return view<float, dims<2>>(unchecked, v.data(), dims<2>(2, 4)); };
  tile_machine machine = norm::make_state(last(x, 2, 12, 5, 7));
  const norm k;
  k(machine, last(x, 2, 12, 5, 7), scale, shift, last(y, 2, 12, 5, 7), of_groups(mean), of_groups(rstd));
  k.backward_data(machine, last(dy, 2, 12, 5, 7), last(x, 2, 12, 5, 7), scale, of_groups(mean), of_groups(rstd),
                  last(dx, 2, 12, 5, 7));
  k.backward_weights(machine, last(dy, 2, 12, 5, 7), last(x, 2, 12, 5, 7), of_groups(mean), of_groups(rstd), dscale,
                     dshift);
  const kernel<group_norm<norm_config{.groups = 4}>, reference> plain;
  plain(last(x, 2, 12, 5, 7), scale, shift, last(wanted, 2, 12, 5, 7));
  plain.backward_data(last(dy, 2, 12, 5, 7), last(x, 2, 12, 5, 7), scale, of_groups(mean), of_groups(rstd),
                      last(dx_wanted, 2, 12, 5, 7));
  plain.backward_weights(last(dy, 2, 12, 5, 7), last(x, 2, 12, 5, 7), of_groups(mean), of_groups(rstd), dscale_wanted,
                         dshift_wanted);
  CHECK(same_bits(y, wanted));
  CHECK(same_bits(dx, dx_wanted));
  CHECK(same_bits(dscale, dscale_wanted));
  CHECK(same_bits(dshift, dshift_wanted));
  CHECK(norm::plan(last(x, 2, 12, 5, 7)).units > 1);
}

TEST_CASE("a channel of a batch norm may be larger than a tile", "[norm][mimd]") {
  using norm = kernel<batch_norm<norm_config{}>, policy>;
  const auto [n, c, size, bytes] = GENERATE(std::array<index_t, 4>{20, 2, 32, 50000},   // many samples
                                            std::array<index_t, 4>{1, 1, 151, 40000});  // one that is large
  auto x = random_vector(n * c * size * size, 1), dy = random_vector(n * c * size * size, 2),
       scale = random_vector(c, 3), shift = random_vector(c, 4);
  const auto field = [n = n, c = c, size = size](std::vector<float>& v) { return last(v, n, c, size, size); };
  std::vector<float> y(x.size()), wanted(x.size()), mean(c), rstd(c), dx(x.size()), dx_wanted(x.size()), dscale(c),
      dscale_wanted(c), dshift(c), dshift_wanted(c);
  tile_machine machine(16, bytes);
  CHECK(machine.bytes_per_tile() < n * size * size * 4);
  const norm k;
  k(machine, field(x), scale, shift, field(y), mean, rstd);
  CHECK(machine.totals().supersteps >= 3);
  k.backward_data(machine, field(dy), field(x), scale, mean, rstd, field(dx));
  k.backward_weights(machine, field(dy), field(x), mean, rstd, dscale, dshift);
  const kernel<batch_norm<norm_config{}>, reference> plain;
  plain(field(x), scale, shift, field(wanted));
  plain.backward_data(field(dy), field(x), scale, mean, rstd, field(dx_wanted));
  plain.backward_weights(field(dy), field(x), mean, rstd, dscale_wanted, dshift_wanted);
  CHECK(same_bits(y, wanted));
  CHECK(same_bits(dx, dx_wanted));
  CHECK(same_bits(dscale, dscale_wanted));
  CHECK(same_bits(dshift, dshift_wanted));
  tile_machine small(16, 8000);
  std::vector<float> before = y;
  CHECK(message([&] {
          k(small, field(x), scale, shift, field(y), mean, rstd);
        }).find(" bytes per tile on few_tiles, 8000 are available") != std::string::npos);
  CHECK(y == before);
}

TEST_CASE("all gradients of a norm are refused before any is written", "[norm][mimd]") {
  const index_t n = 4, c = 8, size = 9;
  auto x = random_vector(n * c * size, 1), dy = random_vector(n * c * size, 2), scale = random_vector(c, 3),
       mean = random_vector(n, 4), rstd = random_vector(n, 5);
  const auto field = [=](std::vector<float>& v) { return last(v, n, c, size); };
  const kernel<layer_norm<>, policy> k;
  int refused = 0;
  for (index_t bytes = 64; bytes < 1 << 14; bytes += bytes / 8) {
    std::vector<float> dx(x.size(), 7), dscale(scale.size(), 7), dshift(scale.size(), 7);
    const std::vector<float> before = dscale;
    tile_machine machine(4, bytes);
    const std::string said =
        message([&] { k.backward(machine, field(dy), field(x), scale, mean, rstd, field(dx), dscale, dshift); });
    if (said == "no error") continue;
    ++refused;
    CHECK(said.find("bytes per tile on few_tiles") != std::string::npos);
    CHECK((dscale == before && dshift == before));
  }
  CHECK(refused > 3);
}

}  // namespace
}  // namespace tern::test
