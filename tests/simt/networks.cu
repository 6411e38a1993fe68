// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole training steps of two networks of blocks on a stream, against the reference: forward, loss, backward, clipping,
// AdamW, and inference. Kernels read and write the vectors of the host: see shared_heap.hpp.
//
// TERN_ELEMENT is their element type; without it they are trained in float and in double.
#define TERN_TEST_WITHOUT_CATCH 1
#include <string>
#include <vector>

#include "tern/simt.cuh"
#include "tests/block/networks.hpp"
#include "tests/simt/device_memory.cuh"
#include "tests/simt/shared_heap.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {
namespace {

/// The results of two steps and an inference.
template <class Block, class Policy, class State>
auto trained(State& state, index_t most_at_a_time) {
  using T = typename network<Block, picture_shape, Policy>::value_type;
  const auto x = random_vector<T>(pictures * picture_shape.size(), 7);
  std::vector<T> all;
  const bool right = train<Block, Policy>(state, x, most_at_a_time, [&](const char*, std::span<const T> numbers) {
    all.insert(all.end(), numbers.begin(), numbers.end());
  });
  return right ? all : std::vector<T>();
}

template <class Block>
void check(const std::string& name, index_t most_at_a_time, tally& count) {
  auto plain = network<Block, picture_shape, reference>::make_state();
  simt_stream stream(cudaStreamLegacy);
  const auto wanted = trained<Block, reference>(plain, pictures);
  const auto got = trained<Block, simt<>>(stream, most_at_a_time);
  count(!wanted.empty() && same_bits(wanted, got), name);
}

template <class T>
void check_all(tally& count) {
  const std::string type = std::string(" in ") + dtype<T>::name;
  check<separable_net_in<T>>("reversible blocks, pools, gradients that are computed again, dropout" + type, 64, count);
  check<coupled_net_in<T>>("batch norms and residuals" + type, pictures, count);
}

}  // namespace
}  // namespace tern::test

int main() {
  tern::test::share_heap();
  tern::test::tally count;
#if defined(TERN_ELEMENT)
  tern::test::check_all<TERN_ELEMENT>(count);
#else
  tern::test::check_all<float>(count);
  tern::test::check_all<double>(count);
#endif
  std::printf("%d of %d trainings have the bits of the reference\n", count.checks - count.failures, count.checks);
  return count.failures == 0 ? 0 : 1;
}
