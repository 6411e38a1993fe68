// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trainings under the policy that defines them.
#include "tern/reference.hpp"

#include "tests/block/train.hpp"

namespace tern::test::inline TERN_ISA {

template <>
struct model_of<runner::reference> {
  using policy = reference;
  static auto state(const any_executor&) { return network<separable_net, picture_shape, policy>::make_state(); }
};

}  // namespace tern::test::inline TERN_ISA

TERN_DEFINE_TRAININGS(tern::test::runner::reference);
