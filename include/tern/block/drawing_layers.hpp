// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layers that draw: dropout, latent variables, and weights with distributions. The random site of a call determines the
// draws, so a repeated pass repeats them.
#pragma once

#include <cstddef>
#include <type_traits>

#include "tern/block/layer.hpp"
#include "tern/block/map_layers.hpp"
#include "tern/block/memory.hpp"
#include "tern/block/parameters.hpp"
#include "tern/core/config.hpp"
#include "tern/core/order.hpp"
#include "tern/core/part.hpp"
#include "tern/kernel/dropout.hpp"
#include "tern/kernel/loss.hpp"
#include "tern/kernel/normal_sample.hpp"
#include "tern/op/dropout.hpp"
#include "tern/op/loss.hpp"
#include "tern/op/normal_sample.hpp"

namespace tern::inline TERN_ISA::impl {

// ---------------------------------------------------------------------------------------------------------------------
// Dropout

template <class OpType, int Percent, sample_shape In, class Policy>
struct drop_layer : layer_base<In> {
  static constexpr declare::sentence wrong =
      broken_rule("drop", {{false, "the op must be a tern::dropout or tern::stochastic_depth"}});
};
/// Uses the element type of the network; that of the op is ignored.
template <dropout_config C, class Any, int Percent, sample_shape In, class Policy>
struct drop_layer<dropout<C, Any>, Percent, In, Policy> : layer_base<In> {
  static constexpr declare::sentence wrong =
      broken_rule("drop", {{!In.stream, no_stream},
                           {Percent >= 0 && Percent < 100, "the rate must be at least 0 and less than 100 percent"}});
  static constexpr bool in_place = true, gradient_in_place = true;
  static constexpr feature_role features = feature_role::kept;
  static constexpr index_t sites = 1;
  template <class Call, class T, class M>
  static void forward(const Call& c, const T* x, T* y, const M&, const M&) {
    kernel<dropout<C, T>, Policy>()(c.state, unchecked, samples_view<In>(x, c.batch), samples_view<In>(y, c.batch),
                                    rate, c.site);
  }
  template <class Call, class T, class M>
  static void backward(const Call& c, const T*, T*, const T* dy, T* dx, const M&, const M&) {
    if (dx)
      kernel<dropout<C, T>, Policy>().backward_data(c.state, unchecked, samples_view<In>(dy, c.batch),
                                                    samples_view<In>(dx, c.batch), rate, c.site);
  }
  template <class Call, class T, class M>
  static void infer(const Call& c, const T* x, T* y, const M& m) {
    if (c.draws)
      forward(c, x, y, m, m);
    else
      copy_samples<Policy>(c, In.size(), x, y);
  }

 private:
  static constexpr drop_rate rate{Percent / 100.0};
};
template <int Percent, class Op, sample_shape In, class Policy>
struct block_layer<drop<Percent, Op>, In, Policy> : drop_layer<typename Op::op_type, Percent, In, Policy> {};

// ---------------------------------------------------------------------------------------------------------------------
// Normal distributions

/// The divergence of normal distributions from the standard one, as an accumulating sum.
template <class T>
using divergence = gaussian_kl<loss_config{.reduce = reduction::sum}, T>;
template <class Weight>
concept weighs = requires { requires Weight::num >= 0 && Weight::den > 0; };
inline constexpr const char* no_weight = "Weight must be a std::ratio of at least 0";
template <class Weight>
constexpr double weight_of = static_cast<double>(Weight::num) / static_cast<double>(Weight::den);

template <class Weight, class T, sample_shape In, class Policy>
struct block_layer<normal_latent<Weight, T>, In, Policy> : layer_base<In> {
  using value_type = T;
  static constexpr declare::sentence wrong = broken_rule(
      "normal_latent",
      {{weighs<Weight>, no_weight},
       {!In.stream, no_stream},
       {In.channels % 2 == 0, "the input must have an even number of channels: means, then logarithms of variances"}});
  static constexpr sample_shape out = In.with_channels(In.channels / 2);
  static constexpr index_t sites = 1, penalties = 1, grain = sample_grain;  // the grain of the divergences' sum
  static constexpr bool needs_x = true;
  static constexpr memory_need forward_scratch = detail::need_per_sample(1);  // the divergence per sample

