// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans of recomputation against brute force; a cut chain has the gradients of the whole, bit by bit.
#include <array>
#include <string>

#include "tern/simd.hpp"
#include "tests/block/passes.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {
namespace {

/// The best of all 2^(N - 1) cuts.
template <std::size_t N>
recompute_choice<N> best_of_all(const std::array<chain_cost, N>& chain, index_t budget) {
  recompute_choice<N> best, least;
  for (unsigned bits = 0; bits < 1u << (N - 1); ++bits) {
    std::array<bool, N> begins{true};
    for (std::size_t i = 1; i < N; ++i) begins[i] = bits >> (i - 1) & 1;
    const auto c = cost_of(chain, begins, budget);
    if (c.fits && (!best.fits || c.work < best.work || (c.work == best.work && c.memory < best.memory))) best = c;
    if (bits == 0 || c.memory < least.memory || (c.memory == least.memory && c.work < least.work)) least = c;
  }
  return best.fits ? best : least;
}

template <std::size_t N>
void compare_plans(unsigned seed, int rounds) {
  std::mt19937 random(seed);
  const auto draw = [&](index_t most) { return std::uniform_int_distribution<index_t>(0, most)(random); };
  for (int i = 0; i < rounds; ++i) {
    std::array<chain_cost, N> chain;
    const bool alike = i % 3 == 0;
    for (auto& c : chain) c = alike ? chain_cost{4, 10, 3} : chain_cost{draw(20), draw(60), draw(30)};
    index_t all = 0;
    for (const auto& c : chain) all += c.kept;
    const index_t budget = draw(all + 20);
    const auto plan = plan_recompute(chain, budget), best = best_of_all(chain, budget);
    REQUIRE(plan.fits == best.fits);
    REQUIRE(plan.memory == best.memory);
    REQUIRE(plan.work == best.work);
    REQUIRE(plan == cost_of(chain, plan.begins, budget));
  }
}

TEST_CASE("plans are the best of all cuts") {
  compare_plans<1>(1, 20);
  compare_plans<2>(2, 50);
  compare_plans<7>(3, 200);
  compare_plans<12>(4, 40);
}

TEST_CASE("a plan is a constant") {
  constexpr std::array<chain_cost, 12> chain = [] {
    std::array<chain_cost, 12> c{};
    for (auto& i : c) i = {.input = 1, .kept = 4, .work = 2};
    return c;
  }();
  constexpr auto plan = plan_recompute(chain, 20);
  STATIC_REQUIRE(plan.fits);
  STATIC_REQUIRE(plan.memory <= 20);
  STATIC_REQUIRE(plan.work > 0);
  STATIC_REQUIRE(!plan_recompute(chain, 4).fits);
  STATIC_REQUIRE(plan_recompute(chain, 48).work == 0);
}

// Twelve blocks with statistics and random numbers; the type does not say which is which, so that they are compiled
// once.
using block = sequence<matmul<matmul_config{.n = 8, .bias = true, .act = activation::tanh}>, batch_norm<>, drop<20>>;
constexpr std::size_t blocks = 12;
constexpr sample_shape shape = sample_shape::features(8);
using policy = simd<>;

template <unsigned Bits>
constexpr std::array<bool, blocks> begins = [] {
  std::array<bool, blocks> b{true};
  for (std::size_t i = 1; i < blocks; ++i) b[i] = Bits >> (i - 1) & 1;
  return b;
}();
template <unsigned Bits>
using cut_network = network<sequence_in_segments<begins<Bits>, block, block, block, block, block, block, block, block,
                                                 block, block, block, block>,
                            shape, policy>;

struct outcome {
  std::vector<float> gradient, dx, y, statistics;
};
template <class Net>
outcome run() {
  passes<Net> p(9);
  p.forward();
  p.backward();
  return {p.gradient, p.dx, p.y, p.statistics};
}

/// Cuts a chain at run time: the same layers, called as a checkpoint calls them, for every one of the 2^11 cuts.
outcome run_cut(unsigned bits) {
  using l = layer<block, shape, policy>;
  using net = network<repeat<static_cast<index_t>(blocks), block>, shape, policy>;
  passes<net> p(9);
  const auto batch = static_cast<index_t>(9), size = batch * shape.size();
  const auto at = [](index_t i) { return static_cast<std::size_t>(i); };
  const memory_need scratch_need = most(l::forward_scratch, l::backward_scratch);
  std::vector<std::vector<float>> edges(blocks + 1), kept(blocks);
  auto scratch = poisoned<float>(scratch_need.elements(batch));
  const auto call = [&](std::size_t i, bool replay) {
    return layer_call<float, decltype(p.state)>{.state = p.state,
                                                .batch = batch,
                                                .parameters = p.parameters.data(),
                                                .gradient = p.gradient.data(),
                                                .statistics = p.statistics.data(),
                                                .replay = replay,
                                                .site = p.site}
        .at(static_cast<index_t>(i) * l::parameters, static_cast<index_t>(i) * l::statistics,
            static_cast<index_t>(i) * l::sites);
  };
  const auto forward = [&](std::size_t i, bool replay) {
    kept[i] = poisoned<float>(l::kept.elements(batch));
    edges[i + 1] = poisoned<float>(size);
    l::forward(call(i, replay), static_cast<const float*>(edges[i].data()), edges[i + 1].data(),
               detail::memory_in(kept[i].data(), l::kept, batch),
               detail::memory_in(scratch.data(), scratch_need, batch));
  };
  p.gradient.assign(at(net::parameters), 0.0f);
  edges[0] = p.x;
  const auto begins_at = [&](std::size_t i) { return i == 0 || (bits >> (i - 1) & 1) != 0; };
  std::size_t last = 0;
  for (std::size_t i = 0; i < blocks; ++i) {
    forward(i, false);
    if (begins_at(i)) last = i;
  }
  const auto y = edges[blocks];
  // Drops the tensors that segments do not keep.
  for (std::size_t i = 0; i < last; ++i) {
    kept[i].clear();
    if (!begins_at(i)) edges[i].clear();
  }
  auto dy = p.dy;
  std::size_t end = blocks;
  for (std::size_t first = last;; --first) {
    if (!begins_at(first)) continue;
    if (first < last)
      for (std::size_t i = first; i < end; ++i) forward(i, true);
    for (std::size_t i = end; i-- > first;) {
      auto dx = poisoned<float>(size);
      l::backward(call(i, true), static_cast<const float*>(edges[i].data()), edges[i + 1].data(),
                  static_cast<const float*>(dy.data()), dx.data(), detail::memory_in(kept[i].data(), l::kept, batch),
                  detail::memory_in(scratch.data(), scratch_need, batch));
      dy = dx;
    }
    end = first;
    if (first == 0) break;
  }
  return {p.gradient, dy, y, p.statistics};
}

void compare(const outcome& a, const outcome& b) {
  CHECK(same_bits(a.gradient, b.gradient));
  CHECK(same_bits(a.dx, b.dx));
  CHECK(same_bits(a.y, b.y));
  CHECK(same_bits(a.statistics, b.statistics));
}

TEST_CASE("every cut of a chain of 12 blocks gives the gradients of the whole") {
  const outcome whole = run<cut_network<0>>();
  compare(run<cut_network<0x7ff>>(), whole);
  compare(run<cut_network<0x124>>(), whole);
  compare(run<cut_network<0x401>>(), whole);
  for (unsigned bits = 0; bits < 1u << (blocks - 1); ++bits) {
    INFO(bits);
    compare(run_cut(bits), whole);
  }
}

TEST_CASE("recompute keeps within its budget") {
  using l = layer<block, shape, policy>;
  constexpr index_t one = l::kept.per_sample + 16;
  using tight =
      network<recompute<6 * one, block, block, block, block, block, block, block, block, block, block, block, block>,
              shape, policy>;
  using loose =
      network<recompute<12 * one, block, block, block, block, block, block, block, block, block, block, block, block>,
              shape, policy>;
  STATIC_REQUIRE(loose::training_memory == cut_network<0>::training_memory);
  STATIC_REQUIRE(tight::training_memory.per_sample < loose::training_memory.per_sample);
  compare(run<tight>(), run<loose>());
  std::vector<std::string> names[2];
  tight::each_parameter([&](const parameter& p) { names[0].push_back(p.name); });
  loose::each_parameter([&](const parameter& p) { names[1].push_back(p.name); });
  CHECK(names[0] == names[1]);
}

enum class kept { all, by_hand, by_scopes };
/// Residual blocks whose names are nested, and a block that has a name of its own.
template <kept Kept>
struct stages {
  static constexpr value branch(graph& g, value x) {
    const auto names = g.inside("branch");
    x = g.matmul("dense", {.n = 8, .bias = true, .act = activation::tanh}, g.batch_norm("norm", {}, x));
    return g.dropout("drop", 20, x);
  }
  static constexpr value stage(graph& g, index_t number, value x) {
    const auto names = g.inside("stages", number);
    if constexpr (Kept == kept::by_hand) {
      const auto again = g.checkpoint();
      return g.add("sum", x, branch(g, x));
    } else {
      return g.add("sum", x, branch(g, x));
    }
  }
  static constexpr value shared(graph& g, value x) {
    const auto build = [&](value v) { return g.add("sum", v, branch(g, v)); };
    if constexpr (Kept == kept::by_hand) {
      const auto again = g.checkpoint();
      return g.shared("twice", x, build);
    } else {
      return g.shared("twice", x, build);
    }
  }
  static constexpr value define(graph& g, value x) {
    if (Kept == kept::by_scopes) g.checkpoint_scopes();
    for (index_t i = 0; i < 3; ++i) x = stage(g, i, x);
    for (index_t i = 0; i < 2; ++i) x = shared(g, x);
    return g.matmul("last", {.n = 3}, x);
  }
};

TEST_CASE("checkpoints around the outermost names are those by hand") {
  using all = network<stages<kept::all>, shape, policy>;
  using by_hand = network<stages<kept::by_hand>, shape, policy>;
  using by_scopes = network<stages<kept::by_scopes>, shape, policy>;
  STATIC_REQUIRE(by_scopes::training_memory == by_hand::training_memory);
  STATIC_REQUIRE(by_scopes::training_memory.per_sample < all::training_memory.per_sample);
  const outcome whole = run<all>();
  compare(run<by_hand>(), whole);
  compare(run<by_scopes>(), whole);
}

}  // namespace
}  // namespace tern::test
