// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block for one shape of its input: sizes, memory and passes. Specialised for every op and combinator, and by users
// for their own blocks.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "tern/block/memory.hpp"
#include "tern/block/parameters.hpp"
#include "tern/block/rules.hpp"
#include "tern/block/valid_config.hpp"
#include "tern/core/config.hpp"
#include "tern/core/layout_channels.hpp"
#include "tern/core/view.hpp"
#include "tern/core/workspace.hpp"
#include "tern/op/block.hpp"
#include "tern/op/dropout.hpp"
#include "tern/op/elementwise.hpp"
#include "tern/op/sample_shape.hpp"

namespace tern::inline TERN_ISA {

/// The arguments of a layer's passes besides tensors: run-time state, and the layer's part of the network's memory.
template <class T, class State>
struct layer_call {
  using value_type = T;

  State& state;
  index_t batch = 0;  ///< samples
  const T* parameters = nullptr;
  T* gradient = nullptr;          ///< of the parameters; passes add to it
  T* statistics = nullptr;        ///< running statistics: infer reads them, forward updates them unless it is a replay;
                                  ///< null in the backward pass
  double statistics_decay = 0.9;  ///< the share kept after a step
  bool replay = false;            ///< true if the forward pass is recomputed
  random_site site = {};          ///< site of the layer's first draw
  bool draws = false;             ///< infer draws like forward
  T* penalties = nullptr;  ///< the layer's penalties: forward adds to them unless it is a replay; null if not asked for
  double penalty_scale = 1;  ///< factor of the penalties' gradients
  index_t step_samples = 0;  ///< samples of the whole step

  /// The call of an inner layer.
  layer_call at(index_t parameter_offset, index_t statistic_offset, index_t site_offset,
                index_t penalty_offset = 0) const {
    layer_call c = *this;
    c.parameters += parameter_offset;
    if (c.gradient) c.gradient += parameter_offset;
    if (c.statistics) c.statistics += statistic_offset;
    if (c.penalties) c.penalties += penalty_offset;
    c.site.site += static_cast<std::uint32_t>(site_offset);
    return c;
  }
  layer_call again() const {
    layer_call c = *this;
    c.replay = true;
    return c;
  }
};

/// The call of packed inference, with the layer's parameters as packed by `pack`.
template <class T, class State>
struct packed_call : layer_call<T, State> {
  const T* packed = nullptr;
  workspace lent = {};  ///< for the kernels of each layer in turn

  packed_call at(index_t parameter_offset, index_t statistic_offset, index_t site_offset,
                 index_t penalty_offset = 0) const {
    return {layer_call<T, State>::at(parameter_offset, statistic_offset, site_offset, penalty_offset), packed, lent};
  }
};
/// True for calls of packed inference.
template <class Call>
inline constexpr bool is_packed_call = requires(const Call& c) { c.packed; };

/// The operands of fused steps, null if absent: numbers per channel, and samples shaped like the result.
template <class T>
struct step_operands {
  const T *scale = nullptr, *bias = nullptr, *residual = nullptr;

  TERN_INLINE step_operands with(const step_operands& next) const {
    return {scale ? scale : next.scale, bias ? bias : next.bias, residual ? residual : next.residual};
  }
};

/// The order of a layer's features (feature_order). kept: that of the input, feature by feature; made: a new one, from
/// weights; mixed: anything else.
enum class feature_role { kept, made, mixed };

/// Defaults of layers; a layer hides the ones that differ.
template <sample_shape In>
struct layer_base {
  using value_type = void;  ///< element type, if the block fixes one
  static constexpr sample_shape in = In, out = In;
  static constexpr declare::sentence wrong{};        ///< the reason why the block cannot take such samples; or empty
  static constexpr declare::sentence no_backward{};  ///< the reason why there is no backward pass; or empty
  static constexpr index_t parameters = 0, statistics = 0;  ///< elements
  static constexpr index_t sites = 0;                       ///< number of random sites
  /// Elements that pack(parameters, statistics, to) writes for inference. Layers with packed elements receive a
  /// packed_call, others a layer_call.
  static constexpr index_t packed = 0;
  /// Workspace in bytes per thread with which packed inference is fastest; the call lends it.
  static constexpr index_t thread_workspace = 0;
  static constexpr index_t multiply_adds = 0;  ///< of contractions, in a forward pass of a sample
  static constexpr index_t penalties = 0;      ///< number of penalties that the layer adds to the loss
  static constexpr index_t grain = 1;          ///< samples between cuts of a batch that keep the bits of gradients
  /// True if samples depend on each other, so that no cut keeps the bits; in inference, too, unless the layer sets
  /// `independent = true`.
  static constexpr bool whole_batch = false;
  static constexpr memory_need kept{};  ///< memory from the forward to the backward pass
  static constexpr memory_need forward_scratch{}, backward_scratch{}, infer_scratch{};
  static constexpr bool needs_x = false, needs_y = false;  ///< read by the backward pass
  static constexpr bool in_place = false;                  ///< y may overwrite an input of its size
  static constexpr bool restores_x = false;                ///< the backward pass recomputes an overwritten x from y
  static constexpr bool gradient_in_place = false;         ///< dx may overwrite dy
  static constexpr bool adds = false;                      ///< y is the sum of two inputs, whose gradients are dy
  static constexpr bool joins = false;                     ///< y concatenates its inputs; null ones are left out

