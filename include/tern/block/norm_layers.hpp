// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layers of norms. A batch norm in training normalises with the statistics of the call and advances its running
// averages; in inference these are folded into a scale and an offset.
#pragma once

#include <type_traits>

#include "tern/block/layer.hpp"
#include "tern/block/map_layers.hpp"
#include "tern/block/weight_layers.hpp"
#include "tern/core/config.hpp"
#include "tern/core/order.hpp"
#include "tern/kernel/norm.hpp"
#include "tern/kernel/optimizer.hpp"
#include "tern/op/norm.hpp"
#include "tern/op/optimizer.hpp"

namespace tern::inline TERN_ISA::impl {

template <norm_kind K, norm_config C, class T, sample_shape In, class Policy>
struct norm_layer : layer_base<In> {
  using value_type = T;
  static_assert(!C.residual, "network: a norm with .residual is no block: tern::residual adds");
  static_assert(In.channels % C.groups == 0, "network: .groups of a norm must divide the channels");
  static constexpr bool of_batch = K == norm_kind::batch, centred = K != norm_kind::rms,
                        active = C.act != activation::none, weighted = C.scale || C.shift;
  static constexpr index_t channels = In.channels, shift_at = C.scale ? channels : 0,
                           parameters = shift_at + (C.shift ? channels : 0), statistics = of_batch ? 2 * channels : 0;
  static constexpr index_t grain = weighted && !of_batch ? grain_samples(In.positions()) : 1;
  static constexpr bool whole_batch = of_batch, independent = true, needs_x = true, needs_y = active;

  // mean and 1 / deviation
  static constexpr index_t groups = K == norm_kind::group ? C.groups : K == norm_kind::instance ? channels : 1;
  static constexpr memory_need statistic = of_batch ? detail::need_fixed(channels) : detail::need_per_sample(groups);
  static constexpr memory_need kept = (centred ? 2 : 1) * statistic;
  // the variance; dy of the norm, and gradients of the weights
  static constexpr memory_need forward_scratch = of_batch ? detail::need_fixed(channels) : memory_need{};
  static constexpr memory_need of_weights = detail::need_fixed(weighted ? channels : 0);
  static constexpr memory_need of_activation = active ? detail::need_per_sample(In.size()) : memory_need{};
  static constexpr memory_need backward_scratch = of_activation + 2 * of_weights;
  static constexpr memory_need infer_scratch = of_batch ? 2 * detail::need_fixed(channels) : kept;

  template <class F>
  static void each_parameter(F& f, const detail::parameter_path& path) {
    if (C.scale) path.visit(f, "scale", 0, parameter::ones, 1, false, channels);
    if (C.shift) path.visit(f, "shift", shift_at, parameter::zeros, 1, false, channels);
    if (of_batch) {
      path.visit(f, "mean", 0, parameter::zeros, 1, true, channels);
      path.visit(f, "variance", channels, parameter::ones, 1, true, channels);
    }
  }

  template <class Call, class M>
  static void forward(const Call& c, const T* x, T* y, const M& kept_memory, const M& scratch) {
    const auto rstd = numbers(kept_memory), mean = numbers(kept_memory.at(statistic));
    const auto variance = numbers_view<channels>(scratch.fixed);
    with_weights(c.parameters, [&](const auto&... weights) {
      const auto from = samples_view<In>(x, c.batch);
      const auto to = samples_view<In>(y, c.batch);
      if constexpr (of_batch)
        norm(c.state, unchecked, from, weights..., to, mean, rstd, variance);
      else if constexpr (centred)
        norm(c.state, unchecked, from, weights..., to, mean, rstd);
      else
        norm(c.state, unchecked, from, weights..., to, rstd);
    });
    if constexpr (of_batch) {
      if (c.replay || !c.statistics) return;
      const kernel<moving_average<T>, Policy> average;
      const moving_average_step step{.decay = c.statistics_decay};
      average(c.state, unchecked, mean, numbers_view<channels>(c.statistics), step);
      average(c.state, unchecked, variance, numbers_view<channels>(c.statistics + channels), step);
    }
  }

  template <class Call, class M>
  static void infer(const Call& c, const T* x, T* y, const M& scratch) {
    if constexpr (of_batch)
      take_steps<Policy, In, infer_steps>(c, x, y, infer_operands(c, scratch));
    else
      forward(c, x, y, scratch, scratch);
  }
  // Packed: factors and offsets.
  static constexpr index_t offsets_at = detail::in_memory_grains(channels),
                           packed = of_batch ? offsets_at + channels : 0;
  static void pack(const T* learned, const T* running, T* to) { fold(learned, running, to, to + offsets_at); }
  static constexpr bool only_steps = of_batch;
  static constexpr elementwise_config infer_steps{.scale = true, .bias = true, .act = C.act};
  /// A batch norm with known statistics, folded.
  template <class Call, class M>
  static step_operands<T> infer_operands(const Call& c, const M& scratch) {
    if constexpr (is_packed_call<Call>) {
      return {c.packed, c.packed + offsets_at};
    } else {
      T *const factors = scratch.fixed, *const offsets = scratch.at(detail::need_fixed(channels)).fixed;
      fold(c.parameters, c.statistics, factors, offsets);
      return {factors, offsets};
    }
  }
  template <elementwise_config Steps>
  static constexpr bool takes_steps = of_batch && infer_steps.precedes(Steps);
  template <elementwise_config Steps, class Call, class M>
  static void infer_then(const Call& c, const T* x, T* y, const M& scratch, const step_operands<T>& o) {
    take_steps<Policy, In, infer_steps.with(Steps)>(c, x, y, infer_operands(c, scratch).with(o));
  }

