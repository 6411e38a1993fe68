// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions under mimd give the bits of the reference: on the cores of the host, and on machines whose tile counts
// divide nothing and whose memory is short.
#include "tern/mimd.hpp"

#include "tests/kernel/conv_parity.hpp"
#include "tests/mimd/devices.hpp"
#include "tests/support/thinning.hpp"

namespace tern::test {

TEMPLATE_TEST_CASE("convolutions on native tiles give the bits of the reference", "[conv][mimd]", float, double) {
  const auto machine = [](const conv_shape& s) { return tile_machine(s.batch + 1, 0); };
  conv_sums_parity<mimd<>, TestType>(machine, thinned(100));
  conv_gradient_parity<mimd<>, TestType>(machine, thinned(100));
}

/// Machines of 1, 2, 3, 7 and 16 tiles, with checks on for some.
template <class T>
auto few_machines() {
  return [call = 0](const conv_shape& s) mutable {
    const index_t tiles[] = {1, 2, 3, 7, 16};
    const bool checked = ++call % 4 == 0;
    return convolution_kernel<mimd<few_tiles>>::make_state<T>(s, tile_resources{tiles[call % 5], few_tiles.local_bytes},
                                                              checked ? tile_checks::on : tile_checks::off);
  };
}

TEMPLATE_TEST_CASE("convolutions on 1, 2, 3, 7 and 16 tiles give the bits of the reference", "[conv][mimd]", float,
                   double) {
  conv_sums_parity<mimd<few_tiles>, TestType>(few_machines<TestType>(), thinned(150));
  conv_gradient_parity<mimd<few_tiles>, TestType>(few_machines<TestType>(), thinned(150));
}

TEST_CASE("convolutions on an IPU give the bits of the reference", "[conv][mimd]") {
  using policy = mimd<devices::gc200>;
  const auto machine = [](const conv_shape& s) { return convolution_kernel<policy>::make_state<float>(s); };
  conv_sums_parity<policy, float>(machine, thinned(10));
  conv_gradient_parity<policy, float>(machine, thinned(10));
}

}  // namespace tern::test
