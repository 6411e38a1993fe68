// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Slabs: some steps of k of one operand, in the shared memory of a block. Both operands are stored alike, k by k, so
// that a thread reads neighbouring rows (of a) or columns (of b) at once.
#pragma once

#include <cstdint>

#include "tern/core/config.hpp"

namespace tern::inline TERN_ISA::impl {

/// How the threads of a block share the copies of a slab: along the dimension that is contiguous in memory. `outer` is
/// the one that is not k: rows of a, columns of b.
enum class slab_access {
  groups,  ///< 16 bytes at a time along outer
  outer,   ///< element by element, neighbouring threads along outer
  k,       ///< element by element, neighbouring threads along k
  ones     ///< every element is 1: nothing is read
};

/// One operand as slabs see it: element (k, o) of batch item q at p[q * batch + k * along_k + o * along_outer].
template <class T>
struct slab_source {
  const T* p = nullptr;
  index_t along_outer = 0, along_k = 0, batch = 0;
  slab_access access = slab_access::outer;

  slab_source(const T* data, index_t outer_stride, index_t k_stride, index_t batch_stride)
      : p(data), along_outer(outer_stride), along_k(k_stride), batch(batch_stride) {
    constexpr index_t group = 16 / sizeof(T);
    const bool aligned = reinterpret_cast<std::uintptr_t>(p) % 16 == 0 && along_k % group == 0 && batch % group == 0;
    access = along_outer == 1 && aligned ? slab_access::groups : along_k == 1 ? slab_access::k : slab_access::outer;
  }

  /// An operand of ones that lies in no memory.
  static slab_source ones() {
    slab_source x(nullptr, 0, 0, 0);
    x.access = slab_access::ones;
    return x;
  }
};

/// K steps of k of Outer rows or columns.
template <class T, int Outer, int K>
struct slab {
  static constexpr int group = 16 / sizeof(T);
  /// The rows of a slab are apart by one group more than they hold: copies along k then hit different banks.
  alignas(16) T at[K][Outer + group];

  /// Thread t's share, of Threads, of copying the slab that starts at p. Rows and columns behind `outer` and steps
  /// behind `k` become zeros without being read.
  template <int Threads, class Copy>
  TERN_FN void fill(int t, const slab_source<T>& from, const T* p, int outer, int k, const Copy& copy) {
    if (from.access == slab_access::groups)
      each<Threads, Outer / group, K>(t, p, group, from.along_k, [&](int g, int i, const T* x) {
        const int left = i < k ? outer - g * group : 0;
        copy.template run<group>(&at[i][g * group], x, left < 0 ? 0 : left < group ? left : group);
      });
    else if (from.access == slab_access::k)
      each<Threads, K, Outer>(t, p, 1, from.along_outer, [&](int i, int o, const T* x) {
        copy.template run<1>(&at[i][o], x, i < k && o < outer);
      });
    else if (from.access == slab_access::outer)
      each<Threads, Outer, K>(t, p, from.along_outer, from.along_k, [&](int o, int i, const T* x) {
        copy.template run<1>(&at[i][o], x, i < k && o < outer);
      });
    else
      each<Threads, Outer, K>(t, p, 0, 0, [&](int o, int i, const T*) { copy.fill(&at[i][o], T(1)); });
  }

 private:
  /// f(i, j, address of element (i, j)) for thread t's part of Inner x Outermost elements: neighbouring threads have
  /// neighbouring i, and one thread the same i throughout.
  template <int Threads, int Inner, int Outermost, class F>
  TERN_FN static void each(int t, const T* p, index_t along_inner, index_t along_outermost, F f) {
    static_assert(Threads % Inner == 0,
                  "simt_tuning: the threads of a block must be a multiple of the sides of a slab");
    constexpr int step = Threads / Inner;
    const int i = t % Inner, j = t / Inner;
    p += i * along_inner + j * along_outermost;
    TERN_UNROLL
    for (int x = 0; x < Outermost; x += step, p += step * along_outermost)
      if (Outermost % step == 0 || j + x < Outermost) f(i, j + x, p);
  }
};

}  // namespace tern::inline TERN_ISA::impl