  template <class Call, class M>
  static void forward(const Call& c, const T* x, T* y, const M&, const M& scratch) {
    draw(c.state, unchecked, means(x, c.batch), log_variances(x, c.batch), samples_view<out>(y, c.batch), c.site);
    if (c.penalties && !c.replay)
      kl(c.state, unchecked, means(x, c.batch), log_variances(x, c.batch),
         view<T, extents<dynamic>>(unchecked, scratch.samples, extents<dynamic>(c.batch)), dense_view<1>(c.penalties),
         accumulate);
  }
  template <class Call, class M>
  static void backward(const Call& c, const T* x, T*, const T* dy, T* dx, const M&, const M&) {
    if (!dx) return;
    const auto dmean = means(dx, c.batch), dlog_variance = log_variances(dx, c.batch);
    draw.backward_data(c.state, unchecked, samples_view<out>(dy, c.batch), log_variances(x, c.batch), dmean,
                       dlog_variance, c.site);
    kl.backward_data(c.state, unchecked, means(x, c.batch), log_variances(x, c.batch), dmean, dlog_variance, accumulate,
                     loss_scale{weight_of<Weight> * c.penalty_scale / static_cast<double>(c.step_samples)});
  }
  template <class Call, class M>
  static void infer(const Call& c, const T* x, T* y, const M&) {
    if (c.draws)
      draw(c.state, unchecked, means(x, c.batch), log_variances(x, c.batch), samples_view<out>(y, c.batch), c.site);
    else
      copy_tensor<Policy>(c, means(x, c.batch), samples_view<out>(y, c.batch));
  }
  template <class Call>
  static void conclude(const Call& c) {
    if (c.penalties)
      *c.penalties = static_cast<T>(weight_of<Weight> / static_cast<double>(c.step_samples) * double(*c.penalties));
  }

 private:
  static constexpr kernel<normal_sample<T>, Policy> draw{};
  static constexpr kernel<divergence<T>, Policy> kl{};

  template <class U>
  static auto means(U* p, index_t batch) {
    return part<1>(samples_view<In>(p, batch), 0, out.channels);
  }
  template <class U>
  static auto log_variances(U* p, index_t batch) {
    return part<1>(samples_view<In>(p, batch), out.channels, out.channels);
  }
};

/// Parameters: the means of the weights and the bias, as in the op, then the logarithms of the weights' variances.
/// During the passes the gradient of the means holds that of the drawn weights.
template <class Op, class Weight, sample_shape In, class Policy>
struct block_layer<bayesian<Op, Weight>, In, Policy> : layer_base<In> {
  using inner = layer<Op, In, Policy>;
  static constexpr bool has_weights = requires { inner::weights_of_op; };
  static constexpr declare::sentence wrong = broken_rule<inner>(
      "bayesian",
      {{weighs<Weight>, no_weight},
       {has_weights,
        "the op must be a convolution or a matmul without .scale, and the derivative of its .act must depend on "
        "the result only: put other activations after the block"}});
  using T = typename inner::value_type;
  using value_type = T;
  static constexpr sample_shape out = inner::out;
  static constexpr index_t weights = [] {
    if constexpr (has_weights)
      return inner::weights_of_op;
    else
      return index_t{1};
  }();
  static constexpr index_t variances_at = inner::parameters, parameters = inner::parameters + weights;
  static constexpr index_t sites = 1, penalties = 1, grain = inner::grain, multiply_adds = inner::multiply_adds;
  static constexpr index_t packed = inner::packed, thread_workspace = inner::thread_workspace;
  static constexpr bool needs_x = inner::needs_x, needs_y = inner::needs_y;
  static constexpr feature_role features = inner::features;
  static constexpr memory_need of_weights = detail::need_fixed(inner::parameters);
  static constexpr memory_need kept = of_weights + inner::kept, forward_scratch = inner::forward_scratch,
                               backward_scratch = inner::backward_scratch,
                               infer_scratch = of_weights + inner::infer_scratch;

