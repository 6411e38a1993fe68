// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pools, rearrangements, resamplings, maps, norms, softmax and losses under mimd: the bits of the reference on the
// cores of the host and on tiles that see their own memory only, and what calls use is what their plans say.
#include <array>
#include <memory>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "tern/mimd.hpp"
#include "tests/kernel/draw_parity.hpp"
#include "tests/kernel/loss_parity.hpp"
#include "tests/kernel/map_parity.hpp"
#include "tests/kernel/norm_parity.hpp"
#include "tests/kernel/pool_parity.hpp"
#include "tests/kernel/rearrange_parity.hpp"
#include "tests/kernel/softmax_parity.hpp"
#include "tests/mimd/devices.hpp"
#include "tests/support/message.hpp"
#include "tests/support/thinning.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {

using policy = mimd<few_tiles>;

const auto cores = [](const auto&) { return tile_machine(5, 0); };

TEMPLATE_TEST_CASE("pools on native tiles give the bits of the reference", "[pool][mimd]", float, double) {
  pool_values_parity<mimd<>, TestType>(cores, thinned(200), 5e5);
  pool_gradient_parity<mimd<>, TestType>(cores, thinned(200), 5e5);
}

TEMPLATE_TEST_CASE("rearrangements on native tiles give the bits of the reference", "[rearrange][mimd]", float,
                   double) {
  move_parity<mimd<>, TestType, false>(cores, thinned(20));
  move_parity<mimd<>, TestType, true>(cores, thinned(20));
  resampling_parity<mimd<>, TestType>(cores, thinned(20));
}

TEMPLATE_TEST_CASE("maps on native tiles give the bits of the reference", "[map][mimd]", float, double) {
  map_parity<mimd<>, TestType>(cores, thinned(40));
}

TEMPLATE_TEST_CASE("sums over places on native tiles give the bits of the reference", "[map][mimd]", float, double) {
  sum_parity<mimd<>, TestType>(cores, thinned(40));
}

TEMPLATE_TEST_CASE("norms on native tiles give the bits of the reference", "[norm][mimd]", float, double) {
  norm_parity<mimd<>, TestType>(cores, thinned(40), 50000);
}

TEMPLATE_TEST_CASE("softmax on native tiles gives the bits of the reference", "[softmax][mimd]", float, double) {
  softmax_parity<mimd<>, TestType>(cores, thinned(40));
}

TEMPLATE_TEST_CASE("losses on native tiles give the bits of the reference", "[loss][mimd]", float, double) {
  loss_parity<mimd<>, TestType>(cores, cores, thinned(40));
}

TEST_CASE("random draws on native tiles give the bits of the reference", "[dropout][mimd]") {
  draw_parity<mimd<>, float>(cores, thinned(40));
}

/// Machines of 1 to 16 tiles on which the next call just fits, or fits well. The last call is compared with its plan.
template <class Family>
class machines {
 public:
  explicit machines(unsigned seed) : engine_(seed) {}
  ~machines() { check(); }

  template <class Call>
  tile_machine& operator()(const Call& q) {
    check();
    const index_t tiles = 1 + below(engine_, 16);
    const index_t most = Family::partition_for(q, {tiles, few_tiles.local_bytes}).bytes_per_tile;
    const index_t least = Family::partition_for(q, {tiles, 0}).bytes_per_tile;
    const index_t bytes = engine_() % 3 == 0 || most <= least ? least : least + below(engine_, most - least + 1);
    plan_ = Family::partition_for(q, {tiles, bytes});
    machine_ = std::make_unique<tile_machine>(tiles, bytes, engine_() % 4 == 0 ? tile_checks::on : tile_checks::off);
    return *machine_;
  }

  int spread = 0, stepped = 0, cut_in_both = 0;

 private:
  void check() {
    if (!machine_) return;
    const tile_totals used = machine_->totals();
    if (used.supersteps == 0) return;  // a call without results
    INFO(plan_.row_tiles << " x " << plan_.channel_tiles << " tiles, " << plan_.steps << " steps, "
                         << plan_.bytes_per_tile << " bytes");
    REQUIRE(plan_.fits);
    CHECK(used.supersteps == plan_.supersteps);
    CHECK(used.bytes_per_tile <= plan_.bytes_per_tile);
    CHECK(used.compute_cycles <= plan_.compute_cycles);
    CHECK(used.sync_cycles == plan_.sync_cycles);
    CHECK(used.exchange_cycles <= plan_.exchange_cycles);
    CHECK(used.bytes_exchanged <= plan_.bytes_moved);
    spread += plan_.tiles() > 1, stepped += plan_.steps > 1;
    cut_in_both += plan_.row_tiles > 1 && plan_.channel_tiles > 1;
  }

  std::mt19937 engine_;
  rows_plan plan_;
  std::unique_ptr<tile_machine> machine_;
};

