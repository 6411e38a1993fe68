// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stack that calls of contractions take. TERN_TEST_ELEMENT: the element type.
#include <array>
#include <vector>

#include "tern/simd.hpp"
#include "tests/kernel/stack.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {
namespace {

using element = TERN_TEST_ELEMENT;

template <class Policy, class T>
void matmuls() {
  const kernel<matmul<matmul_config{.bias = true, .act = activation::gelu}, T>, Policy> k;
  for (const auto& [m, n, d] : {std::array<index_t, 3>{1, 700, 1030}, {37, 300, 600}, {300, 130, 520}}) {
    auto a = random_vector<T>(m * d, 1), b = random_vector<T>(d * n, 2), bias = random_vector<T>(n, 3);
    std::vector<T> c(static_cast<std::size_t>(m * n));
    const view va(unchecked, a.data(), dims<2>(m, d)), vb(unchecked, b.data(), dims<2>(d, n)),
        vc(unchecked, c.data(), dims<2>(m, n));
    on_small_stack([&] { k(va, vb, bias, vc); });
    on_small_stack([&] { k.backward_data(vc, vb, va); });
    on_small_stack([&] { k.backward_weights(va, vc, vb, bias); });
  }
}

template <class Policy, class T, conv2d_config C>
void convolutions(index_t size) {
  const kernel<conv2d<C, T>, Policy> k;
  const index_t results = C.axis(0, size).out;
  auto x = random_vector<T>(2 * C.in * size * size, 1), y = random_vector<T>(2 * C.out * results * results, 2);
  auto w = random_vector<T>(C.kernel[0] * C.kernel[1] * C.in / C.groups * C.out, 3), bias = random_vector<T>(C.out, 4);
  const auto vx = last(x, 2, C.in, size, size), vy = last(y, 2, C.out, results, results);
  const view vw(unchecked, w.data(), extents<C.kernel[0], C.kernel[1], C.in / C.groups, C.out>());
  const auto packed = k.pack(vw);
  const auto packed_backward = k.template pack<pass::backward_data>(vw);
  on_small_stack([&] { k(vx, vw, bias, vy); });
  on_small_stack([&] { k(vx, packed, bias, vy); });
  on_small_stack([&] { k.backward_data(vy, vw, vx); });
  on_small_stack([&] { k.backward_data(vy, packed_backward, vx); });
  on_small_stack([&] { k.backward_weights(vx, vy, vw, bias); });
}

template <class Policy, class T>
void all() {
  matmuls<Policy, T>();
  convolutions<Policy, T, conv2d_config{.in = 70, .out = 90, .kernel = {3, 3}, .pad = {1, 1}, .bias = true}>(17);
  convolutions<Policy, T,
               conv2d_config{.in = 273, .out = 273, .groups = 273, .kernel = {5, 5}, .pad = {2, 2}, .bias = true}>(40);
  convolutions<Policy, T,
               conv2d_config{.in = 32, .out = 32, .groups = 8, .kernel = {3, 3}, .pad = {1, 1}, .bias = true}>(30);
  convolutions<Policy, T, conv2d_config{.in = 600, .out = 20, .kernel = {2, 2}, .stride = {2, 2}, .bias = true}>(9);
}

TEST_CASE("contractions take less than 192 KiB beside their tensors", "[memory]") {
  each_policy<element>([]<class Policy>() { all<Policy, element>(); });
}

}  // namespace
}  // namespace tern::test
