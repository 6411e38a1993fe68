// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One call on a tile machine, compared with the reference and with the plan that was made for it.
#pragma once

#include <string>
#include <vector>

#include "tern/mimd.hpp"
#include "tests/mimd/devices.hpp"
#include "tests/mimd/usage.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/tensor.hpp"

namespace tern::test {

using batched = matmul<matmul_config{.batch = dynamic, .bias = true, .residual = true, .act = activation::relu}>;
constexpr epilogue whole{.bias = true, .residual = true, .act = activation::relu};
using exact_tiles = mimd<few_tiles>;
using free_tiles = mimd<few_tiles, numerics::relaxed>;

struct problem {
  index_t m, n, k, batch = 1;
};

std::string text(const tile_plan& p) {
  const auto of = [](const tile_split& s) {
    return std::to_string(s.batch) + "." + std::to_string(s.m) + "." + std::to_string(s.n) + "." + std::to_string(s.k);
  };
  return std::to_string(p.problem.m) + "x" + std::to_string(p.problem.n) + "x" + std::to_string(p.problem.k) +
         " tiles " + of(p.tiles) + " steps " + of(p.steps);
}

/// The operands of one call, with strides.
struct operands_of {
  operands_of(const problem& q, unsigned seed, numbers::kind kind = numbers::kind::uniform)
      : a(q.batch, q.m, q.k, order::column),
        b(q.batch, q.k, q.n, order::padded),
        residual(q.batch, q.m, q.n),
        c(q.batch, q.m, q.n, order::padded),
        bias(static_cast<std::size_t>(q.n)) {
    numbers next(seed, kind);
    a.fill(next), b.fill(next), residual.fill(next), c.fill(next);
    for (float& x : bias) x = static_cast<float>(next());
  }
  template <class Policy, class State, class... Options>
  void multiply(State&& state, Options... options) {
    kernel<batched, Policy>{}(state, a.strided_batch(), b.strided_batch(), bias, residual.strided_batch(),
                              c.strided_batch(), options...);
  }
  matrix<float> a, b, residual, c;
  std::vector<float> bias;
};

template <class Policy>
tile_plan plan_of(const problem& q, tile_resources have) {
  return contraction_kernel<Policy>::template partition_for<float>(q.m, q.n, q.k, q.batch, dot_chunk, whole, have);
}

/// Runs q on the machine and compares bits with the reference, and what the machine used with the plan.
template <class Policy>
void check_exact(const problem& q, const tile_plan& p, tile_machine& machine, unsigned seed) {
  INFO(text(p) << " seed " << seed);
  operands_of wanted(q, seed), got(q, seed);
  const contraction_kernel<reference>::context plain_loops;
  wanted.multiply<reference>(plain_loops);
  got.multiply<Policy>(machine);
  CHECK(equal_bits(wanted.c, got.c));
  CHECK(got.c.gaps_untouched() == wanted.c.gaps_untouched());
  const tile_totals used = check_usage(p, machine);
  // Where parts are equal, the largest is every one, and the prediction is what happened.
  const auto even = [](index_t size, index_t unit, index_t parts) { return size % (unit * parts) == 0; };
  if (even(q.m, 1, p.tiles.m * p.steps.m) && even(q.n, p.n_unit, p.tiles.n * p.steps.n) &&
      even(q.k, p.k_unit, p.tiles.k * p.steps.k) && q.batch == p.tiles.batch * p.steps.batch &&
      even(p.rows() * p.depth(), 2, p.tiles.n) && even(p.depth() * p.columns(), 1, p.tiles.m) &&
      even(p.rows() * p.columns(), 1, p.tiles.k)) {
    CHECK(used.bytes_per_tile == p.bytes_per_tile);
    CHECK(used.compute_cycles == p.compute_cycles);
    CHECK(used.exchange_cycles == p.exchange_cycles);
    CHECK(used.bytes_exchanged == p.bytes_moved);
  }
}

}  // namespace tern::test
