// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps, place by place.
#pragma once

#include "tern/core/config.hpp"
#include "tern/family/kernels.hpp"
#include "tern/family/map/drawing.hpp"
#include "tern/family/map/mapping.hpp"
#include "tern/policy/reference.hpp"

namespace tern::inline TERN_ISA::impl {

/// Runs a call place by place, by its at(n, c, z, y, x).
template <class Call>
void run_at_places(const Call& q) {
  for (index_t n = 0; n < q.batch; ++n)
    for (index_t z = 0; z < q.extent[0]; ++z)
      for (index_t y = 0; y < q.extent[1]; ++y)
        for (index_t x = 0; x < q.extent[2]; ++x)
          for (index_t c = 0; c < q.channels; ++c) q.at(n, c, z, y, x);
}

}  // namespace tern::inline TERN_ISA::impl

namespace tern::inline TERN_ISA {

template <>
struct mapping_kernel<reference> {
  /// The reference needs no run-time state.
  using context = impl::no_state;

  template <class T, class F>
  static void run(const context&, const mapping<T, F>& q) {
    impl::run_at_places(q);
  }
};

template <>
struct drawing_kernel<reference> {
  /// The reference needs no run-time state.
  using context = impl::no_state;

  template <class T, class F>
  static void run(const context&, const drawing<T, F>& q) {
    impl::run_at_places(q);
  }
};

}  // namespace tern::inline TERN_ISA