TEMPLATE_TEST_CASE("pools on tiles give the bits of the reference and use what their plans say", "[pool][mimd]", float,
                   double) {
  machines<pooling_kernel<policy>> next(Catch::rngSeed());
  pool_values_parity<policy, TestType>([&](const auto& q) -> tile_machine& { return next(q); }, thinned(400));
  pool_gradient_parity<policy, TestType>([&](const auto& q) -> tile_machine& { return next(q); }, thinned(400));
  CHECK(next.spread * static_cast<int>(one_in) > 500);
  CHECK(next.stepped * static_cast<int>(one_in) > 100);
  CHECK(next.cut_in_both * static_cast<int>(one_in) > 50);
}

TEMPLATE_TEST_CASE("rearrangements on tiles give the bits of the reference and use what their plans say",
                   "[rearrange][mimd]", float, double) {
  machines<rearrangement_kernel<policy>> next(Catch::rngSeed());
  const auto state = [&](const auto& q) -> tile_machine& { return next(q); };
  move_parity<policy, TestType, false>(state, thinned(60));
  move_parity<policy, TestType, true>(state, thinned(30));
  move_parity<policy, bfloat16, false>(state, thinned(20));
  resampling_parity<policy, TestType>(state, thinned(60));
  CHECK(next.spread * static_cast<int>(one_in) > 300);
  CHECK(next.stepped * static_cast<int>(one_in) > 50);
}

TEMPLATE_TEST_CASE("maps on tiles give the bits of the reference and use what their plans say", "[map][mimd]", float,
                   double) {
  machines<mapping_kernel<policy>> next(Catch::rngSeed());
  map_parity<policy, TestType>([&](const auto& q) -> tile_machine& { return next(q); }, thinned(100));
  CHECK(next.spread * static_cast<int>(one_in) > 300);
  CHECK(next.stepped * static_cast<int>(one_in) > 50);
  CHECK(next.cut_in_both * static_cast<int>(one_in) > 50);
}

TEMPLATE_TEST_CASE("sums over places on tiles give the bits of the reference and use what their plans say",
                   "[map][mimd]", float, double) {
  machines<place_sums_kernel<policy>> next(Catch::rngSeed());
  sum_parity<policy, TestType>([&](const auto& q) -> tile_machine& { return next(q); }, thinned(100));
  CHECK(next.spread * static_cast<int>(one_in) > 200);
}

TEMPLATE_TEST_CASE("norms on tiles give the bits of the reference and use what their plans say", "[norm][mimd]", float,
                   double) {
  machines<normalization_kernel<policy>> next(Catch::rngSeed());
  norm_parity<policy, TestType>([&](const auto& q) -> tile_machine& { return next(q); }, thinned(100), 50000);
  CHECK(next.spread * static_cast<int>(one_in) > 300);
  CHECK(next.stepped * static_cast<int>(one_in) > 50);
  CHECK(next.cut_in_both * static_cast<int>(one_in) > 50);
}

TEMPLATE_TEST_CASE("softmax on tiles gives the bits of the reference and uses what its plans say", "[softmax][mimd]",
                   float, double) {
  machines<softmax_kernel<policy>> next(Catch::rngSeed());
  softmax_parity<policy, TestType>([&](const auto& q) -> tile_machine& { return next(q); }, thinned(100));
  CHECK(next.spread * static_cast<int>(one_in) > 200);
  CHECK(next.stepped * static_cast<int>(one_in) > 50);
}

