// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which memory layout an op's tensors should have on a device. Layouts change speed and never bits.
#pragma once

#include "tern/core/config.hpp"
#include "tern/device/device.hpp"
#include "tern/op/matmul.hpp"
#include "tern/policy/tuning.hpp"

namespace tern {

/// Arrangements of a tensor, each made precise by the two numbers of a layout_choice.
enum class layout_kind {
  row_major,      ///< the last index is the fastest; sizes and strides that are multiples of `block` load at full width
  panels,         ///< columns in groups of `block`, stored group by group; within a group, rows in groups of `inner`
  channels_last,  ///< channels are the fastest (layout_channels_last)
  channel_blocked  ///< blocks of `block` channels are the fastest (layout_channel_blocked)
};

/// How one tensor lies in memory. `inner` is more than 1 where a unit multiplies that many rows in one go: then `inner`
/// rows of a column are neighbours, then the columns of the group. Weights are arranged by a kernel's `pack`, which may
/// cut long panels.
struct layout_choice {
  layout_kind kind = layout_kind::row_major;
  index_t block = 1;
  index_t inner = 1;

  friend constexpr bool operator==(const layout_choice&, const layout_choice&) = default;

  /// As in "panels of 32" or "panels of 8 by 8".
  template <class Stream>
  friend Stream& operator<<(Stream& out, const layout_choice& c) {
    const char* kinds[] = {"row major in", "panels of", "channels last in", "channel blocks of"};
    out << kinds[static_cast<int>(c.kind)] << ' ' << c.block;
    if (c.inner > 1) out << " by " << c.inner;
    return out;
  }
};

/// The layouts of an op. Channels of a matmul are the columns of its left operand and of its result.
struct op_layouts {
  layout_choice activations;  ///< inputs and outputs
  layout_choice weights;

  friend constexpr bool operator==(const op_layouts&, const op_layouts&) = default;

  template <class Stream>
  friend Stream& operator<<(Stream& out, const op_layouts& l) {
    out << "activations " << l.activations << ", weights " << l.weights;
    return out;
  }
};

namespace detail {

/// Elements of one vector register; one where tern has no vectors for the device.
TERN_INLINE constexpr index_t vector_elements(const device& d, index_t element_bytes) {
  return d.instructions == isa::scalar ? 1 : d.vector_bytes / element_bytes;
}

/// Specialised for every op that has a choice.
template <class OpType>
struct layout_rule;

template <matmul_config C, class T, class Acc>
struct layout_rule<matmul<C, T, Acc>> {
  TERN_INLINE static constexpr op_layouts choose(const device& d) {
    const index_t size = sizeof(T);
    const layout_choice rows{layout_kind::row_major, vector_elements(d, size), 1};
    if (d.execution == model::simt) {
      // a warp loads neighbouring elements in one transaction, so nothing is rearranged
      const layout_choice coalesced{layout_kind::row_major, d.vector_bytes / size, 1};
      return {coalesced, coalesced};
    }
    if (d.execution == model::mimd && d.output_grain > 1) {
      // the matrix unit takes input_grain float32 channels at once, or as many bytes of narrower ones
      const index_t input = size < 4 ? d.input_grain * 4 / size : d.input_grain;
      return {{layout_kind::channel_blocked, input, 1}, {layout_kind::panels, d.output_grain, input}};
    }
    // vector units, also those of tiles that are cores: a panel is as wide as the register tile
    const index_t width = tuning::automatic{}(d, static_cast<int>(size)).vectors * vector_elements(d, size);
    return {rows, {layout_kind::panels, width, 1}};
  }
};

}  // namespace detail

/// The layout an op's tensors should have on a device: weights in panels as wide as the register tile of a SIMD core;
/// in groups of the matrix unit's input and output channels on the tiles of a MIMD machine; row by row, where
/// neighbouring lanes read neighbouring elements, on a SIMT machine.
template <class Op>
TERN_INLINE constexpr op_layouts layout_for(const device& d) {
  static_assert(
      requires { sizeof(detail::layout_rule<typename Op::op_type>); },
      "layout_for: this op has no rule for layouts: specialise tern::detail::layout_rule");
  return detail::layout_rule<typename Op::op_type>::choose(d);
}

}  // namespace tern
