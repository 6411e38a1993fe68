// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Norms on tile machines: on the cores of the host as under simd; on tiles that see their own memory only, samples and
// groups are dealt out, of gradients of scale and shift channels (spread_rows.hpp). What is summed together is on one
// tile.
#pragma once

#include "tern/core/config.hpp"
#include "tern/exec/mimd/tile_machine.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/kernel/mimd/kernels.hpp"
#include "tern/kernel/mimd/spread_rows.hpp"
#include "tern/policy/mimd.hpp"
#include "tern/tile/norm_core.hpp"
#include "tern/tile/norm_weights.hpp"

namespace tern::inline TERN_ISA {

namespace impl {

/// Numbers per sample and group as an image.
template <class T>
scattered_image<T> image_of_groups(const operand<T>& x, index_t groups) {
  return {.p = x.p, .sample = x.row, .channel = x.column, .block = groups > 0 ? groups : 1};
}

/// A norm, or its gradient of x, as rows: samples and groups stay together.
/// \tparam Call  norm_values or norm_gradient
template <class V, class Call>
struct rows_of_norm {
  using T = typename V::value_type;
  static constexpr norm_steps S = Call::steps;
  static constexpr bool backward = requires(Call q) { q.dx; };
  static constexpr bool cuts_channels = true, accumulates = [] {
    if constexpr (backward)
      return Call::accumulate;
    else
      return false;
  }();
  // Forward: x, residual, scale, shift; y, rstd, variance, mean. Backward: dy, x, scale, rstd, mean; dx.
  static constexpr int inputs = backward ? 3 + S.scale + S.center : 1 + S.residual + S.scale + S.shift;
  static constexpr int outputs = backward ? 1 : 3 + S.center;

  Call q;

  constexpr row_tensor fields() const {
    const norm_shape& s = q.shape;
    return {s.batch, {s.extent[0], s.extent[1], s.extent[2]}, s.channels, sizeof(T)};
  }
  constexpr row_tensor per_channel() const { return {1, {1, 1, 1}, q.shape.channels, sizeof(T)}; }
  constexpr row_tensor per_group() const { return {q.shape.sets(S.batch), {1, 1, 1}, q.shape.groups, sizeof(T)}; }

  constexpr row_tensor input(int i) const {
    if (backward) return i < 2 ? fields() : S.scale && i == 2 ? per_channel() : per_group();
    return i < 1 + S.residual ? fields() : per_channel();
  }
  constexpr row_tensor output(int i) const { return i == 0 ? fields() : per_group(); }
  constexpr tile_range sources(int i, const tile_range& rows) const {
    if (rows.size() == 0) return {};
    const row_tensor x = input(i);
    return x.batch == 1 && x.rows() == 1 ? tile_range{0, 1} : scaled(rows, fields().rows(), x.rows());
  }
  constexpr index_t operations() const { return 8; }
  constexpr index_t row_unit() const { return q.shape.samples(S.batch) * q.shape.extent[0] * q.shape.extent[1]; }
  constexpr index_t channel_unit() const { return q.shape.group_channels(); }

