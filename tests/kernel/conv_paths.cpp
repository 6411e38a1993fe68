// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code paths that a convolution's config leaves possible: never fewer than its calls take, and none for usual
// channels.
#include "tern/simd.hpp"
#include "tests/support/catch.hpp"

namespace tern::test {
namespace {

template <class T>
using vectors = lanes<T, arch_of<devices::native>>;

/// True if a core with all paths would take one that the config rules out.
template <class T>
bool misses_a_path(const conv_shape& s) {
  using groups = tile::group_tiles<vectors<T>, 4>;
  using pixels = tile::pixel_tiles<vectors<T>>;
  const conv_paths forward = paths_for(conv_work::forward, s), data = paths_for(conv_work::data, s),
                   weights = paths_for(conv_work::weights, s);
  const bool depthwise = tile::depthwise_core<vectors<T>, 1>::is_one(s);
  const bool grouped = s.groups > 1 && s.in == s.out && groups::has(s.out);
  const auto few = [](index_t summed, index_t results) {
    return pixels::has(results) && summed % 4 == 0 && summed <= dot_chunk;
  };
  return (depthwise && !(forward.depthwise && data.depthwise && weights.depthwise)) ||
         (grouped && !(forward.groups && data.groups)) || (few(s.in, s.out) && !forward.pixels) ||
         (few(s.out, s.in) && !data.pixels);
}

TEST_CASE("configs leave all paths that calls take", "[conv]") {
  for (const index_t groups : {1, 2, 3, 8, 64})
    for (const index_t in : {1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 64, 512, 516})
      for (const index_t out : {1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 64})
        for (const index_t kernel : {1, 3, 23}) {
          conv_shape s{.batch = 1, .groups = groups, .in = in, .out = out};
          s.axis[1].kernel = s.axis[2].kernel = kernel;
          INFO(groups << " groups, " << in << " to " << out << " channels, kernel " << kernel);
          CHECK_FALSE(misses_a_path<float>(s));
          CHECK_FALSE(misses_a_path<double>(s));
        }
}

TEST_CASE("paths that a config rules out are not compiled", "[conv]") {
  constexpr conv_paths none{.depthwise = false, .groups = false, .pixels = false, .results = 32};
  conv_shape s{.batch = 1, .groups = 1, .in = 64, .out = 64};
  s.axis[1].kernel = s.axis[2].kernel = 3;
  CHECK(paths_for(conv_work::forward, s) == none);
  CHECK(paths_for(conv_work::data, s) == none);
  CHECK(paths_for(conv_work::weights, s) == conv_paths{.depthwise = false, .groups = false, .pixels = false});
  s.groups = 64, s.in = s.out = 1;
  CHECK(paths_for(conv_work::weights, s) == conv_paths{.depthwise = true, .groups = false, .pixels = false});
  s.groups = 8, s.in = s.out = 8;
  CHECK(paths_for(conv_work::forward, s) ==
        conv_paths{.depthwise = false, .groups = true, .pixels = true, .results = 8});
}

TEST_CASE("numbers of channels with the same kernels are few", "[conv]") {
  for (index_t channels = 1; channels <= 16; ++channels) CHECK(conv_paths::results_as(channels) == channels);
  for (const index_t channels : {32, 64, 96, 2048}) CHECK(conv_paths::results_as(channels) == 32);
  for (const index_t channels : {17, 24, 31, 33, 48, 1000}) CHECK(conv_paths::results_as(channels) == 17);
}

}  // namespace
}  // namespace tern::test
