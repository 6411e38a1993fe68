// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Losses of some samples on one core with vector units.
#pragma once

#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/exec/cpu/lanes.hpp"
#include "tern/exec/cpu/vector_lanes.hpp"
#include "tern/family/reduction/cpu/feature_sums.hpp"
#include "tern/family/reduction/loss.hpp"

namespace tern::tile::inline TERN_ISA {

/// \tparam V  vectors
template <class V>
struct loss_core {
  using T = typename V::value_type;

  /// Samples [first, last). Elements in the order of the sum are read as vectors, others one by one.
  template <class F>
  static void part(const element_sums<T, F>& q, index_t first, index_t last) {
    bool dense = true;
    for (const auto& i : q.in) dense = dense && is_contiguous_sample(i, q);
    for (index_t n = first; n < last; ++n) *q.y.at(n, 0) = dense ? sample<true>(q, n) : sample<false>(q, n);
  }

 private:
  using sums = feature_sums<V>;

  template <class F>
  static bool is_contiguous_sample(const scattered_image<const T>& i, const element_sums<T, F>& q) {
    index_t stride = q.channels;
    bool contiguous = q.channels == 1 || (i.channel == 1 && i.block >= q.channels);
    for (int r = 2; r >= 0; --r)
      contiguous = contiguous && (q.extent[r] == 1 || i.axis[r] == stride), stride *= q.extent[r];
    return contiguous;
  }

  template <bool Dense, class F>
  static T sample(const element_sums<T, F>& q, index_t n) {
    const T* from[F::inputs];
    for (int i = 0; i < F::inputs; ++i) from[i] = q.in[i].at(n, 0, 0, 0, 0);
    const auto add = [&](V lane, index_t e, auto valid) __attribute__((always_inline)) {
      V in[F::inputs];
      TERN_UNROLL
      for (int i = 0; i < F::inputs; ++i) {
        if constexpr (Dense) {
          in[i] = load_lanes<V>(from[i] + e, valid);
        } else {
          T x[V::size] = {};
          for (index_t k = 0; k < valid; ++k) x[k] = *q.at(i, n, e + k);
          in[i] = V::load(x);
        }
      }
      const V sum = q.f(in, lane);
      if constexpr (std::is_same_v<decltype(valid), all_lanes<V>>) {
        return sum;
      } else {
        T old[V::size], added[V::size];
        lane.store(old), sum.store(added);
        for (index_t k = 0; k < valid; ++k) old[k] = added[k];
        return V::load(old);
      }
    };
    if constexpr (!Dense || F::operations > 16)
      return sums::of_costly(q.of_sample(), add);
    else
      return sums::of(q.of_sample(), add);
  }
};

/// A core's part of a call: some samples.
template <class T, class Arch, index_t MemoryBytes>
struct loss_parts {
  template <class Call>
  static constexpr index_t work(const Call& q) {
    return q.parts() * q.part_work();
  }
  template <class Call>
  static void run(const Call& q, index_t t, index_t tasks);
};
// Outside of the class, so that it is not inline: files that link the compiled part only declare it.
template <class T, class Arch, index_t MemoryBytes>
template <class Call>
void loss_parts<T, Arch, MemoryBytes>::run(const Call& q, index_t t, index_t tasks) {
  const index_t parts = q.parts();
  loss_core<lanes<T, Arch>>::part(q, parts * t / tasks, parts * (t + 1) / tasks);
}

}  // namespace tern::tile::inline TERN_ISA
