// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of elementwise ops: forward, and the gradients of x, scale, bias and slope, each callable alone.
#pragma once

#include <type_traits>
#include <utility>

#include "tern/core/config.hpp"
#include "tern/core/epilogue.hpp"
#include "tern/core/image.hpp"
#include "tern/family/map/mapping.hpp"
#include "tern/family/reduction/place_sums.hpp"
#include "tern/kernel/declared_call.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/kernel/map_calls.hpp"
#include "tern/op/elementwise.hpp"

namespace tern::inline TERN_ISA {

namespace declare {

/// The tensors of calls of an elementwise op.
template <elementwise_config C, class T>
struct elementwise_tensors {
  using value_type = T;
  using required = options<>;
  static constexpr bool has_activation = C.act != activation::none, has_slope = C.act.takes_slope();

  static constexpr const char *whole = "n channels spatial...", *repeated = "n|1 channels spatial...|1";
  static constexpr tensor x = in("x", whole), dy = in("dy", whole),
                          saved = in("saved", whole).when(has_activation, ".act"),
                          residual = in("residual", whole).when(C.residual, ".residual"),
                          scale = in("scale", repeated).or_vector("channels").or_number().when(C.scale, ".scale"),
                          bias = in("bias", repeated).or_vector("channels").or_number().when(C.bias, ".bias"),
                          slope =
                              in("slope", repeated).or_vector("channels").or_number().when(has_slope, ".act", "prelu");

  static constexpr cost cost_of(const auto& q, index_t whole_tensors) {
    const index_t elements = q.elements();
    return {whole_tensors * elements, q.channels > 0 ? elements / q.channels : 0, q.channels,
            static_cast<double>(elements * decltype(q.f)::operations)};
  }
};

template <elementwise_config C, class T>
struct elementwise_pass : elementwise_tensors<C, T> {
  using base = elementwise_tensors<C, T>;
  using optional = options<>;
  using call =
      mapping<T, epilogue_map<epilogue{.bias = C.bias, .residual = C.residual, .act = C.act, .scale = C.scale}>>;
  template <class Policy>
  using kernel = mapping_kernel<Policy>;
  static constexpr declaration declared{"",
                                        0,
                                        3,
                                        base::x,
                                        base::scale,
                                        base::bias,
                                        base::residual,
                                        base::slope,
                                        out("y", base::whole).may_be("x scale bias residual slope")};
  static constexpr cost cost_of(const call& q) { return base::cost_of(q, 2 + C.residual); }

  template <bool, class... View>
  TERN_INLINE static call problem(const char*, const View&... view) {
    return at_places<call, elementwise_pass>(view...);
  }
};

template <elementwise_config C, class T>
struct elementwise_gradient_pass : elementwise_tensors<C, T> {
  using base = elementwise_tensors<C, T>;
  using optional = options<accumulate_t>;
  template <class Policy>
  using kernel = mapping_kernel<Policy>;
  static constexpr declaration declared{
      "backward_data", 0,           3,           base::dy,
      base::saved,     base::scale, base::slope, out("dx", base::whole).may_be("dy saved scale slope")};
  static constexpr cost cost_of(const auto& q) { return base::cost_of(q, 2 + base::has_activation); }

  template <bool Add, class... View>
  TERN_INLINE static auto problem(const char*, const View&... view) {
    auto q = at_places<mapping<T, epilogue_gradient_map<C.scale, C.act, Add>>, elementwise_gradient_pass>(view...);
    if constexpr (C.scale && base::has_slope) std::swap(q.in[2], q.in[3]);  // the map takes the slope first
    return q;
  }
};

enum class elementwise_weight { scale, bias, slope };

/// The gradient of a scale, bias or slope, summed over the positions to which each of its elements is broadcast.
template <elementwise_config C, class T, elementwise_weight W>
struct elementwise_sums_pass : elementwise_tensors<C, T> {
  using base = elementwise_tensors<C, T>;
  using optional = options<accumulate_t>;
  static constexpr bool of_weights = true;
  template <class Policy>
  using kernel = place_sums_kernel<Policy>;
  template <bool Add>
  using terms = std::conditional_t<
      W == elementwise_weight::scale, tile::scale_terms<C.act, Add>,
      std::conditional_t<W == elementwise_weight::bias, tile::bias_terms<C.act, Add>, tile::slope_terms<Add>>>;

  static constexpr tensor result(const char* name) { return out(name, base::repeated).or_vector("channels"); }
  static constexpr declaration declared =
      W == elementwise_weight::scale
          ? declaration("backward_scale", 0, 3, base::dy, base::saved, base::slope, base::x, result("dscale"))
      : W == elementwise_weight::bias
          ? declaration("backward_bias", 0, 3, base::dy, base::saved, base::slope, result("dbias"))
          : declaration("backward_slope", 0, 3, base::dy, in("saved", base::whole), result("dslope"));