  template <class F>
  static void each_parameter(F& f, const detail::parameter_path& path) {
    parameter of_variances;
    const auto visit = [&](const parameter& p) {
      if (p.offset == path.parameters) of_variances = p;
      f(p);
    };
    inner::each_parameter(visit, path);
    path.rename(of_variances, "log_variance");
    of_variances.offset += variances_at, of_variances.start = parameter::small_variances;
    f(static_cast<const parameter&>(of_variances));
  }

  template <class Call, class M>
  static void forward(const Call& c, const T* x, T* y, const M& kept_memory, const M& scratch) {
    inner::forward(drawn(c, kept_memory.fixed), x, y, kept_memory.at(of_weights), scratch);
  }
  template <class Call, class M>
  static void backward(const Call& c, const T* x, T* y, const T* dy, T* dx, const M& kept_memory, const M& scratch) {
    Call as_drawn = c;
    as_drawn.parameters = kept_memory.fixed;
    inner::backward(as_drawn, x, y, dy, dx, kept_memory.at(of_weights), scratch);
  }
  template <class Call, class M>
  static void infer(const Call& c, const T* x, T* y, const M& scratch) {
    if constexpr (is_packed_call<Call>)  // packs the means
      inner::infer(c, x, y, scratch.at(of_weights));
    else
      inner::infer(c.draws ? drawn(c, scratch.fixed) : c, x, y, scratch.at(of_weights));
  }
  static void pack(const T* learned, const T* running, T* to) {
    if constexpr (packed > 0) inner::pack(learned, running, to);
  }
  template <class Call>
  static void conclude(const Call& c) {
    const auto mean = row(c.parameters), log_variance = row(c.parameters + variances_at);
    const kernel<divergence<T>, Policy> kl;
    if (c.gradient) {
      const auto dmean = row(c.gradient), dlog_variance = row(c.gradient + variances_at);
      draw.backward_data(c.state, unchecked, dmean, log_variance, dmean, dlog_variance, site_of(c));
      kl.backward_data(c.state, unchecked, mean, log_variance, dmean, dlog_variance, accumulate,
                       loss_scale{weight_of<Weight> * c.penalty_scale});
    }
    if (c.penalties) {
      T of_all[1];
      kl(c.state, unchecked, mean, log_variance, dense_view<1>(of_all), dense_view<1>(c.penalties));
      *c.penalties = static_cast<T>(weight_of<Weight> * double(*c.penalties));
    }
  }

 private:
  static constexpr kernel<normal_sample<T>, Policy> draw{};

  /// The weights as one row, which is one sample of the draw.
  template <class U>
  static auto row(U* p) {
    return dense_view<1, weights>(p);
  }
  /// The random site of a step's draw, which all samples share.
  template <class Call>
  static random_site site_of(const Call& c) {
    random_site s = c.site;
    s.sample = 0;
    return s;
  }
  /// Draws the weights into `to`, copies the bias after them, and returns the op's call with these parameters.
  template <class Call>
  static Call drawn(const Call& c, T* to) {
    draw(c.state, unchecked, row(c.parameters), row(c.parameters + variances_at), row(to), site_of(c));
    if constexpr (inner::parameters > weights) {
      constexpr index_t biases = inner::parameters - weights;
      copy_tensor<Policy>(c, dense_view<1, biases>(c.parameters + weights), dense_view<1, biases>(to + weights));
    }
    Call as_drawn = c;
    as_drawn.parameters = to;
    return as_drawn;
  }
};

}  // namespace tern::inline TERN_ISA::impl
