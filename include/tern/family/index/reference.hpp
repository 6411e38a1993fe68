// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rearrangements and resamplings in plain loops (docs/numerics.md).
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/math/primitives.hpp"
#include "tern/core/order.hpp"
#include "tern/family/index/rearrangement.hpp"
#include "tern/family/index/resampling.hpp"
#include "tern/family/kernels.hpp"
#include "tern/policy/reference.hpp"

namespace tern::inline TERN_ISA {

template <>
struct rearrangement_kernel<reference> {
  /// The reference needs no run-time state.
  using context = impl::no_state;

  template <class T, class Map, bool Accumulate>
  static void run(const context&, const rearrangement<T, Map, Accumulate>& q) {
    q.each_part(0, q.rows(), [&](index_t n, index_t z, index_t y, const row_part& part) {
      const walk &x = part.x, &c = part.channels;
      for (index_t i = 0; i < x.count; ++i)
        for (index_t j = 0; j < c.count; ++j) {
          T* to = q.to.at(n, c.to + j * c.to_step, z, y, x.to + i * x.to_step);
          if (part.z < 0) {
            *to = q.value;
            continue;
          }
          const T* from = q.from.at(n, c.from + j * c.from_step, part.z, part.y, x.from + i * x.from_step);
          if constexpr (Accumulate)
            *to = *to + *from;
          else
            *to = *from;
        }
    });
  }

  /// Cost: one scalar fma per term, and its weight.
  template <class T, resample_pass P, class Axis, bool Accumulate>
  static void run(const context&, const resampling<T, P, Axis, Accumulate>& q) {
    for (index_t n = 0; n < q.batch; ++n)
      for (index_t z = 0; z < q.extent(0); ++z)
        for (index_t y = 0; y < q.extent(1); ++y)
          for (index_t x = 0; x < q.extent(2); ++x)
            for (index_t c = 0; c < q.channels; ++c) {
              T* to = q.to.at(n, c, z, y, x);
              T total = Accumulate ? *to : T(0), chain = 0;
              index_t in_chunk = 0;
              const auto end_chunk = [&] { total = total + chain, chain = 0, in_chunk = 0; };
              q.each_term(z, y, x, [&](index_t fz, index_t fy, index_t fx, T weight) {
                chain = math::fma(weight, *q.from.at(n, c, fz, fy, fx), chain);
                if (++in_chunk == dot_chunk) end_chunk();
              });
              if (in_chunk > 0) end_chunk();
              *to = total;
            }
  }
};

}  // namespace tern::inline TERN_ISA
