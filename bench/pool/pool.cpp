// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The workloads of pools under simd. Channels and windows are in the type, as in a program of a user; extents and batch
// are not.
#include <cstdint>
#include <memory>
#include <utility>

#include "bench/harness/call.hpp"
#include "bench/harness/images.hpp"
#include "tern/simd.hpp"
#include "tests/support/variants.hpp"

namespace tern::bench::inline TERN_ISA {
namespace {

template <int I, pass Direction, class State>
prepared prepare_pool(const problem& p, const operands& x, const setting& s, std::shared_ptr<State> state) {
  constexpr const variants::pool_workload& w = variants::pool_workloads[I];
  const tern::kernel<pooling<2, w.kind, variants::pool_config_of(w)>, simd<>> k;
  const pool_shape& shape = p.pool->shape;
  const auto image = [&](auto* data, bool inputs) {
    return image_of<2>(data, shape.batch, w.channels, shape.axis, inputs);
  };
  if constexpr (Direction == pass::forward) {
    return repeated_in(
        s, [=, from = image(x.left<float>(), true), to = image(x.out<float>(), false)] { k(*state, from, to); });
  } else if constexpr (w.kind == pool_kind::average) {
    return repeated_in(s, [=, from = image(x.left<float>(), false), to = image(x.out<float>(), true)] {
      k.backward_data(*state, from, to);
    });
  } else {
    // Forward once, for the indices.
    buffer found(p.pool->y_size() * static_cast<index_t>(sizeof(std::int32_t)));
    buffer y(p.pool->y_size() * p.element_bytes());
    const auto indices = image(found.as<std::int32_t>(), false);
    k(*state, image(x.right<float>(), true), image(y.as<float>(), false), indices);
    return repeated_in(s, [=, from = image(x.left<float>(), false), to = image(x.out<float>(), true),
                           kept = std::move(found)] { k.backward_data(*state, from, indices, to); });
  }
}

template <int I, pass Direction>
void add_pool() {
  variant v = variant_under<simd<>>("none");
  v.takes = [](const problem& p, const setting&) {
    if (!p.pool || p.direction != Direction) return false;
    problem mine = problem_of(variants::pool_workloads[I], p.pool->shape.batch);
    mine.direction = Direction;
    return mine == p;
  };
  add_variant(v, [](const problem& p, const auto& x, const setting& s) {
    return on_executor(s, [&](auto state) { return prepare_pool<I, Direction>(p, x, s, std::move(state)); });
  });
}

template <int... I>
void add_pools(std::integer_sequence<int, I...>) {
  (add_pool<I, pass::forward>(), ...);
  (add_pool<I, pass::backward_data>(), ...);
}

const at_start add(TERN_BENCH_NAME, [] {
  constexpr int workloads = sizeof variants::pool_workloads / sizeof variants::pool_workloads[0];
  add_pools(std::make_integer_sequence<int, workloads>{});
});

}  // namespace
}  // namespace tern::bench::inline TERN_ISA
