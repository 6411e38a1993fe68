// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How an op should take a batch on a device, when it is trained: forward pass and both gradients.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/device/device.hpp"
#include "tern/op/matmul.hpp"
#include "tern/policy/fits.hpp"
#include "tern/policy/numerics.hpp"

namespace tern {

/// A batching strategy, as a value.
struct batch_choice {
  index_t batch = 0;         ///< samples in all
  index_t micro_batch = 0;   ///< samples at a time; the last step may have fewer; 0 where not one sample fits
  index_t steps = 0;         ///< micro-batches
  index_t parallel = 1;      ///< steps that run at the same time
  bool accumulates = false;  ///< every step is a call of its own, and calls after the first pass tern::accumulate
  bool keeps_bits = true;    ///< cuts lie at multiples of the sample grain, so exact numerics give the bits of one step
  bool fits = true;          ///< whether a step fits the device
  index_t bytes = 0;         ///< what a step takes, estimated: of a tile's memory on MIMD machines, else of the memory;
                             ///< where nothing fits, what one sample takes there

  friend constexpr bool operator==(const batch_choice&, const batch_choice&) = default;

  /// As in "4096 samples as 8 steps of 512, accumulated, 212992 bytes".
  template <class Stream>
  friend Stream& operator<<(Stream& out, const batch_choice& b) {
    out << b.batch << " samples";
    if (!b.fits) {
      out << " do not fit, " << b.bytes << " bytes";
      return out;
    }
    out << " as " << b.steps << (b.steps == 1 ? " step of " : " steps of ") << b.micro_batch;
    if (b.parallel > 1) out << ", " << b.parallel << " at a time";
    if (b.accumulates) out << ", accumulated";
    if (!b.keeps_bits) out << ", not at grains";
    out << ", " << b.bytes << " bytes";
    return out;
  }
};

namespace detail {

namespace batching {

TERN_INLINE constexpr index_t ceil_div(index_t a, index_t b) { return (a + b - 1) / b; }
TERN_INLINE constexpr index_t at_least(index_t a, index_t b) { return a < b ? b : a; }
TERN_INLINE constexpr index_t at_most(index_t a, index_t b) { return a > b ? b : a; }

/// The least multiple of the sample grain that is at least m.
TERN_INLINE constexpr index_t in_grains(index_t m) { return ceil_div(m, sample_grain) * sample_grain; }

/// The largest m in [1, last] with holds(m), or 0; holds is true up to some m and false above it.
template <class F>
TERN_INLINE constexpr index_t largest(index_t last, F holds) {
  index_t yes = 0;
  for (index_t no = last + 1; no - yes > 1;) {
    const index_t middle = yes + (no - yes) / 2;
    (holds(middle) ? yes : no) = middle;
  }
  return yes;
}

/// Bytes on each of some tiles that share rows x columns outputs, sums of `depth` products: operands of one chunk and
/// the sums, at the best split into rows and columns.
TERN_INLINE constexpr index_t pass_bytes(index_t tiles, index_t rows, index_t columns, index_t depth,
                                         index_t element_bytes, index_t sum_bytes) {
  index_t least = 0;
  for (index_t split = 1; split <= tiles; split *= 2) {
    const index_t r = ceil_div(rows, split), c = ceil_div(columns, tiles / split);
    const index_t bytes = (r + c) * at_most(depth, dot_chunk) * element_bytes + r * c * sum_bytes;
    if (split == 1 || bytes < least) least = bytes;
  }
  return least;
}

}  // namespace batching

/// Specialised for every op that has a choice: what a training step of m samples takes.
template <class OpType>
struct batch_rule;

template <matmul_config C, class T, class Acc>
struct batch_rule<matmul<C, T, Acc>> {
  static constexpr index_t element_bytes = sizeof(T), sum_bytes = sizeof(Acc);

  index_t n, k, products;  ///< products: independent ones, each with weights of its own

  /// Sizes from the op where it knows them, else from `sizes`.
  TERN_INLINE static constexpr batch_rule from(const matmul_config& sizes) {
    return {size(C.n, sizes.n, ".n"), size(C.k, sizes.k, ".k"),
            size(C.batch, C.batch == dynamic ? sizes.batch : dynamic, ".batch")};
  }
  TERN_INLINE static constexpr index_t size(index_t known, index_t given, const char* field) {
    if (known == dynamic && given < 0)
      violation("batch_for: the matmul's %s is dynamic: give it as in batch_for<Op>(device, batch, {%s = 64})", field,
                field);
    if (known != dynamic && given != dynamic && given != known)
      violation("batch_for: %s is given as %td where the matmul says %td", field, given, known);
    return known == dynamic ? given : known;
  }

  /// Weights and their gradient; input, output and the gradients of both: all that a later pass may ask for.
  TERN_INLINE constexpr index_t stored_bytes(index_t m) const {
    const index_t weights = 2 * (k * n + (C.bias ? n : 0));
    const index_t samples = m * (2 * k + 2 * n + (C.residual ? n : 0));
    return products * (weights + samples) * element_bytes;
  }

