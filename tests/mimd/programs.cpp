// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contractions on tiles with private memory: every kind of split and step, batches, free plans, the checking mode, and
// that plans say what machines then use.
#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/mimd/calls.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/oracle.hpp"
#include "tests/support/thinning.hpp"

namespace tern::test {

const problem problems[] = {{96, 80, 2100}, {40, 200, 1030}, {200, 33, 520}, {7, 16, 5000}, {300, 300, 300},
                            {64, 64, 1536}, {128, 8, 4000},  {1, 70, 1025},  {64, 1, 600},  {96, 64, 4096}};

TEST_CASE("exact plans give the bits of the reference, however the planner cuts", "[mimd]") {
  unsigned seed = Catch::rngSeed();
  tile_split most_tiles{}, most_steps{};
  const auto note = [](tile_split& most, const tile_split& s) {
    most = {std::max(most.batch, s.batch), std::max(most.m, s.m), std::max(most.n, s.n), std::max(most.k, s.k)};
  };
  for (const index_t tiles : {1, 2, 3, 7, 16})
    for (const problem& q : problems)
      for (const int percent : {100, 110, 130, 200}) {
        // Memory just enough for the least demanding plan, or a little more: the planner has to take steps.
        const index_t least = plan_of<exact_tiles>(q, {tiles, 1}).bytes_per_tile;
        const tile_resources have{tiles, least * percent / 100};
        const tile_plan p = plan_of<exact_tiles>(q, have);
        REQUIRE(p.fits);
        note(most_tiles, p.tiles), note(most_steps, p.steps);
        if (++seed % one_in != 0) continue;
        tile_machine machine(tiles, have.bytes_per_tile);
        check_exact<exact_tiles>(q, p, machine, seed);
      }
  CHECK(most_tiles.m > 1);
  CHECK(most_tiles.n > 1);
  CHECK(most_tiles.k > 2);
  CHECK(most_steps.m > 1);
  CHECK(most_steps.n > 1);
  CHECK(most_steps.k > 2);
}

/// A partition decided by the caller.
template <tile_split Tiles, tile_split Steps>
struct pinned {
  constexpr tile_tuning operator()(const device&, int) const { return {.tiles = Tiles, .steps = Steps}; }
};

template <tile_split Tiles, tile_split Steps>
void check_pinned(const problem& q, unsigned seed) {
  using policy = mimd<few_tiles, numerics::exact, pinned<Tiles, Steps>>;
  const tile_plan p = plan_of<policy>(q, {few_tiles.units, few_tiles.local_bytes});
  CHECK(p.tiles == tile_split{q.batch, Tiles.m, Tiles.n, Tiles.k});
  CHECK(p.steps == tile_split{1, Steps.m, Steps.n, Steps.k});
  for (const tile_checks checks : {tile_checks::off, tile_checks::on}) {
    tile_machine machine(p.tiles.count(), p.bytes_per_tile, checks);
    check_exact<policy>(q, p, machine, seed);
  }
}

TEST_CASE("tiles and steps in every dimension at once", "[mimd][checks]") {
  const unsigned seed = Catch::rngSeed();
  check_pinned<tile_split{0, 2, 2, 2}, tile_split{0, 3, 2, 2}>({25, 70, 2049}, seed);
  check_pinned<tile_split{0, 2, 2, 2}, tile_split{0, 2, 2, 1}>({24, 128, 1024}, seed + 1);
  check_pinned<tile_split{0, 1, 5, 3}, tile_split{0, 1, 2, 2}>({11, 180, 3100}, seed + 2);
  check_pinned<tile_split{0, 4, 1, 4}, tile_split{0, 2, 2, 1}>({33, 50, 2048}, seed + 3);
  check_pinned<tile_split{0, 3, 5, 1}, tile_split{0, 2, 1, 3}>({37, 81, 1500}, seed + 4);
  check_pinned<tile_split{0, 1, 4, 2}, tile_split{0, 2, 1, 1}>({10, 64, 1000, 2}, seed + 5);
}

TEST_CASE("negative zeros survive partial sums", "[mimd]") {
  // Every product underflows to -0, so every chunk sum is -0 and so is a total that starts there.
  constexpr index_t m = 2, n = 16, k = 2048;
  std::vector<float> a(m * k, -1e-30f), b(k * n, 1e-30f), c(m * n, -0.0f), wanted = c;
  const view va(a, dims<2>(m, k)), vb(b, dims<2>(k, n));
  using policy = mimd<few_tiles, numerics::exact, pinned<tile_split{0, 1, 1, 4}, tile_split{0, 1, 1, 1}>>;
  auto machine = contraction_kernel<policy>::make_state<float>(m, n, k);
  kernel<matmul<>, reference>{}(va, vb, view(wanted, dims<2>(m, n)), accumulate);
  kernel<matmul<>, policy>{}(machine, va, vb, view(c, dims<2>(m, n)), accumulate);
  REQUIRE(std::signbit(wanted[0]));
  for (std::size_t i = 0; i < c.size(); ++i) CHECK(equal_bits(c[i], wanted[i]));
}

TEST_CASE("batches are spread over tiles, then over steps", "[mimd]") {
  unsigned seed = Catch::rngSeed();
  for (const problem& q :
       {problem{5, 17, 600, 3}, problem{3, 9, 40, 16}, problem{2, 20, 30, 37}, problem{4, 4, 0, 5}}) {
    const tile_plan p = plan_of<exact_tiles>(q, {few_tiles.units, few_tiles.local_bytes});
    CHECK(p.tiles.batch == std::min<index_t>(q.batch, q.batch == 37 ? 13 : 16));  // 37 on 16 tiles: 3 rounds of 13
    tile_machine machine(p.tiles.count(), p.bytes_per_tile, tile_checks::on);
    check_exact<exact_tiles>(q, p, machine, ++seed);
    serial run;
    tile_machine cores(3, 1 << 18, run);
    operands_of wanted(q, seed), got(q, seed);
    const contraction_kernel<reference>::context plain_loops;
    wanted.multiply<reference>(plain_loops);
    got.multiply<mimd<>>(cores);
    CHECK(equal_bits(wanted.c, got.c));
  }
}

/// c under a free plan, by scalar loops: what a plan means.
float interpret(const tile_plan& p, const operands_of& x, index_t item, index_t i, index_t j, bool accumulating) {
  float total = accumulating ? x.c(item, i, j) : 0.0f;
  const index_t parts = p.tiles.k * p.steps.k;
  for (index_t step = 0; step < p.steps.k; ++step) {
    std::vector<float> partial;
    for (index_t tile = 0; tile < p.tiles.k; ++tile) {
      const tile_range k = part_of(p.problem.k, p.k_unit, parts, step * p.tiles.k + tile);
      float of_tile = p.tiles.k == 1 ? total : 0.0f;
      for (index_t k0 = k.first; k0 < k.last; k0 += p.problem.chunk) {
        float sum = 0;
        for (index_t s = k0; s < k.last && s < k0 + p.problem.chunk; ++s)
          sum = math::fma(x.a(item, i, s), x.b(item, s, j), sum);
        of_tile += sum;
      }
      partial.push_back(of_tile);
    }
    for (std::size_t apart = 1; apart < partial.size(); apart *= 2)
      for (std::size_t t = 0; t + apart < partial.size(); t += 2 * apart) partial[t] += partial[t + apart];
    total = p.tiles.k == 1 ? partial[0] : total + partial[0];
  }
  total = total + x.bias[static_cast<std::size_t>(j)];
  total = total + x.residual(item, i, j);
  return tile::activate<activation::relu>(total);
}

TEST_CASE("free plans give the bits of a scalar interpreter of the plan", "[mimd][free]") {
  unsigned seed = Catch::rngSeed();
  bool inside_a_chunk = false, a_tree = false, steps = false;
  for (const index_t tiles : {1, 3, 7, 16})
    for (const problem& q : problems)
      for (const int percent : {100, 200}) {
        const index_t least = plan_of<free_tiles>(q, {tiles, 1}).bytes_per_tile;
        const tile_resources have{tiles, least * percent / 100};
        const tile_plan p = plan_of<free_tiles>(q, have);
        REQUIRE(p.fits);
        INFO(text(p) << " seed " << seed);
        inside_a_chunk = inside_a_chunk || part_of(q.k, p.k_unit, p.tiles.k * p.steps.k, 0).last % dot_chunk != 0;
        a_tree = a_tree || p.tiles.k > 2;
        steps = steps || p.steps.k > 1;
        if (++seed % one_in != 0) continue;
        tile_machine machine(tiles, have.bytes_per_tile);
        operands_of x(q, seed), got(q, seed);
        got.multiply<free_tiles>(machine, accumulate);
        bool equal = true, near = true;
        for (index_t item = 0; item < q.batch; ++item)
          for (index_t i = 0; i < q.m; ++i)
            for (index_t j = 0; j < q.n; ++j) {
              const float wanted = interpret(p, x, item, i, j, true);
              equal = equal && equal_bits(got.c(item, i, j), wanted);
              if (wanted == 0 || (i + j) % 16 != 0) continue;
              expected e;
              e.add(x.c(item, i, j)), e.add(x.bias[static_cast<std::size_t>(j)]), e.add(x.residual(item, i, j));
              for (index_t s = 0; s < q.k; ++s) e.add(static_cast<long double>(x.a(item, i, s)) * x.b(item, s, j));
              near = near && within_rounding(wanted, e, q.k, dot_chunk, 40);
            }
        CHECK(equal);
        CHECK(near);
        CHECK(machine.totals().bytes_per_tile <= p.bytes_per_tile);
      }
  CHECK(inside_a_chunk);
  CHECK(a_tree);
  CHECK(steps);
}

TEST_CASE("a machine that is too small fails before it writes", "[mimd]") {
  const problem q{64, 64, 512};
  operands_of x(q, 1), untouched(q, 1);
  tile_machine small(4, 8192);
  try {
    x.multiply<exact_tiles>(small);
    FAIL("no exception");
  } catch (const std::invalid_argument& e) {
    const index_t needed = plan_of<exact_tiles>(q, {4, 8192}).bytes_per_tile;
    CHECK(needed > 8192);
    CHECK(std::string(e.what()) == "matmul: m=64 n=64 k=512 batch=1 needs " + std::to_string(needed) +
                                       " bytes per tile on few_tiles, 8192 are available");
  }
  CHECK(equal_bits(x.c, untouched.c));
  // Cores need room for one panel of b.
  tile_machine tiny_cache(1, 1000);
  CHECK_THROWS_AS(x.multiply<mimd<>>(tiny_cache), std::invalid_argument);
  // What the message asks for is enough.
  tile_machine enough(4, plan_of<exact_tiles>(q, {4, 8192}).bytes_per_tile);
  CHECK_NOTHROW(x.multiply<exact_tiles>(enough));
}

TEST_CASE("the program of a contraction can be read in its trace", "[mimd]") {
  const problem q{8, 32, 1024};
  using policy = mimd<few_tiles, numerics::exact, pinned<tile_split{0, 1, 2, 2}, tile_split{0, 1, 1, 1}>>;
  superstep_record records[8];
  trace t{records};
  auto machine = contraction_kernel<policy>::make_state<float>(q.m, q.n, q.k);
  machine.record(&t);
  operands_of x(q, 1);
  x.multiply<policy>(machine);
  REQUIRE(t.records().size() == 4);
  const auto named = [&](std::size_t i) { return std::string(t.records()[i].name); };
  CHECK((named(0) == "stream in" && named(1) == "multiply" && named(2) == "reduce" && named(3) == "stream out"));
  CHECK(t.records()[0].bytes_streamed == 4 * (8 * 1024 + 1024 * 32 + 8 * 32 + 2 * 32));  // bias to both tiles of k
  CHECK(t.records()[0].cycles() == 0);
  // Both tiles of a row of the grid hold half of an 8 x 512 shard of a, and receive the other half.
  CHECK(t.records()[1].bytes_exchanged == 4 * (8 * 512 / 2) * 4);
  CHECK(t.records()[1].exchange_cycles == 100 + 8 * 512 / 2);
  // Each owns half of an 8 x 16 block, and receives one chunk sum for it.
  CHECK(t.records()[2].bytes_exchanged == 4 * (8 * 16 / 2) * 4);
  CHECK(t.records()[3].bytes_streamed == 8 * 32 * 4);
}

}  // namespace tern::test