  template <class Call, class M>
  static void backward(const Call& c, const T* x, T* y, const T* dy, T* dx, const M& kept_memory, const M& scratch) {
    const T* d = dy;
    if constexpr (active) {
      undo_activation<Policy, In, C.act>(c, dy, y, scratch.samples);
      d = scratch.samples;
    }
    const M behind = scratch.at(of_activation);
    const auto ddy = samples_view<In>(d, c.batch);
    const auto from = samples_view<In>(x, c.batch);
    const auto rstd = numbers(kept_memory), mean = numbers(kept_memory.at(statistic));
    const auto with_statistics = [&](auto f) {
      if constexpr (centred)
        f(mean, rstd);
      else
        f(rstd);
    };
    // Gradients of weights that there are not go to the scratch.
    T* const dscale = C.scale ? c.gradient : behind.fixed;
    T* const dshift = c.gradient + shift_at;
    if constexpr (of_batch && weighted) {
      if (dx) {  // one pass for everything
        const auto sum_of_scale = numbers_view<channels>(behind.fixed),
                   sum_of_shift = numbers_view<channels>(behind.at(of_weights).fixed);
        with_scale(c.parameters, [&](const auto&... scale) {
          norm.backward(c.state, unchecked, ddy, from, scale..., mean, rstd, samples_view<In>(dx, c.batch),
                        sum_of_scale, sum_of_shift);
        });
        Call once = c;
        once.batch = 1;
        if (C.scale) add_samples<Policy, sample_shape::features(channels)>(once, dscale, sum_of_scale.data(), dscale);
        if (C.shift) add_samples<Policy, sample_shape::features(channels)>(once, dshift, sum_of_shift.data(), dshift);
        return;
      }
    }
    const auto of_scale = numbers_view<channels>(dscale), of_shift = numbers_view<channels>(dshift);
    if constexpr (weighted && !of_batch)
      if (dx)
        return with_statistics([&](const auto&... statistics_of_x) {
          with_scale(c.parameters, [&](const auto&... scale) {
            const auto to = samples_view<In>(dx, c.batch);
            if constexpr (C.shift)
              norm.backward(c.state, unchecked, ddy, from, scale..., statistics_of_x..., to, of_scale, of_shift,
                            accumulate_weights);
            else
              norm.backward(c.state, unchecked, ddy, from, scale..., statistics_of_x..., to, of_scale,
                            accumulate_weights);
          });
        });
    if constexpr (weighted)
      with_statistics([&](const auto&... statistics_of_x) {
        if constexpr (C.shift)
          norm.backward_weights(c.state, unchecked, ddy, from, statistics_of_x..., of_scale, of_shift, accumulate);
        else
          norm.backward_weights(c.state, unchecked, ddy, from, statistics_of_x..., of_scale, accumulate);
      });
    if (!dx) return;
    with_statistics([&](const auto&... statistics_of_x) {
      with_scale(c.parameters, [&](const auto&... scale) {
        norm.backward_data(c.state, unchecked, ddy, from, scale..., statistics_of_x..., samples_view<In>(dx, c.batch));
      });
    });
  }

 private:
  static constexpr kernel<normalization<K, C, T>, Policy> norm{};

  static void fold(const T* learned, const T* running, T* factors, T* offsets) {
    with_weights(learned, [&](const auto&... weights) {
      norm.fold(numbers_view<channels>(running), numbers_view<channels>(running + channels), weights...,
                numbers_view<channels>(factors), numbers_view<channels>(offsets), unchecked);
    });
  }
  template <class M>
  static auto numbers(const M& m) {
    if constexpr (of_batch)
      return numbers_view<channels>(m.fixed);
    else if constexpr (K == norm_kind::layer || K == norm_kind::rms)
      return view<T, extents<dynamic>>(m.samples, extents<dynamic>(m.batch));
    else
      return view<T, extents<dynamic, groups>>(m.samples, extents<dynamic, groups>(m.batch, groups));
  }
  template <class F>
  static void with_scale(const T* p, F f) {
    if constexpr (C.scale)
      f(numbers_view<channels>(p));
    else
      f();
  }
  template <class F>
  static void with_weights(const T* p, F f) {
    if constexpr (C.scale && C.shift)
      f(numbers_view<channels>(p), numbers_view<channels>(p + shift_at));
    else if constexpr (C.scale || C.shift)
      f(numbers_view<channels>(p));
    else
      f();
  }
};

template <norm_kind K, norm_config C, class T, class Op, sample_shape In, class Policy>
  requires(!has_own_derivative<C.act>)
struct op_layer<normalization<K, C, T>, Op, In, Policy> : norm_layer<K, C, T, In, Policy> {};
template <norm_kind K, norm_config C, class T, class Op, sample_shape In, class Policy>
  requires(has_own_derivative<C.act>)
struct lowered_op<normalization<K, C, T>, Op, In, Policy>
    : lowered_with_activation<normalization<K, without_activation<C>, T>, C.act, In, Policy> {};
template <norm_kind K, norm_config C, class T, class Op, sample_shape In, class Policy>
  requires(has_own_derivative<C.act>)
struct op_layer<normalization<K, C, T>, Op, In, Policy> : layer_of_graph<Op, In, Policy, false> {};

}  // namespace tern::inline TERN_ISA::impl
