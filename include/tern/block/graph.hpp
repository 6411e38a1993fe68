// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A network as a graph of blocks, built while compiling.
#pragma once

#include <concepts>
#include <initializer_list>
#include <source_location>
#include <type_traits>

#include "tern/block/graph_nodes.hpp"
#include "tern/block/graph_ops.hpp"
#include "tern/block/graph_parts.hpp"
#include "tern/block/valid_config.hpp"
#include "tern/core/activation.hpp"
#include "tern/core/config.hpp"
#include "tern/core/list.hpp"
#include "tern/core/sentence.hpp"
#include "tern/op/binary.hpp"
#include "tern/op/sample_shape.hpp"

namespace tern::inline TERN_ISA {

/// Builds a network that is not a chain: blocks are functions of values, and have names. A struct becomes a block by
/// its `define`:
///
///     struct squeeze_and_excite {
///       static constexpr tern::value define(tern::graph& g, tern::value x) {
///         auto s = g.global_avg_pool("pool", x);
///         s = g.conv2d("reduce", {.out = x.shape.channels / 4, .bias = true, .act = tern::activation::relu}, s);
///         s = g.conv2d("expand", {.out = x.shape.channels, .bias = true, .act = tern::activation::sigmoid}, s);
///         return g.multiply("scale", x, s);
///       }
///     };
///     using net = tern::network<squeeze_and_excite, tern::sample_shape::image(16, 32, 32), tern::simd<>>;
///
/// `define` runs while compiling, with ordinary loops, branches and functions. Blocks run in the order in which they
/// are added; a value may be read any number of times. Names are those of the parameters ("reduce.weight"), unique per
/// block; `inside` prefixes them. `.in` of a convolution defaults to the channels of its input.
///
/// An error in a graph is one compile error, which names the block and the line of the user's file.
class graph : public graph_nodes {
 public:
  /// Prefixes "name." to the names of blocks added while the result is alive.
  [[nodiscard]] constexpr scope inside(const char* name) { return inside(name, -1); }
  /// Prefixes "name.number.", for one of several blocks.
  [[nodiscard]] constexpr scope inside(const char* name, index_t number) {
    return scope(*this, name, number, checkpoints_scopes_ && segment_ < 0);
  }
  [[nodiscard]] constexpr scope inside(index_t number) { return inside("", number); }
  /// Blocks added while the result is alive are recomputed in the backward pass; their results are not kept.
  [[nodiscard]] constexpr segment checkpoint() { return segment(*this); }
  /// From here on, the blocks inside each outermost name are a checkpoint.
  constexpr void checkpoint_scopes() { checkpoints_scopes_ = true; }

  // -------------------------------------------------------------------------------------------------------------------
  // Ops, by their configs

