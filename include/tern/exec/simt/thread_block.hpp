// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <barrier>
#include <cstddef>
#include <cstring>
#include <thread>
#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/exec/simt/block.hpp"
#include "tern/exec/simt/host_copy.hpp"

namespace tern {

/// Run-time state of SIMT kernels: one std::thread per thread of a block, with a real barrier after every step, so that
/// a thread sanitizer detects a missing one. For small problems: a barrier of 256 threads takes milliseconds. A broken
/// contract inside a kernel ends the program, because it is thrown on a thread of its own.
struct simt_threads {};
template <>
inline constexpr bool is_simt_state<simt_threads> = true;

}  // namespace tern

namespace tern::inline TERN_ISA {

namespace impl {

/// Memory of a block's threads besides the kernel's own.
template <int N>
struct thread_team {
  std::barrier<> barrier{N};
  alignas(16) std::byte exchange[N][16];
};

}  // namespace impl

/// A block context on the host in which every thread runs the kernel, as on a GPU: a step is this thread's part and a
/// barrier. `pipeline` has the schedule of cuda_block, with immediate copies.
template <int N>
class thread_block {
  static_assert(N > 0 && N % warp_threads == 0, "simt: a block has whole warps of 32 threads");

 public:
  static constexpr int threads = N;

  template <class T>
  class per_thread {
   public:
    T& operator[](int) { return value_; }

   private:
    T value_;
  };

  thread_block(index_t index, int thread, impl::thread_team<N>& team) : index_(index), thread_(thread), team_(team) {}

  index_t index() const { return index_; }

  template <class F>
  void step(F&& f) const {
    f(thread_);
    team_.barrier.arrive_and_wait();
  }

  template <int Width, class T, class Op>
  void fold(per_thread<T>& x, Op op) const {
    static_assert(Width > 0 && N % Width == 0 && (Width & (Width - 1)) == 0, "fold: the width must be a power of two");
    for (int m = Width / 2; m > 0; m /= 2) {
      const T other = exchange(x[0], thread_ ^ m);
      x[0] = thread_ & m ? op(other, x[0]) : op(x[0], other);
    }
  }

  template <class T>
  void broadcast(per_thread<T>& x, int from) const {
    x[0] = exchange(x[0], from);
  }

  template <class Slot, int S, class Produce, class Init, class Consume, class Finish>
  void pipeline(Slot (&ring)[S], int n, Produce&& produce, Init&& init, Consume&& consume, Finish&& finish) const {
    static_assert(S >= 2, "pipeline: a ring has at least two slots");
    const auto fill = [&](int i) {
      if (i < n) produce(thread_, i, ring[i % S], impl::host_copy(ring[i % S]));
    };
    for (int i = 0; i < S - 1; ++i) fill(i);
    init(thread_);
    for (int i = 0; i < n; ++i) {
      team_.barrier.arrive_and_wait();  // slab i has arrived, and every thread has read slab i - 1
      fill(i + S - 1);
      consume(thread_, i, static_cast<const Slot&>(ring[i % S]));
    }
    finish(thread_);
    team_.barrier.arrive_and_wait();
  }

 private:
  /// The value of thread `from`.
  template <class T>
  T exchange(T mine, int from) const {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof team_.exchange[0],
                  "fold, broadcast: threads exchange trivially copyable values of at most 16 bytes");
    std::memcpy(team_.exchange[thread_], &mine, sizeof(T));
    team_.barrier.arrive_and_wait();
    T result;
    std::memcpy(&result, team_.exchange[from], sizeof(T));
    team_.barrier.arrive_and_wait();
    return result;
  }

  index_t index_;
  int thread_;
  impl::thread_team<N>& team_;
};

/// Runs `blocks` blocks of Kernel, one after the other.
template <class Kernel, class... Arguments>
void launch(const simt_threads&, index_t blocks, const Arguments&... arguments) {
  constexpr int n = Kernel::threads;
  typename Kernel::shared shared;
  impl::thread_team<n> team;
  impl::poison(shared);
  const auto work = [&](int thread) {
    for (index_t i = 0; i < blocks; ++i) {
      thread_block<n> block(i, thread, team);
      Kernel::run(block, shared, arguments...);
      team.barrier.arrive_and_wait();
    }
  };
  std::thread threads[n];
  for (int t = 0; t < n; ++t) threads[t] = std::thread(work, t);
  for (std::thread& t : threads) t.join();
}

}  // namespace tern::inline TERN_ISA
