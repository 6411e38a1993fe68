// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of convolutions and transposed convolutions: forward, data gradient, weight and bias gradient, each callable
// alone.
#pragma once

#include <tuple>

#include "tern/core/as_view.hpp"
#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/core/epilogue.hpp"
#include "tern/core/operand.hpp"
#include "tern/family/contraction/convolution.hpp"
#include "tern/family/kernels.hpp"
#include "tern/family/reduction/place_sums.hpp"
#include "tern/kernel/arguments.hpp"
#include "tern/kernel/checked_call.hpp"
#include "tern/kernel/conv_passes.hpp"
#include "tern/kernel/conv_stream.hpp"
#include "tern/kernel/declared_call.hpp"
#include "tern/kernel/images.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/kernel/operands.hpp"
#include "tern/kernel/packed.hpp"
#include "tern/kernel/scattered.hpp"
#include "tern/op/conv.hpp"
#include "tern/op/conv_transpose.hpp"

namespace tern::inline TERN_ISA {

namespace impl {

/// The operations of convolutions and transposed convolutions.
template <class OpType, class Op, class Policy, bool Transposed>
struct conv_operations : declare::prepared_operations<Op, Policy> {
 private:
  using passes = declare::conv_passes<OpType, Policy, Transposed>;
  using family = convolution_kernel<Policy>;
  static constexpr int Rank = OpType::rank;
  static constexpr auto C = OpType::config;

 public:
  static constexpr declare::text of_op{
      C.in < 1 ? declare::sentence() << Op::name << ": .in must be at least 1: a network infers it, a kernel does not"
               : declare::error_of_op<Op, Policy, typename passes::forward>()};
  static_assert(sizeof(declare::wrong_call<of_op>) == 1);

  using value_type = typename OpType::value_type;
  using packed_type = packed<Op, Policy>;

  /// y = act(sum scale + bias + residual), with sum = the convolution, or transposed convolution, of x and w.
  ///
  ///     k([state,] x, w, [scale,] [bias,] [residual,] [slope,] y [, tern::accumulate] [, tern::workspace])
  ///
  /// \param x         (n, in, spatial...)
  /// \param w         (kernel..., in / groups, out), or the result of `pack()`; of a transposed convolution
  ///                  (kernel..., out / groups, in)
  /// \param scale     out elements, or one number (not under simt); given exactly if `.scale` is set
  /// \param bias      out elements, or one number; given exactly if `.bias` is set
  /// \param residual  shape of y; given exactly if `.residual` is set
  /// \param slope     given exactly if `.act` is prelu: out elements, one number, or (1, out, spatial...) with spatial
  ///                  extents of y or 1
  /// \param y         (n, out, spatial...); may share no element with an input
  /// With tern::accumulate the sum starts from the old value of y. A workspace speeds up simd under numerics::relaxed
  /// with packed weights, a 3 x 3 window and stride 1: Winograd's algorithm uses it, at its own tolerance
  /// (docs/numerics.md). Throws std::invalid_argument, before anything is written, if shapes disagree, channels are not
  /// contiguous, a view is null, an output shares elements with another tensor, or a workspace or tiles are too small.
  /// Cost: a multiply-add per tap on x, channel of a group and result. Order: docs/numerics.md.
  template <class... Args>
  void operator()(Args&&... args) const {
    declare::run<Op, Policy, typename passes::forward>(args...);
  }

  /// dx = the gradient of the loss with respect to x.
  ///
  ///     k.backward_data([state,] dy, w, dx [, tern::accumulate] [, tern::workspace])
  ///
  /// \param dy  shape of y: the gradient with respect to the sums, that is, after undoing activation and scale
  /// \param w   as in the forward pass, or the faster result of `pack<tern::pass::backward_data>()`
  /// \param dx  shape of x
  /// Errors and cost are those of the forward pass.
  template <class... Args>
  void backward_data(Args&&... args) const {
    declare::run<Op, Policy, typename passes::backward_data>(args...);
  }

