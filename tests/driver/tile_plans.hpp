// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans of calls of any family on tiles that see their own memory only.
#pragma once

#include <algorithm>

#include "tern/kernel/conv_passes.hpp"
#include "tern/kernel/matmul.hpp"
#include "tern/mimd.hpp"

namespace tern::test::inline TERN_ISA {

/// The resources that a plan states for a call, and the kind of its cut.
struct call_plan {
  index_t bytes_per_tile = 0, bytes_moved = 0, supersteps = 0;
  double compute_cycles = 0, sync_cycles = 0, exchange_cycles = 0;
  bool fits = false, spread = false, stepped = false, cut_in_both = false;
  bool folded = false;    ///< true if several tiles have chunks of one sum
  bool is_split = false;  ///< programs: a machine knows what the last one used
};

template <class Plan>
call_plan cut(const Plan& p, index_t tiles, index_t steps, bool in_both, bool folded = false) {
  return {p.bytes_per_tile, p.bytes_moved, p.supersteps, p.compute_cycles, p.sync_cycles, p.exchange_cycles,
          p.fits,           tiles > 1,     steps > 1,    in_both,          folded};
}
inline call_plan summary(const rows_plan& p) {
  return cut(p, p.tiles(), p.steps, p.row_tiles > 1 && p.channel_tiles > 1);
}
inline call_plan summary(const tile_plan& p) {
  return cut(p, p.tiles.count(), p.steps.count(), p.tiles.m > 1 && p.tiles.n > 1, p.tiles.k > 1);
}
inline call_plan summary(const conv_plan& p) {
  const conv_split& s = p.tiles;
  return cut(p, s.count(), p.steps.count(), s.count() > s[of_channel] && s[of_channel] > 1, s[of_depth] > 1);
}
/// The summary of two programs.
inline call_plan both(const call_plan& a, const call_plan& b) {
  call_plan p;
  p.bytes_per_tile = std::max(a.bytes_per_tile, b.bytes_per_tile);
  p.fits = a.fits && b.fits, p.is_split = true;
  return p;
}

template <class Policy, class Kernels, class T, epilogue E, contraction_shape S>
call_plan plan_of(const contraction<T, E, S>& q, tile_resources have) {
  return summary(Kernels::template partition_for<T>(q.m, q.n, q.k, q.batch, q.chunk, E, have));
}
template <class Policy, class Kernels, class T, conv_pass P, epilogue E>
call_plan plan_of(const conv_sums<T, P, E>& q, tile_resources have) {
  constexpr conv_work work = P == conv_pass::forward ? conv_work::forward : conv_work::data;
  return summary(Kernels::template partition_for<T>(work, q.shape, E, have));
}
template <class Policy, class Kernels, class T, bool Add>
call_plan plan_of(const conv_gradient<T, Add>& q, tile_resources have) {
  return summary(Kernels::template partition_for<T>(conv_work::weights, q.shape, epilogue{}, have));
}
/// The summary of any other call.
template <class Policy, class Kernels, class Call>
  requires requires(const Call& q, tile_resources have) { Kernels::partition_for(q, have); }
call_plan plan_of(const Call& q, tile_resources have) {
  call_plan p = summary(Kernels::partition_for(q, have));
  p.is_split = requires { q.sum; };
  return p;
}
template <class Policy, class Kernels, class Weights, class Bias>
call_plan plan_of(const declare::matmul_gradients<Weights, Bias>& q, tile_resources have) {
  return both(plan_of<Policy, Kernels>(q.weights, have), plan_of<Policy, Kernels>(q.bias, have));
}
template <class Policy, class Kernels, class Weights, class Bias>
call_plan plan_of(const declare::conv_gradients<Weights, Bias>& q, tile_resources have) {
  return both(plan_of<Policy, Kernels>(q.weights, have), plan_of<Policy, place_sums_kernel<Policy>>(q.bias, have));
}

}  // namespace tern::test::inline TERN_ISA
