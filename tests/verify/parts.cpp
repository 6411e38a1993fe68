// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of one instruction set.
#include "tests/verify/recorder.hpp"

#define TERN_VERIFY_NAME_(isa) #isa
#define TERN_VERIFY_NAME(isa) TERN_VERIFY_NAME_(isa)

namespace tern::test {

part part_functions(isa_tag::current);
part part_simd_float(isa_tag::current);
part part_simd_double(isa_tag::current);
part part_static_shapes(isa_tag::current);
part part_conv_simd_float(isa_tag::current);
part part_conv_simd_double(isa_tag::current);
part part_conv_mimd_float(isa_tag::current);
part part_conv_mimd_double(isa_tag::current);
part part_fields_float(isa_tag::current);
part part_fields_double(isa_tag::current);
part part_mimd_float(isa_tag::current);
part part_mimd_double(isa_tag::current);
part part_networks(isa_tag::current);
// Plain loops, which this build may have for other instruction sets only.
part part_reference(isa_tag::current);
part part_conv_reference(isa_tag::current);
part part_fields_reference(isa_tag::current);
part part_simt_float(isa_tag::current);
part part_simt_double(isa_tag::current);
part part_conv_simt_float(isa_tag::current);
part part_conv_simt_double(isa_tag::current);
part part_fields_simt_float(isa_tag::current);
part part_fields_simt_double(isa_tag::current);
part part_networks_reference(isa_tag::current);

parts parts_of(isa_tag::current isa) {
  static const part all[] = {
      part_functions(isa),          part_simd_float(isa),        part_simd_double(isa),
      part_static_shapes(isa),      part_mimd_float(isa),        part_mimd_double(isa),
      part_conv_simd_float(isa),    part_conv_simd_double(isa),  part_conv_mimd_float(isa),
      part_conv_mimd_double(isa),   part_fields_float(isa),      part_fields_double(isa),
      part_networks(isa),
#if defined(TERN_VERIFY_LOOPS)
      part_reference(isa),          part_conv_reference(isa),    part_fields_reference(isa),
      part_simt_float(isa),         part_simt_double(isa),       part_conv_simt_float(isa),
      part_conv_simt_double(isa),   part_fields_simt_float(isa), part_fields_simt_double(isa),
      part_networks_reference(isa),
#endif
  };
  return {TERN_VERIFY_NAME(TERN_ISA), all, static_cast<int>(sizeof all / sizeof all[0])};
}

}  // namespace tern::test
