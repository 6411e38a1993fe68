// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layers of contractions: convolutions, transposed ones and matmuls. Scales, and activations whose derivative does not
// follow from the result, are fused in the op but become layers of their own in training, with the same bits.
#pragma once

#include <cstddef>
#include <span>
#include <tuple>
#include <type_traits>

#include "tern/block/conv_calls.hpp"
#include "tern/block/graph_layer.hpp"
#include "tern/block/layer.hpp"
#include "tern/block/lowering.hpp"
#include "tern/block/map_layers.hpp"
#include "tern/block/shapes.hpp"
#include "tern/core/config.hpp"
#include "tern/core/order.hpp"
#include "tern/kernel/conv.hpp"
#include "tern/kernel/matmul.hpp"
#include "tern/kernel/packed.hpp"
#include "tern/op/conv.hpp"
#include "tern/op/conv_transpose.hpp"
#include "tern/op/elementwise.hpp"
#include "tern/op/matmul.hpp"
#include "tern/policy/batch_rules.hpp"

namespace tern::inline TERN_ISA::impl {

/// The config without its epilogue, or with at most a bias.
template <auto C>
constexpr auto only_sums = [] {
  auto c = C;
  c.scale = false, c.bias = false, c.act = activation::none;
  return c;
}();
template <auto C>
constexpr auto without_activation = [] {
  auto c = C;
  c.act = activation::none;
  return c;
}();
template <activation Act>
constexpr bool has_own_derivative = Act != activation::none && !derivative_from_result(Act);

/// Base of the layers of contractions.
/// \tparam Self  the layer, which has the calls: run_forward, run_weights, run_data, pack_weights; and packed_weights()
/// \tparam Op    the op with at most a bias and an activation whose derivative is taken from y
template <class Self, class Op, sample_shape In, sample_shape Out, index_t Weights, class Policy>
struct weight_layer : layer_base<In> {
  using value_type = typename Op::value_type;
  using T = value_type;
  static constexpr auto C = Op::config;
  static constexpr sample_shape out = Out;
  static constexpr bool active = C.act != activation::none;
  static constexpr index_t weights_of_op = Weights, bias_at = Weights,
                           parameters = Weights + (C.bias ? Out.channels : 0);
  static constexpr index_t multiply_adds = Weights * Self::products_of_a_weight();
  static constexpr bool needs_x = true, needs_y = active;
  static constexpr feature_role features = feature_role::made;
  static constexpr memory_need backward_scratch = active ? detail::need_per_sample(Out.size()) : memory_need{};

  static constexpr index_t packed = Self::packed_weights();
  static void pack(const T* learned, const T*, T* to) { Self::pack_weights(learned, to); }

