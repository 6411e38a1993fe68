// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Norms on tile machines: on the cores of the host as under simd. On tiles with private memory only (spread_rows.hpp),
// samples and groups are distributed, and all terms of a sum are on one tile. Batch norms have three stages: sums, with
// chunks distributed; statistics, by the owners of channels; and results.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/core/operand.hpp"
#include "tern/exec/cpu/vector_lanes.hpp"
#include "tern/exec/mimd/mimd_kernels.hpp"
#include "tern/exec/mimd/ranges.hpp"
#include "tern/exec/mimd/spread_rows.hpp"
#include "tern/exec/mimd/tile_machine.hpp"
#include "tern/family/kernels.hpp"
#include "tern/family/map/mimd.hpp"
#include "tern/family/reduction/cpu/norm_core.hpp"
#include "tern/family/reduction/mimd/place_sums.hpp"
#include "tern/policy/mimd.hpp"

namespace tern::inline TERN_ISA {

namespace impl {

/// Numbers per sample and group as an image.
template <class T>
scattered_image<T> image_of_groups(const operand<T>& x, index_t groups) {
  return {.p = x.p, .sample = x.row, .channel = x.column, .block = groups > 0 ? groups : 1};
}

/// A norm of samples, or its gradient of x, as rows: groups stay together.
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
  constexpr row_tensor per_group() const { return {q.shape.batch, {1, 1, 1}, q.shape.groups, sizeof(T)}; }

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
  constexpr index_t row_unit() const { return q.shape.extent[0] * q.shape.extent[1]; }
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
    for (index_t n = rows.first / unit; n < rows.last / unit; ++n) {
      Call one = q;
      one.shape.batch = 1, one.shape.channels = channels.size();
      one.shape.groups = channels.size() / q.shape.group_channels();
      int i = 0;
      const auto field = [n](auto image) {
        image.p = image.at(n, 0, 0, 0, 0), image.skipped = 0;
        return image;
      };
      const auto numbers = [&](auto image) { return operand<const T>{image.at(0, 0, 0, 0, 0), 1, 0, 0}; };
      const auto groups = [&]<class U>(const image<U>& image) {
        return operand<U>{image.at(n, 0, 0, 0, 0), one.shape.groups, 1, 0};
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

template <class T, class F>
constexpr mapping<T, F> mapping_on(const norm_shape& s) {
  mapping<T, F> q;
  q.batch = s.batch, q.channels = s.channels;
  for (int r = 0; r < 3; ++r) q.extent[r] = s.extent[r];
  return q;
}

/// Statistics of a batch norm: mean, rstd and variance of every channel.
template <class V, class Call>
struct rows_of_deviations : joined_chunks<V, tile::moment_terms<false>> {
  using T = typename V::value_type;
  static constexpr int inputs = 2, outputs = 3;
  static constexpr bool accumulates = false;

  Call q;

  constexpr row_link link(int i) const { return {row_link::result, 0, i}; }
  constexpr row_tensor input(int i) const { return this->chunks.output(i); }
  constexpr row_tensor output(int) const { return this->per_channel(); }
  constexpr tile_range sources(int i, const tile_range& rows) const { return this->all_rows(input(i), rows); }
  constexpr index_t operations() const { return 4 * this->join_operations() + 20; }

  template <class Do>
  void each_input(Do) const {}
  template <class Do>
  void each_output(Do f) const {
    const operand<T>* const to[] = {&q.mean, &q.rstd, &q.variance};
    for (int i = 0; i < outputs; ++i)
      if (to[i]->p != nullptr) f(i, image_of_groups(*to[i], q.shape.channels));
  }
  template <class Local>
  void compute(const tile_range&, const tile_range& channels, const Local& local) const {
    T* const mean = local.template output<T>(0).at(0, 0, 0, 0, 0);
    T* const rstd = local.template output<T>(1).at(0, 0, 0, 0, 0);
    T* const variance = local.template output<T>(2).at(0, 0, 0, 0, 0);
    const V values(static_cast<T>(q.shape.values(true)));
    this->join(
        channels.size(), local, [](index_t, auto, V(&)[2]) {},
        [&](index_t c, auto valid, const V(&total)[2]) {
          const auto d = tile::deviation_of<true>(tile::moments<V>{total[0], total[1]}, values, V(q.eps));
          tile::store_lanes(d.mean, mean + c, valid), tile::store_lanes(d.rstd, rstd + c, valid);
          tile::store_lanes(d.variance, variance + c, valid);
        });
  }
};

/// The shares of a batch norm's gradient per channel, from the sums, rstd, and scale if there is one; and the sums,
/// which are the gradients of scale and shift.
template <class V, class Call>
struct rows_of_gradient_shares : joined_chunks<V, tile::norm_weight_terms<true, false>> {
  using T = typename V::value_type;
  static constexpr norm_steps S = Call::steps;
  static constexpr int inputs = 3 + S.scale, outputs = 4;
  static constexpr bool accumulates = false;

  Call q;

  constexpr row_link link(int i) const { return i < 2 ? row_link{row_link::result, 0, i} : row_link{}; }
  constexpr row_tensor input(int i) const { return i < 2 ? this->chunks.output(i) : this->per_channel(); }
  constexpr row_tensor output(int) const { return this->per_channel(); }
  constexpr tile_range sources(int i, const tile_range& rows) const { return this->all_rows(input(i), rows); }
  constexpr index_t operations() const { return this->join_operations() + 10; }

  template <class Do>
  void each_input(Do f) const {
    f(2, image_of_groups(q.rstd, q.shape.channels));
    if constexpr (S.scale) f(3, image_of_channels(q.scale, q.shape.channels));
  }
  template <class Do>
  void each_output(Do f) const {
    if (q.dscale.p != nullptr) f(2, image_of_channels(q.dscale, q.shape.channels));
    if (q.dshift.p != nullptr) f(3, image_of_channels(q.dshift, q.shape.channels));
  }
  template <class Local>
  void compute(const tile_range&, const tile_range& channels, const Local& local) const {
    T* const a = local.template output<T>(0).at(0, 0, 0, 0, 0);
    T* const b = local.template output<T>(1).at(0, 0, 0, 0, 0);
    T* const dscale = local.template output<T>(2).at(0, 0, 0, 0, 0);
    T* const dshift = local.template output<T>(3).at(0, 0, 0, 0, 0);
    const T* const rstd = local.template input<T>(2).at(0, 0, 0, 0, 0);
    const T* const scale = S.scale ? local.template input<T>(inputs - 1).at(0, 0, 0, 0, 0) : nullptr;
    const V values(static_cast<T>(q.shape.values(true)));
    this->join(
        channels.size(), local, [](index_t, auto, V(&)[2]) {},
        [&](index_t c, auto valid, const V(&total)[2]) {
          const V factor = S.scale ? tile::load_lanes<V>(scale + c, valid) : V(T(1));
          const auto shares =
              tile::shares_of<S>(total[1], total[0], factor, tile::load_lanes<V>(rstd + c, valid), values);
          tile::store_lanes(shares.a, a + c, valid), tile::store_lanes(shares.b, b + c, valid);
          tile::store_lanes(total[0], dscale + c, valid), tile::store_lanes(total[1], dshift + c, valid);
        });
  }
};

/// A mapping as the last stage of a program.
template <class V, class F>
struct last_mapping : rows_of_mapping<V, F> {
  row_link links[F::inputs];

  constexpr row_link link(int i) const { return links[i]; }
  template <class Do>
  void each_input(Do f) const {
    for (int i = 0; i < F::inputs; ++i)
      if (links[i].from == row_link::caller) f(i, this->q.in[i]);
  }
};

/// A batch norm as a program.
template <class V, class T, norm_steps S>
constexpr auto stages_of(const norm_values<T, S>& q) {
  const norm_shape& s = q.shape;
  const auto sums = channel_sums_of(q);
  const rows_of_chunks<V, tile::moment_terms<false>> chunks{{sums}};
  last_mapping<V, tile::norm_map<S>> last{};
  last.q = mapping_on<T, tile::norm_map<S>>(s);
  auto* const in = last.q.in;
  in[0] = sums.in[0], last.links[0] = {row_link::input, 0, 0};
  for (int i = 1; i <= 2; ++i)
    in[i] = image_of_channels(operand<const T>{}, s.channels), last.links[i] = {row_link::result, 1, i - 1};
  if constexpr (S.scale) in[3] = image_of_channels(q.scale, s.channels);
  if constexpr (S.shift) in[3 + S.scale] = image_of_channels(q.shift, s.channels);
  if constexpr (S.residual) in[3 + S.scale + S.shift] = scattered(q.residual);
  last.q.out[0] = scattered(q.y);
  return std::tuple{chunks, rows_of_deviations<V, norm_values<T, S>>{{chunks}, q}, last};
}
/// Its gradient as a program.
template <class V, class T, norm_steps S, bool Accumulate>
constexpr auto stages_of(const norm_gradient<T, S, Accumulate>& q) {
  using map = tile::norm_shares_map<S, Accumulate>;
  const norm_shape& s = q.shape;
  const auto sums = channel_sums_of(q);
  const rows_of_chunks<V, tile::norm_weight_terms<true, false>> chunks{{sums}};
  last_mapping<V, map> last{};
  last.q = mapping_on<T, map>(s);
  constexpr int of_sums[4] = {0, 1, 3, 2};  // dy, x, mean, rstd
  for (int i = 0; i < 4; ++i) last.q.in[i] = sums.in[of_sums[i]], last.links[i] = {row_link::input, 0, of_sums[i]};
  for (int i = 4; i < map::inputs; ++i) last.q.in[i] = image_of_channels(operand<const T>{}, s.channels);
  last.links[4] = {row_link::result, 1, 0}, last.links[5] = {row_link::result, 1, 1};
  if constexpr (S.scale) last.links[6] = {row_link::input, 1, 3};
  last.q.out[0] = scattered(q.dx);
  return std::tuple{chunks, rows_of_gradient_shares<V, norm_gradient<T, S, Accumulate>>{{chunks}, q}, last};
}

}  // namespace impl

template <const device& D, class Numerics, class Tuning>
struct normalization_kernel<mimd<D, Numerics, Tuning>>
    : mimd_rows_kernels<normalization_kernel<mimd<D, Numerics, Tuning>>, tile::norm_parts, D, Numerics> {
  using common = mimd_rows_kernels<normalization_kernel, tile::norm_parts, D, Numerics>;
  static constexpr const char* name = "norm";

  template <class T>
  using vector = typename common::template vector<T>;

  /// \tparam Call  norm_values or norm_gradient
  template <class Call>
  static constexpr auto rows_of(const Call& q) {
    if constexpr (Call::steps.batch)
      return impl::stages_of<vector<typename Call::value_type>>(q);
    else
      return impl::rows_of_norm<vector<typename Call::value_type>, Call>{q};
  }
};

}  // namespace tern::inline TERN_ISA
