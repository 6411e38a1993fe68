// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layers of maps, softmax and L2 normalisation, and map calls for other layers.
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include "tern/block/layer.hpp"
#include "tern/core/config.hpp"
#include "tern/core/order.hpp"
#include "tern/kernel/arguments.hpp"
#include "tern/kernel/elementwise.hpp"
#include "tern/kernel/l2_normalize.hpp"
#include "tern/kernel/map_of.hpp"
#include "tern/kernel/softmax.hpp"
#include "tern/op/elementwise.hpp"
#include "tern/op/map_of.hpp"
#include "tern/op/softmax.hpp"

namespace tern::inline TERN_ISA::impl {

/// The error of a pass between samples of two shapes. Checked here, because layers call kernels unchecked.
template <class Pass, class Op, sample_shape In, sample_shape Out>
constexpr declare::sentence error_of_samples() {
  return declare::error_of_types<Pass, typename static_samples<In, const typename Pass::value_type>::type,
                                 typename static_samples<Out, typename Pass::value_type>::type>(Op::name);
}

/// Copies a tensor to another of the same shape, bit by bit, so that it can copy streams, too.
template <class Policy, class Call, class From, class To>
void copy_tensor(const Call& c, const From& from, const To& to) {
  kernel<elementwise<elementwise_config{}, typename Call::value_type>, Policy>()(c.state, unchecked, from, to);
}
// Functions of samples take shapes or sizes as values, so layers that differ only in these share them.

/// y = x, samples of `size` elements.
template <class Policy, class Call>
void copy_samples(const Call& c, index_t size, const typename Call::value_type* x, typename Call::value_type* y) {
  if (x != y) copy_tensor<Policy>(c, rows_view(x, c.batch, size), rows_view(y, c.batch, size));
}
/// y = a + b; y may be one of them.
template <class Policy, class Call>
void add_samples(const Call& c, index_t size, const typename Call::value_type* a, const typename Call::value_type* b,
                 typename Call::value_type* y) {
  kernel<elementwise<elementwise_config{.residual = true}, typename Call::value_type>, Policy>()(
      c.state, unchecked, rows_view(a, c.batch, size), rows_view(b, c.batch, size), rows_view(y, c.batch, size));
}
/// The operand as a tuple, or an empty one.
template <bool Given, class Operand>
auto only(const Operand& o) {
  if constexpr (Given)
    return std::tuple(o);
  else
    return std::tuple();
}
/// y = the steps applied to x, with numbers per channel; y may be x.
template <class Policy, int Rank, elementwise_config Steps, class Call, class T>
void apply_steps(const Call& c, const sample_shape& s, const T* x, T* y, const step_operands<T>& o) {
  const kernel<elementwise<Steps, T>, Policy> k;
  std::apply(
      [&](const auto&... with) {
        k(c.state, unchecked, samples_view<Rank>(x, c.batch, s), with..., samples_view<Rank>(y, c.batch, s));
      },
      std::tuple_cat(only<Steps.scale>(numbers_view(o.scale, s.channels)),
                     only<Steps.bias>(numbers_view(o.bias, s.channels)),
                     only<Steps.residual>(samples_view<Rank>(o.residual, c.batch, s))));
}
/// Runs a layer in inference, then elementwise steps on its result; fuses them if the layer can.
template <class Layer, elementwise_config Steps, class Policy, class Call, class X, class T, class M>
void infer_fused(const Call& c, X x, T* y, const M& scratch, const step_operands<T>& o) {
  if constexpr (Steps == elementwise_config{}) {
    Layer::infer(c, x, y, scratch);
  } else if constexpr (Layer::template fuses_steps<Steps>) {
    Layer::template infer_fused<Steps>(c, x, y, scratch, o);
  } else {
    Layer::infer(c, x, y, scratch);
    apply_steps<Policy, Layer::out.rank, Steps>(c, Layer::out, static_cast<const T*>(y), y, o);
  }
}
/// dx = dy times the derivative of an activation; `saved` is its result or its argument (derivative_from_result).
template <class Policy, activation Act, class Call>
void activation_gradient(const Call& c, index_t size, const typename Call::value_type* dy,
                         const typename Call::value_type* saved, typename Call::value_type* dx) {
  using T = typename Call::value_type;
  kernel<elementwise<elementwise_config{.act = Act}, T>, Policy>().backward_data(
      c.state, unchecked, rows_view(dy, c.batch, size), rows_view(saved, c.batch, size), rows_view(dx, c.batch, size));
}

// ---------------------------------------------------------------------------------------------------------------------
// Blocks that move nothing

template <sample_shape In, class Policy>
struct block_layer<skip, In, Policy> : layer_base<In> {
  static constexpr bool in_place = true, restores_x = true, gradient_in_place = true;
  static constexpr feature_role features = feature_role::kept;
  template <class Call, class T, class M>
  static void forward(const Call& c, const T* x, T* y, const M&, const M&) {
    copy_samples<Policy>(c, In.size(), x, y);
  }
  template <class Call, class T, class M>
  static void backward(const Call& c, const T*, T*, const T* dy, T* dx, const M&, const M&) {
    if (dx) copy_samples<Policy>(c, In.size(), dy, dx);
  }
  template <class Call, class T, class M>
  static void infer(const Call& c, const T* x, T* y, const M&) {
    copy_samples<Policy>(c, In.size(), x, y);
  }
};

template <sample_shape In, class Policy>
struct block_layer<flatten, In, Policy> : block_layer<skip, In, Policy> {
  static constexpr declare::sentence wrong = broken_rule("flatten", {{!In.stream, no_stream}});
  static constexpr sample_shape out = sample_shape::features(In.size());
};

template <sample_shape Shape, sample_shape In, class Policy>
struct block_layer<reshape<Shape>, In, Policy> : block_layer<skip, In, Policy> {
  static constexpr declare::sentence wrong = [] {
    declare::sentence s = broken_rule("reshape", {{!In.stream, no_stream}});
    if (s.empty() && Shape.size() != In.size())
      s << "reshape: the shape must have as many elements as the input: " << In << " and " << Shape;
    return s;
  }();
  static constexpr sample_shape out = Shape;
};

// ---------------------------------------------------------------------------------------------------------------------
// Elementwise ops

/// \tparam Positions  true if parameters are tensors of a sample's shape; else they have a number per channel
template <class Op, sample_shape In, class Policy, bool Positions>
struct elementwise_layer : layer_base<In> {
  using op_type = typename Op::op_type;
  using value_type = typename op_type::value_type;
  using T = value_type;
  static constexpr elementwise_config C = op_type::config;
  static constexpr feature_role features = feature_role::kept;
  static constexpr declare::sentence wrong =
      broken_rule(Positions ? "per_element" : "elementwise", {{!C.residual, residual_op}, {!In.stream, no_stream}});
  static constexpr bool active = C.act != activation::none, sloped = C.act.takes_slope(),
                        from_result = derivative_from_result(C.act), weighted = C.scale || C.bias;
  // The derivative is taken from y, from x, or, for sums with a scale or bias, from a stored tensor of sums.
  static constexpr bool from_sums = active && !from_result;
  static constexpr index_t numbers = Positions ? In.size() : In.channels;
  static constexpr index_t bias_at = C.scale ? numbers : 0, slope_at = bias_at + (C.bias ? numbers : 0),
                           parameters = slope_at + (sloped ? numbers : 0);
  static constexpr index_t grain = parameters > 0 ? grain_samples(Positions ? 1 : In.positions()) : 1;
  static constexpr bool needs_y = active && from_result, needs_x = C.scale || (from_sums && !weighted);
  static constexpr bool in_place = !needs_x, gradient_in_place = parameters == 0;
  static constexpr memory_need kept = from_sums && weighted ? detail::need_per_sample(In.size()) : memory_need{};

