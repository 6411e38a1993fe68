// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prepared calls: the bits of plain calls under every policy, plans that are found once, and errors.
#include <tuple>
#include <type_traits>
#include <vector>

#include "tern/exec/cpu/team.hpp"
#include "tern/mimd.hpp"
#include "tern/simd.hpp"
#include "tern/simt.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {
namespace {

using ipu = mimd<devices::gc200>;

/// Checks that a call and its prepared form, both on memory that f() makes anew, give the same bits.
/// \param f  gives (a vector that holds all outputs, a tuple of the arguments) to its argument
template <pass For, class Kernel, class Inputs, class... State>
void check_same(const Kernel& k, Inputs inputs, State&... state) {
  std::vector<float> plain, through;
  inputs(plain, [&](auto&&... args) {
    if constexpr (For == pass::forward)
      k(state..., args...);
    else if constexpr (For == pass::backward_data)
      k.backward_data(state..., args...);
    else
      k.backward_weights(state..., args...);
  });
  inputs(through, [&](auto&&... args) {
    const auto p = Kernel::template prepare<For>(state..., args...);
    CHECK(p.plan().of == For);
    const std::vector<float> before = through;
    for (int call = 0; call < 3; ++call) {  // the first and the next ones
      through = before;
      p(state..., args...);
    }
  });
  REQUIRE(plain.size() == through.size());
  for (std::size_t i = 0; i < plain.size(); ++i) CHECK(equal_bits(plain[i], through[i]));
}

/// f(policy, state...) under all policies.
template <class MakeMachine, class F>
void under_all(MakeMachine machine, F f) {
  f(std::type_identity<reference>{});
  f(std::type_identity<simd<>>{});
  team pool(2);
  f(std::type_identity<simd<>>{}, pool);
  auto tiles = machine(std::type_identity<ipu>{});
  f(std::type_identity<ipu>{}, tiles);
  auto cores = machine(std::type_identity<mimd<>>{});
  f(std::type_identity<mimd<>>{}, cores);
  simt_host blocks;
  f(std::type_identity<simt<>>{}, blocks);
}

TEST_CASE("prepared matmuls give the bits of plain ones", "[prepared][matmul]") {
  constexpr matmul_config cfg{.bias = true, .act = activation::relu};
  for (const index_t m : {1, 8, 12, 16, 37})
    for (const index_t n : {5, 8, 16, 41}) {
      const index_t k = 23;
      INFO(m << " x " << n);
      auto a = random_vector<float>(m * k, 1), b = random_vector<float>(k * n, 2), bias = random_vector<float>(n, 3),
           dy = random_vector<float>(m * n, 4);
      const view va(a, dims<2>(m, k)), vb(b, dims<2>(k, n)), vdy(dy, dims<2>(m, n));
      const view vbias(bias, dims<1>(n));
      under_all(
          [&]<class P>(std::type_identity<P>) {
            return kernel<matmul<cfg, float>, P>::make_state({.m = m, .n = n, .k = k});
          },
          [&]<class P>(std::type_identity<P>, auto&... state) {
            const kernel<matmul<cfg, float>, P> full;
            const kernel<matmul<matmul_config{}, float>, P> plain;
            const auto packed = plain.pack(vb);
            const auto with = [&](auto f) {
              return [&, f](std::vector<float>& out, auto call) {
                out.assign(static_cast<std::size_t>(m * n + m * k + k * n + n), 7.0f);
                float* const p = out.data();
                f(call, view(unchecked, p, dims<2>(m, n)), view(unchecked, p + m * n, dims<2>(m, k)),
                  view(unchecked, p + m * n + m * k, dims<2>(k, n)),
                  view(unchecked, p + m * n + m * k + k * n, dims<1>(n)));
              };
            };
            check_same<pass::forward>(full, with([&](auto call, auto y, auto, auto, auto) { call(va, vb, vbias, y); }),
                                      state...);
            check_same<pass::forward>(plain, with([&](auto call, auto y, auto, auto, auto) { call(va, vb, y); }),
                                      state...);
            check_same<pass::forward>(
                plain, with([&](auto call, auto y, auto, auto, auto) { call(va, packed, y, accumulate); }), state...);
            check_same<pass::backward_data>(
                plain, with([&](auto call, auto, auto dx, auto, auto) { call(vdy, vb, dx); }), state...);
            check_same<pass::backward_weights>(
                plain, with([&](auto call, auto, auto, auto dw, auto dbias) { call(va, vdy, dw, dbias, accumulate); }),
                state...);
          });
    }
}

TEST_CASE("prepared convolutions give the bits of plain ones", "[prepared][conv]") {
  constexpr conv2d_config cfg{.in = 3, .out = 5, .kernel = {3, 3}, .pad = {1, 1}};
  using op = conv2d<cfg>;
  constexpr conv_sizes<2> sizes{.batch = 2, .extent = {9, 11}};
  const dims<4> in(2, 3, 9, 11), out(2, 5, 9, 11);
  auto x = random_vector<float>(in.size(), 1), w = random_vector<float>(9 * 15, 2),
       dy = random_vector<float>(out.size(), 3);
  const view<float, dims<4>, layout_channels_last> vx(unchecked, x.data(), in), vdy(unchecked, dy.data(), out);
  const view vw(unchecked, w.data(), extents<3, 3, 3, 5>{});
  under_all([&]<class P>(std::type_identity<P>) { return kernel<op, P>::make_state(sizes); },
            [&]<class P>(std::type_identity<P>, auto&... state) {
              const kernel<op, P> k;
              check_same<pass::forward>(
                  k,
                  [&](std::vector<float>& y, auto call) {
                    y.assign(dy.size(), 7);
                    call(vx, vw, view<float, dims<4>, layout_channels_last>(unchecked, y.data(), out));
                  },
                  state...);
              check_same<pass::backward_data>(
                  k,
                  [&](std::vector<float>& dx, auto call) {
                    dx.assign(x.size(), 7);
                    call(vdy, vw, view<float, dims<4>, layout_channels_last>(unchecked, dx.data(), in));
                  },
                  state...);
              check_same<pass::backward_weights>(
                  k,
                  [&](std::vector<float>& d, auto call) {
                    d.assign(w.size() + 5, 7);
                    call(vx, vdy, view(unchecked, d.data(), extents<3, 3, 3, 5>{}),
                         view(unchecked, d.data() + w.size(), extents<5>{}));
                  },
                  state...);
            });
}

TEST_CASE("prepared rows, sums and moves give the bits of plain ones", "[prepared]") {
  constexpr loss_config summed{.reduce = reduction::mean};
  auto x = random_vector<float>(6 * 19, 1), dy = random_vector<float>(6 * 19, 2), scale = random_vector<float>(19, 3);
  const view vx(unchecked, x.data(), dims<2>(6, 19)), vdy(unchecked, dy.data(), dims<2>(6, 19));
  const view vscale(unchecked, scale.data(), dims<1>(19));
  const auto rows = [](std::vector<float>& y) { return view(unchecked, y.data(), dims<2>(6, 19)); };
  under_all(
      [&]<class P>(std::type_identity<P>) {
        if constexpr (P::execution == model::mimd)
          return contraction_kernel<P>::machine(tile_resources{7, 65536});
        else
          return 0;
      },
      [&]<class P>(std::type_identity<P>, auto&... state) {
        check_same<pass::forward>(
            kernel<softmax<softmax_config{}, float>, P>{},
            [&](std::vector<float>& y, auto call) {
              y.assign(x.size(), 7);
              call(vx, rows(y));
            },
            state...);
        check_same<pass::backward_data>(
            kernel<layer_norm<norm_config{}, float>, P>{},
            [&](std::vector<float>& dx, auto call) {
              static const std::vector<float> mean(6, 0.25f), rstd(6, 1.5f);
              dx.assign(x.size(), 7);
              call(vdy, vx, vscale, view(unchecked, mean.data(), dims<1>(6)), view(unchecked, rstd.data(), dims<1>(6)),
                   rows(dx));
            },
            state...);
        check_same<pass::forward>(
            kernel<squared_error<summed, float>, P>{},
            [&](std::vector<float>& y, auto call) {
              y.assign(7, 7);
              call(vx, vdy, view(unchecked, y.data(), dims<1>(6)), view(unchecked, y.data() + 6, extents<1>{}));
            },
            state...);
      });
}

TEST_CASE("a plan is found once, and a machine of another size has another one", "[prepared][mimd]") {
  tile_machine machine(2, 1024), other(3, 1024);
  program_plans plans;
  int found = 0;
  const auto program = [&](tile_machine& on) {
    const int plan = on.plan_of<int>([&] { return ++found; });
    const double next = on.plan_of<double>([&] { return 0.5 + found; });
    return plan + next;
  };
  machine.find_plans(plans, [&] { program(machine); });
  CHECK(found == 1);
  for (int call = 0; call < 3; ++call) machine.run_with(plans, [&] { CHECK(program(machine) == 2.5); });
  CHECK(found == 1);
  CHECK(program(machine) == 4.5);
  CHECK(message([&] { other.run_with(plans, [&] { program(other); }); }) ==
        "tile_machine: the call was prepared for 2 tiles of 1024 bytes, the machine has 3 of 1024 bytes");
  const program_plans moved(std::move(plans));
  machine.run_with(moved, [&] { CHECK(program(machine) == 2.5); });
}

TEST_CASE("calls through a prepared one are judged", "[prepared][contract]") {
  const kernel<matmul<matmul_config{.n = 4}, float>, simd<>> k;
  std::vector<float> a(64, 1), b(64, 1), c(64, 1);
  const auto at = [](std::vector<float>& v, index_t rows, index_t columns) {
    return view<float, extents<dynamic, dynamic>>(unchecked, v.data(), dims<2>(rows, columns));
  };
  const auto p = k.prepare({.m = 8, .k = 6});
  CHECK(p.plan().m == 8);
  CHECK(p.plan().n == 4);
  CHECK(p.workspace_bytes() == k.workspace_bytes({.m = 8, .k = 6}));
  CHECK(message([&] { p(at(a, 8, 6), at(b, 6, 4), at(c, 8, 4)); }) == "no error");
  CHECK(message([&] { p(at(a, 7, 6), at(b, 6, 4), at(c, 7, 4)); }) ==
        "matmul: a is 7x6: the call was prepared for 8x6");
  CHECK(message([&] { p(at(a, 8, 6), at(b, 6, 4), at(a, 8, 4)); }) == "matmul: c shares elements with a");
  std::vector<float> none;
  CHECK(message([&] { p(at(a, 8, 6), view<float, dims<2>>(unchecked, nullptr, dims<2>(6, 4)), at(c, 8, 4)); }) ==
        "matmul: b is a null view of 6x4 elements");
  CHECK(message([&] { p(at(a, 8, 6), view(unchecked, b.data(), extents<6, 4>{}), at(c, 8, 4)); }) == "no error");
  const view<float, dims<2>, layout_strided> wide(unchecked, a.data(), {dims<2>(8, 6), 8, 1}),
      narrow(a, {dims<2>(8, 6), 6, 1});
  const auto strided = k.prepare(wide, at(b, 6, 4), at(c, 8, 4));
  CHECK(message([&] { strided(wide, at(b, 6, 4), at(c, 8, 4)); }) == "no error");
  CHECK(message([&] { strided(narrow, at(b, 6, 4), at(c, 8, 4)); }) ==
        "matmul: a is 8x6 with other strides than the call was prepared for");
  CHECK(message([&] { strided(at(a, 8, 6), at(b, 6, 4), at(c, 8, 4)); }) ==
        "matmul: a is 8x6 of another element type or layout than the call was prepared for");
  CHECK(message([&] { strided(at(a, 7, 6), at(b, 6, 4), at(c, 7, 4)); }) ==
        "matmul: a is 7x6: the call was prepared for 8x6");
  CHECK(message([&] { p(at(a, 8, 6), at(b, 6, 4), at(c, 8, 4), accumulate); }) ==
        "matmul: the call was prepared with other options");
  const auto rows = kernel<softmax<>, reference>().prepare(at(a, 8, 6), at(c, 8, 6));
  const view<float, dims<3>> signals(unchecked, a.data(), dims<3>(8, 6, 1));
  CHECK(message([&] { rows(signals, signals); }) == "softmax: x is 8x6x1: the call was prepared for 8x6");
  CHECK(message([&] { static_cast<void>(k.prepare({.k = 6})); }).starts_with("matmul: .m is dynamic"));
  CHECK(message([&] { static_cast<void>(k.prepare(at(a, 8, 6), at(b, 5, 4), at(c, 8, 4))); }).starts_with("matmul: b"));
}

/// A layout of the user's, with strides known at run time only.
struct own_layout {
  template <class Extents>
  struct mapping {
    using layout_type = own_layout;
    using extents_type = Extents;
    Extents of;
    index_t strides[2] = {};

