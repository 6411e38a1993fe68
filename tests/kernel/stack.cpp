// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a call needs beside its tensors. It allocates nothing (allocations.cpp), so that is what it takes of the stack:
// calls run on threads that have little of it, and end with a fault where it does not do.
// TERN_TEST_STACK_OF: a policy and an element type.
#include <pthread.h>

#include <array>
#include <cstddef>
#include <vector>

#include "tern/simd.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {
namespace {

constexpr std::size_t stack_bytes = 192 * 1024;

/// Runs f on a thread with a small stack.
template <class F>
void on_small_stack(F f) {
  pthread_attr_t attributes;
  REQUIRE(pthread_attr_init(&attributes) == 0);
  REQUIRE(pthread_attr_setstacksize(&attributes, stack_bytes) == 0);
  pthread_t thread;
  const auto run = [](void* call) -> void* {
    (*static_cast<F*>(call))();
    return nullptr;
  };
  REQUIRE(pthread_create(&thread, &attributes, run, &f) == 0);
  REQUIRE(pthread_join(thread, nullptr) == 0);
  pthread_attr_destroy(&attributes);
}

template <class Policy, class T>
void matmuls() {
  const kernel<matmul<matmul_config{.bias = true, .act = activation::gelu}, T>, Policy> k;
  for (const auto& [m, n, d] : {std::array<index_t, 3>{1, 700, 1030}, {37, 300, 600}, {300, 130, 520}}) {
    auto a = random_vector<T>(m * d, 1), b = random_vector<T>(d * n, 2), bias = random_vector<T>(n, 3);
    std::vector<T> c(static_cast<std::size_t>(m * n));
    const view va(a.data(), dims<2>(m, d)), vb(b.data(), dims<2>(d, n)), vc(c.data(), dims<2>(m, n));
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
  const view vw(w.data(), extents<C.kernel[0], C.kernel[1], C.in / C.groups, C.out>());
  const auto packed = k.pack(vw);
  const auto packed_backward = k.template pack<pass::backward_data>(vw);
  on_small_stack([&] { k(vx, vw, bias, vy); });
  on_small_stack([&] { k(vx, packed, bias, vy); });
  on_small_stack([&] { k.backward_data(vy, vw, vx); });
  on_small_stack([&] { k.backward_data(vy, packed_backward, vx); });
  on_small_stack([&] { k.backward_weights(vx, vy, vw, bias); });
}

template <class Policy, class T>
void others() {
  const kernel<max_pool2d<pool2d_config{.kernel = {3, 3}, .stride = {2, 2}, .pad = {1, 1}}, T>, Policy> most;
  const kernel<upsample2d<upsample2d_config{.factor = {2, 2}, .mode = interpolation::linear}, T>, Policy> up;
  auto x = random_vector<T>(2 * 70 * 20 * 20, 1);
  std::vector<T> y(2 * 70 * 10 * 10), z(x.size()), large(4 * x.size());
  const auto vx = last(x, 2, 70, 20, 20), vy = last(y, 2, 70, 10, 10), vz = last(z, 2, 70, 20, 20),
             vl = last(large, 2, 70, 40, 40);
  on_small_stack([&] { most(vx, vy); });
  on_small_stack([&] { most.backward_data(vy, vx, vz); });
  on_small_stack([&] { up(vx, vl); });
  on_small_stack([&] { up.backward_data(vl, vz); });
}

template <class Policy, class T>
void norms() {
  const kernel<group_norm<norm_config{.groups = 2}, T>, Policy> group;
  const kernel<layer_norm<norm_config{}, T>, Policy> layer;
  const kernel<elementwise<elementwise_config{.bias = true, .act = activation::mish}, T>, Policy> map;
  const index_t channels = 9000;  // groups of more than a block
  auto x = random_vector<T>(2 * channels * 4, 1), scale = random_vector<T>(channels, 2);
  std::vector<T> y(x.size()), mean(4), rstd(4), dscale(scale.size()), dshift(scale.size());
  const auto vx = last(x, 2, channels, 2, 2), vy = last(y, 2, channels, 2, 2);
  const view of_groups(mean.data(), dims<2>(2, 2)), deviations(rstd.data(), dims<2>(2, 2));
  const view rows(x.data(), dims<2>(8, channels)), results(y.data(), dims<2>(8, channels));
  on_small_stack([&] { group(vx, scale, scale, vy, of_groups, deviations); });
  on_small_stack([&] { group.backward_data(vx, vx, scale, of_groups, deviations, vy); });
  on_small_stack([&] { group.backward_weights(vx, vx, of_groups, deviations, dscale, dshift); });
  on_small_stack([&] { layer(rows, scale, scale, results); });
  on_small_stack([&] { map(vx, scale, vy); });
  const kernel<softmax<softmax_config{.axis = 0}, T>, Policy> columns;
  on_small_stack([&] { columns(rows, results); });
  on_small_stack([&] { columns.backward_data(rows, results, rows); });
  const kernel<cross_entropy<loss_config{}, T>, Policy> entropy;
  std::vector<std::int32_t> classes(static_cast<std::size_t>(2 * 4));
  std::vector<T> losses(classes.size()), total(1);
  const view targets(classes.data(), dims<3>(2, 2, 2)), of_rows(losses.data(), dims<3>(2, 2, 2)),
      of_all(total.data(), dims<1>(1));
  on_small_stack([&] { entropy(vx, targets, of_rows, of_all); });
  on_small_stack([&] { entropy.backward_data(vx, targets, vy); });
  const kernel<bce_with_logits<loss_config{}, T>, Policy> bce;
  on_small_stack([&] { bce(vx, vy, view(losses.data(), dims<1>(2)), of_all); });
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
  others<Policy, T>();
  norms<Policy, T>();
}

TEST_CASE("calls take less than 192 KiB beside their tensors", "[memory]") { all<TERN_TEST_STACK_OF>(); }

}  // namespace
}  // namespace tern::test