  template <class F>
  static void each_parameter(F& f, const detail::parameter_path& path) {
    const auto visit = [&](const char* name, index_t at, parameter::start_values start) {
      if constexpr (Positions && In.rank > 0) {
        if constexpr (In.rank == 1)
          path.visit(f, name, at, start, 1, false, In.extent[0], In.channels);
        else if constexpr (In.rank == 2)
          path.visit(f, name, at, start, 1, false, In.extent[0], In.extent[1], In.channels);
        else
          path.visit(f, name, at, start, 1, false, In.extent[0], In.extent[1], In.extent[2], In.channels);
      } else {
        path.visit(f, name, at, start, 1, false, In.channels);
      }
    };
    if (C.scale) visit("scale", 0, parameter::ones);
    if (C.bias) visit("bias", bias_at, parameter::zeros);
    if (sloped) visit("slope", slope_at, parameter::quarters);
  }

  template <class Call, class M>
  static void forward(const Call& c, const T* x, T* y, const M& kept_memory, const M&) {
    if constexpr (from_sums && weighted) {
      constexpr elementwise_config sums{.scale = C.scale, .bias = C.bias}, last{.act = C.act};
      run<sums>(c, x, kept_memory.samples);
      run<last>(c, kept_memory.samples, y);
    } else {
      run<C>(c, x, y);
    }
  }
  template <class Call, class M>
  static void infer(const Call& c, const T* x, T* y, const M&) {
    run<C>(c, x, y);
  }
  static constexpr bool is_elementwise = !Positions && !sloped;
  static constexpr elementwise_config infer_steps = C;
  template <class Call, class M>
  static step_operands<T> infer_operands(const Call& c, const M&) {
    return {C.scale ? c.parameters : nullptr, C.bias ? c.parameters + bias_at : nullptr};
  }
  template <elementwise_config Steps>
  static constexpr bool fuses_steps = is_elementwise && C.precedes(Steps);
  template <elementwise_config Steps, class Call, class M>
  static void infer_fused(const Call& c, const T* x, T* y, const M& scratch, const step_operands<T>& o) {
    apply_steps<Policy, In.rank, C.with(Steps)>(c, In, x, y, infer_operands(c, scratch).with(o));
  }