  /// Each function adds a block of the op that it is named after.
  constexpr value conv1d(const char* name, const conv1d_config& c, const value& x, location at = location::current()) {
    return convolve<detail::graph_conv<1>>(name, c, x, at);
  }
  constexpr value conv2d(const char* name, const conv2d_config& c, const value& x, location at = location::current()) {
    return convolve<detail::graph_conv<2>>(name, c, x, at);
  }
  constexpr value conv3d(const char* name, const conv3d_config& c, const value& x, location at = location::current()) {
    return convolve<detail::graph_conv<3>>(name, c, x, at);
  }
  constexpr value conv_transpose1d(const char* name, const conv_transpose1d_config& c, const value& x,
                                   location at = location::current()) {
    return convolve<detail::graph_conv_transpose<1>>(name, c, x, at);
  }
  constexpr value conv_transpose2d(const char* name, const conv_transpose2d_config& c, const value& x,
                                   location at = location::current()) {
    return convolve<detail::graph_conv_transpose<2>>(name, c, x, at);
  }
  constexpr value conv_transpose3d(const char* name, const conv_transpose3d_config& c, const value& x,
                                   location at = location::current()) {
    return convolve<detail::graph_conv_transpose<3>>(name, c, x, at);
  }
  /// Takes features: put a flatten before it.
  constexpr value matmul(const char* name, const matmul_config& c, const value& x, location at = location::current()) {
    return with_activation<detail::graph_matmul>(name, c, x, at);
  }
  constexpr value batch_norm(const char* name, const norm_config& c, const value& x,
                             location at = location::current()) {
    return with_activation<detail::graph_norm<norm_kind::batch>>(name, c, x, at);
  }
  constexpr value layer_norm(const char* name, const norm_config& c, const value& x,
                             location at = location::current()) {
    return with_activation<detail::graph_norm<norm_kind::layer>>(name, c, x, at);
  }
  constexpr value group_norm(const char* name, const norm_config& c, const value& x,
                             location at = location::current()) {
    return with_activation<detail::graph_norm<norm_kind::group>>(name, c, x, at);
  }
  constexpr value instance_norm(const char* name, const norm_config& c, const value& x,
                                location at = location::current()) {
    return with_activation<detail::graph_norm<norm_kind::instance>>(name, c, x, at);
  }
  constexpr value rms_norm(const char* name, const norm_config& c, const value& x, location at = location::current()) {
    return with_activation<detail::graph_norm<norm_kind::rms>>(name, c, x, at);
  }
  /// Layer and RMS norms of the channels of every position, as in transformers.
  constexpr value layer_norm_channels(const char* name, const norm_config& c, const value& x,
                                      location at = location::current()) {
    return with_activation<detail::graph_position_norm<norm_kind::layer>>(name, c, x, at);
  }
  constexpr value rms_norm_channels(const char* name, const norm_config& c, const value& x,
                                    location at = location::current()) {
    return with_activation<detail::graph_position_norm<norm_kind::rms>>(name, c, x, at);
  }
  constexpr value elementwise(const char* name, const elementwise_config& c, const value& x,
                              location at = location::current()) {
    return op<detail::graph_elementwise>(name, c, x, at);
  }
  constexpr value activate(const char* name, activation act, value x, location at = location::current()) {
    return op<detail::graph_elementwise>(name, {.act = act}, x, at);
  }
  constexpr value max_pool1d(const char* name, const pool1d_config& c, const value& x,
                             location at = location::current()) {
    return op<detail::graph_pool<1, pool_kind::max>>(name, c, x, at);
  }
  constexpr value max_pool2d(const char* name, const pool2d_config& c, const value& x,
                             location at = location::current()) {
    return op<detail::graph_pool<2, pool_kind::max>>(name, c, x, at);
  }
  constexpr value max_pool3d(const char* name, const pool3d_config& c, const value& x,
                             location at = location::current()) {
    return op<detail::graph_pool<3, pool_kind::max>>(name, c, x, at);
  }
  constexpr value avg_pool1d(const char* name, const pool1d_config& c, const value& x,
                             location at = location::current()) {
    return op<detail::graph_pool<1, pool_kind::average>>(name, c, x, at);
  }
  constexpr value avg_pool2d(const char* name, const pool2d_config& c, const value& x,
                             location at = location::current()) {
    return op<detail::graph_pool<2, pool_kind::average>>(name, c, x, at);
  }
  constexpr value avg_pool3d(const char* name, const pool3d_config& c, const value& x,
                             location at = location::current()) {
    return op<detail::graph_pool<3, pool_kind::average>>(name, c, x, at);
  }
  /// The average over all positions, per channel. The result has one position: an image becomes 1 x 1.
  constexpr value global_avg_pool(const char* name, value x, location at = location::current()) {
    switch (x.shape.rank) {
      case 1: return avg_pool1d(name, {.kernel = whole_axis}, x, at);
      case 2: return avg_pool2d(name, {.kernel = whole_axis}, x, at);
      case 3: return avg_pool3d(name, {.kernel = whole_axis}, x, at);
      default: return fails(name, at, "a global_avg_pool takes positions, and features have none", x);
    }
  }
  /// The sum over all positions per channel.
  constexpr value global_sum_pool(const char* name, value x, location at = location::current()) {
    switch (x.shape.rank) {
      case 1: return avg_pool1d(name, {.kernel = whole_axis, .divisor = 1}, x, at);
      case 2: return avg_pool2d(name, {.kernel = whole_axis, .divisor = 1}, x, at);
      case 3: return avg_pool3d(name, {.kernel = whole_axis, .divisor = 1}, x, at);
      default: return fails(name, at, "a global_sum_pool takes positions, and features have none", x);
    }
  }
  constexpr value softmax(const char* name, const softmax_config& c, const value& x,
                          location at = location::current()) {
    return op<detail::graph_softmax>(name, c, x, at);
  }
  constexpr value l2_normalize(const char* name, const l2_config& c, const value& x,
                               location at = location::current()) {
    return op<detail::graph_l2_normalize>(name, c, x, at);
  }
  constexpr value upsample1d(const char* name, const upsample_config<1>& c, const value& x,
                             location at = location::current()) {
    return op<detail::graph_upsample<1>>(name, c, x, at);
  }
  constexpr value upsample2d(const char* name, const upsample_config<2>& c, const value& x,
                             location at = location::current()) {
    return op<detail::graph_upsample<2>>(name, c, x, at);
  }
  constexpr value upsample3d(const char* name, const upsample_config<3>& c, const value& x,
                             location at = location::current()) {
    return op<detail::graph_upsample<3>>(name, c, x, at);
  }
  constexpr value pad1d(const char* name, const pad1d_config& c, const value& x, location at = location::current()) {
    return op<detail::graph_pad<1>>(name, c, x, at);
  }
  constexpr value pad2d(const char* name, const pad2d_config& c, const value& x, location at = location::current()) {
    return op<detail::graph_pad<2>>(name, c, x, at);
  }
  constexpr value pad3d(const char* name, const pad3d_config& c, const value& x, location at = location::current()) {
    return op<detail::graph_pad<3>>(name, c, x, at);
  }
  constexpr value space_to_depth2d(const char* name, const space_to_depth_config<2>& c, const value& x,
                                   location at = location::current()) {
    return op<detail::graph_space_to_depth<2>>(name, c, x, at);
  }
  constexpr value depth_to_space2d(const char* name, const space_to_depth_config<2>& c, const value& x,
                                   location at = location::current()) {
    return op<detail::graph_depth_to_space<2>>(name, c, x, at);
  }
  constexpr value channel_shuffle(const char* name, const channel_shuffle_config& c, const value& x,
                                  location at = location::current()) {
    return op<detail::graph_channel_shuffle>(name, c, x, at);
  }
  /// Channels [first, first + count).
  constexpr value slice(const char* name, index_t first, index_t count, const value& x,
                        location at = location::current()) {
    const index_t channels = x.shape.channels;
    if (first < 0 || count < 1 || first > channels || count > channels - first) {
      declare::sentence s;
      s << "a slice of " << count << " channels from channel " << first << " on must be part of the " << channels
        << " of its input";
      return fails(name, at, s.text(), x);
    }
    return op<detail::graph_slice>(name, {first, count}, x, at);
  }
  /// x without .crop elements at the beginning of every axis and .crop_end at its end.
  constexpr value crop1d(const char* name, const crop1d_config& c, const value& x, location at = location::current()) {
    return op<detail::graph_crop<1>>(name, c, x, at);
  }
  constexpr value crop2d(const char* name, const crop2d_config& c, const value& x, location at = location::current()) {
    return op<detail::graph_crop<2>>(name, c, x, at);
  }
  constexpr value crop3d(const char* name, const crop3d_config& c, const value& x, location at = location::current()) {
    return op<detail::graph_crop<3>>(name, c, x, at);
  }
  /// The identity in inference.
  constexpr value dropout(const char* name, int percent, value x, location at = location::current()) {
    if (percent < 0 || percent >= 100)
      return fails(name, at, "the rate of a dropout must be at least 0 and less than 100 percent");
    return op<detail::graph_drop>(name, {.percent = percent}, x, at);
  }
  /// Refuses a rate as a fraction: it is in percent.
  template <std::floating_point Rate>
  constexpr value dropout(const char* name, Rate, const value&, location at = location::current()) {
    return fails(name, at, "the rate of a dropout is a whole number of percent: 20, not 0.2");
  }