  static constexpr void validate(sentence& s, const char* op, const fact*) {
    if (W == elementwise_weight::scale ? !C.scale : W == elementwise_weight::bias ? !C.bias : !base::has_slope)
      s << op << ": " << declared.pass << " is of an op "
        << (W == elementwise_weight::scale  ? "with .scale"
            : W == elementwise_weight::bias ? "with .bias"
                                            : "whose .act is prelu");
  }
  static constexpr cost cost_of(const auto& q) {
    return base::cost_of(q, 1 + base::has_activation + (W == elementwise_weight::scale));
  }

  template <bool Add, class Dy, class... More>
  TERN_INLINE static auto problem(const char*, const Dy& dy, const More&... more) {
    return summed_places<place_sums<T, terms<Add>>, elementwise_sums_pass>(dy, more...);
  }
};

/// The gradient of weights with the most inputs.
template <elementwise_config C, class T>
using elementwise_weights_pass = elementwise_sums_pass<C, T,
                                                       C.scale  ? elementwise_weight::scale
                                                       : C.bias ? elementwise_weight::bias
                                                                : elementwise_weight::slope>;

template <elementwise_config C, class T, class Op, class Policy>
using elementwise_operations =
    std::conditional_t<C.scale || C.bias || C.act.takes_slope(),
                       declared_operations<Op, Policy, elementwise_pass<C, T>, elementwise_gradient_pass<C, T>,
                                           elementwise_weights_pass<C, T>>,
                       declared_operations<Op, Policy, elementwise_pass<C, T>, elementwise_gradient_pass<C, T>>>;

}  // namespace declare

template <elementwise_config Config, class T, class Op, class Policy>
struct operations<elementwise<Config, T>, Op, Policy> : declare::elementwise_operations<Config, T, Op, Policy> {
  /// y = act(x scale + bias + residual).
  ///
  ///     k([state,] x [, scale] [, bias] [, residual] [, slope], y)
  ///
  /// \param x         (n, channels, spatial...), in any layout
  /// \param scale, bias, slope  given exactly if `.scale`, `.bias` are set or `.act` is prelu. A number per channel (rank
  ///                         1), one number for all (not under simt), or a tensor of x's rank with the channels of x;
  ///                         its other extents are those of x or 1
  /// \param residual  shape of x, given exactly if `.residual` is set
  /// \param y         shape of x; may be an input itself, and shares no other element with one
  /// Throws std::invalid_argument, before anything is written, if shapes disagree, a view is null, y shares elements
  /// with an input, or tiles are too small. Cost: every element is read and written once.
  template <class... Args>
  void operator()(Args&&... args) const {
    declare::run<Op, Policy, declare::elementwise_pass<Config, T>>(args...);
  }

  /// dx = dy act' scale: the gradient of the loss with respect to x.
  ///
  ///     k.backward_data([state,] dy [, saved] [, scale] [, slope], dx [, tern::accumulate])
  ///
  /// \param dy     shape of x: the gradient with respect to y
  /// \param saved  given if there is an activation: y if tern::derivative_from_result(act), else the activation's
  ///               argument
  /// \param scale, slope  given exactly as in the forward pass
  /// \param dx     shape of x; may be an input itself
  /// Without `.scale`, dx is also the gradient of residual and, element by element, of bias. Errors and cost are those
  /// of the forward pass.
  template <class... Args>
  void backward_data(Args&&... args) const {
    declare::run<Op, Policy, declare::elementwise_gradient_pass<Config, T>>(args...);
  }

  /// The gradients of the loss with respect to scale, bias and slope, summed over the samples and positions to which
  /// each of their elements is broadcast.
  ///
  ///     k.backward_scale([state,] dy [, saved] [, slope], x, dscale [, tern::accumulate])      where .scale is set
  ///     k.backward_bias([state,] dy [, saved] [, slope], dbias [, tern::accumulate])           where .bias is set
  ///     k.backward_slope([state,] dy, saved, dslope [, tern::accumulate])                      where .act is prelu
  ///
  /// \param dy, saved, slope        as for backward_data
  /// \param x                       that of the forward pass
  /// \param dscale, dbias, dslope   shapes of scale, bias and slope; share no element with an input
  /// Accumulating a batch cut at grains (docs/numerics.md) in order gives the bits of the uncut batch. Errors are those
  /// of the forward pass. Cost: every input is read once. Under mimd all terms of one element are on one tile, except
  /// for a number per channel.
  template <class... Args>
  void backward_scale(Args&&... args) const {
    declare::run<Op, Policy, declare::elementwise_sums_pass<Config, T, declare::elementwise_weight::scale>>(args...);
  }
  template <class... Args>
  void backward_bias(Args&&... args) const {
    declare::run<Op, Policy, declare::elementwise_sums_pass<Config, T, declare::elementwise_weight::bias>>(args...);
  }
  template <class... Args>
  void backward_slope(Args&&... args) const {
    declare::run<Op, Policy, declare::elementwise_sums_pass<Config, T, declare::elementwise_weight::slope>>(args...);
  }
};

}  // namespace tern::inline TERN_ISA
