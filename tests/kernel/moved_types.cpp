// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes, 64-bit integers and bools are moved under every model, and nothing is computed on them.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <type_traits>
#include <vector>

#include "tern/exec/cpu/team.hpp"
#include "tern/mimd.hpp"
#include "tern/reference.hpp"
#include "tern/simd.hpp"
#include "tern/simt.hpp"
#include "tests/support/catch.hpp"

namespace tern::test {
namespace {

/// An array, since std::vector<bool> has no elements.
template <class T>
struct elements {
  index_t count;
  std::unique_ptr<T[]> at = std::make_unique<T[]>(static_cast<std::size_t>(count));

  template <index_t... E>
  auto last() {
    return view(at.get(), count, layout_channels_last::mapping(extents<E...>()));
  }
  template <index_t... E>
  auto rows() {
    return view(at.get(), count, extents<E...>());
  }
};

template <class T, class F>
void fill(elements<T>& x, F f) {
  for (index_t i = 0; i < x.count; ++i) x.at[static_cast<std::size_t>(i)] = static_cast<T>(f());
}

/// The results of all ops on x, one after the other.
template <class T, class Policy, class... State>
std::vector<T> moved(unsigned seed, State&... state) {
  std::mt19937_64 random(seed);
  elements<T> x{2 * 6 * 4 * 5}, planes{x.count}, shuffled{x.count}, padded{2 * 6 * 5 * 8}, wide{2 * 6 * 8 * 15},
      deep{x.count}, back{x.count};
  fill(x, random);
  fill(padded, random);
  kernel<reorder<T>, Policy>()(state..., x.template last<2, 6, 4, 5>(), planes.template rows<2, 6, 4, 5>());
  kernel<channel_shuffle<channel_shuffle_config{.groups = 3}, T>, Policy>()(state..., x.template last<2, 6, 4, 5>(),
                                                                            shuffled.template last<2, 6, 4, 5>());
  kernel<pad2d<pad2d_config{.pad = {1, 2}, .pad_end = {0, 1}}, T>, Policy>()(
      state..., x.template last<2, 6, 4, 5>(), padded.template last<2, 6, 5, 8>(), padding_value{1});
  kernel<upsample2d<upsample2d_config{.factor = {2, 3}}, T>, Policy>()(state..., x.template last<2, 6, 4, 5>(),
                                                                       wide.template last<2, 6, 8, 15>());
  using squeeze = space_to_depth2d<space_to_depth2d_config{.block = {2, 1}}, T>;
  kernel<squeeze, Policy>()(state..., x.template last<2, 6, 4, 5>(), deep.template last<2, 12, 2, 5>());
  kernel<squeeze, Policy>().backward_data(state..., deep.template last<2, 12, 2, 5>(),
                                          back.template last<2, 6, 4, 5>());
  std::vector<T> all;
  for (const elements<T>* t : {&planes, &shuffled, &padded, &wide, &deep, &back})
    for (index_t i = 0; i < t->count; ++i) all.push_back(t->at[static_cast<std::size_t>(i)]);
  return all;
}

/// The first results by their definitions.
template <class T>
void check_definitions(unsigned seed, const std::vector<T>& all) {
  std::mt19937_64 random(seed);
  std::vector<T> x(2 * 6 * 4 * 5);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<T>(random());
  const auto at = [&](std::size_t n, std::size_t c, std::size_t y, std::size_t z) {
    return x[((n * 4 + y) * 5 + z) * 6 + c];
  };
  const std::size_t size = x.size();
  for (std::size_t n = 0; n < 2; ++n)
    for (std::size_t c = 0; c < 6; ++c)
      for (std::size_t y = 0; y < 5; ++y)
        for (std::size_t z = 0; z < 8; ++z) {
          if (y < 4 && z < 5) {
            CHECK(all[((n * 6 + c) * 4 + y) * 5 + z] == at(n, c, y, z));
            CHECK(all[size + ((n * 4 + y) * 5 + z) * 6 + c] == at(n, c % 3 * 2 + c / 3, y, z));
          }
          const bool inside = y >= 1 && z >= 2 && z < 7;
          CHECK(all[2 * size + ((n * 5 + y) * 8 + z) * 6 + c] == (inside ? at(n, c, y - 1, z - 2) : T(1)));
        }
  CHECK(std::vector<T>(all.end() - static_cast<std::ptrdiff_t>(size), all.end()) == x);
}

template <class T>
void check(unsigned seed) {
  const std::vector<T> expected = moved<T, reference>(seed);
  check_definitions(seed, expected);
  CHECK(moved<T, simd<>>(seed) == expected);
  team two({.threads = 2, .oversubscribe = true});
  CHECK(moved<T, simd<>>(seed, two) == expected);
  tile_machine tiles(7, 1 << 16, two);
  CHECK(moved<T, mimd<>>(seed, tiles) == expected);
  simt_host blocks;
  CHECK(moved<T, simt<>>(seed, blocks) == expected);
}

TEST_CASE("bytes are moved", "[rearrange]") { check<std::uint8_t>(1); }
TEST_CASE("64-bit integers are moved", "[rearrange]") { check<std::int64_t>(2); }
TEST_CASE("bools are moved", "[rearrange]") { check<bool>(3); }

}  // namespace
}  // namespace tern::test
