// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The choice of the blocks of a chain to recompute, so that a training step fits a memory budget.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "tern/core/config.hpp"

namespace tern {

/// The costs of one block of a chain, in any units of memory and of work.
struct chain_cost {
  index_t input = 0;  ///< memory of its input
  index_t kept = 0;   ///< memory between forward and backward pass, results included
  index_t work = 1;   ///< work of its forward pass
};

/// A cut of a chain of N blocks: block i begins a segment if begins[i]. Segments but the last one are checkpoints: they
/// keep only their input, and their forward pass runs again in the backward pass.
template <std::size_t N>
struct recompute_choice {
  bool fits = false;
  std::array<bool, N> begins{};
  index_t memory = 0;  ///< peak
  index_t work = 0;    ///< recomputed

  friend constexpr bool operator==(const recompute_choice&, const recompute_choice&) = default;
};

/// Memory and work of a given cut. Memory is the inputs of all segments but the first, whose input is the caller's, and
/// the largest sum of kept memory in a segment.
template <std::size_t N>
constexpr recompute_choice<N> cost_of(const std::array<chain_cost, N>& chain, const std::array<bool, N>& begins,
                                      index_t budget) {
  recompute_choice<N> r{.begins = begins};
  r.begins[0] = true;
  index_t inputs = 0, largest = 0, kept = 0, work = 0;
  for (std::size_t i = 0; i < N; ++i) {
    if (i > 0 && begins[i]) {
      inputs += chain[i].input, r.work += work;
      kept = work = 0;
    }
    kept += chain[i].kept, work += chain[i].work;
    if (kept > largest) largest = kept;
  }
  r.memory = inputs + largest;
  r.fits = r.memory <= budget;
  return r;
}

namespace detail {

/// A cut of the blocks before a given one.
template <std::size_t N>
struct partial_cut {
  index_t inputs = 0, work = 0;
  std::array<bool, N> begins{};
};

/// Adds a cut to the Pareto front of inputs and work.
template <std::size_t N>
constexpr void add_cut(std::vector<partial_cut<N>>& ways, const partial_cut<N>& next) {
  for (const partial_cut<N>& w : ways)
    if (w.inputs <= next.inputs && w.work <= next.work) return;
  std::size_t left = 0;
  for (std::size_t i = 0; i < ways.size(); ++i)
    if (!(next.inputs <= ways[i].inputs && next.work <= ways[i].work)) ways[left++] = ways[i];
  ways.resize(left);
  ways.push_back(next);
}

/// Calls consider(begins) for the Pareto-optimal cuts with segments that keep at most \p bound and inputs within \p
/// room.
template <std::size_t N, class Consider>
constexpr void cuts_within(const std::array<chain_cost, N>& chain, index_t bound, index_t room, Consider consider) {
  std::array<std::vector<partial_cut<N>>, N + 1> ways;
  ways[0].push_back({});
  for (std::size_t end = 1; end <= N; ++end) {
    index_t kept = 0, work = 0;
    for (std::size_t begin = end; begin-- > 0;) {
      kept += chain[begin].kept, work += chain[begin].work;
      if (kept > bound) break;
      for (const partial_cut<N>& w : ways[begin]) {
        partial_cut<N> next = w;
        next.begins[begin] = true;
        if (begin > 0) next.inputs += chain[begin].input;
        if (end < N) next.work += work;
        if (next.inputs <= room) add_cut(ways[end], next);
      }
    }
  }
  for (const partial_cut<N>& w : ways[N]) consider(w.begins);
}

}  // namespace detail

/// The cut within a budget with the least recomputation and, among those, the least memory. If none fits, the one with
/// the least memory, and `fits` is false. Optimal: the memory of the largest segment is that of one of the N^2 / 2
/// segments; for each, dynamic programming over the Pareto front of inputs and work finds the best cut. Cost: at most
/// N^4 / 2 times the length of a front, which is about N for equal blocks; chains of 12 blocks are planned within the
/// default limits of constant expressions.
template <std::size_t N>
constexpr recompute_choice<N> plan_recompute(const std::array<chain_cost, N>& chain, index_t budget) {
  index_t all = 0;
  for (const chain_cost& c : chain) all += c.kept + c.input;
  for (const bool fitting : {true, false}) {
    recompute_choice<N> best;
    bool any = false;
    for (std::size_t from = 0; from < N; ++from) {
      index_t bound = 0;
      for (std::size_t to = from; to < N; ++to) {
        bound += chain[to].kept;
        if (fitting && bound > budget) break;
        detail::cuts_within(chain, bound, fitting ? budget - bound : all, [&](const std::array<bool, N>& begins) {
          const recompute_choice<N> c = cost_of(chain, begins, budget);
          const bool better = fitting ? c.work < best.work || (c.work == best.work && c.memory < best.memory)
                                      : c.memory < best.memory || (c.memory == best.memory && c.work < best.work);
          if ((c.fits || !fitting) && (!any || better)) best = c, any = true;
        });
      }
    }
    if (any) return best;
  }
  return {};
}

}  // namespace tern