  // -------------------------------------------------------------------------------------------------------------------
  // Joins of values, and changes of shape

  /// a + b.
  constexpr value add(const char* name, const operand& a = {}, const operand& b = {},
                      const end_of_join& end = location::current()) {
    return join<detail::sum_of_two>("add", name, end, a, b, "values that are added must have one shape");
  }
  /// a - b, a / b, and the larger or smaller of both, elementwise. Of two equal values, maximum and minimum give each
  /// half of the gradient.
  constexpr value subtract(const char* name, const operand& a = {}, const operand& b = {},
                           const end_of_join& end = location::current()) {
    return of_two(binary_kind::subtract, name, a, b, end);
  }
  constexpr value divide(const char* name, const operand& a = {}, const operand& b = {},
                         const end_of_join& end = location::current()) {
    return of_two(binary_kind::divide, name, a, b, end);
  }
  constexpr value maximum(const char* name, const operand& a = {}, const operand& b = {},
                          const end_of_join& end = location::current()) {
    return of_two(binary_kind::maximum, name, a, b, end);
  }
  constexpr value minimum(const char* name, const operand& a = {}, const operand& b = {},
                          const end_of_join& end = location::current()) {
    return of_two(binary_kind::minimum, name, a, b, end);
  }
  /// a b, elementwise. b may have one number per channel of a sample, as in a squeeze and excitation (Hu et al. 2017,
  /// arXiv 1709.01507).
  constexpr value multiply(const char* name, const operand& a = {}, const operand& b = {},
                           const end_of_join& end = location::current()) {
    return join<detail::product_of_two>(
        "multiply", name, end, a, b,
        "values that are multiplied must have one shape, or the second a number per channel", true);
  }
  /// Attention of every position of q over all of k and v, per head: softmax(q k^T / sqrt(channels of a head)) v. The
  /// channels of a head are contiguous. k and v have equally many positions, q and k equally many channels.
  constexpr value attention(const char* name, index_t heads, const operand& queries = {}, const operand& keys = {},
                            const operand& values = {}, const end_of_join& end = location::current()) {
    if (!are_values("attention", name, end, {queries, keys, values})) return nothing();
    const value &q = queries.of, &k = keys.of, &v = values.of;
    const location& at = end.at;
    if (heads < 1 || q.shape.channels % heads != 0 || v.shape.channels % heads != 0) {
      declare::sentence s;
      s << "the number of heads, " << heads << ", must divide the channels of queries and values";
      return fails(name, at, s.text(), q, v);
    }
    if (q.shape.channels != k.shape.channels)
      return fails(name, at, "queries and keys must have equally many channels", q, k);
    if (k.shape.positions() != v.shape.positions())
      return fails(name, at, "there must be as many keys as values", k, v);
    return named<detail::graph_attention>(
        name, at, q.shape.with_channels(v.shape.channels), {q, k, v},
        static_cast<detail::config_list<detail::attention_config>&>(*this).index_of({heads}));
  }
  /// Concatenates the channels of all values.
  constexpr value concat(const char* name, std::initializer_list<value> parts = {}, location at = location::current()) {
    if (parts.size() == 0) return fails(name, at, "a concat takes at least one value");
    const value first = *parts.begin();
    sample_shape s = first.shape;
    s.channels = 0;
    for (const value& v : parts) {
      if (!has(name, "concat", "an operand", at, v)) return nothing();
      if (!(v.shape.with_channels(0) == first.shape.with_channels(0)))
        return fails(name, at, "values that are joined must have the same extents", first, v);
      s.channels += v.shape.channels;
    }
    return parts.size() == 1 ? first : named<detail::joined_channels>(name, at, s, parts);
  }
  /// Refuses values without braces around them.
  template <std::same_as<value>... Values>
    requires(sizeof...(Values) > 0)
  constexpr value concat(const detail::name_at& name, const Values&...) {
    return fails(name.text, name.at, "concat: takes a name and a list of values: {a, b}");
  }
  /// A whole sample as features, in the order (spatial..., channels). Copies nothing.
  constexpr value flatten(value x) {
    x.shape = sample_shape::features(x.shape.size());
    return x;
  }
  constexpr value reshape(const char* name, sample_shape s, value x, location at = location::current()) {
    if (s.size() != x.shape.size())
      return fails(name, at, "a reshape must keep the number of elements", x, value{0, s});
    x.shape = s;
    return x;
  }
  /// Applies build to x, sharing parameters with every other call of this name: the blocks are those of the first call,
  /// inside `name`. Their gradients are summed. Inputs have one shape.
  ///
  /// The first call of a name builds; later ones reuse its blocks.
  ///
  ///     const auto look = [&](tern::value v) { return g.matmul("dense", {.n = 4}, v); };
  ///     const tern::value first = g.shared("look", a, look), second = g.shared("look", b, look);
  template <class Build>
  constexpr value shared(const char* name, const value& x, const Build& build, location at = location::current()) {
    if (!has(name, "", "the input", at, x)) return nothing();
    const scope s = inside(name);
    return share({.name = name_}, x, at, build);
  }
  /// The same for a block, by its type.
  template <class F, class Build>
  constexpr value shared(const value& x, const Build& build) {
    return share({.tag = impl::block_tag<F>()}, x, location(), build);
  }
  /// Adds a block that the struct with this `define` lists: `using blocks = tern::block_list<my_block>;`. The result
  /// has the shape Block::out(shape) if that function exists, else that of x.
  template <class Block>
  constexpr value block(const char* name, value x, location at = location::current()) {
    if (!has(name, "", "the input", at, x)) return nothing();
    sample_shape s = x.shape;
    if constexpr (impl::has_out<Block>) s = Block::out(s);
    const value y = named<Block>(name, at, s, {x});
    const bool is_op = impl::has_op_type<Block> && impl::broken<Block>.is_function;
    if (error_.empty())
      user_blocks_.add({impl::block_tag<Block>(), nodes_[nodes_.size() - 1].name, place_of(at),
                        is_op ? impl::broken<Block>.name : nullptr});
    return y;
  }

