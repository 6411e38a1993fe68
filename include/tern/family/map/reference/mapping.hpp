// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps in plain loops.
#pragma once

#include "tern/core/config.hpp"
#include "tern/family/kernels.hpp"
#include "tern/family/map/mapping.hpp"
#include "tern/family/map/reference/places.hpp"
#include "tern/policy/reference.hpp"

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

}  // namespace tern::inline TERN_ISA
