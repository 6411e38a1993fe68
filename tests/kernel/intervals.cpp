// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Positions of tensors in memory: the decisions of the checks of calls against all addresses of small tensors.
#include <cstdint>
#include <random>
#include <set>
#include <vector>

#include "tern/kernel/images.hpp"
#include "tests/support/catch.hpp"

namespace tern::test {
namespace {

struct axis {
  index_t stride, count;
};

template <class T>
impl::interval_set intervals(const std::vector<axis>& axes, const T* p) {
  impl::interval_set s;
  for (const axis& a : axes) s.add(a.stride, a.count);
  return s.begin_at(p);
}
/// Offsets of all elements, one per index.
std::multiset<index_t> offsets(const std::vector<axis>& axes) {
  std::multiset<index_t> all{0};
  for (const axis& a : axes) {
    std::multiset<index_t> next;
    for (const index_t at : all)
      for (index_t i = 0; i < a.count; ++i) next.insert(at + i * a.stride);
    all = next;
  }
  return all;
}
template <class T>
std::set<std::uintptr_t> bytes_of(const std::vector<axis>& axes, const T* p) {
  std::set<std::uintptr_t> bytes;
  for (const index_t at : offsets(axes))
    for (std::size_t b = 0; b < sizeof(T); ++b) bytes.insert(reinterpret_cast<std::uintptr_t>(p + at) + b);
  return bytes;
}
std::vector<axis> random_axes(std::mt19937& engine) {
  std::vector<axis> axes;
  for (int r = 0; r < 3; ++r) axes.push_back({static_cast<index_t>(engine() % 13), static_cast<index_t>(engine() % 5)});
  return axes;
}

TEST_CASE("a tensor is injective if and only if no element has two indices", "[intervals]") {
  std::mt19937 engine(1);
  const float memory = 0;
  int injective = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    const std::vector<axis> axes = random_axes(engine);
    const std::multiset<index_t> named = offsets(axes);
    const bool once = std::set<index_t>(named.begin(), named.end()).size() == named.size();
    REQUIRE(intervals(axes, &memory).nested() == once);
    injective += once;
  }
  CHECK(injective > 5000);
}

/// Checks that sets that are reported as disjoint are disjoint.
template <class X, class Y>
void check_apart(unsigned seed) {
  std::mt19937 engine(seed);
  std::vector<double> memory(64);
  int apart = 0;  // although their ranges meet
  for (int trial = 0; trial < 20000; ++trial) {
    const std::vector<axis> x = random_axes(engine), y = random_axes(engine);
    const X* p = reinterpret_cast<const X*>(memory.data());
    const Y* q = reinterpret_cast<const Y*>(memory.data()) + engine() % 24;
    const auto all = bytes_of(x, p), others = bytes_of(y, q);
    bool shared = false;
    for (const std::uintptr_t b : others) shared = shared || all.contains(b);
    const bool meets = intervals(x, p).meets(intervals(y, q));
    REQUIRE((meets || !shared));
    REQUIRE(intervals(y, q).meets(intervals(x, p)) == meets);
    const bool ranges_meet =
        !all.empty() && !others.empty() && *all.begin() <= *others.rbegin() && *others.begin() <= *all.rbegin();
    apart += ranges_meet && !meets;
  }
  CHECK(apart > 0);
}
TEST_CASE("tensors that share an element are never said to lie apart", "[intervals]") {
  check_apart<float, float>(2);
  check_apart<double, float>(3);
  check_apart<std::uint8_t, float>(4);
}

TEST_CASE("tensors take turns by columns, by elements and by items of a batch", "[intervals]") {
  const std::vector<float> memory(1000);
  const float* p = memory.data();
  const std::vector<axis> columns{{1, 4}, {8, 5}, {64, 3}}, second{{2, 8}, {16, 8}}, items{{1, 8}, {8, 8}, {128, 4}};
  CHECK(!intervals(columns, p).meets(intervals(columns, p + 4)));
  CHECK(intervals(columns, p).meets(intervals(columns, p + 3)));
  CHECK(!intervals(second, p).meets(intervals(second, p + 1)));
  CHECK(intervals(second, p).meets(intervals(second, p + 2)));
  CHECK(!intervals(items, p).meets(intervals(items, p + 64)));
  CHECK(intervals(items, p).meets(intervals(items, p + 63)));
}

}  // namespace
}  // namespace tern::test