  static constexpr feature_role features = feature_role::mixed;  ///< the order of features

  /// True if the layer in inference is a chain of elementwise steps with numbers per channel, which can be fused into
  /// the producer of its input. `infer_steps` are the steps, `infer_operands(call, scratch)` their numbers, which may
  /// be in the scratch. A layer that inherits such steps but has its own `infer` must reset both here and below;
  /// otherwise the inherited steps would run instead.
  static constexpr bool is_elementwise = false;
  static constexpr elementwise_config infer_steps{};
  /// True if infer_fused<Steps>(call, x, y, scratch, operands) exists: `infer` followed by these steps.
  template <elementwise_config Steps>
  static constexpr bool fuses_steps = false;

  /// Calls f(tern::parameter) for every tensor.
  template <class F>
  static void each_parameter(F&, const detail::parameter_path&) {}

  /// Runs once after all backward passes of a step: computes gradients of parameters that derive from others and from
  /// penalties, and scales the penalties to their share of the loss.
  template <class Call>
  static void conclude(const Call&) {}
};

namespace impl {

/// True if a sample's results in inference depend on that sample only. A layer that needs whole batches only in
/// training sets `independent`.
template <class L>
struct independent_layer {
  using type = bool;
  static constexpr type value = [] {
    if constexpr (requires { L::independent; }) return L::independent;
    return !L::whole_batch;
  }();
};

/// Specialised for the combinators of op/block.hpp and for ops.
template <class BlockType, auto In, class Policy>
struct block_layer;
template <class OpType, class Op, sample_shape In, class Policy>
struct op_layer : layer_base<In> {
  static constexpr declare::sentence wrong = broken_rule(
      Op::name, {{false, "this op is no block: it takes more than one tensor, or there is no tern::layer for it"}});
};

/// Replaces a layer that cannot take its samples: it has no passes.
/// \tparam Why  has the reason, `wrong`
template <sample_shape In, class Why>
struct wrong_layer : layer_base<In> {
  static constexpr declare::sentence wrong = Why::wrong;
};
template <class Layer>
using layer_if_right = std::conditional_t<Layer::wrong.empty(), Layer, wrong_layer<Layer::in, Layer>>;

constexpr sample_shape first_shape(const sample_shape& s) { return s; }
template <std::size_t N>
constexpr sample_shape first_shape(const std::array<sample_shape, N>& s) {
  return s[0];
}

template <class Block>
constexpr bool has_define = requires { &Block::define; };
template <class Block>
struct no_block {
  static constexpr declare::sentence wrong = broken_rule(
      "this is not a block",
      {{!has_define<Block>, "its `define` must be `static constexpr tern::value define(tern::graph&, tern::value)`"},
       {false,
        "it must be an op such as tern::conv2d<cfg>, a block of op/block.hpp, a struct with `define`, or a type for "
        "which tern::layer is specialised; or there is an error before this one"}});
};
/// True if networks have kernels for the element type of an op.
template <class Op>
constexpr bool has_real_type = [] {
  if constexpr (requires { typename Op::value_type; })
    return std::is_same_v<typename Op::value_type, float> || std::is_same_v<typename Op::value_type, double>;
  return true;
}();
template <class Op>
struct refused_op {
  static constexpr declare::sentence wrong = broken_rule(
      Op::name, {{has_real_type<Op>, "in a network the element type must be float or double"}, {false, no_stream}});
};
template <class Block, auto In, class Policy>
struct find_layer {
  using type = wrong_layer<first_shape(In), no_block<Block>>;
};
/// True for invertible ops that only move elements.
template <class OpType>
inline constexpr bool permutes = false;

template <class Block>
struct broken_block {
  static constexpr declare::sentence wrong = broken_rule(broken<Block>.name, {{false, broken<Block>.why}});
};
template <class Block, auto In, class Policy>
  requires(!valid_config<Block>)
struct find_layer<Block, In, Policy> {
  using type = wrong_layer<first_shape(In), broken_block<Block>>;
};
template <has_op_type Block, sample_shape In, class Policy>
struct find_layer<Block, In, Policy> {
  using type = wrong_layer<In, refused_op<Block>>;
};
template <has_op_type Block, sample_shape In, class Policy>
  requires(has_real_type<Block> && (!In.stream || permutes<typename Block::op_type>))
struct find_layer<Block, In, Policy> {
  using type = layer_if_right<op_layer<typename Block::op_type, Block, In, Policy>>;
};
template <has_block_type Block, auto In, class Policy>
struct find_layer<Block, In, Policy> {
  using type = layer_if_right<block_layer<typename Block::block_type, In, Policy>>;
};

/// The call for a layer: a packed_call only for layers with packed weights.
template <class L, class T, class State>
const layer_call<T, State>& call_of(const layer_call<T, State>& c) {
  return c;
}
template <class L, class T, class State>
  requires(L::packed > 0)
const packed_call<T, State>& call_of(const packed_call<T, State>& c) {
  return c;
}

}  // namespace impl

/// The layer of a block for samples of a shape under a policy. Has the members of layer_base, and
///
///     forward(call, x, y, kept, scratch)                  training: writes to `kept` for the backward pass
///     backward(call, x, y, dy, dx, kept, scratch)         dx may be null
///     infer(call, x, y, scratch)                          with known statistics and without random numbers
///
/// Tensors are pointers to `call.batch` samples of the shapes `in` and `out`. The backward pass reads x and y only if
/// needs_x and needs_y are set. A layer of several inputs has their shapes as a std::array, their number as `operands`,
/// and receives arrays of pointers as x and dx.
template <class Block, auto In, class Policy>
struct layer : impl::find_layer<Block, In, Policy>::type {};

namespace impl {

/// Samples of a shape as a tensor, with run-time extents, so that layers with equal ops share the functions of calls.
/// \tparam Rank  of the shape
template <int Rank, class T, std::size_t... R>
TERN_INLINE auto samples_view(T* p, index_t batch, const sample_shape& s, std::index_sequence<R...>) {
  using shape = dims<2 + Rank>;
  if constexpr (Rank == 0)
    return view<T, shape>(unchecked, p, shape(batch, s.channels));
  else
    return view<T, shape, layout_channels_last>(unchecked, p, shape(batch, s.channels, s.extent[R]...));
}
template <int Rank, class T>
TERN_INLINE auto samples_view(T* p, index_t batch, const sample_shape& s) {
  return samples_view<Rank>(p, batch, s, std::make_index_sequence<static_cast<std::size_t>(Rank)>());
}
template <sample_shape S, class T>
TERN_INLINE auto samples_view(T* p, index_t batch) {
  return samples_view<S.rank>(p, batch, S);
}
/// Samples as rows of `size` elements.
template <class T>
TERN_INLINE auto rows_view(T* p, index_t batch, index_t size) {
  return view<T, dims<2>>(unchecked, p, dims<2>(batch, size));
}
/// The type of samples with known extents, for checks while compiling.
template <sample_shape S, class T, class Axes = std::make_index_sequence<static_cast<std::size_t>(S.rank)>>
struct static_samples;
template <sample_shape S, class T, std::size_t... R>
struct static_samples<S, T, std::index_sequence<R...>> {
  using layout = std::conditional_t<S.rank == 0, layout_row, layout_channels_last>;
  using type = view<T, extents<dynamic, S.channels, S.extent[R]...>, layout>;
};
/// A vector of numbers, such as one per channel.
template <class T>
TERN_INLINE auto numbers_view(T* p, index_t count) {
  return view<T, dims<1>>(unchecked, p, dims<1>(count));
}
template <index_t Count, class T>
TERN_INLINE auto numbers_view(T* p) {
  return numbers_view(p, Count);
}
template <index_t... E, class T>
TERN_INLINE auto dense_view(T* p) {
  return view<T, extents<E...>>(unchecked, p, extents<E...>());
}

/// The element type of a network's layers, void if none fixes one.
template <class... T>
struct joint_types {
  using type = void;
  static constexpr bool agree = true;
};
template <class A, class... Rest>
struct joint_types<A, Rest...> {
  using rest = joint_types<Rest...>;
  using type = std::conditional_t<std::is_void_v<A>, typename rest::type, A>;
  static constexpr bool agree = rest::agree && (std::is_void_v<A> || std::is_void_v<typename rest::type> ||
                                                std::is_same_v<A, typename rest::type>);
};
inline constexpr rule types_of_parts(bool agree) { return {agree, "all ops must have the same element type"}; }

}  // namespace impl
}  // namespace tern::inline TERN_ISA