  // -------------------------------------------------------------------------------------------------------------------
  // For code that builds graphs from other blocks, or reads them

  /// Reports why a block cannot be added here.
  template <class... Values>
  constexpr value refuse(const char* why, const Values&... values) {
    return fails("", location(), why, values...);
  }
  /// Adopts the error of another graph.
  constexpr void fail_as(const graph& other) { error_ = other.error_; }
  /// Reports blocks of graph::block that are not listed.
  template <class... Listed>
  constexpr void check_blocks() {
    for (const user_block& b : user_blocks_) {
      if (((b.block == impl::block_tag<Listed>()) || ...) || !error_.empty()) continue;
      impl::add_name(error_, names_, b.name) << ": ";
      if (b.function)
        error_ << "an op is added by its own function: write g." << b.function << "(...)";
      else
        error_ << "a block is used that is not listed: the struct that has `define` must list it, as in `using blocks "
                  "= tern::block_list<my_block>;`";
      impl::add_place(error_, b.at);
    }
  }
  /// Reports blocks that contain themselves, for the same shape.
  template <class Self>
  constexpr void check_recursion(const sample_shape& x) {
    if (user_blocks_.size() == 0) return;
    for (const detail::graph_node& n : nodes_)
      if (n.block == impl::block_tag<Self>() && operands_[n.first_operand].shape == x && error_.empty())
        impl::add_place(impl::add_name(error_, names_, n.name) << ": a block must not contain itself", n.at);
  }
  /// Reports unused values.
  constexpr void check_use() {
    if (error_.size() > 0) return;
    detail::list<char> used(inputs_.size() + nodes_.size(), 0);
    for (const value& v : operands_) used[v.tensor] = 1;
    for (const value& v : outputs_) used[v.tensor] = 1;
    for (int t = 0; t < used.size(); ++t) {
      if (used[t] || error_.size() > 0) continue;
      if (t < inputs_.size())
        error_ << "nothing reads input " << index_t(t);
      else
        impl::add_place(impl::add_name(error_, names_, nodes_[t - inputs_.size()].name) << ": nothing reads its result",
                        nodes_[t - inputs_.size()].at);
    }
  }
};

/// The blocks of a graph besides ops: see graph::block.
template <class... Blocks>
struct block_list {
  static constexpr int size = sizeof...(Blocks);
};

}  // namespace tern::inline TERN_ISA
