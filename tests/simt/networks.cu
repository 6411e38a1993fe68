// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole training steps of two networks of blocks on a stream, against the reference: forward, loss, backward, clipping,
// AdamW, and inference. As parity.cu this needs the executor, or a GPU that shares the host's memory.
#define TERN_TEST_WITHOUT_CATCH 1
#include <vector>

#include "tern/simt.cuh"
#include "tests/block/networks.hpp"
#include "tests/simt/device_memory.cuh"
#include "tests/simt/ptx/executor.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {
namespace {

/// What two steps and an inference leave.
template <class Block, class Policy, class State>
std::vector<float> trained(State& state, index_t most_at_a_time) {
  const auto x = random_vector(pictures * picture_shape.size(), 7);
  std::vector<float> all;
  const bool right = train<Block, Policy>(state, x, most_at_a_time, [&](const char*, std::span<const float> numbers) {
    all.insert(all.end(), numbers.begin(), numbers.end());
  });
  return right ? all : std::vector<float>();
}

template <class Block>
void check(const char* name, index_t most_at_a_time, tally& count) {
  auto plain = network<Block, picture_shape, reference>::make_state();
  simt_stream stream(cudaStreamLegacy);
  const std::vector<float> wanted = trained<Block, reference>(plain, pictures);
  const std::vector<float> got = trained<Block, simt<>>(stream, most_at_a_time);
  count(!wanted.empty() && same_bits(wanted, got), name);
}

}  // namespace
}  // namespace tern::test

int main() {
  ptx::settings().at_once = true;
  ptx::share_host_heap();
  tern::test::tally count;
  tern::test::check<tern::test::alone>("reversible blocks, pools, gradients that are computed again, dropout", 64,
                                       count);
  tern::test::check<tern::test::together>("batch norms and residuals", tern::test::pictures, count);
  std::printf("%d of %d trainings have the bits of the reference\n", count.checks - count.failures, count.checks);
  return count.failures == 0 ? 0 : 1;
}
