// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Row programs on tile machines: on the cores of the host as under simd; on tiles with private memory only, rows are
// distributed (spread_rows.hpp).
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/exec/mimd/mimd_kernels.hpp"
#include "tern/exec/mimd/ranges.hpp"
#include "tern/exec/mimd/row_plan.hpp"
#include "tern/family/kernels.hpp"
#include "tern/family/reduction/cpu/row_core.hpp"
#include "tern/family/reduction/row_program.hpp"
#include "tern/policy/mimd.hpp"

namespace tern::inline TERN_ISA {

namespace impl {

/// The call of a row program as rows.
template <class V, class Call>
class rows_of_program {
  using T = typename V::value_type;
  using program = row::program<Call>;
  using tensors = typename program::tensors;

 public:
  static constexpr int outputs = tensors::apply([](auto... x) { return (x.is_result + ...); });
  static constexpr int inputs = tensors::size - outputs;
  static constexpr bool cuts_channels = false,
                        accumulates = tensors::apply([](auto... x) { return (x.accumulates || ...); });

  /// For a batch of 1 the axes of positions move one place forward: elements along the last axis stay on one tile.
  explicit rows_of_program(const Call& call) : q_(call) {
    row_shape& s = q_.shape;
    if (s.batch != 1) return;
    s.batch = s.extent[0], s.extent[0] = s.extent[1], s.extent[1] = s.extent[2], s.extent[2] = 1;
    each([&](auto x, int) {
      auto& i = x.of(q_);
      i.sample = i.axis[0], i.axis[0] = i.axis[1], i.axis[1] = i.axis[2], i.axis[2] = 0;
    });
  }

  constexpr row_tensor input(int i) const {
    row_tensor found{};
    each([&](auto x, int at) {
      if (!x.is_result && at == i) found = repeated(x.of(q_), all_rows(x));
    });
    return found;
  }
  constexpr row_tensor output(int i) const {
    row_tensor found{};
    each([&](auto x, int at) {
      if (x.is_result && at == i) found = all_rows(x);
    });
    return found;
  }
  constexpr tile_range sources(int i, const tile_range& rows) const {
    return repeated_sources(input(i), output(0), rows);
  }
  constexpr index_t operations() const {
    return tensors::apply([](auto... x) { return ((x.is_result && x.of_rows) || ...); })
               ? program::operations * q_.shape.features
               : program::operations;
  }

  template <class F>
  void each_input(F f) const {
    each([&](auto x, int i) {
      if constexpr (!x.is_result) f(i, x.of(q_));
    });
  }
  template <class F>
  void each_output(F f) const {
    each([&](auto x, int i) {
      if constexpr (x.is_result) f(i, x.of(q_));
    });
  }
  template <class Local>
  void compute(const tile_range& rows, const tile_range&, const Local& local) const {
    Call line = q_;
    line.shape.batch = line.shape.extent[0] = line.shape.extent[1] = 1;
    for (index_t row = rows.first; row < rows.last; ++row) {
      const row_cursor at(row, {q_.shape.extent[0], q_.shape.extent[1]});
      each([&]<class X>(X x, int i) {
        auto on_tile = [&] {
          if constexpr (X::is_result)
            return local.template output<typename X::element>(i);
          else
            return repeated_image(local.template input<std::remove_const_t<typename X::element>>(i), x.of(q_));
        }();
        on_tile.p = on_tile.at(at.n, 0, at.z, at.y, 0), on_tile.skipped = 0;
        x.of(line) = scattered(on_tile);
      });
      tile::row_core<V, Call>::rows(line, 0, line.shape.extent[2]);
    }
  }

 private:
  /// Calls f(tensor, i), i counting inputs and outputs.
  template <class F>
  static constexpr void each(F f) {
    tensors::apply([&](auto... x) {
      int at[2] = {};
      (f(x, at[x.is_result]++), ...);
    });
  }
  template <class X>
  constexpr row_tensor all_rows(X) const {
    const row_shape& s = q_.shape;
    return {s.batch, {s.extent[0], s.extent[1], s.extent[2]}, X::of_rows ? 1 : s.features, sizeof(typename X::element)};
  }

  Call q_;
};

}  // namespace impl

template <const device& D, class Numerics, class Tuning>
struct row_kernel<mimd<D, Numerics, Tuning>>
    : mimd_rows_kernels<row_kernel<mimd<D, Numerics, Tuning>>, tile::row_parts, D, Numerics> {
  using common = mimd_rows_kernels<row_kernel, tile::row_parts, D, Numerics>;
  static constexpr const char* name = "rows";

  template <class Call>
  static auto rows_of(const Call& call) {
    return impl::rows_of_program<typename common::template vector<typename Call::value_type>, Call>(call);
  }
};

}  // namespace tern::inline TERN_ISA