  template <class Call, class M>
  static void backward(const Call& c, const T* x, T* y, const T* dy, T* dx, const M& kept_memory, const M&) {
    const kernel<op_type, Policy> k;
    const auto ddy = samples_view<In>(dy, c.batch);
    const auto from_x = samples_view<In>(x, c.batch);
    const auto saved = samples_view<In, const T>(from_result             ? y
                                                 : weighted && from_sums ? kept_memory.samples
                                                                         : x,
                                                 c.batch);
    const auto scale = only<C.scale>(numbers_of<const T>(c.parameters));
    const auto slope = only<sloped>(numbers_of<const T>(c.parameters + slope_at));
    const auto undone = only<active>(saved);
    // The operands of backward passes: empty tuples for those that a call does not take.
    const auto with = [](auto f, const auto&... operands) { std::apply(f, std::tuple_cat(operands...)); };
    if constexpr (C.scale)
      with(
          [&](const auto&... o) {
            k.backward_scale(c.state, unchecked, ddy, o..., from_x, numbers_of<T>(c.gradient), accumulate);
          },
          undone, slope);
    if constexpr (C.bias)
      with(
          [&](const auto&... o) {
            k.backward_bias(c.state, unchecked, ddy, o..., numbers_of<T>(c.gradient + bias_at), accumulate);
          },
          undone, slope);
    if constexpr (sloped)
      k.backward_slope(c.state, unchecked, ddy, saved, numbers_of<T>(c.gradient + slope_at), accumulate);
    if (!dx) return;
    if constexpr (active || C.scale)
      with([&](const auto&... o) { k.backward_data(c.state, unchecked, ddy, o..., samples_view<In>(dx, c.batch)); },
           undone, scale, slope);
    else
      copy_samples<Policy>(c, In.size(), dy, dx);
  }

 private:
  template <class U>
  static auto numbers_of(U* p) {
    if constexpr (Positions && In.rank > 0) {
      return positions_view(p, std::make_index_sequence<static_cast<std::size_t>(In.rank)>());
    } else {
      return numbers_view<In.channels>(p);
    }
  }
  template <class U, std::size_t... R>
  static auto positions_view(U* p, std::index_sequence<R...>) {
    using shape = extents<1, In.channels, In.extent[R]...>;
    return view<U, shape, layout_channels_last>(unchecked, p, shape());
  }
  template <elementwise_config Steps, class Call>
  static void run(const Call& c, const T* x, T* y) {
    const kernel<elementwise<Steps, T>, Policy> k;
    std::apply(
        [&](const auto&... o) {
          k(c.state, unchecked, samples_view<In>(x, c.batch), o..., samples_view<In>(y, c.batch));
        },
        std::tuple_cat(only<Steps.scale>(numbers_of<const T>(c.parameters)),
                       only<Steps.bias>(numbers_of<const T>(c.parameters + bias_at)),
                       only<Steps.act.takes_slope()>(numbers_of<const T>(c.parameters + slope_at))));
  }
};

template <elementwise_config C, class T, class Op, sample_shape In, class Policy>
struct op_layer<elementwise<C, T>, Op, In, Policy> : elementwise_layer<Op, In, Policy, false> {};
template <class OpType, class Op, sample_shape In, class Policy>
struct per_element_layer : layer_base<In> {
  static constexpr declare::sentence wrong =
      broken_rule("per_element", {{false, "the op must be a tern::elementwise"}});
};
template <elementwise_config C, class T, class Op, sample_shape In, class Policy>
struct per_element_layer<elementwise<C, T>, Op, In, Policy> : elementwise_layer<Op, In, Policy, true> {};
template <class Op, sample_shape In, class Policy>
struct block_layer<per_element<Op>, In, Policy> : per_element_layer<typename Op::op_type, Op, In, Policy> {};

// ---------------------------------------------------------------------------------------------------------------------
// Functions of the program

template <class F, class T, class Op, sample_shape In, class Policy>
struct op_layer<map_of<F, T>, Op, In, Policy> : layer_base<In> {
  using value_type = T;
  static constexpr declare::sentence wrong = broken_rule(
      Op::name,
      {{map_of<F, T>::operands == 1, "the function of a block must take one tensor"}, {!In.stream, no_stream}});
  static constexpr declare::sentence no_backward = broken_rule(
      Op::name,
      {{declare::has_derivative<F, T>, "training needs the derivative of the function: V derivative(V x) const"}});
  static constexpr bool needs_x = declare::has_derivative<F, T>, in_place = true, gradient_in_place = true;
  static constexpr feature_role features = feature_role::kept;