  /// On a tile of a MIMD machine while the hungriest pass runs: its share of what is stored, the program, and its part
  /// of the pass.
  ///
  /// Checked against 48 ungrouped BERT layers (half precision, GC2 and GC200) in graphcore/poplibs @ 8dcde1ec,
  /// tests/benchmark_results.csv: 0.74 to 1.70 times the published total memory, 1.09 in geometric mean. Layers with
  /// less than about 1 MB of weights are overestimated, by much: there the batch is no question.
  TERN_INLINE constexpr index_t tile_bytes(const device& d, index_t m) const {
    using batching::at_least, batching::pass_bytes;
    const index_t units = at_least(d.units, 1), tiles = at_least(units / at_least(products, 1), 1);
    const index_t forward = pass_bytes(tiles, m, n, k, element_bytes, sum_bytes);
    const index_t data = pass_bytes(tiles, m, k, n, element_bytes, sum_bytes);
    const index_t weights = pass_bytes(tiles, k, n, m, element_bytes, sum_bytes);
    return batching::ceil_div(stored_bytes(m), units) + d.program_bytes + at_least(at_least(forward, data), weights);
  }

  /// Rows of the left operand, a chunk of k wide, that stay in half of a core's L2 while the panels pass by.
  TERN_INLINE constexpr index_t cached_samples(const device& d) const {
    const index_t l2 = d.l2_bytes > 0 ? d.l2_bytes : 256 * 1024;
    return l2 / 2 / (batching::at_least(batching::at_most(k, dot_chunk), 1) * element_bytes);
  }
};

/// Blocks of one call, which stay in a core's cache; at least a grain each, as even as grains allow.
template <class Rule>
TERN_INLINE constexpr batch_choice batch_in_caches(const device& d, index_t batch, const Rule& rule) {
  using namespace batching;
  batch_choice r{.batch = batch, .bytes = rule.stored_bytes(batch)};
  r.fits = fits(d, r.bytes);
  if (batch == 0) return r;
  const index_t cores = at_least(d.units, 1);
  const index_t cached = at_least(rule.cached_samples(d) / sample_grain, 1) * sample_grain;
  const index_t most = at_most(cached, in_grains(ceil_div(batch, cores)));
  r.micro_batch = at_most(in_grains(ceil_div(batch, ceil_div(batch, most))), batch);
  r.steps = ceil_div(batch, r.micro_batch);
  r.parallel = at_most(cores, r.steps);
  return r;
}

/// As few calls as the memory allows, as even as grains allow. bytes(m): what a call of m samples takes; holds(m):
/// whether there is room for it.
template <class Bytes, class Holds>
TERN_INLINE constexpr batch_choice batch_in_calls(index_t batch, Bytes bytes, Holds holds) {
  using namespace batching;
  batch_choice r{.batch = batch};
  index_t most = batch;
  if (!holds(batch)) {
    most = sample_grain * largest(batch / sample_grain, [&](index_t grains) { return holds(grains * sample_grain); });
    if (most == 0) most = largest(at_most(batch, sample_grain) - 1, holds);
  }
  r.fits = most > 0 || holds(batch);
  if (most > 0) {
    r.steps = ceil_div(batch, most);
    const index_t even = ceil_div(batch, r.steps);
    r.keeps_bits = r.steps == 1 || most % sample_grain == 0;
    r.micro_batch = r.steps > 1 && r.keeps_bits ? in_grains(even) : even;
    r.accumulates = r.steps > 1;
  }
  r.bytes = bytes(r.fits ? r.micro_batch : 1);
  return r;
}

}  // namespace detail

/// The batching strategy of an op on a device.
///
/// - SIMT: the whole batch in one launch; in several, where the memory does not hold it.
/// - SIMD, and tiles that share the host's memory: one call, which works on rows that stay in L2, at least a grain of
///   them, spread over the cores.
/// - MIMD: as few steps as fit the tiles, cut at multiples of the sample grain where one grain fits; weight gradients
///   accumulate over the steps.
///
/// \param batch  samples: rows of a matmul's left operand (`.m` is not looked at)
/// \param sizes  the op's config; what is dynamic in the op must be given: `{.n = 512, .k = 256}`
template <class Op>
TERN_INLINE constexpr batch_choice batch_for(const device& d, index_t batch,
                                             const decltype(Op::config)& sizes = Op::config) {
  static_assert(
      requires { sizeof(detail::batch_rule<typename Op::op_type>); },
      "batch_for: this op has no rule for batches: specialise tern::detail::batch_rule");
  if (batch < 0) violation("batch_for: the batch is %td: it must be at least 0", batch);
  const auto rule = detail::batch_rule<typename Op::op_type>::from(sizes);
  if (d.execution == model::mimd && !d.shares_host_memory)
    return detail::batch_in_calls(
        batch, [&](index_t m) { return rule.tile_bytes(d, m); },
        [&](index_t m) { return rule.tile_bytes(d, m) <= d.local_bytes; });
  if (d.execution == model::simt)
    return detail::batch_in_calls(
        batch, [&](index_t m) { return rule.stored_bytes(m); },
        [&](index_t m) { return fits(d, rule.stored_bytes(m)); });
  return detail::batch_in_caches(d, batch, rule);
}

}  // namespace tern
