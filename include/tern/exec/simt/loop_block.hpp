// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/core/config.hpp"
#include "tern/exec/simt/block.hpp"
#include "tern/exec/simt/host_copy.hpp"

namespace tern::inline TERN_ISA {

/// A block context on the host: a step is a loop over the block's threads. Its functions carry both execution spaces,
/// like kernels: nvcc warns about a host function in them even if only the host instantiates it.
///
/// The order of the loop and the run-ahead of a pipeline are free on a GPU, so they are knobs here: a kernel whose
/// result depends on them lacks a barrier or reads the wrong slot. Slots are poisoned with NaN when they are released.
template <int N>
class loop_block {
  static_assert(N > 0 && N % warp_threads == 0, "simt: a block has whole warps of 32 threads");

 public:
  static constexpr int threads = N;

  template <class T>
  class per_thread {
   public:
    TERN_FN T& operator[](int t) { return value_[t]; }

   private:
    T value_[N];
  };

  /// \param reverse    threads N - 1 to 0 instead of 0 to N - 1
  /// \param run_ahead  slots in use at a time, including the consumed one; 0 for all of the ring
  TERN_FN loop_block(index_t index, bool reverse, int run_ahead)
      : index_(index), reverse_(reverse), run_ahead_(run_ahead) {}

  TERN_FN index_t index() const { return index_; }

  template <class F>
  TERN_FN void step(F&& f) const {
    for (int i = 0; i < N; ++i) f(reverse_ ? N - 1 - i : i);
  }

  template <int Width, class T, class Op>
  TERN_HD void fold(per_thread<T>& x, Op op) const {
    static_assert(Width > 0 && N % Width == 0 && (Width & (Width - 1)) == 0, "fold: the width must be a power of two");
    for (int m = Width / 2; m > 0; m /= 2) {
      per_thread<T> y;
      for (int i = 0; i < N; ++i) y[i] = op(x[i & ~m], x[i | m]);
      x = y;
    }
  }

  template <class T>
  TERN_HD void broadcast(per_thread<T>& x, int from) const {
    const T value = x[from];
    for (int i = 0; i < N; ++i) x[i] = value;
  }

  template <class Slot, int S, class Produce, class Init, class Consume, class Finish>
  TERN_FN void pipeline(Slot (&ring)[S], int n, Produce&& produce, Init&& init, Consume&& consume,
                        Finish&& finish) const {
    static_assert(S >= 2, "pipeline: a ring has at least two slots");
    const int ahead = run_ahead_ < 1 || run_ahead_ > S ? S : run_ahead_;
    step(init);
    for (int i = 0, produced = 0; i < n; ++i) {
      for (; produced < n && produced - i < ahead; ++produced) {
        Slot& slot = ring[produced % S];
        const impl::host_copy copy(slot);
        step([&](int t) { produce(t, produced, slot, copy); });
      }
      Slot& slot = ring[i % S];
      step([&](int t) { consume(t, i, static_cast<const Slot&>(slot)); });
      impl::poison(slot);
    }
    step(finish);
  }

 private:
  index_t index_;
  bool reverse_;
  int run_ahead_;
};

}  // namespace tern::inline TERN_ISA