TEST_CASE("pools that do not fit the tiles say what they need", "[pool][mimd]") {
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

TEST_CASE("norms are called on tiles like elsewhere, with a machine that has room for every pass", "[norm][mimd]") {
  using norm = kernel<group_norm<norm_config{.groups = 4}>, policy>;
  auto x = random_vector(2 * 12 * 5 * 7, 1), dy = random_vector(2 * 12 * 5 * 7, 2), scale = random_vector(12, 3),
       shift = random_vector(12, 4);
  std::vector<float> y(x.size()), wanted(x.size()), mean(8), rstd(8), dx(x.size()), dx_wanted(x.size()), dscale(12),
      dscale_wanted(12), dshift(12), dshift_wanted(12);
  const auto of_groups = [](std::vector<float>& v) { return view<float, dims<2>>(v.data(), dims<2>(2, 4)); };
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

TEST_CASE("a softmax is called on tiles like elsewhere", "[softmax][mimd]") {
  using attention = kernel<softmax<softmax_config{.mask = true}>, policy>;
  auto x = random_vector(2 * 3 * 5 * 40, 1);
  std::vector<float> y(x.size()), wanted(x.size());
  std::vector<std::uint8_t> mask(2 * 40);
  for (std::size_t i = 0; i < mask.size(); ++i) mask[i] = i % 3 != 0;
  const auto scores = [](std::vector<float>& v) { return view<float, dims<4>>(v.data(), dims<4>(2, 3, 5, 40)); };
  const view keys(mask.data(), dims<4>(2, 1, 1, 40));
  tile_machine machine = attention::make_state(scores(x));
  attention{}(machine, scores(x), keys, scores(y));
  kernel<softmax<softmax_config{.mask = true}>, reference>{}(scores(x), keys, scores(wanted));
  CHECK(same_bits(y, wanted));
  CHECK(attention::plan(scores(x)).units > 1);
}

TEMPLATE_TEST_CASE("losses on tiles give the bits of the reference and use what their plans say", "[loss][mimd]", float,
                   double) {
  machines<loss_kernel<policy>> next(Catch::rngSeed());
  machines<mapping_kernel<policy>> next_map(Catch::rngSeed());
  loss_parity<policy, TestType>([&](const auto& q) -> tile_machine& { return next(q); },
                                [&](const auto& q) -> tile_machine& { return next_map(q); }, thinned(60));
  CHECK(next.spread * static_cast<int>(one_in) > 100);
  CHECK(next.stepped * static_cast<int>(one_in) > 20);
}

TEST_CASE("losses are called on tiles like elsewhere", "[loss][mimd]") {
  using of_rows = kernel<cross_entropy<>, policy>;
  using of_samples = kernel<gaussian_nll<>, policy>;
  auto x = random_vector(40 * 30 * 7, 1), variance = random_vector(x.size(), 2), t = random_vector(x.size(), 3);
  std::vector<std::int32_t> target(40 * 7);
  for (std::size_t i = 0; i < target.size(); ++i) target[i] = static_cast<std::int32_t>(i * 7 % 30);
  const auto results = [&]<class Policy>(std::type_identity<Policy>, auto&&... state) {
    std::vector<float> losses(40 * 7), samples(40), total(2), dx(x.size()), dmean(x.size()), dvariance(x.size());
    const auto image = [](std::vector<float>& v) { return last(v, 40, 30, 7); };
    const view classes(target.data(), dims<2>(40, 7));
    const kernel<cross_entropy<>, Policy> k;
    k(state..., image(x), classes, view(losses.data(), dims<2>(40, 7)), view(total.data(), dims<1>(1)));
    k.backward_data(state..., image(x), classes, image(dx), loss_scale{8});
    const kernel<gaussian_nll<>, Policy> g;
    g(state..., image(x), image(variance), image(t), view(samples.data(), dims<1>(40)),
      view(total.data() + 1, dims<1>(1)));
    g.backward_data(state..., image(x), image(variance), image(t), image(dmean), image(dvariance));
    for (const auto& v : {losses, samples, dx, dmean, dvariance}) total.insert(total.end(), v.begin(), v.end());
    return total;
  };
  tile_machine machine = of_rows::make_state(last(x, 40, 30, 7)), other = of_samples::make_state(last(x, 40, 30, 7));
  tile_machine& larger = machine.bytes_per_tile() > other.bytes_per_tile() ? machine : other;
  CHECK(same_bits(results(std::type_identity<policy>{}, larger), results(std::type_identity<reference>{})));
  CHECK(of_rows::plan(last(x, 40, 30, 7)).units > 1);
  CHECK(of_samples::plan(last(x, 40, 30, 7), pass::backward_data).units > 1);
  // A total that does not fit is refused before losses, which do, are written: one tile gathers the sums of all chunks.
  using ipu = mimd<devices::gc200>;
  std::vector<float> many(4096, 1), losses(4096, 7), total(1, 7);
  const view numbers(many.data(), dims<2>(4096, 1));
  const view to(losses.data(), dims<1>(4096));
  tile_machine small(128, 500);
  CHECK(message([&] {
          kernel<squared_error<>, ipu>{}(small, numbers, numbers, to, view(total.data(), dims<1>(1)));
        }).starts_with("sums: "));
  CHECK(losses == std::vector<float>(4096, 7));
  CHECK(total[0] == 7);
  kernel<squared_error<loss_config{.reduce = reduction::none}>, ipu>{}(small, numbers, numbers, to);
  CHECK(losses == std::vector<float>(4096, 0));
}

TEST_CASE("random draws on tiles give the bits of the reference and use what their plans say", "[dropout][mimd]") {
  machines<drawing_kernel<policy>> next(Catch::rngSeed());
  draw_parity<policy, float>([&](const auto& q) -> tile_machine& { return next(q); }, thinned(100));
  CHECK(next.spread * static_cast<int>(one_in) > 100);
  CHECK(next.stepped * static_cast<int>(one_in) > 20);
}

TEST_CASE("elements of one byte move between layouts on tiles", "[rearrange][mimd]") {
  const extents3 e{1, 5, 7};
  picture<std::int8_t> x(2, 3, e), y(2, 3, e, picture<std::int8_t>::order::padded);
  int next = 0;
  x.each([&](auto... i) { x(i...) = static_cast<std::int8_t>(next++ % 251 - 125); });
  const auto from = x.get();
  const view<const std::int8_t, dims<4>, layout_channels_last> in(from.p, dims<4>(2, 3, 5, 7));
  // Channel by channel, with gaps: a copy of more bytes than an element has would be seen.
  poisoned<std::int8_t> planes(2 * 3 * 5 * 7 * 2 + 1);
  const view out(planes.data(), layout_strided::mapping(dims<4>(2, 3, 5, 7), 210, 70, 14, 2));
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
       view(y.get().p,
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

TEST_CASE("plans of pools and moving ops say what tiles take", "[pool][rearrange][mimd]") {
  const view<float, dims<4>, layout_channels_last> x(nullptr, dims<4>(2, 64, 56, 56));
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

}  // namespace tern::test