  /// dw = the gradient of the loss with respect to w; on demand dbias = the sum of dy.
  ///
  ///     k.backward_weights([state,] x, dy, dw [, dbias] [, tern::accumulate])
  ///
  /// \param dw     shape of w
  /// \param dbias  out elements
  /// Errors and cost are those of the forward pass.
  /// Sums run over samples and positions in grains of samples (docs/numerics.md, rule 2): accumulating a batch cut
  /// between grains gives the bits of the whole.
  template <class... Args>
  void backward_weights(Args&&... args) const {
    constexpr bool bias = impl::tensor_count<Args...> == 4;
    static_assert(!bias || !C.scale, "convolution: there is no bias gradient where .scale is set");
    if constexpr (!bias || !C.scale)
      declare::run<Op, Policy, typename passes::template backward_weights<bias>>(args...);
  }

  using declare::prepared_operations<Op, Policy>::prepare;
  /// Prepares a call of these sizes: channels-last images, unpacked weights, no options.
  ///
  ///     const auto convolve = k.prepare({.batch = 1, .extent = {56, 56}});
  template <class State>
  static auto prepare(State& state, conv_sizes<Rank> sizes) {
    return prepare_sized(shape_of(sizes), state);
  }
  static auto prepare(conv_sizes<Rank> sizes = {}) { return prepare_sized(shape_of(sizes)); }

  /// The plan of a call of these sizes; sizes in the config may be omitted. `how` are further arguments of the model's
  /// plan_for: the concurrency of the executor under simd, tiles under mimd.
  ///
  ///     constexpr tern::plan p = decltype(k)::plan({.batch = 4, .extent = {56, 56}});
  template <class... How>
  static constexpr tern::plan plan(conv_sizes<Rank> sizes = {}, tern::pass which = tern::pass::forward, How... how) {
    constexpr epilogue after{.bias = C.bias, .residual = C.residual, .act = C.act, .scale = C.scale};
    const bool forward = which == tern::pass::forward;
    const conv_work work = which == tern::pass::backward_weights ? conv_work::weights
                           : forward != Transposed               ? conv_work::forward
                                                                 : conv_work::data;
    tern::plan p = family::template plan_for<value_type>(work, shape_of(sizes), forward ? after : epilogue{}, how...);
    p.op = Op::name, p.of = which;
    return p;
  }

  /// Run-time state for calls of these sizes, to be passed as their first argument. Under mimd a tern::tile_machine
  /// with room for every pass, which allocates; the default state under the other policies. `how` are further arguments
  /// of the model's make_state.
  template <class... How>
  static auto make_state(conv_sizes<Rank> sizes = {}, How&&... how) {
    if constexpr (requires { typename family::context; }) {
      static_assert(sizeof...(How) == 0, "convolution: make_state takes sizes only under this policy");
      return typename family::context{};
    } else {
      const conv_shape s = shape_of(sizes);
      return family::template make_state_with<value_type>(s,
                                                          std::tuple{bias_sums(s, &window_axis::out, s.groups * s.out),
                                                                     bias_sums(s, &window_axis::in, s.groups * s.in)},
                                                          how...);
    }
  }

  /// Workspace in bytes with which a forward call of these sizes with packed weights is fastest; 0 if none is used. For
  /// backward_data the plan gives it: a transposed convolution with weights packed for that pass uses one.
  template <class... How>
  static constexpr index_t workspace_bytes(conv_sizes<Rank> sizes = {}, How... how) {
    return plan(sizes, tern::pass::forward, how...).workspace_bytes;
  }

  /// Elements of weights packed for a pass.
  template <tern::pass For = tern::pass::forward>
  static constexpr index_t packed_size() {
    return family::template packed_size<value_type>(passes::weights_shape(), passes::template direction_of<For>);
  }

