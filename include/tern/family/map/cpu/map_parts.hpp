// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A map on one core with vector units.
#pragma once

#include "tern/core/config.hpp"
#include "tern/exec/cpu/lanes.hpp"
#include "tern/family/map/cpu/drawing_core.hpp"
#include "tern/family/map/cpu/map_core.hpp"

namespace tern::tile::inline TERN_ISA {

template <class T, class Arch, index_t MemoryBytes>
struct map_parts {
  /// A core does many multiply-adds in the time that an element takes from one cache to another.
  template <class F>
  static constexpr index_t work(const mapping<T, F>& q) {
    return q.elements() * (8 + 4 * F::operations);
  }
  template <class F>
  static void run(const mapping<T, F>& q, index_t t, index_t tasks);

  template <class F>
  static constexpr index_t work(const drawing<T, F>& q) {
    return q.elements() * 16;
  }
  template <class F>
  static void run(const drawing<T, F>& q, index_t t, index_t tasks);
};
// Outside of the class, so that they are not inline: files that link the compiled part only declare them.
template <class T, class Arch, index_t MemoryBytes>
template <class F>
void map_parts<T, Arch, MemoryBytes>::run(const mapping<T, F>& q, index_t t, index_t tasks) {
  map_core<lanes<T, Arch>>::run(q, t, tasks, MemoryBytes);
}
template <class T, class Arch, index_t MemoryBytes>
template <class F>
void map_parts<T, Arch, MemoryBytes>::run(const drawing<T, F>& q, index_t t, index_t tasks) {
  drawing_core<lanes<T, Arch>>::rows(q, q.rows() * t / tasks, q.rows() * (t + 1) / tasks);
}

}  // namespace tern::tile::inline TERN_ISA
