// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pools and ops that move elements under mimd: narrow elements, plans, machines, and calls that do not fit.
#include <string>
#include <vector>

#include "tern/mimd.hpp"
#include "tests/mimd/devices.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message.hpp"
#include "tests/support/pictures.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {
namespace {

using policy = mimd<few_tiles>;

TEST_CASE("pools that do not fit the tiles state the memory they need", "[pool][mimd]") {
  std::vector<float> x(2 * 3 * 40 * 40), y(2 * 3 * 20 * 20, 7);
  tile_machine small(2, 1000);
  const kernel<max_pool2d<pool2d_config{.kernel = {2, 2}}>, policy> k;
  const std::string says = message([&] { k(small, last(x, 2, 3, 40, 40), last(y, 2, 3, 20, 20)); });
  CHECK(says.starts_with("pool: batch 2, 3 channels, 1x20x20 positions need "));
  CHECK(says.ends_with(" bytes per tile on few_tiles, 1000 are available"));
  CHECK(y == std::vector<float>(y.size(), 7));
  const index_t needed = std::stoll(says.substr(says.find("need ") + 5));
  tile_machine enough(2, needed);
  CHECK(message([&] { k(enough, last(x, 2, 3, 40, 40), last(y, 2, 3, 20, 20)); }) == "no error");
}

TEST_CASE("elements of one byte move between layouts on tiles", "[rearrange][mimd]") {
  const extents3 e{1, 5, 7};
  picture<std::int8_t> x(2, 3, e), y(2, 3, e, picture<std::int8_t>::order::padded);
  int next = 0;
  x.each([&](auto... i) { x(i...) = static_cast<std::int8_t>(next++ % 251 - 125); });
  const auto from = x.get();
  const view<const std::int8_t, dims<4>, layout_channels_last> in(unchecked, from.p, dims<4>(2, 3, 5, 7));
  // Channel by channel, with gaps: a copy of more bytes than an element has would be seen.
  poisoned<std::int8_t> planes(2 * 3 * 5 * 7 * 2 + 1);
  const view out(planes, layout_strided::mapping(dims<4>(2, 3, 5, 7), 210, 70, 14, 2));
  using op = kernel<reorder<std::int8_t>, policy>;
  tile_machine machine = op::make_state(in);
  op{}(machine, in, out);
  bool equal = true, untouched = true;
  x.each([&](index_t n, index_t c, index_t, index_t i, index_t j) {
    equal = equal && out(n, c, i, j) == x(n, c, 0, i, j);
    untouched = untouched && (&out(n, c, i, j))[1] == planes.pattern();
  });
  CHECK(equal);
  CHECK(untouched);
  op{}(machine, out,
       view(unchecked, y.get().p,
            layout_strided::mapping(dims<4>(2, 3, 5, 7), y.get().sample, 1, y.get().axis[1], y.get().axis[2])));
  CHECK(equal_bits(x, y));
  CHECK(y.gaps_untouched());
}

TEST_CASE("a signal is cut along time on tiles", "[pool][rearrange][mimd]") {
  constexpr pool1d_config cfg{.kernel = {3}, .stride = {2}, .pad = {1}};
  auto x = random_vector(1 * 2 * 999, 1);
  std::vector<float> y(2 * 500), wanted(y.size());
  tile_machine machine(16, 2000);
  kernel<max_pool1d<cfg>, policy>{}(machine, last(x, 1, 2, 999), last(y, 1, 2, 500));
  kernel<max_pool1d<cfg>, reference>{}(last(x, 1, 2, 999), last(wanted, 1, 2, 500));
  CHECK(same_bits(y, wanted));
}

TEST_CASE("plans of pools and moving ops state the memory of tiles", "[pool][rearrange][mimd]") {
  const view<float, dims<4>, layout_channels_last> x(unchecked, nullptr, dims<4>(2, 64, 56, 56));
  using pool = kernel<max_pool2d<pool2d_config{.kernel = {2, 2}}>, policy>;
  using up = kernel<upsample2d<upsample2d_config{.factor = {2, 2}, .mode = interpolation::linear}>, policy>;
  for (const plan& p : {pool::plan(x), pool::plan(x, pass::backward_data), up::plan(x, pass::forward),
                        kernel<reorder<>, policy>::plan(x)}) {
    CHECK(p.execution == model::mimd);
    CHECK(p.units > 1);
    CHECK(p.units <= few_tiles.units);
    CHECK(p.cycles > 0);
    CHECK(p.supersteps > 0);
    CHECK(p.fits == (p.bytes_per_unit <= few_tiles.local_bytes - few_tiles.program_bytes));
  }
  CHECK(pool::plan(x, pass::forward, tile_resources{3, 1 << 20}).units <= 3);
}

TEST_CASE("a machine made for a tensor runs every pass on tensors of its shape", "[pool][rearrange][mimd]") {
  auto x = random_vector(2 * 9 * 14 * 10, 1);
  const auto vx = last(x, 2, 9, 14, 10);
  std::vector<float> y(2 * 9 * 7 * 5), y2(y.size()), dx(x.size()), dx2(x.size()), large(4 * x.size()),
      large2(large.size());
  std::vector<std::int32_t> at(y.size());
  constexpr pool2d_config cfg{.kernel = {3, 2}, .stride = {2, 2}, .pad = {1, 0}};
  const kernel<max_pool2d<cfg>, policy> pool;
  auto machine = pool.make_state(vx, tile_resources{5, few_tiles.local_bytes}, tile_checks::on);
  CHECK(machine.tiles() == 5);
  pool(machine, vx, last(y, 2, 9, 7, 5), last(at, 2, 9, 7, 5));
  pool.backward_data(machine, last(y, 2, 9, 7, 5), last(at, 2, 9, 7, 5), last(dx, 2, 9, 14, 10));
  pool.backward_data(machine, last(y, 2, 9, 7, 5), vx, last(dx2, 2, 9, 14, 10));
  CHECK(same_bits(dx, dx2));
  kernel<max_pool2d<cfg>, reference>{}(vx, last(y2, 2, 9, 7, 5));
  CHECK(same_bits(y, y2));

  using op = upsample2d<upsample2d_config{.factor = {2, 2}, .mode = interpolation::linear}>;
  const kernel<op, policy> up;
  auto other = up.make_state(vx);
  CHECK(other.tiles() == few_tiles.units);
  up(other, vx, last(large, 2, 9, 28, 20));
  kernel<op, reference>{}(vx, last(large2, 2, 9, 28, 20));
  CHECK(same_bits(large, large2));
  up.backward_data(other, last(large, 2, 9, 28, 20), last(dx, 2, 9, 14, 10));
  kernel<op, reference>{}.backward_data(last(large, 2, 9, 28, 20), last(dx2, 2, 9, 14, 10));
  CHECK(same_bits(dx, dx2));
  auto plain = kernel<op, reference>::make_state(vx);
  kernel<op, reference>{}(plain, vx, last(large2, 2, 9, 28, 20));
}

}  // namespace
}  // namespace tern::test
