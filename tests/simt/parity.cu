// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver's calls under simt with device code, on a stream. Kernels read and write the vectors of the host: see
// shared_heap.hpp.
//
// usage: a program per value of TERN_PART, a family; --few runs some of the cases
#define TERN_TEST_WITHOUT_CATCH 1
#include <cstring>
#include <type_traits>

#include "tern/simt.cuh"
#include "tests/simt/shared_heap.hpp"
#include "tests/simt/small_tiles.hpp"

#define TERN_PART_MATMUL 1
#define TERN_PART_CONV 2
#define TERN_PART_MOVES 3
#define TERN_PART_NORMS 4
#define TERN_PART_LOSSES 5
#define TERN_PART_OPTIMIZERS 6

#if TERN_PART == TERN_PART_MATMUL
#include "tests/driver/matmul.cpp"
#include "tests/driver/matmul.hpp"
#elif TERN_PART == TERN_PART_CONV
#include "tests/driver/conv.cpp"
#include "tests/driver/conv.hpp"
#elif TERN_PART == TERN_PART_MOVES
#include "tests/driver/coupling.hpp"
#include "tests/driver/elementwise.hpp"
#include "tests/driver/index.cpp"
#include "tests/driver/window.cpp"
#elif TERN_PART == TERN_PART_NORMS
#include "tests/driver/batch_norm.hpp"
#include "tests/driver/norm.hpp"
#include "tests/driver/norm_gradients.hpp"
#include "tests/driver/norms.cpp"
#include "tests/driver/softmax.hpp"
#elif TERN_PART == TERN_PART_LOSSES
#include "tests/driver/draws.hpp"
#include "tests/driver/loss.cpp"
#include "tests/driver/loss.hpp"
#include "tests/driver/rows.hpp"
#elif TERN_PART == TERN_PART_OPTIMIZERS
#include "tests/driver/optimizer.hpp"
#endif
// One source: programs for a GPU are compiled by themselves.
#include "tests/driver/call_in_memory.cpp"
#include "tests/driver/drawn_call.cpp"
#include "tests/driver/placed_tensor.cpp"
#include "tests/driver/places.cpp"

namespace tern::test {
namespace {

const auto gpu = [](const auto&...) { return simt_stream(cudaStreamLegacy); };
using odd_tiles = simt<devices::h200, numerics::exact, small_tiles>;

template <class Family, class T, class Policy = simt<>>
void family_parity(int cases) {
  parity<Policy, decltype(gpu)> run(gpu, Family::most / 3);
  for (int i = 0; i < cases; ++i) Family::template calls<T>(run);
}

/// \param cases  a hundred, or fewer
template <class T>
void all(int cases) {
  [[maybe_unused]] const auto part_of = [&](int n) { return n * cases / 100 + 1; };
#if TERN_PART == TERN_PART_MATMUL
  family_parity<matmul_family, T>(part_of(200));
  family_parity<matmul_family, T, simt<one_multiprocessor>>(part_of(200));
#elif TERN_PART == TERN_PART_CONV
  family_parity<conv_family, T>(part_of(300));
#elif TERN_PART == TERN_PART_MOVES
  family_parity<window_family, T>(part_of(300));
  family_parity<index_family, T>(part_of(60));
  family_parity<elementwise_family, T>(part_of(40));
  family_parity<coupling_family, T>(part_of(20));
#elif TERN_PART == TERN_PART_NORMS
  family_parity<norm_family, T>(part_of(60));
  family_parity<norm_gradients_family, T>(part_of(60));
  family_parity<norm_sums_family, T>(part_of(40));
  family_parity<batch_norm_family, T>(part_of(40));
  family_parity<softmax_family, T>(part_of(40));
#elif TERN_PART == TERN_PART_LOSSES
  family_parity<loss_family, T>(part_of(40));
  family_parity<rows_family, T>(part_of(40));
  family_parity<draws_family, T>(part_of(30));
#elif TERN_PART == TERN_PART_OPTIMIZERS
  family_parity<optimizer_family, T>(part_of(20));
#endif
}

/// Types that are moved and not computed with.
[[maybe_unused]] void other_types(int cases) {
  [[maybe_unused]] const auto part_of = [&](int n) { return n * cases / 100 + 1; };
#if TERN_PART == TERN_PART_MOVES
  family_parity<index_family, bfloat16>(part_of(40));
  family_parity<index_family, half>(part_of(40));
  family_parity<index_family, std::int8_t>(part_of(40));
  family_parity<index_family, std::int32_t>(part_of(40));
#endif
}

/// Blocks of one or two warps.
[[maybe_unused]] void odd(int cases) {
  [[maybe_unused]] const auto part_of = [&](int n) { return n * cases / 100 + 1; };
#if TERN_PART == TERN_PART_MATMUL
  family_parity<matmul_family, float, odd_tiles>(part_of(200));
#elif TERN_PART == TERN_PART_CONV
  family_parity<conv_family, float, odd_tiles>(part_of(300));
#elif TERN_PART == TERN_PART_NORMS
  family_parity<norm_family, float, odd_tiles>(part_of(20));
  family_parity<norm_gradients_family, float, odd_tiles>(part_of(20));
  family_parity<norm_sums_family, float, odd_tiles>(part_of(20));
  family_parity<batch_norm_family, float, odd_tiles>(part_of(20));
  family_parity<softmax_family, float, odd_tiles>(part_of(20));
#elif TERN_PART == TERN_PART_LOSSES
  family_parity<loss_family, float, odd_tiles>(part_of(20));
  family_parity<rows_family, float, odd_tiles>(part_of(20));
#endif
}

}  // namespace
}  // namespace tern::test

int main(int argc, char** argv) {
  const bool few = argc == 2 && std::strcmp(argv[1], "--few") == 0;
  if (argc > 1 && !few) {
    std::fprintf(stderr, "%s takes --few or nothing\n", argv[0]);
    return 2;
  }
  const int cases = few ? 10 : 100;
  tern::test::share_heap();
  tern::test::all<float>(cases);
  tern::test::all<double>(cases);
  tern::test::other_types(cases);
  if (cases == 100) tern::test::odd(cases);
  return tern::test::plain_checks::end();
}
