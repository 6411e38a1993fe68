// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trainings on cores as tiles.
#include "tern/mimd.hpp"

#include "tests/block/train.hpp"

namespace tern::test::inline TERN_ISA {

template <>
struct model_of<runner::cores> {
  using policy = mimd<devices::native_tiles>;
  static auto state(const any_executor& on) { return network<separable_net, picture_shape, policy>::make_state(on); }
};

}  // namespace tern::test::inline TERN_ISA

TERN_DEFINE_TRAININGS(tern::test::runner::cores);
