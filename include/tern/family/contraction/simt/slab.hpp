// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Slabs: some steps of k of one operand, in the shared memory of a block. Both operands are stored k by k, so that a
// thread reads neighbouring rows (of a) or columns (of b) at once.
#pragma once

#include <cstdint>

#include "tern/core/config.hpp"

namespace tern::inline TERN_ISA::impl {

/// The distribution of a slab's copies over the threads of a block: along the dimension that is contiguous in memory.
/// `outer` is the dimension other than k: rows of a, columns of b.
enum class slab_access {
  groups,  ///< 16 bytes at a time along outer
  outer,   ///< element by element, neighbouring threads along outer
  k,       ///< element by element, neighbouring threads along k
  ones     ///< every element is 1: nothing is read
};

/// The widest access to elements that are `along_outer` and `along_k` apart. `others` are the other strides of
/// addresses.
template <class T, class... Strides>
slab_access access_of(const T* p, index_t along_outer, index_t along_k, Strides... others) {
  constexpr index_t group = 16 / sizeof(T);
  const bool aligned = reinterpret_cast<std::uintptr_t>(p) % 16 == 0 && along_k % group == 0 &&
                       ((static_cast<index_t>(others) % group == 0) && ...);
  return along_outer == 1 && aligned ? slab_access::groups : along_k == 1 ? slab_access::k : slab_access::outer;
}

/// The source of a slab's element; a missing one becomes zero, without a read.
template <class T>
struct slab_element {
  const T* p = nullptr;
  bool there = true;
};

/// One operand of a matmul as the source of slabs: element (k, o) of batch item q at p[q * batch + k * along_k + o *
/// along_outer].
template <class T>
struct slab_source {
  const T* p = nullptr;
  index_t along_outer = 0, along_k = 0, batch = 0;
  slab_access access = slab_access::outer;

  slab_source(const T* data, index_t outer_stride, index_t k_stride, index_t batch_stride)
      : p(data),
        along_outer(outer_stride),
        along_k(k_stride),
        batch(batch_stride),
        access(access_of(data, outer_stride, k_stride, batch_stride)) {}

  /// An operand of ones without memory.
  static slab_source ones() {
    slab_source x(nullptr, 0, 0, 0);
    x.access = slab_access::ones;
    return x;
  }

  /// Finds elements for slab::fill; step 0 and outer index 0 are at `first`.
  TERN_FN auto from(const T* first) const {
    return [first, k_stride = along_k, outer_stride = along_outer](int k) {
      return [p = first + k * k_stride, outer_stride](int o) { return slab_element<T>{p + o * outer_stride}; };
    };
  }
};

/// K steps of k of Outer rows or columns.
template <class T, int Outer, int K>
struct slab {
  static constexpr int group = 16 / sizeof(T);
  /// The rows of a slab are padded by one group: copies along k then hit different banks.
  alignas(16) T at[K][Outer + group];

  /// Thread t's share, of Threads, of filling the slab. find(k)(o) is the slab_element of step k and outer index o;
  /// with groups only the first of a group is looked up. Rows and columns from `outer` on and steps from `steps` on
  /// become zeros without a read. They are looked up, too: addresses cost less than branches.
  template <int Threads, class Find, class Copy>
  TERN_FN void fill(int t, slab_access access, int outer, int steps, const Find& find, const Copy& copy) {
    if (access == slab_access::groups)
      each<Threads, Outer / group, K>(t, [&](int g, int k) {
        const slab_element<T> x = find(k)(g * group);
        const int left = x.there && k < steps ? outer - g * group : 0;
        copy.template run<group>(&at[k][g * group], x.p, left < 0 ? 0 : left < group ? left : group);
      });
    else if (access == slab_access::k) {
      const auto of_step = find(t % K);
      each<Threads, K, Outer>(t, [&](int k, int o) {
        const slab_element<T> x = of_step(o);
        copy.template run<1>(&at[k][o], x.p, x.there && k < steps && o < outer);
      });
    } else if (access == slab_access::outer)
      each<Threads, Outer, K>(t, [&](int o, int k) {
        const slab_element<T> x = find(k)(o);
        copy.template run<1>(&at[k][o], x.p, x.there && k < steps && o < outer);
      });
    else
      each<Threads, Outer, K>(t, [&](int o, int k) { copy.fill(&at[k][o], T(1)); });
  }

 private:
  /// Calls f(i, j) for thread t's part of Inner x Outermost elements: neighbouring threads have neighbouring i, and one
  /// thread the same i throughout.
  template <int Threads, int Inner, int Outermost, class F>
  TERN_FN static void each(int t, F f) {
    static_assert(Threads % Inner == 0,
                  "simt_tuning: the threads of a block must be a multiple of the sides of a slab");
    constexpr int step = Threads / Inner;
    const int i = t % Inner, j = t / Inner;
    TERN_UNROLL
    for (int x = 0; x < Outermost; x += step)
      if (Outermost % step == 0 || j + x < Outermost) f(i, j + x);
  }
};

}  // namespace tern::inline TERN_ISA::impl