  /// Arranges w for the calls of this kernel, once. Allocates packed_size<For>() elements.
  /// \tparam For  the pass to optimise: forward, whose weights backward_data accepts, too, or backward_data
  template <tern::pass For = tern::pass::forward, class W>
  packed<Op, Policy, For> pack(const W& w) const {
    const auto from = weights_to_pack<For>(w);
    packed<Op, Policy, For> result(rows_of_weights, passes::narrow_channels, packed_size<For>());
    pack_into<For>(from, result.owned_);
    return result;
  }

  /// Packs into memory of the caller: at least packed_size<For>() elements, alive as long as the result.
  template <tern::pass For = tern::pass::forward, class W, class Memory>
  packed<Op, Policy, For> pack(const W& w, Memory&& memory) const {
    const auto from = weights_to_pack<For>(w);
    const index_t size = packed_size<For>();
    value_type* const to = impl::memory_to_pack_into<value_type>(Op::name, memory, size);
    if (declare::range_of(from).meets(declare::range_of(view(unchecked, to, dims<1>(size)))))
      violation("%s: the memory to pack into shares elements with w", Op::name);
    pack_into<For>(from, to);
    return packed<Op, Policy, For>(rows_of_weights, passes::narrow_channels, size, to);
  }

 private:
  template <class... State>
  static auto prepare_sized(const conv_shape& s, State&... state) {
    using pass = typename passes::forward;
    return [&]<int... R, int... I>(std::integer_sequence<int, R...>, std::integer_sequence<int, I...>) {
      const view<const value_type, dims<Rank + 2>, layout_channels_last> x(
          unchecked, nullptr,
          dims<Rank + 2>(s.batch, C.in, (Transposed ? s.axis[3 - Rank + R].out : s.axis[3 - Rank + R].in)...));
      return prepare(state..., declare::planned_view<pass, I>(x)...);
    }(std::make_integer_sequence<int, Rank>{}, std::make_integer_sequence<int, pass::declared.given()>{});
  }
  static constexpr index_t rows_of_weights = passes::weights_shape().taps() * (passes::wide_channels / C.groups);

  template <tern::pass For, class W>
  static auto weights_to_pack(const W& w) {
    static_assert(For != tern::pass::backward_weights,
                  "convolution: weights are packed for forward or backward_data: backward_weights has none");
    return declare::checked_view<Op, Policy, typename passes::packing>(w);
  }
  template <tern::pass For, class W>
  static void pack_into(const W& w, value_type* to) {
    family::pack(passes::weights_shape(), passes::template strided_filters<const value_type>(w), to,
                 passes::template direction_of<For>);
  }

  /// The sizes of a planned call.
  static constexpr conv_shape shape_of(const conv_sizes<Rank>& sizes) {
    const auto known = [](index_t given, index_t configured, const char* field) {
      if (given == dynamic && configured == dynamic)
        violation("%s: %s is dynamic: give it, as in plan({.batch = 1, .extent = {...}})", Op::name, field);
      if (given != dynamic && configured != dynamic && given != configured)
        violation("%s: %s is given as %td where the config says %td", Op::name, field, given, configured);
      const index_t size = given != dynamic ? given : configured;
      if (size >> 45 != 0) violation("%s: %s is %td: it must be at least 0 and less than 2^45", Op::name, field, size);
      return size;
    };
    conv_shape s = passes::weights_shape();
    s.batch = known(sizes.batch, C.batch, ".batch");
    double wide = static_cast<double>(s.batch), narrow = wide;
    for (int r = 0; r < Rank; ++r) {
      window_axis& a = s.axis[3 - Rank + r];
      const index_t size = known(sizes.extent[r], C.extent[r], ".extent");
      a = C.axis(r, size);
      if (size > 0 && passes::result_of(a) < 1)
        violation("%s: .extent[%d] is %td: the window leaves nothing of its result", Op::name, r, size);
      wide *= static_cast<double>(a.in), narrow *= static_cast<double>(a.out);
    }
    constexpr double most = 0x1p47 / sizeof(value_type);
    if (wide * static_cast<double>(passes::wide_channels) > most ||
        narrow * static_cast<double>(passes::narrow_channels) > most)
      violation("%s: .batch=%td: no memory holds such tensors", Op::name, s.batch);
    return s;
  }

