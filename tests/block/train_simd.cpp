// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trainings under simd.
#include "tern/simd.hpp"

#include "tests/block/train.hpp"

namespace tern::test::inline TERN_ISA {

template <>
struct model_of<runner::simd> {
  using policy = simd<>;
  static any_executor state(const any_executor& on) { return on; }
};

}  // namespace tern::test::inline TERN_ISA

TERN_DEFINE_TRAININGS(tern::test::runner::simd);
