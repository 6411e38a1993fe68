// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The batching of an op's training step on a device: forward pass and both gradients.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/device/device.hpp"
#include "tern/policy/batch_rules.hpp"
#include "tern/policy/fits.hpp"

namespace tern {

/// A batching strategy, as a value.
struct batch_choice {
  index_t batch = 0;         ///< total samples
  index_t micro_batch = 0;   ///< samples at a time; the last step may have fewer; 0 if not one sample fits
  index_t steps = 0;         ///< micro-batches
  index_t parallel = 1;      ///< concurrent steps
  bool accumulates = false;  ///< every step is a call of its own; all but the first take tern::accumulate
  bool keeps_bits = true;    ///< cuts lie at multiples of the sample grain, so exact numerics give the bits of one step
  bool fits = true;          ///< true if a step fits the device
  index_t bytes = 0;         ///< estimated bytes of a step: in a tile's memory on MIMD machines, else in memory; if
                             ///< nothing fits, those of one sample

  friend TERN_FN constexpr bool operator==(const batch_choice&, const batch_choice&) = default;

  /// Prints "4096 samples as 8 steps of 512, accumulated, 212992 bytes".
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

/// Blocks of one call that stay in a core's cache; at least a grain each, as even as grains allow.
template <class Rule>
TERN_INLINE constexpr batch_choice batch_in_caches(const device& d, index_t batch, const Rule& rule) {
  using namespace batching;
  batch_choice r{.batch = batch, .bytes = rule.stored_bytes(batch)};
  r.fits = fits(d, r.bytes);
  if (batch == 0) return r;
  const index_t cores = at_least(d.units, 1);
  const index_t grain = rule.grain(), cached = at_least(rule.cached_samples(d) / grain, 1) * grain;
  const index_t most = at_most(cached, in_grains(ceil_div(batch, cores), grain));
  r.micro_batch = at_most(in_grains(ceil_div(batch, ceil_div(batch, most)), grain), batch);
  r.steps = ceil_div(batch, r.micro_batch);
  r.parallel = at_most(cores, r.steps);
  return r;
}

/// As few calls as the memory allows, as even as grains allow. bytes(m): the bytes of a call of m samples; holds(m):
/// true if they fit.
template <class Bytes, class Holds>
TERN_INLINE constexpr batch_choice batch_in_calls(index_t batch, index_t grain, Bytes bytes, Holds holds) {
  using namespace batching;
  batch_choice r{.batch = batch};
  index_t most = batch;
  if (!holds(batch)) {
    most = grain * largest(batch / grain, [&](index_t grains) { return holds(grains * grain); });
    if (most == 0) most = largest(at_most(batch, grain) - 1, holds);
  }
  r.fits = most > 0 || holds(batch);
  if (most > 0) {
    r.steps = ceil_div(batch, most);
    const index_t even = ceil_div(batch, r.steps);
    r.keeps_bits = r.steps == 1 || most % grain == 0;
    r.micro_batch = r.steps > 1 && r.keeps_bits ? in_grains(even, grain) : even;
    r.accumulates = r.steps > 1;
  }
  r.bytes = bytes(r.fits ? r.micro_batch : 1);
  return r;
}

}  // namespace detail

/// The batching strategy of an op on a device.
///
/// - SIMT: the whole batch in one launch; in several if it exceeds the memory.
/// - SIMD, and tiles that share the host's memory: one call, spread over the cores. It works on rows that stay in L2,
///   at least a grain of them.
/// - MIMD: as few steps as fit the tiles, cut at multiples of the sample grain if one grain fits; weight gradients
///   accumulate over the steps.
///
/// \param batch  samples: rows of a matmul's left operand (`.m` is ignored), images of a convolution
/// \param sizes  the dynamic sizes of the op: of a matmul as its config, `{.n = 512, .k = 256}`; of a convolution as
///               tern::conv_sizes, `{.extent = {56, 56}}`
template <class Op>
TERN_INLINE constexpr batch_choice training_batch_for(
    const device& d, index_t batch, const typename detail::batch_sizes<typename Op::op_type>::type& sizes = {}) {
  static_assert(
      requires { sizeof(detail::batch_rule<typename Op::op_type>); },
      "training_batch_for: this op has no rule for batches: specialise tern::detail::batch_rule");
  if (batch < 0) violation("training_batch_for: the batch is %td: it must be at least 0", batch);
  const auto rule = detail::batch_rule<typename Op::op_type>::from(sizes);
  if (d.execution == model::mimd && !d.shares_host_memory)
    return detail::batch_in_calls(
        batch, rule.grain(), [&](index_t m) { return rule.tile_bytes(d, m); },
        [&](index_t m) { return rule.tile_bytes(d, m) <= d.local_bytes; });
  if (d.execution == model::simt)
    return detail::batch_in_calls(
        batch, rule.grain(), [&](index_t m) { return rule.stored_bytes(m); },
        [&](index_t m) { return fits(d, rule.stored_bytes(m)); });
  return detail::batch_in_caches(d, batch, rule);
}

}  // namespace tern
