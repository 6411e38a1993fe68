// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// matmul under mimd gives the bits of the reference: on the cores of the host, on an IPU, and on machines whose tile
// counts divide nothing.
#include "tern/mimd.hpp"

#include "tests/kernel/matmul_parity.hpp"
#include "tests/mimd/devices.hpp"

namespace tern::test {

TEMPLATE_TEST_CASE("matmul on native tiles gives the bits of the reference", "[matmul][mimd]", float, double) {
  index_t call = 0;
  matmul_parity<mimd<>, TestType>(
      [&](index_t, index_t, index_t) {
        const index_t tiles[] = {1, 2, 5}, bytes[] = {64 * 1024, 200 * 1024};  // room for one panel of b, or for a few
        ++call;
        return tile_machine(tiles[call % 3], bytes[call % 2]);
      },
      2);
}

TEMPLATE_TEST_CASE("matmul on 1, 2, 3, 7 and 16 tiles gives the bits of the reference", "[matmul][mimd]", float,
                   double) {
  using policy = mimd<few_tiles>;
  index_t call = 0;
  matmul_parity<policy, TestType>([&](index_t m, index_t n, index_t k) {
    const index_t tiles[] = {1, 2, 3, 7, 16};
    return contraction_kernel<policy>::make_state<TestType>(m, n, k, 1,
                                                            tile_resources{tiles[call++ % 5], few_tiles.local_bytes});
  });
}

TEST_CASE("matmul on an IPU gives the bits of the reference", "[matmul][mimd]") {
  using policy = mimd<devices::gc200>;
  matmul_parity<policy, float>(
      [&](index_t m, index_t n, index_t k) { return contraction_kernel<policy>::make_state<float>(m, n, k); }, 7);
}

}  // namespace tern::test
