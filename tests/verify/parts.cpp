// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of one instruction set.
#include "tests/verify/recorder.hpp"

#define TERN_VERIFY_NAME_(isa) #isa
#define TERN_VERIFY_NAME(isa) TERN_VERIFY_NAME_(isa)

namespace tern::test {

#define TERN_VERIFY_COMMON_PART(name) part part_##name(isa_tag::current);
#define TERN_VERIFY_VECTOR_PART TERN_VERIFY_COMMON_PART
#define TERN_VERIFY_LOOP_PART TERN_VERIFY_COMMON_PART
#include "verify_parts.inc"
#undef TERN_VERIFY_COMMON_PART
#undef TERN_VERIFY_VECTOR_PART
#undef TERN_VERIFY_LOOP_PART

#define TERN_VERIFY_COMMON_PART(name) part_##name(isa),
#if defined(TERN_VERIFY_VECTORS)
#define TERN_VERIFY_VECTOR_PART TERN_VERIFY_COMMON_PART
#else
#define TERN_VERIFY_VECTOR_PART(name)
#endif
#if defined(TERN_VERIFY_LOOPS)
#define TERN_VERIFY_LOOP_PART TERN_VERIFY_COMMON_PART
#else
#define TERN_VERIFY_LOOP_PART(name)
#endif

parts parts_of(isa_tag::current isa) {
  static const part all[] = {
#include "verify_parts.inc"
  };
  return {TERN_VERIFY_NAME(TERN_ISA), all, static_cast<int>(sizeof all / sizeof all[0])};
}

}  // namespace tern::test
