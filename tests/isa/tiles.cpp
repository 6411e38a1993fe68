// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls on tile machines, compiled for each instruction set: their symbols are looked at.
#include <cstdint>
#include <span>

#include "tern/isa.hpp"
#include "tern/mimd.hpp"

namespace tern::test {

namespace {

/// A matmul, a softmax of the result, and the record of their supersteps.
template <class Policy>
double call(const view<const float, dims<2>>& a, const view<const float, dims<2>>& b, const view<float, dims<2>>& c) {
  const kernel<matmul<>, Policy> multiply;
  auto machine = multiply.make_state({.m = a.extent(0), .n = b.extent(1), .k = b.extent(0)});
  superstep_record records[16];
  trace steps(records);
  machine.record(&steps);
  multiply(machine, a, b, c);
  const kernel<softmax<>, Policy> normalize;
  auto rows = normalize.make_state(c);
  normalize(rows, c, c);
  double cycles = machine.totals().cycles();
  for (const superstep_record& r : steps.records()) cycles += r.cycles();
  return cycles;
}

}  // namespace

double call_on_tiles(isa_tag::current, const view<const float, dims<2>>& a, const view<const float, dims<2>>& b,
                     const view<float, dims<2>>& c) {
  return call<mimd<>>(a, b, c) + call<mimd<devices::gc200>>(a, b, c);
}

}  // namespace tern::test
