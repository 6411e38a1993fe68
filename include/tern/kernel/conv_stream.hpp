// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Causal convolutions of signals that arrive in blocks.
#pragma once

#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/core/image.hpp"
#include "tern/exec/simt/block.hpp"
#include "tern/family/contraction/convolution.hpp"
#include "tern/family/kernels.hpp"
#include "tern/kernel/arguments.hpp"
#include "tern/kernel/conv_passes.hpp"
#include "tern/kernel/declaration.hpp"
#include "tern/kernel/declared_call.hpp"
#include "tern/kernel/history.hpp"
#include "tern/op/window.hpp"

namespace tern::inline TERN_ISA::declare {

/// A call whose windows slide over the history, which ends with the new block.
template <class Sums, class T>
struct streamed_sums {
  Sums sums;
  impl::signal_history<T> history;
};
template <class Policy, class Stream>
struct stream_kernel : convolution_kernel<Policy> {
  template <class State, class Sums, class T>
  static void run(State&& state, streamed_sums<Sums, T> call) {
    static_assert(!is_on_device<std::remove_cvref_t<State>>,
                  "convolution: stream keeps its history on the host: it does not run on a tern::simt_stream");
    auto& [q, history] = call;
    const image<const T> x = q.from;
    window_axis& a = q.shape.axis[2];
    const index_t before = history.seen(), samples = a.in;
    conv_shape checked;  // the sizes of the latest piece, for the checks
    Stream::each_piece(before, samples, [&](const auto& p) {
      p.set(a);
      if (q.shape != checked) impl::check_fit<convolution_kernel<Policy>>(state, q), checked = q.shape;
    });
    Stream::each_piece(before, samples, [&](const auto& p) {
      history.append(x, p.done, p.count);
      if (p.results == 0) return;
      p.set(a);
      q.from = history.from(p.begin);
      convolution_kernel<Policy>::run(state, q);
      q.to.p += a.out * q.to.axis[2], q.residual.p += a.out * q.residual.axis[2];
    });
  }
};

template <class OpType, class Policy>
struct conv_stream : conv_passes<OpType, Policy, false>::shared {
  using passes = conv_passes<OpType, Policy, false>;
  using T = typename OpType::value_type;
  static constexpr auto C = OpType::config;
  using optional = options<accumulate_t>;
  template <class P>
  using kernel = stream_kernel<P, conv_stream>;
  static constexpr declaration declared = passes::with_epilogue("stream", in("slope", "out"), out("y", passes::y_shape),
                                                                changed("history", "elements").with_strides());

  /// Samples of the window before a result; samples taken at a time, enough to fill register tiles.
  static constexpr index_t remembered = (C.kernel[0] - 1) * C.dilation[0], at_once = 64, ring = remembered + at_once;

  static constexpr index_t history_size(index_t signals) { return impl::signal_history<T>::size(signals, C.in, ring); }
  /// Results of a signal after `samples` samples.
  static constexpr index_t results_of(index_t samples) { return (samples + C.stride[0] - 1) / C.stride[0]; }

  template <class View>
  static impl::signal_history<T> past_of(const char* op, const View& memory, index_t signals) {
    if (const index_t size = history_size(signals); memory.size() < size)
      violation("%s: the history of %td signals takes %td elements, the one given has %td", op, signals, size,
                memory.size());
    if (memory.data() == nullptr) impl::null_violation(op, "history", memory);
    const impl::signal_history<T> history(memory.data(), signals, C.in, ring);
    if (!history.is_valid())
      violation("%s: the history holds neither zeros nor what this op has left with %td signals", op, signals);
    return history;
  }

  template <bool Add, class X, class... More>
  static auto problem(const char* op, const X& x, const More&... more) {
    const auto& y = impl::nth_tensor<sizeof...(More) - 2>(more...);
    const index_t signals = x.extent(0), samples = x.extent(2);
    const impl::signal_history<T> history = past_of(op, impl::nth_tensor<sizeof...(More) - 1>(more...), signals);
    const index_t results = results_of(history.seen() + samples) - results_of(history.seen());
    if (y.extent(2) != results)
      violation("%s: x is %s and y is %s: after %td samples there are %td results", op, impl::text_of(x).text,
                impl::text_of(y).text, history.seen(), results);
    conv_shape s = passes::weights_shape();
    s.batch = signals, s.axis[2].in = samples, s.axis[2].out = results;
    using sums = decltype(passes::template sums_of<Add>(s, x, more...));
    return streamed_sums<sums, T>{passes::template sums_of<Add>(s, x, more...), history};
  }

  /// Samples of a block that run together, and the window of the signal that their results need.
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
      // Padding stands before the first sample of the signal, as in a call with the whole signal.
      const index_t window = first * C.stride[0] - remembered, begin = window > 0 ? window : 0;
      f(piece{done, count, results, begin, seen + count - begin, begin - window});
    }
  }
};

}  // namespace tern::inline TERN_ISA::declare
