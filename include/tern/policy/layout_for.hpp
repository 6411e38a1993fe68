// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The choice of memory layouts for an op's tensors on a device. Layouts change speed and never bits.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/layout_channels.hpp"
#include "tern/device/device.hpp"
#include "tern/op/matmul.hpp"
#include "tern/policy/tuning.hpp"

namespace tern {

/// Layouts of a tensor, each made precise by the two numbers of a layout_choice.
enum class layout_kind {
  row_major,       ///< row by row; sizes and strides that are multiples of `block` load at full width
  panels,          ///< columns in groups of `block`, stored group by group; within a group, rows in groups of `inner`
  channels_last,   ///< channels contiguous (layout_channels_last)
  channel_blocked  ///< blocks of `block` channels contiguous (layout_channel_blocked)
};

/// The memory layout of one tensor. `inner` exceeds 1 for a unit that multiplies that many rows at once: then `inner`
/// rows of a column are contiguous, then the columns of the group. A kernel's `pack` arranges weights; it may cut long
/// panels.
struct layout_choice {
  layout_kind kind = layout_kind::row_major;
  index_t block = 1;
  index_t inner = 1;

  friend TERN_FN constexpr bool operator==(const layout_choice&, const layout_choice&) = default;

  /// Prints "panels of 32" or "panels of 8 by 8".
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
  layout_choice weights;      ///< unused by ops without weights

  friend TERN_FN constexpr bool operator==(const op_layouts&, const op_layouts&) = default;

  template <class Stream>
  friend Stream& operator<<(Stream& out, const op_layouts& l) {
    out << "activations " << l.activations << ", weights " << l.weights;
    return out;
  }
};

namespace detail {

/// Elements of one vector register; 1 if tern has no vectors for the device.
TERN_INLINE constexpr index_t vector_elements(const device& d, index_t element_bytes) {
  return d.instructions == isa::scalar ? 1 : d.vector_bytes / element_bytes;
}

/// The layouts of an op; specialised for every op that layout_for takes.
template <class OpType>
struct layout_rule;

/// The layouts of a contraction.
/// \param kind  layout of its activations, unless the device blocks them
TERN_INLINE constexpr op_layouts layouts_of_contraction(const device& d, index_t element_bytes, layout_kind kind) {
  if (d.execution == model::simt) {
    // coalesced: a warp loads contiguous elements in one transaction, so nothing is rearranged
    const index_t coalesced = d.vector_bytes / element_bytes;
    return {{kind, coalesced, 1}, {layout_kind::row_major, coalesced, 1}};
  }
  if (d.execution == model::mimd && d.output_grain > 1) {
    // the matrix unit takes input_grain float32 channels at once, or as many bytes of narrower ones
    const index_t input = element_bytes < 4 ? d.input_grain * 4 / element_bytes : d.input_grain;
    return {{layout_kind::channel_blocked, input, 1}, {layout_kind::panels, d.output_grain, input}};
  }
  // vector units, also those of tiles that are cores: a panel is as wide as the register tile
  const index_t lanes = vector_elements(d, element_bytes);
  const index_t width = tuning::automatic{}(d, static_cast<int>(element_bytes)).vectors * lanes;
  return {{kind, lanes, 1}, {layout_kind::panels, width, 1}};
}

template <matmul_config C, class T, class Acc>
struct layout_rule<matmul<C, T, Acc>> {
  TERN_INLINE static constexpr op_layouts choose(const device& d) {
    return layouts_of_contraction(d, sizeof(T), layout_kind::row_major);
  }
};

/// Images and volumes: windows and pixelwise ops read the channels of a pixel together.
template <class OpType>
  requires requires { OpType::rank; }
struct layout_rule<OpType> {
  TERN_INLINE static constexpr op_layouts choose(const device& d) {
    op_layouts l = layouts_of_contraction(d, sizeof(typename OpType::value_type), layout_kind::channels_last);
    if (!requires { OpType::config.groups; }) l.weights = {};  // only convolutions have weights
    return l;
  }
};

/// The device of a policy without a machine.
inline constexpr device no_machine{};
template <class Policy>
TERN_INLINE constexpr const device& machine_of() {
  if constexpr (requires { Policy::machine; })
    return Policy::machine;
  else
    return no_machine;
}

/// The layout type of a choice for images.
template <layout_choice C>
struct image_layout_type {
  static_assert(C.kind == layout_kind::channels_last, "image_layout: there is no layout type for this choice");
  using type = layout_channels_last;
};
template <layout_choice C>
  requires(C.kind == layout_kind::channel_blocked)
struct image_layout_type<C> {
  using type = layout_channel_blocked<static_cast<int>(C.block)>;
};

}  // namespace detail

/// The layouts for an op's tensors on a device. A SIMD core gets weights in panels as wide as its register tile, and
/// images channels last. Tiles of a MIMD machine get groups of the matrix unit's input and output channels. A SIMT
/// machine gets contiguous elements for neighbouring lanes. docs/devices.md has the measurements.
template <class Op>
TERN_INLINE constexpr op_layouts layout_for(const device& d) {
  static_assert(
      requires { sizeof(detail::layout_rule<typename Op::op_type>); },
      "layout_for: this op has no rule for layouts: specialise tern::detail::layout_rule");
  return detail::layout_rule<typename Op::op_type>::choose(d);
}

/// The layout of image views that layout_for chooses for the machine of a policy; channels last under `reference`.
///
///     tern::view<float, tern::dims<4>, tern::image_layout<stem, policy>> x(tern::unchecked, p,
///                                                                          tern::dims<4>(n, c, height, width));
template <class Op, class Policy>
using image_layout = typename detail::image_layout_type<layout_for<Op>(detail::machine_of<Policy>()).activations>::type;

}  // namespace tern