  template <class F>
  void each_input(F f) const {
    int i = 0;
    if constexpr (backward) f(i++, q.dy);
    f(i++, q.x);
    if constexpr (!backward && S.residual) f(i++, q.residual);
    if constexpr (S.scale) f(i++, image_of_channels(q.scale, q.shape.channels));
    if constexpr (!backward && S.shift) f(i++, image_of_channels(q.shift, q.shape.channels));
    if constexpr (backward) f(i++, image_of_groups(q.rstd, q.shape.groups));
    if constexpr (backward && S.center) f(i++, image_of_groups(q.mean, q.shape.groups));
  }
  template <class F>
  void each_output(F f) const {
    if constexpr (backward) {
      f(0, q.dx);
    } else {
      f(0, q.y);
      if (q.rstd.p != nullptr) f(1, image_of_groups(q.rstd, q.shape.groups));
      if (q.variance.p != nullptr) f(2, image_of_groups(q.variance, q.shape.groups));
      if constexpr (S.center)
        if (q.mean.p != nullptr) f(3, image_of_groups(q.mean, q.shape.groups));
    }
  }
  template <class Local>
  void compute(const tile_range& rows, const tile_range& channels, const Local& local) const {
    const index_t unit = row_unit();
    for (index_t set = rows.first / unit; set < rows.last / unit; ++set) {
      const index_t n = S.batch ? 0 : set;
      Call one = q;
      one.shape.batch = q.shape.samples(S.batch), one.shape.channels = channels.size();
      one.shape.groups = channels.size() / q.shape.group_channels();
      int i = 0;
      const auto field = [n](auto image) {
        image.p = image.at(n, 0, 0, 0, 0), image.skipped = 0;
        return image;
      };
      const auto numbers = [&](auto image) { return operand<const T>{image.at(0, 0, 0, 0, 0), 1, 0, 0}; };
      const auto groups = [&]<class U>(const image<U>& image) {
        return operand<U>{image.at(set, 0, 0, 0, 0), one.shape.groups, 1, 0};
      };
      const auto in = [&](int at) { return local.template input<T>(at); };
      const auto out = [&](int at) { return local.template output<T>(at); };
      if constexpr (backward) one.dy = field(in(i++));
      one.x = field(in(i++));
      if constexpr (!backward && S.residual) one.residual = field(in(i++));
      if constexpr (S.scale) one.scale = numbers(in(i++));
      if constexpr (!backward && S.shift) one.shift = numbers(in(i++));
      if constexpr (backward) one.rstd = groups(in(i++));
      if constexpr (backward && S.center) one.mean = groups(in(i++));
      if constexpr (backward) {
        one.dx = field(out(0));
      } else {
        one.y = field(out(0));
        one.rstd = groups(out(1)), one.variance = groups(out(2));
        if constexpr (S.center) one.mean = groups(out(3));
      }
      tile::norm_core<V>::groups(one, 0, one.shape.groups);
    }
  }
};

/// Gradients of scale and shift as rows: one, of which channels are cut.
template <class V, bool Center, bool Accumulate>
struct rows_of_norm_weights {
  using T = typename V::value_type;
  static constexpr int inputs = 3 + Center, outputs = 2;
  static constexpr bool cuts_channels = true, accumulates = Accumulate;

  norm_weight_gradient<T, Center, Accumulate> q;

  constexpr row_tensor input(int i) const {
    const norm_shape& s = q.shape;
    if (i < 2) return {s.batch, {s.extent[0], s.extent[1], s.extent[2]}, s.channels, sizeof(T)};
    return {q.rstd.row == 0 ? 1 : s.batch, {1, 1, 1}, s.groups, sizeof(T)};
  }
  constexpr row_tensor output(int) const { return {1, {1, 1, 1}, q.shape.channels, sizeof(T)}; }
  constexpr tile_range sources(int i, const tile_range& rows) const {
    return rows.size() == 0 ? tile_range{} : tile_range{0, input(i).rows()};
  }
  constexpr index_t operations() const { return 4 * q.shape.batch * q.shape.positions(); }
  constexpr index_t channel_unit() const { return q.shape.group_channels(); }

  template <class F>
  void each_input(F f) const {
    f(0, q.dy), f(1, q.x), f(2, image_of_groups(q.rstd, q.shape.groups));
    if constexpr (Center) f(3, image_of_groups(q.mean, q.shape.groups));
  }
  template <class F>
  void each_output(F f) const {
    f(0, image_of_channels(q.dscale, q.shape.channels));
    if (q.dshift.p != nullptr) f(1, image_of_channels(q.dshift, q.shape.channels));
  }
  template <class Local>
  void compute(const tile_range&, const tile_range& channels, const Local& local) const {
    auto part = q;
    part.shape.channels = channels.size();
    part.shape.groups = channels.size() / q.shape.group_channels();
    part.dy = local.template input<T>(0), part.x = local.template input<T>(1);
    const auto numbers = [&]<class U>(const image<U>& i) {
      return operand<U>{i.p, q.rstd.row == 0 ? 0 : part.shape.groups, 1, 0};
    };
    part.rstd = numbers(local.template input<T>(2));
    if constexpr (Center) part.mean = numbers(local.template input<T>(3));
    part.dscale = {local.template output<T>(0).p, 1, 0, 0};
    part.dshift = {};
    if (q.dshift.p != nullptr) part.dshift = {local.template output<T>(1).p, 1, 0, 0};
    tile::norm_weights_core<V>::channels(part, 0, part.shape.channels);
  }
};

/// Statistics of channels as one row, of which channels are cut.
template <class V, bool Join>
struct rows_of_statistics {
  using T = typename V::value_type;
  static constexpr int inputs = 1, outputs = 2;
  static constexpr bool cuts_channels = true, accumulates = Join;