    static constexpr index_t static_stride(int) { return dynamic; }
    constexpr const Extents& extents() const { return of; }
    constexpr index_t stride(int r) const { return strides[r]; }
    constexpr index_t operator()(index_t i, index_t j) const { return i * strides[0] + j * strides[1]; }
    constexpr index_t required_span_size() const {
      return (of.extent(0) - 1) * strides[0] + (of.extent(1) - 1) * strides[1] + 1;
    }
  };
};

TEST_CASE("strides of layouts of one's own are looked at", "[prepared][contract]") {
  using own = view<float, dims<2>, own_layout>;
  std::vector<float> a(64, 1), b(64, 1), c(64, 1);
  const auto at = [](std::vector<float>& v, index_t row, index_t column) {
    return own(unchecked, v.data(), {dims<2>(8, 8), {row, column}});
  };
  const kernel<matmul<matmul_config{}, float>, simd<>> k;
  const auto p = k.prepare(at(a, 8, 1), at(b, 8, 1), at(c, 8, 1));
  CHECK(message([&] { p(at(a, 8, 1), at(b, 8, 1), at(c, 8, 1)); }) == "no error");
  CHECK(message([&] { p(at(a, 8, 1), at(b, 1, 8), at(c, 8, 1)); }) ==
        "matmul: b is 8x8 with other strides than the call was prepared for");
  CHECK(message([&] { k(at(a, 8, 1), at(b, 8, 1), at(c, 0, 1)); }) ==
        "matmul: the strides of c give two results one element");
  const kernel<softmax<softmax_config{}, float>, simd<>> s;
  CHECK(message([&] { s(at(a, 8, 1), at(a, 8, 1)); }) == "no error");
  CHECK(message([&] { s(at(a, 8, 1), at(a, 1, 8)); }) ==
        "softmax: y shares elements with x, and is not that tensor itself");
}

TEST_CASE("a prepared call reports that it was moved from", "[prepared][mimd][contract]") {
  using op = kernel<matmul<matmul_config{}, float>, mimd<devices::gc200>>;
  std::vector<float> a(16, 1), b(16, 1), c(16);
  const auto square = [](std::vector<float>& v) { return view<float, dims<2>>(unchecked, v.data(), dims<2>(4, 4)); };
  tile_machine machine(4, 100000);
  auto p = op::prepare(machine, square(a), square(b), square(c));
  const auto moved = std::move(p);
  CHECK(message([&] { moved(machine, square(a), square(b), square(c)); }) == "no error");
  CHECK(message([&] { p(machine, square(a), square(b), square(c)); }) ==
        "mimd: the prepared call was moved from, and holds no plans");
}

TEST_CASE("tiles with the bytes of a plan have room for its call", "[prepared][mimd]") {
  using op = kernel<matmul<matmul_config{.bias = true, .residual = true}, float>, mimd<devices::gc200>>;
  std::vector<float> a(40 * 70, 1), b(70 * 60, 1), bias(60, 1), c(40 * 60), r(c.size(), 1);
  const auto at = [](std::vector<float>& v, index_t rows, index_t columns) {
    return view<float, dims<2>>(unchecked, v.data(), dims<2>(rows, columns));
  };
  const view<float, dims<1>> of_columns(bias, dims<1>(60));
  for (const index_t tiles : {1, 3, 50}) {
    INFO(tiles << " tiles");
    const plan p = op::plan({.m = 40, .n = 60, .k = 70}, tiles);
    tile_machine machine(tiles, p.bytes_per_unit);
    CHECK(message([&] { op()(machine, at(a, 40, 70), at(b, 70, 60), of_columns, at(r, 40, 60), at(c, 40, 60)); }) ==
          "no error");
    tile_machine large(tiles, 600000);
    const auto weights = op::prepare<pass::backward_weights>(large, at(a, 40, 70), at(r, 40, 60), at(b, 70, 60));
    tile_machine fitting(tiles, weights.plan().bytes_per_unit);
    CHECK(message([&] { op().backward_weights(fitting, at(a, 40, 70), at(r, 40, 60), at(b, 70, 60)); }) == "no error");
  }
}

}  // namespace
}  // namespace tern::test
