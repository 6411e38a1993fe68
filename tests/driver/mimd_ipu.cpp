// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of a family on all tiles of an IPU give the bits of the reference.
//
// TERN_FAMILY  the family, of the header that CMake includes before
#include "tern/mimd.hpp"

#include "tests/driver/parity.hpp"
#include "tests/driver/tile_plans.hpp"
#include "tests/support/thinning.hpp"

namespace tern::test {
namespace {

TEST_CASE("calls on an IPU give the bits of the reference", "[mimd]") {
  using ipu = mimd<devices::gc200>;
  const auto all = [](const auto& call) {
    const tile_resources have = mimd_kernels<devices::gc200, numerics::exact>::all;
    return tile_machine(
        have.tiles,
        plan_of<ipu, typename std::remove_cvref_t<decltype(call)>::kernels>(call.problem(), have).bytes_per_tile);
  };
  parity<ipu, decltype(all)> run(all, TERN_FAMILY::most);
  for (int i = 0; i < thinned(TERN_FAMILY::cases / 60); ++i) TERN_FAMILY::calls<float>(run);
}

}  // namespace
}  // namespace tern::test
