// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Softmax on tile machines: on the cores of the host as under simd; on tiles that see their own memory only, rows are
// dealt out (spread_rows.hpp).
#pragma once

#include <cstdint>

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/exec/mimd/mimd_kernels.hpp"
#include "tern/exec/mimd/ranges.hpp"
#include "tern/exec/mimd/spread_rows.hpp"
#include "tern/exec/mimd/tile_machine.hpp"
#include "tern/family/kernels.hpp"
#include "tern/family/reduction/cpu/softmax_core.hpp"
#include "tern/policy/mimd.hpp"

namespace tern::inline TERN_ISA {

namespace impl {

/// The same call with the axes of its positions one place further in front, where samples are 1: what lies along the
/// last axis stays on one tile.
template <class Call>
Call with_axes_in_front(Call q) {
  softmax_shape& s = q.shape;
  if (s.batch != 1) return q;
  s.batch = s.extent[0], s.extent[0] = s.extent[1], s.extent[1] = s.extent[2], s.extent[2] = 1;
  const auto move = [](auto& i) { i.sample = i.axis[0], i.axis[0] = i.axis[1], i.axis[1] = i.axis[2], i.axis[2] = 0; };
  if constexpr (requires { q.dx; }) {
    move(q.dy), move(q.y), move(q.dx);
  } else {
    move(q.x), move(q.mask), move(q.y);
  }
  return q;
}

/// A softmax, or its gradient, as rows.
/// \tparam Call  softmax_values or softmax_gradient
template <class V, class Call>
struct rows_of_softmax {
  using T = typename V::value_type;
  static constexpr bool backward = requires(Call q) { q.dx; };
  static constexpr bool masked = [] {
    if constexpr (backward)
      return false;
    else
      return Call::masked;
  }();
  static constexpr bool cuts_channels = false, accumulates = [] {
    if constexpr (backward)
      return Call::accumulate;
    else
      return false;
  }();
  static constexpr int inputs = backward ? 2 : 1 + masked, outputs = 1;

  Call q;

  constexpr row_tensor input(int i) const {
    if constexpr (masked)
      if (i == 1) {
        row_tensor whole = output(0);
        whole.element_bytes = 1;
        return repeated(q.mask, whole);
      }
    return output(0);
  }
  constexpr row_tensor output(int) const {
    const softmax_shape& s = q.shape;
    return {s.batch, {s.extent[0], s.extent[1], s.extent[2]}, s.features, sizeof(T)};
  }
  constexpr tile_range sources(int i, const tile_range& rows) const {
    return repeated_sources(input(i), output(0), rows);
  }
  constexpr index_t operations() const { return 24; }

  template <class F>
  void each_input(F f) const {
    if constexpr (backward) {
      f(0, q.dy), f(1, q.y);
    } else {
      f(0, q.x);
      if constexpr (masked) f(1, q.mask);
    }
  }
  template <class F>
  void each_output(F f) const {
    if constexpr (backward)
      f(0, q.dx);
    else
      f(0, q.y);
  }
  template <class Local>
  void compute(const tile_range& rows, const tile_range&, const Local& local) const {
    for (index_t row = rows.first; row < rows.last; ++row) {
      const row_cursor at(row, {q.shape.extent[0], q.shape.extent[1]});
      Call one = q;
      one.shape.batch = one.shape.extent[0] = one.shape.extent[1] = 1;
      const auto line = [&](const auto& image) {
        auto i = scattered(image);
        i.p = image.at(at.n, 0, at.z, at.y, 0), i.skipped = 0;
        return i;
      };
      if constexpr (backward) {
        one.dy = line(local.template input<T>(0)), one.y = line(local.template input<T>(1));
        one.dx = line(local.template output<T>(0));
      } else {
        one.x = line(local.template input<T>(0)), one.y = line(local.template output<T>(0));
        if constexpr (masked) one.mask = line(repeated_image(local.template input<std::uint8_t>(1), q.mask));
      }
      tile::softmax_core<V>::rows(one, 0, one.shape.extent[2]);
    }
  }
};

}  // namespace impl

template <const device& D, class Numerics, class Tuning>
struct softmax_kernel<mimd<D, Numerics, Tuning>>
    : mimd_rows_kernels<softmax_kernel<mimd<D, Numerics, Tuning>>, tile::softmax_parts, D, Numerics> {
  using common = mimd_rows_kernels<softmax_kernel, tile::softmax_parts, D, Numerics>;
  static constexpr const char* name = "softmax";

  template <class Call>
  static auto rows_of(const Call& call) {
    return impl::rows_of_softmax<typename common::template vector<typename Call::value_type>, Call>{
        impl::with_axes_in_front(call)};
  }
};

}  // namespace tern::inline TERN_ISA
