// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No call allocates: neither the first of a kernel nor the second, whatever the pass, the weights and the executor.
#include "tests/support/allocations.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <type_traits>
#include <vector>

#include "tern/exec/cpu/team.hpp"
#include "tern/mimd.hpp"
#include "tern/simd.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/variants.hpp"

namespace tern::test {
namespace {

/// Allocations of one call.
template <class F>
long during(F call) {
  const long before = allocations();
  call();
  return allocations() - before;
}

template <class F>
void check(F call) {
  const long first = during(call), second = during(call);
  CHECK(first == 0);
  CHECK(second == 0);
}

struct sizes {
  index_t m, n, k;
};
constexpr sizes cases[] = {{1, 700, 300}, {8, 8, 8}, {5, 33, 1030}, {16, 256, 600}, {37, 53, 71}, {150, 130, 520}};

template <class T>
view<T, dims<2>> matrix_of(std::vector<std::remove_const_t<T>>& data, index_t rows, index_t columns) {
  return view<T, dims<2>>(unchecked, data.data(), dims<2>(rows, columns));
}

/// Every call of a matmul; `state` are no or one leading arguments.
template <class Op, class Policy, class... State>
void check_calls(const sizes& s, State&... state) {
  using T = typename Op::value_type;
  constexpr matmul_config c = Op::config;
  const auto zeros = [](index_t n) { return std::vector<T>(static_cast<std::size_t>(n)); };
  auto a = zeros(s.m * s.k), b = zeros(s.k * s.n), y = zeros(s.m * s.n), r = zeros(s.m * s.n), v = zeros(s.n);
  const auto left = matrix_of<const T>(a, s.m, s.k), right = matrix_of<const T>(b, s.k, s.n),
             residual = matrix_of<const T>(r, s.m, s.n), dy = matrix_of<const T>(r, s.m, s.n);
  const auto out = matrix_of<T>(y, s.m, s.n), dx = matrix_of<T>(a, s.m, s.k), db = matrix_of<T>(b, s.k, s.n);
  const view<const T, dims<1>> bias(unchecked, v.data(), dims<1>(s.n));
  const view<T, dims<1>> dbias(unchecked, v.data(), dims<1>(s.n));
  std::vector<char> lent(1 << 20);
  const workspace memory{lent.data(), static_cast<index_t>(lent.size())};
  const kernel<Op, Policy> k;
  const auto packed = k.pack(right);
  CAPTURE(Policy::name, s.m, s.n, s.k, c.bias, c.residual, sizeof...(State));

  const auto forward = [&](const auto& weights, auto... options) {
    if constexpr (c.bias && c.residual)
      check([&] { k(state..., left, weights, bias, residual, out, options...); });
    else if constexpr (c.bias)
      check([&] { k(state..., left, weights, bias, out, options...); });
    else if constexpr (c.residual)
      check([&] { k(state..., left, weights, residual, out, options...); });
    else
      check([&] { k(state..., left, weights, out, options...); });
  };
  forward(right);
  forward(right, memory);
  forward(packed);
  forward(packed, accumulate);
  check([&] { k.backward_data(state..., dy, right, dx, memory); });
  check([&] { k.backward_data(state..., dy, packed, dx); });
  check([&] { k.backward_weights(state..., left, dy, db); });
  check([&] { k.backward_weights(state..., left, dy, db, dbias, memory); });
}

}  // namespace

TEST_CASE("allocations are counted") {
  REQUIRE(allocations_are_counted());
  void* volatile kept;  // or the compiler leaves them out
  CHECK(during([&] { kept = ::operator new(1), ::operator delete(kept); }) == 1);
  CHECK(during([&] {
          kept = ::operator new(64, std::align_val_t(64)), ::operator delete(kept, std::align_val_t(64));
        }) == 1);
  CHECK(during([&] { kept = std::malloc(1), std::free(kept); }) == 1);
  CHECK(during([&] { kept = std::calloc(1, 1), std::free(kept); }) == 1);
  CHECK(during([&] { kept = std::realloc(nullptr, 1), std::free(kept); }) == 1);
  CHECK(during([] {}) == 0);
}

TEST_CASE("calls allocate nothing") {
  team two({.threads = 2, .oversubscribe = true});
  variants::for_each(variants::policies{}, [&]<class P> {
    variants::for_each(variants::matmuls<float>{}, [&]<class Op> {
      for (const sizes& s : cases)
        if constexpr (P::execution == model::mimd) {
          using K = contraction_kernel<P>;
          // Its passes are products with m, n and k exchanged.
          const index_t most = std::max({s.m, s.n, s.k});
          auto tiles =
              K::template make_state<float>(most, most, most, 1, tile_resources{2, P::machine.local_bytes}, two);
          check_calls<Op, P>(s, tiles);
        } else {
          check_calls<Op, P>(s);
          if constexpr (P::execution == model::simd) check_calls<Op, P>(s, two);
        }
    });
  });
}

TEST_CASE("streams allocate nothing") {
  constexpr conv1d_config cfg{.in = 3, .out = 5, .kernel = {2}, .dilation = {9}, .rule = padding::causal};
  const auto check_stream = [](auto k) {
    std::vector<float> x(3 * 100), w(2 * 3 * 5), y(5 * 100), history(static_cast<std::size_t>(k.history_size()));
    const view<float, dims<3>, layout_channels_last> in(unchecked, x.data(), dims<3>(1, 3, 100)),
        out(unchecked, y.data(), dims<3>(1, 5, 100));
    check([&] { k.stream(in, view(unchecked, w.data(), dims<3>(2, 3, 5)), out, history); });
  };
  check_stream(kernel<conv1d<cfg>, reference>{});
  check_stream(kernel<conv1d<cfg>, simd<>>{});
}

TEST_CASE("ops that move elements allocate nothing") {
  std::vector<float> x(2 * 12 * 5 * 7, 1), y(4 * x.size());
  const auto last = [](std::vector<float>& v, index_t c, index_t height, index_t width) {
    return view<float, dims<4>, layout_channels_last>(unchecked, v.data(), dims<4>(2, c, height, width));
  };
  const auto check_both = [&]<class Op>(std::type_identity<Op>, index_t c, index_t height, index_t width) {
    const auto check_under = [&](auto k) {
      check([&] { k(last(x, 12, 5, 7), last(y, c, height, width)); });
      check([&] { k.backward_data(last(y, c, height, width), last(x, 12, 5, 7), accumulate); });
    };
    check_under(kernel<Op, reference>{});
    check_under(kernel<Op, simd<>>{});
  };
  check_both(std::type_identity<reorder<>>{}, 12, 5, 7);
  check_both(std::type_identity<channel_shuffle<channel_shuffle_config{.groups = 3}>>{}, 12, 5, 7);
  check_both(std::type_identity<depth_to_space2d<space_to_depth2d_config{}>>{}, 3, 10, 14);
  check_both(std::type_identity<upsample2d<upsample2d_config{.mode = interpolation::linear}>>{}, 12, 10, 14);
  check_both(std::type_identity<pad2d<pad2d_config{.pad = {1, 2}, .pad_end = 0, .mode = border::reflect}>>{}, 12, 6, 9);
}

/// Every call of norms, softmax, losses and elementwise ops; `state` are no or one leading arguments.
template <class Policy, class... State>
void check_norm_calls(State&... state) {
  std::vector<float> a(3 * 70 * 21 * 30), b(a.size()), p(70), dp(140), s(6), t(6);
  using shape = extents<3, 70, 21, 30>;
  const view<float, shape, layout_channels_last> x(unchecked, a.data(), shape()), y(b, shape());
  const view scale(unchecked, p.data(), dims<1>(70)), dscale(unchecked, dp.data(), dims<1>(70)),
      dshift(unchecked, dp.data() + 70, dims<1>(70));
  const view mean(unchecked, s.data(), dims<2>(3, 2)), rstd(unchecked, t.data(), dims<2>(3, 2));
  const view rows(unchecked, a.data(), dims<2>(3 * 21 * 30, 70)),
      results(unchecked, b.data(), dims<2>(3 * 21 * 30, 70));
  const kernel<group_norm<norm_config{.groups = 2}>, Policy> group;
  const kernel<layer_norm<>, Policy> layer;
  const kernel<elementwise<elementwise_config{.bias = true, .act = activation::silu}>, Policy> map;
  CAPTURE(Policy::name, sizeof...(State));
  check([&] { group(state..., x, scale, scale, y, mean, rstd); });
  check([&] { group.backward_data(state..., x, x, scale, mean, rstd, y); });
  check([&] { group.backward_weights(state..., x, x, mean, rstd, dscale, dshift); });
  check([&] { layer(state..., rows, scale, scale, results); });
  check([&] { map(state..., x, scale, y); });
  check([&] { map.backward_data(state..., x, x, y); });
  const kernel<softmax<>, Policy> soft;
  check([&] { soft(state..., rows, results); });
  check([&] { soft.backward_data(state..., rows, rows, results); });
  std::vector<float> l(3 * 21 * 30 + 1);
  std::vector<std::int32_t> t32(l.size());
  const view classes(unchecked, t32.data(), dims<1>(3 * 21 * 30));
  const view losses(unchecked, l.data(), dims<1>(3 * 21 * 30)), total(unchecked, l.data() + 3 * 21 * 30, dims<1>(1));
  const kernel<cross_entropy<>, Policy> entropy;
  check([&] { entropy(state..., rows, classes, losses, total, label_smoothing{}); });
  check([&] { entropy.backward_data(state..., rows, classes, results); });
  const kernel<normal_sample<>, Policy> sample;
  check([&] { sample(state..., x, x, y, random_site{.seed = 1}); });
  const kernel<dropout<>, Policy> drop;
  check([&] { drop(state..., x, y, drop_rate{0.1}, random_site{.seed = 1}); });
  const kernel<coupling<>, Policy> couple;
  check([&] { couple(state..., x, y, y); });
  check([&] { couple.inverse(state..., y, x, y); });
  check([&] { couple.to_stream(state..., x, y); });
  check([&] { couple.from_stream(state..., y, y); });
  const kernel<adam<>, Policy> optimizer;
  check([&] { optimizer(state..., p, dscale, dshift, view(unchecked, l.data(), dims<1>(70)), adam_step{}); });
  const kernel<sum_of_squares<>, Policy> squares;
  check([&] { squares(state..., p, total); });
  const kernel<gaussian_nll<>, Policy> likelihood;
  check([&] { likelihood(state..., rows, rows, rows, losses, total); });
  check([&] { likelihood.backward_data(state..., x, x, x, y, x); });
}

TEST_CASE("calls of norms, softmax, losses and elementwise ops allocate nothing") {
  team two({.threads = 2, .oversubscribe = true});
  check_norm_calls<reference>();
  check_norm_calls<simd<>>();
  check_norm_calls<simd<>>(two);
  tile_machine cores(2, 0, two);
  check_norm_calls<mimd<>>(cores);
}

/// Every call of a convolution; `state` are no or one leading arguments.
template <class Op, class Policy, class... State>
void check_conv_calls(State&... state) {
  constexpr auto c = Op::config;
  const kernel<Op, Policy> k;
  std::vector<float> a(2 * 70 * 20 * 20), b(4 * a.size()), v(70);
  std::vector<float> filters(static_cast<std::size_t>(9 * c.in / c.groups * c.out));
  constexpr bool transposed = requires { c.crop; };
  const index_t size = transposed ? 2 * 20 + 1 : 20, wide = transposed ? c.out : c.in,
                narrow = transposed ? c.in : c.out;
  const view<float, dims<4>, layout_channels_last> x(unchecked, a.data(), dims<4>(2, c.in, 20, 20)),
      y(unchecked, b.data(), dims<4>(2, c.out, size, size));
  const view w(unchecked, filters.data(), dims<4>(3, 3, wide / c.groups, narrow));
  const view<float, dims<1>> bias(unchecked, v.data(), dims<1>(c.out));
  std::vector<char> lent(1 << 22);
  const workspace memory{lent.data(), std::ssize(lent)};
  const auto packed = k.pack(w);
  const auto packed_backward = k.template pack<pass::backward_data>(w);
  CAPTURE(Op::name, Policy::name, c.groups, sizeof...(State));
  check([&] { k(state..., x, w, bias, y); });
  check([&] { k(state..., x, packed, bias, y, memory); });
  check([&] { k(state..., x, packed, bias, y, accumulate); });
  check([&] { k.backward_data(state..., y, w, x); });
  check([&] { k.backward_data(state..., y, packed, x); });
  check([&] { k.backward_data(state..., y, packed_backward, x, memory); });
  check([&] { k.backward_weights(state..., x, y, w, bias); });
}

TEST_CASE("calls of convolutions allocate nothing") {
  team two({.threads = 2, .oversubscribe = true});
  constexpr auto with = [](index_t in, index_t out, index_t groups) {
    return conv2d_config{.in = in,
                         .out = out,
                         .groups = groups,
                         .kernel = {3, 3},
                         .rule = padding::same_torch,
                         .bias = true,
                         .act = activation::relu};
  };
  const auto check_op = [&]<class Op>(std::type_identity<Op>) {
    check_conv_calls<Op, reference>();
    check_conv_calls<Op, simd<>>();
    check_conv_calls<Op, simd<>>(two);
    check_conv_calls<Op, simd<devices::native, numerics::relaxed>>(two);
  };
  check_op(std::type_identity<conv2d<with(64, 64, 1)>>{});
  check_op(std::type_identity<conv2d<with(70, 70, 70)>>{});
  check_op(std::type_identity<conv2d<with(8, 8, 1)>>{});
  check_op(std::type_identity<conv2d<with(32, 32, 8)>>{});
  check_op(std::type_identity<conv_transpose2d<conv_transpose2d_config{
               .in = 17, .out = 6, .kernel = {3, 3}, .stride = {2, 2}, .bias = true}>>{});
}

/// Every call of a pool; `state` are no or one leading arguments.
template <class Policy, class... State>
void check_pool_calls(State&... state) {
  using image = extents<3, 70, 21, 30>;
  using result = extents<3, 70, 11, 15>;
  std::vector<float> a(3 * 70 * 21 * 30), b(a.size()), c(3 * 70 * 11 * 15);
  std::vector<std::int32_t> d(c.size());
  const view<float, image, layout_channels_last> x(a, image()), dx(b, image());
  const view<float, result, layout_channels_last> y(c, result());
  const view<std::int32_t, result, layout_channels_last> at(d, result());
  constexpr pool2d_config cfg{.kernel = {3, 3}, .stride = {2, 2}, .pad = {1, 1}};
  const kernel<max_pool2d<cfg>, Policy> most;
  const kernel<avg_pool2d<cfg>, Policy> mean;
  CAPTURE(Policy::name, sizeof...(State));
  check([&] { most(state..., x, y); });
  check([&] { most(state..., x, y, at); });
  check([&] { most.backward_data(state..., y, at, dx); });
  check([&] { most.backward_data(state..., y, x, dx, accumulate); });
  check([&] { mean(state..., x, y); });
  check([&] { mean.backward_data(state..., y, dx); });
}

TEST_CASE("calls of pools allocate nothing") {
  team two({.threads = 2, .oversubscribe = true});
  check_pool_calls<reference>();
  check_pool_calls<simd<>>();
  check_pool_calls<simd<>>(two);
}

}  // namespace tern::test
