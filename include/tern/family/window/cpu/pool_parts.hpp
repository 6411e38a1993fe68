// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The partition of pools over cores with a common memory.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/exec/cpu/fetcher.hpp"
#include "tern/exec/cpu/lanes.hpp"
#include "tern/family/window/cpu/pool_core.hpp"
#include "tern/family/window/cpu/pool_shares.hpp"
#include "tern/family/window/pooling.hpp"

namespace tern::tile::inline TERN_ISA {

/// \tparam MemoryBytes  larger images are assumed out of cache
template <class T, class Arch, index_t MemoryBytes>
struct pool_parts {
  using V = lanes<T, Arch>;

  /// Taps of a call.
  template <class Call>
  static constexpr index_t work(const Call& q) {
    const pool_shape& s = q.shape;
    return s.batch * s.channels * s.positions() * s.taps();
  }

  /// Part t of `tasks`: rows of the result; or vectors of its channels, if there are more of these than rows, and fewer
  /// rows than tasks.
  template <pool_kind K, bool Indices>
  static void run(const pool_values<T, K, Indices>& q, index_t t, index_t tasks);
  template <pool_shares S, bool Accumulate>
  static void run(const pool_gradient<T, S, Accumulate>& q, index_t t, index_t tasks);

 private:
  static index_t inputs(const pool_shape& s) { return s.axis[0].in * s.axis[1].in * s.axis[2].in; }
  static index_t bytes(const pool_shape& s, index_t positions) {
    return s.batch * s.channels * positions * static_cast<index_t>(sizeof(T));
  }
  static bool out_of_cache(const pool_shape& s) { return bytes(s, inputs(s)) > MemoryBytes; }
  /// Half of the out-of-cache size is enough, since the other tensor of a pool goes through the caches, too.
  static bool non_temporal(const image<T>& to, const pool_shape& s, index_t positions) {
    return bypasses_caches<V>(to, bytes(s, positions), MemoryBytes / 2);
  }

  template <class F>
  static void part(const pool_shape& s, index_t rows, index_t t, index_t tasks, F f) {
    const index_t vectors = (s.channels + V::size - 1) / V::size, end = vectors * (t + 1) / tasks * V::size;
    if (rows >= tasks || rows >= vectors) return f(rows * t / tasks, rows * (t + 1) / tasks, index_t(0), s.channels);
    f(index_t(0), rows, vectors * t / tasks * V::size, end < s.channels ? end : s.channels);
  }
};

// Outside of the class, so that they are not inline: files that link the compiled part only declare them.
template <class T, class Arch, index_t MemoryBytes>
template <pool_kind K, bool Indices>
void pool_parts<T, Arch, MemoryBytes>::run(const pool_values<T, K, Indices>& q, index_t t, index_t tasks) {
  const pool_shape& s = q.shape;
  part(s, s.batch * s.axis[0].out * s.axis[1].out, t, tasks,
       [&](auto... range) { pool_core<V>::rows(q, out_of_cache(s), non_temporal(q.y, s, s.positions()), range...); });
}
template <class T, class Arch, index_t MemoryBytes>
template <pool_shares S, bool Accumulate>
void pool_parts<T, Arch, MemoryBytes>::run(const pool_gradient<T, S, Accumulate>& q, index_t t, index_t tasks) {
  const pool_shape& s = q.shape;
  part(s, s.batch * s.axis[0].in * s.axis[1].in, t, tasks, [&](auto... range) {
    pool_shares_core<V>::rows(q, out_of_cache(s), non_temporal(q.dx, s, inputs(s)), range...);
  });
}

}  // namespace tern::tile::inline TERN_ISA
