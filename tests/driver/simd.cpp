// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of a family under simd give the bits of the reference, in whatever order an executor runs their tasks. So do
// those on the cores of the host as tiles: here, since the kernels are the same and are compiled once.
//
// TERN_FAMILY  the family, of the header that CMake includes before
// TERN_TYPES   element types
// TERN_NATIVE_TILES  the cores as tiles, too
#include "tern/simd.hpp"

#include <random>
#include <utility>
#include <vector>

#include "tests/driver/parity.hpp"
#include "tests/support/thinning.hpp"
#if defined(TERN_NATIVE_TILES)
#include "tern/mimd.hpp"
#endif

namespace tern::test {
namespace {

/// Tasks in any order: what they write must not depend on it.
struct any_order {
  index_t tasks;
  unsigned seed;

  index_t concurrency() const { return tasks; }
  void operator()(index_t n, task_ref f) const {
    std::mt19937 engine(seed);
    std::vector<index_t> order(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < order.size(); ++i) {
      order[i] = static_cast<index_t>(i);
      std::swap(order[i], order[engine() % (i + 1)]);
    }
    for (const index_t i : order) f(i);
  }
};

/// Bytes from which tensors count as out of cache: those of the family, or a kilobyte.
template <class Family>
constexpr index_t large_bytes() {
  if constexpr (requires { Family::large_bytes; })
    return Family::large_bytes;
  else
    return 1 << 10;
}
/// A call is worth several tasks however small it is; large tensors are prefetched and written by non-temporal stores.
struct always_fork {
  constexpr contraction_tuning operator()(const device& d, int element_bytes) const {
    contraction_tuning t = tuning::automatic{}(d, element_bytes);
    t.fork_fmas = 1;
    t.memory_bytes = large_bytes<TERN_FAMILY>();
    return t;
  }
};
using policy = simd<devices::native, numerics::exact, always_fork>;

TEMPLATE_TEST_CASE("calls under simd give the bits of the reference", "[simd]", TERN_TYPES) {
  std::mt19937 engine(Catch::rngSeed());
  const auto some_order = [&](const auto&) {
    return any_order{one_of(engine, {1, 1, 2, 3, 5, 8, 13}), static_cast<unsigned>(engine())};
  };
  parity<policy, decltype(some_order)> run(some_order, TERN_FAMILY::most);
  for (int i = 0; i < thinned(TERN_FAMILY::cases); ++i) TERN_FAMILY::calls<TestType>(run);
}

#if defined(TERN_NATIVE_TILES)
TEMPLATE_TEST_CASE("calls on native tiles give the bits of the reference", "[mimd]", TERN_TYPES) {
  std::mt19937 engine(Catch::rngSeed());
  // Of a matmul, room for one panel of weights, or for a few.
  const auto cores = [&](const auto&) {
    return tile_machine(one_of(engine, {1, 2, 5}), one_of(engine, {64 * 1024, 200 * 1024}));
  };
  parity<mimd<>, decltype(cores)> run(cores, 5 * TERN_FAMILY::most);
  for (int i = 0; i < thinned(TERN_FAMILY::cases / 5); ++i) TERN_FAMILY::calls<TestType>(run);
}
#endif

}  // namespace
}  // namespace tern::test