  static constexpr elementwise_config own_steps{.bias = C.bias, .act = C.act};
  template <class Call, class M>
  static void forward(const Call& c, const T* x, T* y, const M&, const M&) {
    Self::template run_forward<own_steps>(c, x, {.bias = c.parameters + bias_at}, y);
  }
  template <class Call, class M>
  static void infer(const Call& c, const T* x, T* y, const M& m) {
    forward(c, x, y, m, m);
  }
  template <elementwise_config Steps>
  static constexpr bool fuses_steps = own_steps.precedes(Steps) && !(Steps.scale && Self::without_scale);
  template <elementwise_config Steps, class Call, class M>
  static void infer_fused(const Call& c, const T* x, T* y, const M&, step_operands<T> o) {
    if (C.bias) o.bias = c.parameters + bias_at;
    Self::template run_forward<own_steps.with(Steps)>(c, x, o, y);
  }
  template <class Call, class M>
  static void backward(const Call& c, const T* x, T* y, const T* dy, T* dx, const M&, const M& scratch) {
    if constexpr (active) {
      activation_gradient<Policy, C.act>(c, Out.size(), dy, y, scratch.samples);
      dy = scratch.samples;
    }
    Self::run_weights(c, x, dy);
    if (dx) Self::run_data(c, dy, dx);
  }
};

template <class T, activation Act>
struct activation_op {
  using type = elementwise<elementwise_config{.act = Act}, T>;
};
/// An op followed by its activation as an op of its own, fused in inference unless it has slopes, which have names of
/// their own.
template <class Sums, activation Act, sample_shape In, class Policy>
struct lowered_with_activation
    : lowered_pair<Sums, typename activation_op<typename Sums::value_type, Act>::type, Act.takes_slope(), In, Policy> {
};

// ---------------------------------------------------------------------------------------------------------------------
// Convolutions

/// The error of a convolution of samples.
template <class Op, sample_shape In>
constexpr declare::sentence error_of_convolution() {
  constexpr auto& c = Op::config;
  if (Op::broken_rule()) return {};  // the network reports it
  declare::sentence s = broken_rank(Op::name, Op::rank, In);
  if (s.empty() && c.in != 0 && c.in != In.channels)
    s << Op::name << ": .in must be the channels of the input: it is " << c.in << " and x is " << In;
  if (s.empty() && c.in == 0 && In.channels % c.groups != 0)
    s << Op::name << ": .groups, " << c.groups << ", must divide the channels of the input: x is " << In;
  for (int r = 0; r < Op::rank && s.empty(); ++r)
    if (c.extent[r] != dynamic && c.extent[r] != In.extent[r])
      s << Op::name << ": x is ?x" << In << ": extent " << 2 + r << " must be " << c.extent[r] << ", as .extent says";
  if (s.empty()) s = broken_rule(Op::name, {{!c.residual, residual_op}});
  return s.empty() ? broken_window<Op>(In) : s;
}

template <class OpType, sample_shape In, bool Transposed>
constexpr index_t weights_of_convolution = static_cast<index_t>(OpType::config.kernel.product()) * OpType::config.in *
                                           OpType::config.out / OpType::config.groups;

template <class OpType, sample_shape In, class Policy, bool Transposed>
struct plain_convolution
    : weight_layer<plain_convolution<OpType, In, Policy, Transposed>, OpType, In,
                   detail::result_shape(OpType::config, In), weights_of_convolution<OpType, In, Transposed>, Policy> {
  using T = typename OpType::value_type;
  using passes = declare::conv_passes<OpType, Policy, Transposed>;
  static constexpr auto C = OpType::config;
  // For a transposed convolution the gradient sums over x, whose positions are those of the narrow tensor.
  static constexpr index_t grain = grain_samples((Transposed ? In : detail::result_shape(C, In)).positions());

  static constexpr bool without_scale = false;
  static constexpr index_t products_of_a_weight() {
    return (Transposed ? In : detail::result_shape(OpType::config, In)).positions();
  }
  static constexpr index_t packed_weights() { return kernel<OpType, Policy>::packed_size(); }

  static constexpr conv_layer_sizes sizes = [] {
    conv_layer_sizes s{passes::weights_shape(), OpType::rank};
    for (int r = 0; r < OpType::rank; ++r) s.shape.axis[3 - OpType::rank + r] = C.axis(r, In.extent[r]);
    return s;
  }();
  static constexpr index_t thread_workspace = [] {
    using kernels = convolution_kernel<Policy>;
    if constexpr (passes::forward_pass == conv_pass::forward &&
                  requires { kernels::template thread_workspace<T>(sizes.shape); })
      return kernels::template thread_workspace<T>(sizes.shape);
    else
      return index_t(0);
  }();
  template <conv_pass P, epilogue E>
  using sums = on_paths<conv_sums<T, P, E>,
                        passes::template paths_of<P == conv_pass::forward ? conv_work::forward : conv_work::data>>;
  template <elementwise_config Steps, class Call>
  static void run_forward(const Call& c, const T* x, const step_operands<T>& o, T* y) {
    constexpr epilogue after{.bias = Steps.bias, .residual = Steps.residual, .act = Steps.act, .scale = Steps.scale};
    const T* packed = nullptr;
    workspace lent;
    if constexpr (is_packed_call<Call>) packed = c.packed, lent = c.lent;
    run_sums<Policy, sums<passes::forward_pass, after>>(c.state, sizes, c.batch, x, c.parameters, packed, lent, o, y);
  }
  template <class Call>
  static void run_weights(const Call& c, const T* x, const T* dy) {
    using gradient = on_paths<conv_gradient<T, true>, passes::template paths_of<conv_work::weights>>;
    run_gradient<Policy, gradient>(c.state, sizes, c.batch, Transposed ? dy : x, Transposed ? x : dy, c.gradient);
    if constexpr (C.bias)
      run_bias_sums<Policy>(c.state, sizes, c.batch, dy, Transposed,
                            c.gradient + weights_of_convolution<OpType, In, Transposed>);
  }
  template <class Call>
  static void run_data(const Call& c, const T* dy, T* dx) {
    const T* const packed = nullptr;
    run_sums<Policy, sums<passes::backward_pass, epilogue{}>>(c.state, sizes, c.batch, dy, c.parameters, packed,
                                                              workspace{}, step_operands<T>{}, dx);
  }

  static void pack_weights(const T* w, T* to) { impl::pack_weights<Policy>(sizes, w, passes::forward_pass, to); }
  template <class F>
  static void each_parameter(F& f, const detail::parameter_path& path) {
    visit(f, path, std::make_index_sequence<static_cast<std::size_t>(OpType::rank)>());
    if (C.bias)
      path.visit(f, "bias", weights_of_convolution<OpType, In, Transposed>, parameter::zeros, 1, false, C.out);
  }

 private:
  static constexpr index_t rows = (Transposed ? C.out : C.in) / C.groups, columns = Transposed ? C.in : C.out;
  template <class F, std::size_t... R>
  static void visit(F& f, const detail::parameter_path& path, std::index_sequence<R...>) {
    index_t taps = 1;
    for (index_t size : C.kernel.of) taps *= size;
    if constexpr (Transposed)  // the sum of a result has only some taps
      for (index_t step : C.stride.of) taps = detail::batching::at_least(taps / step, 1);
    path.visit(f, "weight",
               parameter{.rank = OpType::rank + 2,
                         .shape = {C.kernel[R]..., rows, columns},
                         .start = parameter::random,
                         .fan_in = taps * C.in / C.groups,
                         .groups = C.groups});
  }
};

/// The config with the channels of the samples, unless it fixes them.
template <auto C, sample_shape In>
constexpr auto conv_of_samples = [] {
  auto c = C;
  if (c.in == 0) c.in = In.channels;
  return c;
}();

/// \tparam Inferred  the op with the samples' channels, which may not compile if they are wrong
template <class Op, class Inferred, sample_shape In, class Policy, bool Transposed>
struct convolution_if_valid {
  static constexpr declare::sentence wrong = error_of_convolution<Op, In>();
  using type = std::conditional_t<wrong.empty(), plain_convolution<Inferred, In, Policy, Transposed>,
                                  wrong_layer<In, convolution_if_valid>>;
};

/// A convolution whose scale, or activation, is an op of its own.
/// \tparam Bare  the op without its activation
/// \tparam Sums  the op without its epilogue
template <class OpType, class Bare, class Sums, sample_shape In, class Policy>
struct lowered_convolution : lowered_with_activation<Bare, OpType::config.act, In, Policy> {};
template <class OpType, class Bare, class Sums, sample_shape In, class Policy>
  requires(OpType::config.scale)
struct lowered_convolution<OpType, Bare, Sums, In, Policy> {
  static constexpr elementwise_config steps{.scale = true, .bias = OpType::config.bias, .act = OpType::config.act};
  using type = lowered_pair<Sums, elementwise<steps, typename OpType::value_type>, true, In, Policy>;
  using blocks = typename type::blocks;
  using graph_type = void;
  static constexpr sample_shape out = type::out;
  static constexpr value build(graph& g, value x) { return type::build(g, x); }
};
template <auto C>
constexpr bool is_pair = C.scale || has_own_derivative<C.act>;

template <int Rank, conv_config<Rank> C, class T, class Acc, class Op, sample_shape In, class Policy>
  requires is_pair<C>
struct lowered_op<convolution<Rank, C, T, Acc>, Op, In, Policy>
    : lowered_convolution<convolution<Rank, C, T, Acc>, convolution<Rank, without_activation<C>, T, Acc>,
                          convolution<Rank, only_sums<C>, T, Acc>, In, Policy> {};
template <int Rank, conv_transpose_config<Rank> C, class T, class Acc, class Op, sample_shape In, class Policy>
  requires is_pair<C>
struct lowered_op<transposed_convolution<Rank, C, T, Acc>, Op, In, Policy>
    : lowered_convolution<transposed_convolution<Rank, C, T, Acc>,
                          transposed_convolution<Rank, without_activation<C>, T, Acc>,
                          transposed_convolution<Rank, only_sums<C>, T, Acc>, In, Policy> {};

template <int Rank, conv_config<Rank> C, class T, class Acc, class Op, sample_shape In, class Policy>
  requires is_pair<C>
struct op_layer<convolution<Rank, C, T, Acc>, Op, In, Policy> : layer_of_graph<Op, In, Policy, false> {};
template <int Rank, conv_transpose_config<Rank> C, class T, class Acc, class Op, sample_shape In, class Policy>
  requires is_pair<C>
struct op_layer<transposed_convolution<Rank, C, T, Acc>, Op, In, Policy> : layer_of_graph<Op, In, Policy, false> {};
template <int Rank, conv_config<Rank> C, class T, class Acc, class Op, sample_shape In, class Policy>
  requires(!is_pair<C>)
struct op_layer<convolution<Rank, C, T, Acc>, Op, In, Policy>
    : convolution_if_valid<convolution<Rank, C, T, Acc>, convolution<Rank, conv_of_samples<C, In>, T, Acc>, In, Policy,
                           false>::type {};
template <int Rank, conv_transpose_config<Rank> C, class T, class Acc, class Op, sample_shape In, class Policy>
  requires(!is_pair<C>)
struct op_layer<transposed_convolution<Rank, C, T, Acc>, Op, In, Policy>
    : convolution_if_valid<transposed_convolution<Rank, C, T, Acc>,
                           transposed_convolution<Rank, conv_of_samples<C, In>, T, Acc>, In, Policy, true>::type {};

// ---------------------------------------------------------------------------------------------------------------------
// Matmuls

/// The config completed by the samples' sizes.
template <matmul_config C, sample_shape In>
constexpr matmul_config matmul_of_samples = [] {
  matmul_config c = C;
  c.m = dynamic, c.k = In.channels;
  return c;
}();

template <class OpType, sample_shape In, class Policy>
struct plain_matmul
    : weight_layer<plain_matmul<OpType, In, Policy>, OpType, In, sample_shape::features(OpType::config.n),
                   OpType::config.n * OpType::config.k, Policy> {
  static constexpr auto C = OpType::config;
  using T = typename OpType::value_type;
  static constexpr sample_shape out = sample_shape::features(C.n);
  static constexpr index_t grain = sample_grain;
  static constexpr bool without_scale = true;  // its epilogue has no scale
  static constexpr index_t products_of_a_weight() { return 1; }
  static constexpr index_t packed_weights() { return kernel<OpType, Policy>::packed_size(C.k, C.n); }

  template <elementwise_config Steps, class Call>
  static void run_forward(const Call& c, const T* x, const step_operands<T>& o, T* y) {
    constexpr matmul_config with = [] {
      matmul_config m = C;
      m.bias = Steps.bias, m.residual = Steps.residual, m.act = Steps.act;
      return m;
    }();
    const kernel<matmul<with, T, typename OpType::accumulator_type>, Policy> k;
    std::apply(
        [&](const auto&... operands) {
          k(c.state, unchecked, samples_view<In>(x, c.batch), weights_of(c), operands...,
            samples_view<out>(y, c.batch));
        },
        std::tuple_cat(only<Steps.bias>(numbers_view<C.n>(o.bias)),
                       only<Steps.residual>(samples_view<out>(o.residual, c.batch))));
  }
  template <class Call>
  static void run_weights(const Call& c, const T* x, const T* dy) {
    const kernel<OpType, Policy> k;
    const auto from = samples_view<In>(x, c.batch);
    const auto ddy = samples_view<out>(dy, c.batch);
    if constexpr (C.bias)
      k.backward_weights(c.state, unchecked, from, ddy, weights(c.gradient), numbers_view<C.n>(c.gradient + C.k * C.n),
                         accumulate);
    else
      k.backward_weights(c.state, unchecked, from, ddy, weights(c.gradient), accumulate);
  }
  template <class Call>
  static void run_data(const Call& c, const T* dy, T* dx) {
    kernel<OpType, Policy>().backward_data(c.state, unchecked, samples_view<out>(dy, c.batch), weights(c.parameters),
                                           samples_view<In>(dx, c.batch));
  }

  static void pack_weights(const T* w, T* to) {
    kernel<OpType, Policy>().pack(weights(w), std::span<T>(to, static_cast<std::size_t>(packed_weights())));
  }
  template <class F>
  static void each_parameter(F& f, const detail::parameter_path& path) {
    path.visit(f, "weight", 0, parameter::random, C.k, false, C.k, C.n);
    if (C.bias) path.visit(f, "bias", C.k * C.n, parameter::zeros, 1, false, C.n);
  }

 private:
  template <class U>
  static auto weights(U* p) {
    return dense_view<C.k, C.n>(p);
  }
  template <class Call>
  static auto weights_of(const Call& c) {
    const auto w = weights(c.parameters);
    if constexpr (is_packed_call<Call>) {
      using shape = typename decltype(w)::extents_type;
      using layout = layout_packed<pass::forward>;
      return view<const T, shape, layout>(unchecked, c.packed,
                                          typename layout::template mapping<shape>(w.extents(), packed_weights()));
    } else {
      return w;
    }
  }
};

template <class Op, sample_shape In, class Policy>
struct matmul_if_valid;
template <matmul_config C, class T, class Acc, sample_shape In, class Policy>
struct matmul_if_valid<matmul<C, T, Acc>, In, Policy> {
  static constexpr declare::sentence wrong = [] {
    declare::sentence s = broken_rank("matmul", 0, In);
    if (s.empty())
      s = broken_rule("matmul", {{C.m == dynamic && C.batch == 1,
                                  ".m and .batch must not be set: a network takes any number of samples"},
                                 {!C.residual, residual_op},
                                 {static_cast<double>(C.n) * static_cast<double>(In.channels) <= 0x1p45,
                                  "there must be at most 2^45 weights"}});
    if (s.empty() && C.k != dynamic && C.k != In.channels)
      s << "matmul: .k must be the features of the input: it is " << C.k << " and x is " << In;
    return s;
  }();
  using type = std::conditional_t<wrong.empty(), plain_matmul<matmul<matmul_of_samples<C, In>, T, Acc>, In, Policy>,
                                  wrong_layer<In, matmul_if_valid>>;
};

template <matmul_config C, class T, class Acc, class Op, sample_shape In, class Policy>
  requires(!has_own_derivative<C.act>)
struct op_layer<matmul<C, T, Acc>, Op, In, Policy> : matmul_if_valid<matmul<C, T, Acc>, In, Policy>::type {};
template <matmul_config C, class T, class Acc, class Op, sample_shape In, class Policy>
  requires(has_own_derivative<C.act>)
struct lowered_op<matmul<C, T, Acc>, Op, In, Policy>
    : lowered_with_activation<matmul<without_activation<C>, T, Acc>, C.act, In, Policy> {};
template <matmul_config C, class T, class Acc, class Op, sample_shape In, class Policy>
  requires(has_own_derivative<C.act>)
struct op_layer<matmul<C, T, Acc>, Op, In, Policy> : layer_of_graph<Op, In, Policy, false> {};

}  // namespace tern::inline TERN_ISA::impl