  /// The bias gradient of a planned call: of the narrow image, or of the wide one after a transposed convolution.
  static auto bias_sums(const conv_shape& s, index_t window_axis::* size, index_t channels) {
    const impl::image_shape i{s.batch, channels, {s.axis[0].*size, s.axis[1].*size, s.axis[2].*size}};
    return image_sums<true>({i.batch, {i.extent[0], i.extent[1], i.extent[2]}}, channels,
                            impl::planned_image<value_type>(i), operand<value_type>{});
  }
};

}  // namespace impl

template <int Rank, conv_config<Rank> Config, class T, class Acc, class Op, class Policy>
struct operations<convolution<Rank, Config, T, Acc>, Op, Policy>
    : impl::conv_operations<convolution<Rank, Config, T, Acc>, Op, Policy, false> {
  /// Convolves the next block of n signals, under padding::causal. Blocks of any lengths, down to one sample, give
  /// the bits of one call with the whole signal.
  ///
  ///     k.stream([state,] x, w, [scale,] [bias,] [residual,] [slope,] y, history [, tern::accumulate])
  ///
  /// \param x        (n, in, samples): any number of samples, unless .extent fixes it
  /// \param y        (n, out, stream_results(history, samples, n)): one result per sample with .stride = 1
  /// \param history  the state of the n signals: a span of history_size(n) elements, owned by the caller. Fill it with
  ///                 zeros to begin new signals; copy it to resume from that sample later
  ///
  /// Throws std::invalid_argument, before anything is written, if shapes disagree, memory is shared or the history
  /// belongs to something else. Allocates nothing. Cost: that of a call, and two copies of x; the history never moves,
  /// so every call takes equally long. Long blocks are taken 64 samples at a time. Not on a tern::simt_stream.
  template <class... Args>
  void stream(Args&&... args) const {
    if constexpr (can_stream<>()) declare::run<Op, Policy, blocks>(args...);
  }

  /// Elements of the history of `signals` signals: 2 in (dilation (kernel - 1) + 64) for each, and a cache line.
  TERN_FN static constexpr index_t history_size(index_t signals = 1) {
    if constexpr (can_stream<>()) return blocks::history_size(signals);
    return 0;
  }

  /// The number of results of the next block of `samples` samples.
  template <class History>
  static index_t stream_results(History&& history, index_t samples, index_t signals = 1) {
    if (samples < 0 || signals < 0)
      violation("%s: stream_results of %td samples and %td signals: both must be at least 0", Op::name, samples,
                signals);
    const index_t seen = blocks::past_of(Op::name, as_view(history), signals).seen();
    return blocks::results_of(seen + samples) - blocks::results_of(seen);
  }

 private:
  using blocks = declare::conv_stream<convolution<Rank, Config, T, Acc>, Policy>;

  template <auto C = convolution<Rank, Config, T, Acc>::config>
  static constexpr bool can_stream() {
    constexpr bool is_causal = Rank == 1 && C.rule == padding::causal;
    static_assert(is_causal, "convolution: only a conv1d with .rule = tern::padding::causal can be streamed");
    static_assert(!is_causal || blocks::remembered * static_cast<double>(C.in) <= 0x1p45,
                  "convolution: a window must reach over at most 2^45 elements of a signal that is streamed");
    return is_causal;
  }
};

template <int Rank, conv_transpose_config<Rank> C, class T, class Acc, class Op, class Policy>
struct operations<transposed_convolution<Rank, C, T, Acc>, Op, Policy>
    : impl::conv_operations<transposed_convolution<Rank, C, T, Acc>, Op, Policy, true> {};

}  // namespace tern::inline TERN_ISA
