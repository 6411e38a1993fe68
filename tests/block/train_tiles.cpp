// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trainings on tiles that see their own memory only.
#include "tern/mimd.hpp"

#include "tests/block/train.hpp"
#include "tests/mimd/devices.hpp"

namespace tern::test::inline TERN_ISA {

template <>
struct model_of<runner::tiles> {
  using policy = mimd<few_tiles>;
  static auto state(const any_executor&) { return network<separable_net, picture_shape, policy>::make_state(); }
};

}  // namespace tern::test::inline TERN_ISA

TERN_DEFINE_TRAININGS(tern::test::runner::tiles);
