// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums over samples and positions in plain loops.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/order.hpp"
#include "tern/family/kernels.hpp"
#include "tern/family/reduction/place_sums.hpp"
#include "tern/policy/reference.hpp"

namespace tern::inline TERN_ISA {

template <>
struct place_sums_kernel<reference> {
  /// The reference needs no run-time state.
  using context = impl::no_state;

  template <class T, class F>
  static void run(const context&, const place_sums<T, F>& q) {
    for (index_t place = 0; place < q.of.places(); ++place)
      for (index_t c = 0; c < q.channels; ++c) {
        const auto origin = q.origin_of(place, c);
        T total[F::results];
        q.begin(origin, total);
        index_t before = q.seen;
        each_chunk(q.summed.batch, q.summed.extent, [&](index_t n, index_t position, index_t count) {
          T chain[F::results];
          q.chunk(origin, n, position, count, chain);
          q.f.join(total, chain, before, count);
          before += count;
        });
        q.end(origin, total);
      }
  }
};

}  // namespace tern::inline TERN_ISA
