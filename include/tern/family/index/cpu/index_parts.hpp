// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A core's part of a rearrangement or resampling: some rows of the result.
#pragma once

#include "tern/core/config.hpp"
#include "tern/exec/cpu/lanes.hpp"
#include "tern/family/index/cpu/copy_core.hpp"
#include "tern/family/index/cpu/resample_core.hpp"

namespace tern::tile::inline TERN_ISA {

template <class T, class Arch, index_t MemoryBytes>
struct index_parts {
  template <class Call>
  static constexpr index_t work(const Call& q) {
    return q.rows() * q.row_elements();
  }
  template <class Map, bool Accumulate>
  static void run(const rearrangement<T, Map, Accumulate>& q, index_t t, index_t tasks);
  template <resample_pass P, class Axis, bool Accumulate>
  static void run(const resampling<T, P, Axis, Accumulate>& q, index_t t, index_t tasks);
};

// Outside of the class, so that they are not inline: files that link the compiled part only declare them.
template <class T, class Arch, index_t MemoryBytes>
template <class Map, bool Accumulate>
void index_parts<T, Arch, MemoryBytes>::run(const rearrangement<T, Map, Accumulate>& q, index_t t, index_t tasks) {
  copy_core<T, Arch, Accumulate>::rows(q, q.rows() * t / tasks, q.rows() * (t + 1) / tasks);
}
template <class T, class Arch, index_t MemoryBytes>
template <resample_pass P, class Axis, bool Accumulate>
void index_parts<T, Arch, MemoryBytes>::run(const resampling<T, P, Axis, Accumulate>& q, index_t t, index_t tasks) {
  resample_core<lanes<T, Arch>>::rows(q, q.rows() * t / tasks, q.rows() * (t + 1) / tasks);
}

}  // namespace tern::tile::inline TERN_ISA
