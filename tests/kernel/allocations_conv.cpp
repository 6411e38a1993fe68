// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No call of a convolution allocates: neither the first of a kernel nor the second.
#include <type_traits>
#include <vector>

#include "tern/exec/cpu/team.hpp"
#include "tern/simd.hpp"
#include "tests/kernel/allocations.hpp"

namespace tern::test {

TEST_CASE("streams allocate nothing") {
  constexpr conv1d_config cfg{.in = 3, .out = 5, .kernel = {2}, .dilation = {9}, .rule = padding::causal};
  const auto check_stream = [](auto k) {
    std::vector<float> x(3 * 100), w(2 * 3 * 5), y(5 * 100), history(static_cast<std::size_t>(k.history_size()));
    const view<float, dims<3>, layout_channels_last> in(unchecked, x.data(), dims<3>(1, 3, 100)),
        out(unchecked, y.data(), dims<3>(1, 5, 100));
    check_allocations([&] { k.stream(in, view(unchecked, w.data(), dims<3>(2, 3, 5)), out, history); });
  };
  check_stream(kernel<conv1d<cfg>, reference>{});
  check_stream(kernel<conv1d<cfg>, simd<>>{});
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
  check_allocations([&] { k(state..., x, w, bias, y); });
  check_allocations([&] { k(state..., x, packed, bias, y, memory); });
  check_allocations([&] { k(state..., x, packed, bias, y, accumulate); });
  check_allocations([&] { k.backward_data(state..., y, w, x); });
  check_allocations([&] { k.backward_data(state..., y, packed, x); });
  check_allocations([&] { k.backward_data(state..., y, packed_backward, x, memory); });
  check_allocations([&] { k.backward_weights(state..., x, y, w, bias); });
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

}  // namespace tern::test
