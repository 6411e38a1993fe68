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

/// Calls of a norm as layers. Shapes are values here, not types: layers of one rank share the functions.
/// \tparam Rank  of the samples
template <norm_kind K, norm_config C, class T, int Rank, class Policy>
struct norm_calls {
  static constexpr bool of_batch = K == norm_kind::batch, centred = K != norm_kind::rms,
                        active = C.act != activation::none, weighted = C.scale || C.shift;
  // mean and 1 / deviation
  static constexpr index_t groups(const sample_shape& in) {
    return K == norm_kind::group ? C.groups : K == norm_kind::instance ? in.channels : 1;
  }
  static constexpr memory_need statistic(const sample_shape& in) {
    return of_batch ? detail::need_fixed(in.channels) : detail::need_per_sample(groups(in));
  }
  // dy of the norm, and gradients of the weights
  static constexpr memory_need of_activation(const sample_shape& in) {
    return active ? detail::need_per_sample(in.size()) : memory_need{};
  }
  static constexpr memory_need of_weights(const sample_shape& in) {
    return detail::need_fixed(weighted ? in.channels : 0);
  }
  static constexpr index_t shift_at(const sample_shape& in) { return C.scale ? in.channels : 0; }

  template <class Call, class M>
  static void forward(const Call& c, const sample_shape& in, const T* x, T* y, const M& kept, const M& scratch) {
    const auto rstd = numbers(in, kept), mean = numbers(in, kept.at(statistic(in)));
    const auto variance = numbers_view(scratch.fixed, in.channels);
    with_weights(in, c.parameters, [&](const auto&... weights) {
      const auto from = samples_view<Rank>(x, c.batch, in);
      const auto to = samples_view<Rank>(y, c.batch, in);
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
      moving_average_step step{.decay = c.statistics_decay};
      average(c.state, unchecked, mean, numbers_view(c.statistics, in.channels), step);
      if (const double n = static_cast<double>(c.batch * in.positions()); C.unbiased && n > 1)
        step.factor = n / (n - 1);
      average(c.state, unchecked, variance, numbers_view(c.statistics + in.channels, in.channels), step);
    }
  }
  template <class Call, class M>
  static void backward(const Call& c, const sample_shape& in, const T* x, T* y, const T* dy, T* dx, const M& kept,
                       const M& scratch) {
    const T* d = dy;
    if constexpr (active) {
      activation_gradient<Policy, C.act>(c, in.size(), dy, y, scratch.samples);
      d = scratch.samples;
    }
    const M after = scratch.at(of_activation(in));
    const auto ddy = samples_view<Rank>(d, c.batch, in);
    const auto from = samples_view<Rank>(x, c.batch, in);
    const auto rstd = numbers(in, kept), mean = numbers(in, kept.at(statistic(in)));
    const auto with_statistics = [&](auto f) {
      if constexpr (centred)
        f(mean, rstd);
      else
        f(rstd);
    };
    // Gradients of missing weights go to the scratch.
    T* const dscale = C.scale ? c.gradient : after.fixed;
    T* const dshift = c.gradient + shift_at(in);
    if constexpr (of_batch && weighted) {
      if (dx) {  // one pass for everything
        const auto sum_of_scale = numbers_view(after.fixed, in.channels),
                   sum_of_shift = numbers_view(after.at(of_weights(in)).fixed, in.channels);
        with_scale(in, c.parameters, [&](const auto&... scale) {
          norm.backward(c.state, unchecked, ddy, from, scale..., mean, rstd, samples_view<Rank>(dx, c.batch, in),
                        sum_of_scale, sum_of_shift);
        });
        Call once = c;
        once.batch = 1;
        if (C.scale) add_samples<Policy>(once, in.channels, dscale, sum_of_scale.data(), dscale);
        if (C.shift) add_samples<Policy>(once, in.channels, dshift, sum_of_shift.data(), dshift);
        return;
      }
    }
    const auto of_scale = numbers_view(dscale, in.channels), of_shift = numbers_view(dshift, in.channels);
    if constexpr (weighted && !of_batch)
      if (dx)
        return with_statistics([&](const auto&... statistics_of_x) {
          with_scale(in, c.parameters, [&](const auto&... scale) {
            const auto to = samples_view<Rank>(dx, c.batch, in);
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
      with_scale(in, c.parameters, [&](const auto&... scale) {
        norm.backward_data(c.state, unchecked, ddy, from, scale..., statistics_of_x...,
                           samples_view<Rank>(dx, c.batch, in));
      });
    });
  }
  /// Folds a batch norm with known statistics into a factor and an offset per channel.
  static void fold(const sample_shape& in, const T* learned, const T* running, T* factors, T* offsets) {
    with_weights(in, learned, [&](const auto&... weights) {
      norm.fold(numbers_view(running, in.channels), numbers_view(running + in.channels, in.channels), weights...,
                numbers_view(factors, in.channels), numbers_view(offsets, in.channels), unchecked);
    });
  }

 private:
  static constexpr kernel<normalization<K, C, T>, Policy> norm{};

  template <class M>
  static auto numbers(const sample_shape& in, const M& m) {
    if constexpr (of_batch)
      return numbers_view(m.fixed, in.channels);
    else if constexpr (K == norm_kind::layer || K == norm_kind::rms)
      return numbers_view(m.samples, m.batch);
    else
      return rows_view(m.samples, m.batch, groups(in));
  }
  template <class F>
  static void with_scale(const sample_shape& in, const T* p, F f) {
    if constexpr (C.scale)
      f(numbers_view(p, in.channels));
    else
      f();
  }
  template <class F>
  static void with_weights(const sample_shape& in, const T* p, F f) {
    if constexpr (C.scale && C.shift)
      f(numbers_view(p, in.channels), numbers_view(p + shift_at(in), in.channels));
    else if constexpr (C.scale || C.shift)
      f(numbers_view(p, in.channels));
    else
      f();
  }
};

template <norm_kind K, norm_config C, class T, sample_shape In, class Policy>
struct norm_layer : layer_base<In> {
  using value_type = T;
  using calls = norm_calls<K, C, T, In.rank, Policy>;
  static constexpr declare::sentence wrong = [] {
    declare::sentence s = broken_rule(normalization<K, C, T>::name, {{!C.residual, residual_op}});
    if (s.empty() && In.channels % C.groups != 0)
      s << normalization<K, C, T>::name << ": .groups, " << C.groups << ", must divide the channels: x is " << In;
    return s;
  }();
  static constexpr bool of_batch = calls::of_batch;
  static constexpr feature_role features = C.groups == 1 ? feature_role::kept : feature_role::mixed;
  static constexpr index_t channels = In.channels, parameters = calls::shift_at(In) + (C.shift ? channels : 0),
                           statistics = of_batch ? 2 * channels : 0;
  static constexpr index_t grain = calls::weighted && !of_batch ? grain_samples(In.positions()) : 1;
  static constexpr bool whole_batch = of_batch, independent = true, needs_x = true, needs_y = calls::active;

  static constexpr memory_need kept = (calls::centred ? 2 : 1) * calls::statistic(In);
  static constexpr memory_need forward_scratch = of_batch ? detail::need_fixed(channels) : memory_need{};  // variance
  static constexpr memory_need backward_scratch = calls::of_activation(In) + 2 * calls::of_weights(In);
  static constexpr memory_need infer_scratch = of_batch ? 2 * detail::need_fixed(channels) : kept;

  template <class F>
  static void each_parameter(F& f, const detail::parameter_path& path) {
    if (C.scale) path.visit(f, "scale", 0, parameter::ones, 1, false, channels);
    if (C.shift) path.visit(f, "shift", calls::shift_at(In), parameter::zeros, 1, false, channels);
    if (of_batch) {
      path.visit(f, "mean", 0, parameter::zeros, 1, true, channels);
      path.visit(f, "variance", channels, parameter::ones, 1, true, channels);
    }
  }

  template <class Call, class M>
  static void forward(const Call& c, const T* x, T* y, const M& kept_memory, const M& scratch) {
    calls::forward(c, In, x, y, kept_memory, scratch);
  }
  template <class Call, class M>
  static void backward(const Call& c, const T* x, T* y, const T* dy, T* dx, const M& kept_memory, const M& scratch) {
    calls::backward(c, In, x, y, dy, dx, kept_memory, scratch);
  }
  template <class Call, class M>
  static void infer(const Call& c, const T* x, T* y, const M& scratch) {
    if constexpr (of_batch)
      apply_steps<Policy, In.rank, infer_steps>(c, In, x, y, infer_operands(c, scratch));
    else
      forward(c, x, y, scratch, scratch);
  }
  // Packed: factors and offsets.
  static constexpr index_t offsets_at = detail::in_memory_grains(channels),
                           packed = of_batch ? offsets_at + channels : 0;
  static void pack(const T* learned, const T* running, T* to) {
    calls::fold(In, learned, running, to, to + offsets_at);
  }
  static constexpr bool is_elementwise = of_batch;
  static constexpr elementwise_config infer_steps{.scale = true, .bias = true, .act = C.act};
  template <class Call, class M>
  static step_operands<T> infer_operands(const Call& c, const M& scratch) {
    if constexpr (is_packed_call<Call>) {
      return {c.packed, c.packed + offsets_at};
    } else {
      T *const factors = scratch.fixed, *const offsets = scratch.at(detail::need_fixed(channels)).fixed;
      calls::fold(In, c.parameters, c.statistics, factors, offsets);
      return {factors, offsets};
    }
  }
  template <elementwise_config Steps>
  static constexpr bool fuses_steps = of_batch && infer_steps.precedes(Steps);
  template <elementwise_config Steps, class Call, class M>
  static void infer_fused(const Call& c, const T* x, T* y, const M& scratch, const step_operands<T>& o) {
    apply_steps<Policy, In.rank, infer_steps.with(Steps)>(c, In, x, y, infer_operands(c, scratch).with(o));
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
