// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trainings under simt in the host contexts, in both orders of threads.
#include "tern/simt.hpp"

#include "tests/block/train.hpp"

namespace tern::test::inline TERN_ISA {

template <bool Reverse>
struct host_contexts {
  using policy = simt<>;
  static simt_host state(const any_executor&) { return {.reverse = Reverse}; }
};
template <>
struct model_of<runner::simt> : host_contexts<false> {};
template <>
struct model_of<runner::simt_reversed> : host_contexts<true> {};

}  // namespace tern::test::inline TERN_ISA

TERN_DEFINE_TRAININGS(tern::test::runner::simt);
TERN_DEFINE_TRAININGS(tern::test::runner::simt_reversed);