  norm_statistics<T, Join> q;

  constexpr row_tensor input(int) const {
    const norm_shape& s = q.shape;
    return {s.batch, {s.extent[0], s.extent[1], s.extent[2]}, s.channels, sizeof(T)};
  }
  constexpr row_tensor output(int) const { return {1, {1, 1, 1}, q.shape.channels, sizeof(T)}; }
  constexpr tile_range sources(int, const tile_range& rows) const {
    return rows.size() == 0 ? tile_range{} : tile_range{0, input(0).rows()};
  }
  constexpr index_t operations() const { return 4 * q.shape.batch * q.shape.positions(); }

  template <class F>
  void each_input(F f) const {
    f(0, q.x);
  }
  template <class F>
  void each_output(F f) const {
    f(0, image_of_channels(q.mean, q.shape.channels)), f(1, image_of_channels(q.squares, q.shape.channels));
  }
  template <class Local>
  void compute(const tile_range&, const tile_range& channels, const Local& local) const {
    auto part = q;
    part.shape.channels = part.shape.groups = channels.size();
    part.x = local.template input<T>(0);
    part.mean = {local.template output<T>(0).p, 1, 0, 0}, part.squares = {local.template output<T>(1).p, 1, 0, 0};
    tile::norm_core<V>::channels(part, 0, part.shape.channels);
  }
};

}  // namespace impl

template <const device& D, class Numerics, class Tuning>
struct normalization_kernel<mimd<D, Numerics, Tuning>>
    : mimd_rows_kernels<normalization_kernel<mimd<D, Numerics, Tuning>>, D, Numerics> {
  using common = mimd_rows_kernels<normalization_kernel, D, Numerics>;

  template <class T>
  using vector = typename common::template vector<T>;

  template <class T, norm_steps S>
  static impl::rows_of_norm<vector<T>, norm_values<T, S>> rows_of(const norm_values<T, S>& q) {
    return {q};
  }
  template <class T, norm_steps S, bool Accumulate>
  static impl::rows_of_norm<vector<T>, norm_gradient<T, S, Accumulate>> rows_of(
      const norm_gradient<T, S, Accumulate>& q) {
    return {q};
  }
  template <class T, bool Center, bool Accumulate>
  static impl::rows_of_norm_weights<vector<T>, Center, Accumulate> rows_of(
      const norm_weight_gradient<T, Center, Accumulate>& q) {
    return {q};
  }

  template <class T, bool Join>
  static impl::rows_of_statistics<vector<T>, Join> rows_of(const norm_statistics<T, Join>& q) {
    return {q};
  }

  /// Throws where the machine's tiles are too small, before anything is written.
  template <class State, class Call>
  static void run(State& machine, const Call& call) {
    if constexpr (common::template runs_on<State>()) {
      using T = typename Call::value_type;
      using core = tile::norm_core<typename common::template vector<T>>;
      using weights_core = tile::norm_weights_core<typename common::template vector<T>>;
      const norm_shape& s = call.shape;
      if constexpr (!D.shares_host_memory) {
        common::run_rows(machine, call, "norm");
      } else if constexpr (requires { call.seen; }) {
        common::template run_shared<T>(machine, "norm", s.batch * s.channels * s.positions() * 4,
                                       [&](index_t t, index_t tiles) {
                                         core::channels(call, s.channels * t / tiles, s.channels * (t + 1) / tiles);
                                       });
      } else if constexpr (requires { call.dscale; }) {
        common::template run_shared<T>(
            machine, "norm", s.batch * s.channels * s.positions() * 4, [&](index_t t, index_t tiles) {
              weights_core::channels(call, s.channels * t / tiles, s.channels * (t + 1) / tiles);
            });
      } else {
        const index_t groups = s.sets(Call::steps.batch) * s.groups;
        common::template run_shared<T>(
            machine, "norm", s.batch * s.channels * s.positions() * 8,
            [&](index_t t, index_t tiles) { core::groups(call, groups * t / tiles, groups * (t + 1) / tiles); });
      }
    }
  }
};

}  // namespace tern::inline TERN_ISA