  template <class Call>
  static void infer(const Call& c, const T* x, T* y, const auto&) {
    kernel<Op, Policy>()(c.state, unchecked, rows(x, c), rows(y, c));
  }
  template <class Call, class M>
  static void forward(const Call& c, const T* x, T* y, const M& m, const M&) {
    infer(c, x, y, m);
  }
  template <class Call, class M>
  static void backward(const Call& c, const T* x, T*, const T* dy, T* dx, const M&, const M&) {
    if (dx) kernel<Op, Policy>().backward_data(c.state, unchecked, rows(dy, c), rows(x, c), rows(dx, c));
  }

 private:
  template <class U, class Call>
  static auto rows(U* p, const Call& c) {
    return rows_view(p, c.batch, In.size());
  }
};

// ---------------------------------------------------------------------------------------------------------------------
// Softmax and L2 normalisation

constexpr const char* name_of(const softmax_config&) { return "softmax"; }
constexpr const char* name_of(const l2_config&) { return "l2_normalize"; }

/// The axis of an op with config C, and the error of an axis that samples do not have.
template <auto C, sample_shape In>
struct axis_of_samples {
  static constexpr int axes = static_cast<int>(In.rank) + 2, axis = C.axis_of(axes);
  static constexpr declare::sentence wrong = [] {
    declare::sentence s;
    if (axis < 0 || axis >= axes)
      s << name_of(C) << ": .axis must be between " << index_t(-axes) << " and " << index_t(axes - 1) << ", as x is ?x"
        << In;
    return s;
  }();
};
template <softmax_config C, class T, sample_shape In, class Policy>
  requires(!valid_config<softmax<C, T>>)
struct find_layer<softmax<C, T>, In, Policy> {
  using type = wrong_layer<In, axis_of_samples<C, In>>;
};

enum class backward_reads { x, y };
/// The layer of an op along one axis.
/// \tparam Pass   its forward pass
/// \tparam Reads  the tensor that the backward pass reads
template <class Op, class Pass, backward_reads Reads, sample_shape In, class Policy>
struct axis_layer : layer_base<In> {
  using value_type = typename Op::value_type;
  static constexpr auto config = Op::config;
  static constexpr feature_role features = feature_role::kept;
  static constexpr declare::sentence wrong = [] {
    declare::sentence s =
        broken_rule(name_of(config), {{In.rank == 0 || config.axis != config.last,
                                       ".axis must be given where samples have positions: 1 for channels, 2 for the "
                                       "first axis of positions"}});
    if (s.empty()) s = axis_of_samples<config, In>::wrong;
    return s.empty() ? error_of_samples<Pass, Op, In, In>() : s;
  }();
  static constexpr bool needs_x = Reads == backward_reads::x, needs_y = !needs_x, in_place = true,
                        gradient_in_place = true;
  static constexpr bool whole_batch = axis_of_samples<config, In>::axis == 0;
  template <class Call, class T, class M>
  static void forward(const Call& c, const T* x, T* y, const M&, const M&) {
    kernel<Op, Policy>()(c.state, unchecked, samples_view<In>(x, c.batch), samples_view<In>(y, c.batch));
  }
  template <class Call, class T, class M>
  static void backward(const Call& c, const T* x, T* y, const T* dy, T* dx, const M&, const M&) {
    if (dx)
      kernel<Op, Policy>().backward_data(c.state, unchecked, samples_view<In>(dy, c.batch),
                                         samples_view<In, const T>(needs_x ? x : y, c.batch),
                                         samples_view<In>(dx, c.batch));
  }
  template <class Call, class T, class M>
  static void infer(const Call& c, const T* x, T* y, const M& m) {
    forward(c, x, y, m, m);
  }
};
template <softmax_config C, class T, class Op, sample_shape In, class Policy>
struct op_layer<softmax<C, T>, Op, In, Policy>
    : axis_layer<softmax<C, T>, declare::softmax_pass<C, T>, backward_reads::y, In, Policy> {
  using base = axis_layer<softmax<C, T>, declare::softmax_pass<C, T>, backward_reads::y, In, Policy>;
  static constexpr declare::sentence wrong =
      C.mask ? broken_rule("softmax", {{false, "an op with .mask is no block: nothing gives it the mask"}})
             : base::wrong;
};
template <l2_config C, class T, class Op, sample_shape In, class Policy>
struct op_layer<l2_normalize<C, T>, Op, In, Policy>
    : axis_layer<l2_normalize<C, T>, declare::l2_pass<C, T>, backward_reads::x, In, Policy> {};

}  // namespace tern::inline TERN_ISA::impl
