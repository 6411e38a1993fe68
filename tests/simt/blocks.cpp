// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The block contexts of the host: collectives have the bits of their definition, the order of threads and the run-ahead
// of pipelines change nothing, and seeded mistakes are found.
#include <cmath>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "tern/exec/simt/host.hpp"
#include "tern/exec/simt/thread_block.hpp"
#include "tests/simt/sample_kernels.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/catch.hpp"

namespace tern::test {

std::vector<float> random_numbers(std::size_t n) {
  std::mt19937 engine(Catch::rngSeed());
  std::vector<float> x(n);
  for (float& v : x) v = std::uniform_real_distribution<float>(-1, 1)(engine);
  return x;
}

bool same(const std::vector<float>& a, const std::vector<float>& b) {
  bool equal = a.size() == b.size();
  for (std::size_t i = 0; equal && i < a.size(); ++i) equal = equal_bits(a[i], b[i]);
  return equal;
}

template <class Kernel, class State, class... More>
std::vector<float> results(const State& state, index_t blocks, const std::vector<float>& in, std::size_t size,
                           More... more) {
  std::vector<float> out(size, -7.7e33f);
  const float* from = in.data();
  float* to = out.data();
  launch<Kernel>(state, blocks, from, to, more...);
  return out;
}

/// The definition of fold in collectives.hpp, element by element.
template <class Op>
std::vector<float> folded(std::vector<float> x, std::size_t first, std::size_t width, Op op) {
  x.assign(x.begin() + static_cast<std::ptrdiff_t>(first), x.begin() + static_cast<std::ptrdiff_t>(first + width));
  for (std::size_t m = width / 2; m > 0; m /= 2) {
    std::vector<float> y(width);
    for (std::size_t i = 0; i < width; ++i) y[i] = op(x[i & ~m], x[i | m]);
    x = y;
  }
  return x;
}

TEST_CASE("collectives have the bits of their trees in every context", "[simt]") {
  const std::size_t blocks = 3, threads = collect::threads;
  std::vector<float> in = random_numbers(blocks * threads);
  in[threads + 7] = NAN;  // in the second block
  in[2 * threads + 3] = -0.0f;
  std::vector<float> wanted;
  for (std::size_t b = 0; b < blocks; ++b)
    for (std::size_t t = 0; t < threads; ++t) {
      wanted.push_back(folded(in, b * threads + t / 32 * 32, 32, fold_sum{})[t % 32]);
      wanted.push_back(folded(in, b * threads, threads, fold_sum{})[t]);
      wanted.push_back(folded(in, b * threads, threads, fold_max{})[t]);
      wanted.push_back(in[b * threads + 5]);
    }
  CHECK(same(wanted, results<collect>(simt_host{}, blocks, in, 4 * in.size())));
  CHECK(same(wanted, results<collect>(simt_host{.reverse = true}, blocks, in, 4 * in.size())));
  CHECK(same(wanted, results<collect>(simt_threads{}, blocks, in, 4 * in.size())));
  for (std::size_t i = 0; i < wanted.size(); ++i)  // all threads of a block agree on what is the block's
    if (i % 4 != 0) REQUIRE(equal_bits(wanted[i], wanted[i / (4 * threads) * (4 * threads) + i % 4]));
}

TEST_CASE("the maximum of a block keeps NaN", "[simt]") {
  CHECK(std::isnan(fold_max{}(1.0f, NAN)));
  CHECK(std::isnan(fold_max{}(NAN, 1.0f)));
  CHECK(fold_max{}(2.0f, 1.0f) == 2.0f);
  CHECK(fold_max{}(-INFINITY, 1.0f) == 1.0f);
}

TEST_CASE("a missing barrier shows when threads run in the other order", "[simt]") {
  const std::vector<float> in = random_numbers(2 * rotate<>::threads);
  const auto forward = results<rotate<>>(simt_host{}, 2, in, in.size());
  CHECK(same(forward, results<rotate<>>(simt_host{.reverse = true}, 2, in, in.size())));
  CHECK(same(forward, results<rotate<>>(simt_threads{}, 2, in, in.size())));
  for (std::size_t t = 0; t < in.size(); ++t) REQUIRE(forward[t] == in[t / 64 * 64 + (t + 1) % 64]);

  using racing = rotate<mistake::missing_barrier>;
  CHECK_FALSE(same(results<racing>(simt_host{}, 2, in, in.size()),
                   results<racing>(simt_host{.reverse = true}, 2, in, in.size())));
}

TEST_CASE("a pipeline gives the same bits for every run-ahead and order", "[simt]") {
  for (const int n : {0, 1, 2, 3, 4, 5, 17}) {
    const std::vector<float> in = random_numbers(static_cast<std::size_t>(n) * 32 + 1);
    std::vector<float> wanted(32);
    for (int t = 0; t < 32; ++t)
      for (int i = 0; i < n; ++i)
        wanted[static_cast<std::size_t>(t)] += in[static_cast<std::size_t>(i * 32 + (t + i) % 32)];
    for (const bool reverse : {false, true})
      for (const int run_ahead : {0, 1, 2, 3, 4}) {
        INFO("n " << n << " reverse " << reverse << " run_ahead " << run_ahead);
        CHECK(same(wanted, results<stream_sum<>>(simt_host{reverse, run_ahead}, 1, in, 32, n)));
      }
    CHECK(same(wanted, results<stream_sum<>>(simt_threads{}, 1, in, 32, n)));
  }
}

TEST_CASE("reading another slot of a pipeline gives NaN or depends on the run-ahead", "[simt]") {
  const std::vector<float> in = random_numbers(32 * 9);
  using wrong = stream_sum<mistake::wrong_slot>;
  const auto poisoned = results<wrong>(simt_host{.run_ahead = 1}, 1, in, 32, 9);
  for (const float x : poisoned) CHECK(std::isnan(x));
  // With the whole ring in use the next slab is there until the last one: its slot was released and poisoned.
  CHECK(std::isnan(results<wrong>(simt_host{}, 1, in, 32, 9)[0]));
}

TEST_CASE("copies of a pipeline outside their slot or off their alignment are refused", "[simt]") {
  const std::vector<float> in = random_numbers(32 * 5);
  const auto message = [&](auto kernel) {
    std::string text = "nothing was thrown";
    try {
      results<decltype(kernel)>(simt_host{}, 1, in, 32, 5);
    } catch (const std::invalid_argument& e) {
      text = e.what();
    }
    return text;
  };
  CHECK(message(stream_sum<mistake::leaves_slot>{}) ==
        "pipeline: a copy starts at byte 128 of its slot, which has 128");
  CHECK(message(stream_sum<mistake::misaligned>{}) ==
        "pipeline: a copy of 16 bytes has an address that is not a multiple of that");
}

}  // namespace tern::test
