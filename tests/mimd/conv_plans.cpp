// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans of convolutions on tile machines: what they need, and what they say of sizes that are missing or wrong.
#include "tern/mimd.hpp"

#include "tern/reference.hpp"
#include "tests/mimd/devices.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message.hpp"
#include "tests/support/tensor.hpp"

namespace tern::test {

using policy = mimd<few_tiles>;
using family = convolution_kernel<policy>;

TEST_CASE("convolutions that do not fit the tiles state the memory they need", "[conv][mimd]") {
  using op = conv2d<conv2d_config{.in = 64, .out = 64, .kernel = {3, 3}, .pad = {1, 1}}>;
  conv_shape s{.batch = 1, .in = 64, .out = 64};
  s.axis[1] = s.axis[2] = op::config.axis(0, 56);
  const index_t needed = family::partition_for<float>(conv_work::forward, s, {}, {4, 1000}).bytes_per_tile;
  std::vector<float> x(56 * 56 * 64), w(9 * 64 * 64), y(x.size());
  const auto image = [](std::vector<float>& v) {
    return view<float, dims<4>, layout_channels_last>(unchecked, v.data(), dims<4>(1, 64, 56, 56));
  };
  tile_machine small(4, 1000);
  CHECK(message([&] { kernel<op, policy>{}(small, image(x), view(w, dims<4>(3, 3, 64, 64)), image(y)); }) ==
        "convolution: batch 1, 64 x 64 channels, 1x56x56 positions need " + std::to_string(needed) +
            " bytes per tile on few_tiles, 1000 are available");
}

TEST_CASE("weight gradients without room for the bias gradient are refused before anything is written",
          "[conv][mimd]") {
  using op = conv_transpose2d<conv_transpose2d_config{.in = 3, .out = 64, .kernel = {1, 1}, .stride = {8, 8}}>;
  std::vector<float> x(3 * 4 * 4, 1), dy(64 * 25 * 25, 1), dw(3 * 64, 7), dbias(64, 7);
  const auto image = [](std::vector<float>& v, index_t c, index_t size) {
    return view<float, dims<4>, layout_channels_last>(unchecked, v.data(), dims<4>(1, c, size, size));
  };
  int refused = 0;
  for (index_t bytes = 1000; bytes < 200000; bytes += 2000) {
    tile_machine small(5, bytes);
    const std::string said = message([&] {
      kernel<op, policy>{}.backward_weights(small, image(x, 3, 4), image(dy, 64, 25), view(dw, dims<4>(1, 1, 64, 3)),
                                            dbias);
    });
    if (said == "no error") break;
    ++refused;
    CHECK(dw == std::vector<float>(dw.size(), 7));
    CHECK(dbias == std::vector<float>(dbias.size(), 7));
  }
  CHECK(refused > 10);
  CHECK(dbias == std::vector<float>(dbias.size(), 625));
  tile_machine enough =
      kernel<op, policy>::make_state({.batch = 1, .extent = {4, 4}}, tile_resources{5, few_tiles.local_bytes});
  kernel<op, policy>{}.backward_weights(enough, image(x, 3, 4), image(dy, 64, 25), view(dw, dims<4>(1, 1, 64, 3)),
                                        dbias, accumulate);
  CHECK(dbias == std::vector<float>(dbias.size(), 1250));
}

TEST_CASE("machines have no more memory than their device", "[conv][mimd]") {
  using op =
      kernel<conv2d<conv2d_config{.in = 256, .out = 256, .kernel = {3, 3}, .pad = {1, 1}}>, mimd<devices::gc200>>;
  CHECK(op::make_state({.batch = 64, .extent = {224, 224}}, tile_resources{4, 5000}).bytes_per_tile() <= 5000);
  static constexpr device tiny = [] {
    device d = devices::gc200;
    d.local_bytes = 4096, d.units = 2;
    return d;
  }();
  using small = kernel<conv1d<conv1d_config{.in = 8, .out = 8}>, mimd<tiny>>;
  std::vector<float> x(8 * 100), y(x.size()), w(64);
  const auto image = [](std::vector<float>& v) {
    return view<float, dims<3>, layout_channels_last>(unchecked, v.data(), dims<3>(1, 8, 100));
  };
  tile_machine machine = small::make_state({.batch = 1, .extent = {100}});
  CHECK(message([&] { small{}(machine, image(x), view(w, dims<3>(1, 8, 8)), image(y)); }).find("0 are available") !=
        std::string::npos);
}

/// ResNet-50's first block on an IPU, planned by the compiler.
constexpr conv_shape resnet_56 = [] {
  conv_shape s{.batch = 4, .in = 64, .out = 64};
  s.axis[1] = s.axis[2] = window_over(56, 3, 1, 1, padding::given, 1, 1);
  return s;
}();
constexpr conv_plan ipu = convolution_kernel<mimd<devices::gc200>>::partition_for<float>(conv_work::forward, resnet_56);
static_assert(ipu.fits && ipu.tiles.count() > 1000 && ipu.bytes_per_tile < devices::gc200.local_bytes);

using layer = conv2d<conv2d_config{.in = 64, .out = 64, .kernel = {3, 3}, .pad = {1, 1}, .bias = true}>;
constexpr plan of_layer = kernel<layer, mimd<devices::gc200>>::plan({.batch = 4, .extent = {56, 56}});
static_assert(of_layer.m == 4 * 56 * 56 && of_layer.n == 64 && of_layer.k == 576 &&
              of_layer.units == ipu.tiles.count());
static_assert(of_layer.bytes_per_unit >= ipu.bytes_per_tile && of_layer.bytes_per_unit <= devices::gc200.local_bytes);

TEST_CASE("plans of convolutions name the sizes that are missing or wrong", "[conv][mimd]") {
  using fixed =
      kernel<conv2d<conv2d_config{.in = 3, .out = 4, .kernel = {3, 3}, .extent = {8, dynamic}, .batch = 2}>, policy>;
  CHECK(message([] { fixed::plan(); }) ==
        "conv2d: .extent is dynamic: give it, as in plan({.batch = 1, .extent = {...}})");
  CHECK(message([] { fixed::plan({.batch = 3, .extent = {8, 8}}); }) ==
        "conv2d: .batch is given as 3 where the config says 2");
  CHECK(message([] { fixed::plan({.extent = {8, -8}}); }) ==
        "conv2d: .extent is -8: it must be at least 0 and less than 2^45");
  CHECK(message([] { fixed::plan({.extent = {8, 2}}); }) ==
        "conv2d: .extent[1] is 2: the window leaves nothing of its result");
  CHECK(message([] { fixed::plan({.extent = {8, index_t(1) << 50}}); }) ==
        "conv2d: .extent is 1125899906842624: it must be at least 0 and less than 2^45");
  CHECK(message([] { fixed::plan({.extent = {8, index_t(1) << 44}}); }) ==
        "conv2d: .batch=2: no memory holds such tensors");
  CHECK(fixed::plan({.extent = {8, 8}}, pass::backward_weights).k == 2 * 6 * 6);
}

TEST_CASE("a machine made for a convolution runs every pass", "[conv][mimd]") {
  using op = conv_transpose1d<conv_transpose1d_config{.in = 5, .out = 3, .kernel = {4}, .stride = {2}, .crop = {1}}>;
  const kernel<op, policy> k;
  const kernel<op, reference> expected;
  std::vector<float> x(2 * 5 * 9), w(4 * 3 * 5), y(2 * 3 * 18), y_wanted = y, dx(x.size()), dx_wanted = dx,
                                                                dw(w.size()), dw_wanted = dw, db(3), db_wanted = db;
  std::mt19937 engine(Catch::rngSeed());
  numbers next(static_cast<unsigned>(engine()), numbers::kind::uniform);
  for (float& v : x) v = static_cast<float>(next());
  for (float& v : w) v = static_cast<float>(next());
  const auto signal = [](std::vector<float>& v, index_t channels, index_t size) {
    return view<float, dims<3>, layout_channels_last>(unchecked, v.data(), dims<3>(2, channels, size));
  };
  const auto weights = [](std::vector<float>& v) { return view(unchecked, v.data(), dims<3>(4, 3, 5)); };
  auto machine = k.make_state({.batch = 2, .extent = {9}}, tile_resources{5, few_tiles.local_bytes}, tile_checks::on);
  k(machine, signal(x, 5, 9), weights(w), signal(y, 3, 18));
  expected(signal(x, 5, 9), weights(w), signal(y_wanted, 3, 18));
  CHECK(y == y_wanted);
  k.backward_data(machine, signal(y, 3, 18), weights(w), signal(dx, 5, 9));
  expected.backward_data(signal(y, 3, 18), weights(w), signal(dx_wanted, 5, 9));
  CHECK(dx == dx_wanted);
  k.backward_weights(machine, signal(x, 5, 9), signal(y, 3, 18), weights(dw), db);
  expected.backward_weights(signal(x, 5, 9), signal(y, 3, 18), weights(dw_wanted), db_wanted);
  CHECK(dw == dw_wanted);
  CHECK(db == db_wanted);
}

}  // namespace tern::test
