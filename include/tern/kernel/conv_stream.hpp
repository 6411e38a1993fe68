// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Causal convolutions of signals that come block by block.
#pragma once

#include <type_traits>

#include "tern/core/as_view.hpp"
#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/core/image.hpp"
#include "tern/exec/simt/block.hpp"
#include "tern/family/contraction/convolution.hpp"
#include "tern/kernel/arguments.hpp"
#include "tern/kernel/history.hpp"
#include "tern/kernel/images.hpp"
#include "tern/op/window.hpp"

namespace tern::inline TERN_ISA::impl {

/// The operations of a convolution, and streaming.
template <class Convolution>
struct streamed_convolution : Convolution {
  using T = typename Convolution::value_type;

  /// The next block of some signals, under padding::causal: however a signal is cut into blocks, of one sample or many,
  /// it gives the bits of the call with the whole of it.
  ///
  ///     k.stream([state,] x, w, [scale,] [bias,] [residual,] [slope,] y, history [, tern::accumulate])
  ///
  /// \param x        (n, in, samples): any number of samples, unless .extent says how many
  /// \param y        (n, out, stream_results(history, samples, n)): with .stride = 1 as many as there are samples
  /// \param history  what is remembered of the n signals: a span of history_size(n) elements, owned by the caller.
  ///                 Fill it with zeros to begin new signals, copy it to go on from there again
  ///
  /// Throws std::invalid_argument where shapes disagree, memory is shared or the history is of something else, before
  /// anything is written. Allocates nothing. Cost: that of a call, and two copies of x; the history never moves, so
  /// that no call takes longer than others. Long blocks are taken 64 samples at a time. Not on a tern::simt_stream.
  template <class... Args>
  void stream(Args&&... args) const {
    static_assert(is_causal, "convolution: only a conv1d with .rule = tern::padding::causal can be streamed");
    constexpr bool right = tensor_count<Args...> == tensors && well_formed<Args...>;
    static_assert(right, "convolution: stream takes the tensors of a call and, behind y, the history");
    if constexpr (is_causal && right) block(state_of<typename Convolution::family>(args...), args...);
  }

  /// Elements that the history of so many signals takes: 2 in (dilation (kernel - 1) + 64) for each, and a cache line.
  TERN_FN static constexpr index_t history_size(index_t signals = 1) {
    static_assert(is_causal, "convolution: only a conv1d with .rule = tern::padding::causal can be streamed");
    static_assert(static_cast<double>(remembered) * static_cast<double>(C.in) <= 0x1p45,
                  "convolution: a window must reach over at most 2^45 elements of a signal that is streamed");
    return signal_history<T>::size(signals, C.in, ring);
  }

  /// How many results the next block of so many samples has.
  template <class History>
  static index_t stream_results(History&& history, index_t samples, index_t signals = 1) {
    if (samples < 0 || signals < 0)
      violation("%s: stream_results of %td samples and %td signals: both must be at least 0", Convolution::op, samples,
                signals);
    const index_t seen = past_of(as_view(history), signals).seen();
    return results_of(seen + samples) - results_of(seen);
  }

 private:
  static constexpr auto C = Convolution::C;
  static constexpr int tensors = Convolution::tensors_of_call + 1;
  static constexpr bool is_causal = Convolution::Rank == 1 && C.rule == padding::causal;
  /// Samples before a result that its window covers; samples that are taken at a time: enough to fill register tiles.
  static constexpr index_t remembered = (C.kernel[0] - 1) * C.dilation[0], at_once = 64, ring = remembered + at_once;

  /// Results of a signal that has had so many samples.
  static constexpr index_t results_of(index_t samples) { return (samples + C.stride[0] - 1) / C.stride[0]; }

  template <class View>
  static signal_history<T> past_of(const View& memory, index_t signals) {
    constexpr bool is_span = View::rank == 1 && std::is_same_v<typename View::element_type, T> &&
                             !std::is_same_v<typename View::layout_type, layout_strided>;
    static_assert(is_span, "convolution: the history must be a span of elements of the op");
    if (const index_t size = history_size(signals); memory.size() < size)
      violation("%s: the history of %td signals takes %td elements, the one given has %td", Convolution::op, signals,
                size, memory.size());
    if (memory.data() == nullptr) null_violation(Convolution::op, "history", memory);
    const signal_history<T> past(memory.data(), signals, C.in, ring);
    if (!past.is_valid())
      violation("%s: the history holds neither zeros nor what this op has left with %td signals", Convolution::op,
                signals);
    return past;
  }

  /// Samples of a block that are taken together, and what their results need of the signal.
  struct piece {
    index_t done, count;     ///< samples of the block before, and of the piece
    index_t results, begin;  ///< samples from number `begin` on
    index_t in, pad;

    void set(window_axis& a) const { a.in = in, a.out = results, a.pad = pad; }
  };
  template <class F>
  static void each_piece(index_t seen, index_t samples, F f) {
    for (index_t done = 0, count; done < samples; done += count, seen += count) {
      count = samples - done < at_once ? samples - done : at_once;
      const index_t first = results_of(seen), results = results_of(seen + count) - first;
      // What lies before the first sample of all is padding, as in a call with the whole signal.
      const index_t window = first * C.stride[0] - remembered, begin = window > 0 ? window : 0;
      f(piece{done, count, results, begin, seen + count - begin, begin - window});
    }
  }

  /// Windows slide over the history, which has the block at its end.
  template <class State, class... Args>
  static void block(State&& state, Args&... args) {
    static_assert(!is_on_device<std::remove_cvref_t<State>>,
                  "convolution: stream keeps its history on the host: it does not run on a tern::simt_stream");
    static_assert(Convolution::template slope_rank<Args...>() < 2,
                  "convolution: a signal that is streamed has a slope per channel, not per position");
    const auto memory = as_view(nth_tensor<tensors - 1>(args...));
    const index_t signals = as_view(nth_tensor<0>(args...)).extent(0);
    signal_history<T> past = past_of(memory, signals);
    const auto axis_of = [&](const char*, const auto& x, int) {
      const index_t results = results_of(past.seen() + x.extent(2)) - results_of(past.seen());
      return window_axis{x.extent(2), results, C.kernel[0], C.stride[0], C.dilation[0]};
    };
    auto q = Convolution::sums_of(axis_of, args...);
    interval_set all;
    all.add(1, history_size(signals));
    Convolution::check_output(q, all.begin_at(memory.data()));

    const image<const T> x = q.from;
    window_axis& a = q.shape.axis[2];
    const index_t before = past.seen(), samples = a.in;
    conv_shape checked;  // a piece that runs, as others like it do
    each_piece(before, samples, [&](const piece& p) {
      p.set(a);
      if (q.shape != checked) check_fit<typename Convolution::family>(state, q), checked = q.shape;
    });
    each_piece(before, samples, [&](const piece& p) {
      past.append(x, p.done, p.count);
      if (p.results == 0) return;
      p.set(a);
      q.from = past.from(p.begin);
      Convolution::family::run(state, q);
      q.to.p += a.out * q.to.axis[2], q.residual.p += a.out * q.residual.axis[2];
    });
  }
};

}  // namespace tern::inline TERN_ISA::impl
