// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tile machine itself: arenas, exchanges, accounts, the trace; its checks catch seeded mistakes.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <sstream>
#include <stdexcept>
#include <string>

#include "tern/exec/mimd/tile_machine.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message.hpp"

namespace tern::test {

constexpr device machine_of_four{.name = "four",
                                 .execution = model::mimd,
                                 .units = 4,
                                 .threads_per_unit = 6,
                                 .fma_per_cycle = 16,
                                 .local_bytes = 4096,
                                 .exchange_bytes_per_cycle = 4,
                                 .exchange_setup_cycles = 100,
                                 .sync_cycles = 90,
                                 .input_grain = 8,
                                 .output_grain = 8};

constexpr auto idle = [](index_t, arena&) { return 0.0; };

/// n floats from the start of one arena to an offset of another.
copy floats(index_t from, index_t to, index_t n, index_t offset = 0) {
  return {.from = location::on(from, 0, 0, 4), .to = location::on(to, offset, 0, 4), .columns = n, .element_bytes = 4};
}

/// Fills n floats at the start of every arena with the tile's number.
void fill(tile_machine& m, index_t n) {
  m.superstep("fill", [&](index_t t, arena& mine) {
    for (float& x : mine.out<float>(0, n)) x = static_cast<float>(t);
    return 10.0 * static_cast<double>(t);
  });
}

/// True if f, run in a process of its own, ends by the signal of a forbidden memory access (or by the sanitizer's
/// report of it, which is an exit code other than 0).
template <class F>
bool traps(F&& f) {
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGSEGV, SIG_DFL);
    std::signal(SIGBUS, SIG_DFL);
    close(2);
    f();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? WTERMSIG(status) == SIGSEGV || WTERMSIG(status) == SIGBUS : WEXITSTATUS(status) != 0;
}

TEST_CASE("an exchange moves rows between arenas and between the caller and a tile", "[mimd]") {
  for (const tile_checks checks : {tile_checks::off, tile_checks::on}) {
    tile_machine m(4, 4096, checks);
    float in[3][5], out[3][2] = {};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 5; ++j) in[i][j] = static_cast<float>(10 * i + j);
    m.start(machine_of_four, 4);
    // Columns 1 and 3 of three rows to tile 2, then rotated to tile 0, then out as rows.
    m.stream("in", [&](index_t t, copier& copies) {
      if (t == 2)
        copies({.from = location::at(&in[0][1], 5 * 4, 2 * 4),
                .to = location::on(2, 64, 2 * 4, 4),
                .rows = 3,
                .columns = 2,
                .element_bytes = 4});
    });
    m.superstep(
        "shift",
        [&](index_t t, copier& copies) {
          if (t == 0)
            copies({.from = location::on(2, 64, 2 * 4, 4),
                    .to = location::on(0, 0, 4 * 4, 4),
                    .rows = 3,
                    .columns = 2,
                    .element_bytes = 4});
        },
        [&](index_t t, arena& mine) {
          if (t == 0)
            for (index_t i = 0; i < 3; ++i)
              for (float& x : mine.inout<float>(i * 16, 2)) x += 100;
          return 7.0;
        });
    m.stream("out", [&](index_t t, copier& copies) {
      if (t == 0)
        copies({.from = location::on(0, 0, 4 * 4, 4),
                .to = location::at(&out[0][0], 2 * 4, 4),
                .rows = 3,
                .columns = 2,
                .element_bytes = 4});
    });
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 2; ++j) CHECK(out[i][j] == in[i][1 + 2 * j] + 100);
    const tile_totals totals = m.totals();
    CHECK(totals.supersteps == 1);
    CHECK(totals.bytes_streamed == 2 * 24);
    CHECK(totals.bytes_exchanged == 24);
    CHECK(totals.bytes_per_tile == 64 + 24);
    CHECK(totals.compute_cycles == 7);
    CHECK(totals.sync_cycles == 90);
    CHECK(totals.exchange_cycles == 100 + 24 / 4);
  }
}

TEST_CASE("copies are values", "[mimd]") {
  constexpr copy a{.from = location::on(1, 8, 0, 4), .to = location::on(2, 16, 0, 4), .columns = 3, .element_bytes = 4};
  static_assert(a.bytes() == 12);
  static_assert(
      a == copy{.from = location::on(1, 8, 0, 4), .to = location::on(2, 16, 0, 4), .columns = 3, .element_bytes = 4});
  copy b = a;
  b.to.offset = 20;
  CHECK(a != b);
}

TEST_CASE("the busiest tile determines the cost of an exchange", "[mimd]") {
  tile_machine m(4, 4096);
  m.start(machine_of_four, 4);
  fill(m, 64);
  // Tile 0 sends 40 bytes to each of the others, at once: the sender is charged once, every receiver for itself.
  m.superstep(
      "broadcast",
      [&](index_t t, copier& copies) {
        if (t == 0) return;
        copy c = floats(0, t, 10, 256);
        c.charge_sender = t == 1;
        copies(c);
      },
      idle);
  CHECK(m.totals().exchange_cycles == 100 + 40 / 4);
  CHECK(m.totals().bytes_exchanged == 3 * 40);
  // Every tile sends to tile 3, which receives most.
  m.superstep(
      "gather",
      [&](index_t t, copier& copies) {
        if (t == 3)
          for (index_t from = 0; from < 3; ++from) copies(floats(from, 3, 10, 512 + from * 40));
      },
      idle);
  CHECK(m.totals().exchange_cycles == 110 + 100 + 3 * 40 / 4);
  // A pair that receives the same bytes gets them at twice the rate; a copy within a tile is free.
  m.superstep(
      "pair",
      [&](index_t t, copier& copies) {
        copy c = floats(0, t, 10, 1024);
        c.charge_sender = t == 2, c.paired = t >= 2;
        if (t == 0 || t >= 2) copies(c);
      },
      idle);
  CHECK(m.totals().exchange_cycles == 110 + 130 + 100 + 40 / 4);  // 20 charged to each receiver, 40 to the sender
  m.superstep("local", [&](index_t t, copier& copies) { copies(floats(t, t, 10, 2048)); }, idle);
  CHECK(m.totals().exchange_cycles == 110 + 130 + 110);
  CHECK(m.totals().compute_cycles == 30);
  CHECK(m.totals().sync_cycles == 5 * 90);
}

TEST_CASE("the trace is bounded by the storage of the caller", "[mimd]") {
  tile_machine m(2, 256);
  superstep_record storage[2];
  trace t{storage};
  m.record(&t);
  m.start(machine_of_four, 2);
  fill(m, 8);
  m.superstep("swap", [&](index_t tile, copier& copies) { copies(floats(1 - tile, tile, 8, 128)); }, idle);
  m.superstep("third", idle);
  REQUIRE(t.records().size() == 2);
  CHECK(t.dropped() == 1);
  CHECK(t.records()[0] == superstep_record{.name = "fill", .tiles = 2, .compute_cycles = 10, .sync_cycles = 90});
  CHECK(t.records()[1] ==
        superstep_record{.name = "swap", .tiles = 2, .bytes_exchanged = 64, .sync_cycles = 90, .exchange_cycles = 108});
  std::ostringstream json, text;
  t.json(json);
  CHECK(json.str() == R"([{"name":"fill","tiles":2,"compute_cycles":10,"sync_cycles":90,"exchange_cycles":0,)"
                      R"("bytes_exchanged":0,"bytes_streamed":0},{"name":"swap","tiles":2,"compute_cycles":0,)"
                      R"("sync_cycles":90,"exchange_cycles":108,"bytes_exchanged":64,"bytes_streamed":0}])");
  text << t;
  CHECK(text.str().find("1 more did not fit") != std::string::npos);
  m.record(nullptr);
  m.superstep("unseen", idle);
  CHECK(t.dropped() == 1);
}

TEST_CASE("spans end where the arena ends", "[mimd]") {
  tile_machine m(2, 64);
  m.start(machine_of_four, 2);
  CHECK(test::message([&] {
          m.superstep("far", [](index_t, arena& mine) { return static_cast<double>(mine.out<float>(32, 9)[0]); });
        }) == "arena: bytes 32 to 68 of tile 0, which has 64");
  CHECK(test::message([&] { m.stream("far", [](index_t t, copier& c) { c(floats(t, t, 4, 52)); }); }) ==
        "arena: bytes 52 to 68 of tile 0, which has 64");
  const index_t wraps = index_t{1} << 62;  // times 4 it is 0
  CHECK(test::message([&] {
          m.superstep("far",
                      [&](index_t, arena& mine) { return static_cast<double>(mine.out<float>(0, wraps).size()); });
        }) == "arena: bytes 0 to 9223372036854775807 of tile 0, which has 64");
  CHECK(test::message([&] { m.stream("far", [&](index_t t, copier& c) { c(floats(t, t, wraps + 1)); }); }) ==
        "arena: bytes 0 to 9223372036854775807 of tile 0, which has 64");
  CHECK(test::message([&] { m.stream("from", [](index_t t, copier& c) { c(floats(5, t, 4)); }); }) ==
        "exchange: tile 0 copies from tile 5, the program has 2");
  CHECK(test::message([&] { m.stream("push", [](index_t t, copier& c) { c(floats(t, 1, 4)); }); }) ==
        "exchange: tile 0 was given a copy from tile 0 to tile 1");
  CHECK(test::message([&] { m.start(machine_of_four, 3); }) ==
        "tile_machine: a program for 3 tiles, the machine has 2");
  CHECK(test::message([&] { m.start(machine_of_four, -1); }) ==
        "tile_machine: a program for -1 tiles, the machine has 2");
}

TEST_CASE("a checked machine traps accesses to other tiles' memory", "[mimd][checks]") {
  tile_machine m(3, 4096, tile_checks::on);
  m.start(machine_of_four, 3);
  fill(m, 1024);
  const auto program = [&](index_t beyond, bool write) {
    return [&m, beyond, write] {
      m.superstep("stray", [&](index_t t, arena& mine) {
        volatile float* p = mine.inout<float>(0, 1024).data();
        if (t == 1 && write) p[beyond] = 1;
        return t == 1 ? static_cast<double>(p[beyond]) : 0.0;
      });
    };
  };
  CHECK_FALSE(traps(program(0, true)));
  CHECK_FALSE(traps(program(1023, false)));
  CHECK(traps(program(1024, false)));  // the first element of tile 2
  CHECK(traps(program(1024, true)));
  CHECK(traps(program(-1, false)));  // the last element of tile 0
  CHECK(traps(program(-1024, true)));
}

TEST_CASE("a checked machine finds reads of unwritten memory", "[mimd][checks]") {
  tile_machine m(2, 4096, tile_checks::on);
  m.start(machine_of_four, 2);
  fill(m, 16);
  // The exchange is missing: compute reads what should have arrived.
  CHECK(test::message([&] {
          m.superstep("early", [](index_t, arena& mine) { return static_cast<double>(mine.in<float>(256, 4)[0]); });
        }) == "arena: tile 0 reads byte 256, which neither an exchange nor a superstep has written");
  // The compute is missing: the exchange sends what should have been computed.
  CHECK(test::message([&] {
          m.superstep("early", [](index_t t, copier& c) { c(floats(1 - t, t, 17, 256)); }, idle);
        }) == "arena: tile 1 reads byte 64, which neither an exchange nor a superstep has written");
  // A new program starts with nothing.
  m.start(machine_of_four, 2);
  CHECK(test::message([&] {
          m.superstep("stale", [](index_t, arena& mine) { return static_cast<double>(mine.in<float>(0, 4)[0]); });
        }) != "");
}

TEST_CASE("a checked machine finds a missing sync", "[mimd][checks]") {
  tile_machine m(3, 4096, tile_checks::on);
  m.start(machine_of_four, 3);
  fill(m, 16);
  const auto first = [](index_t t, copier& c) {
    if (t == 1) c(floats(0, 1, 4, 256));
  };
  const auto second = [](index_t t, copier& c) {  // passes on what arrives in the first
    if (t == 2)
      c({.from = location::on(1, 256, 0, 4), .to = location::on(2, 256, 0, 4), .columns = 4, .element_bytes = 4});
  };
  const auto joined = [&](index_t t, copier& c) { first(t, c), second(t, c); };
  CHECK(test::message([&] { m.superstep("both", joined, idle); }) ==
        "exchange: two copies meet at byte 256 of tile 1: a sync must lie between them");
  m.start(machine_of_four, 3);
  fill(m, 16);
  CHECK(test::message([&] {
          m.superstep("one", first, idle);
          m.superstep("other", second, idle);
        }) == "no error");
  // Two copies to one place.
  CHECK(test::message([&] { m.superstep("clash", [&](index_t t, copier& c) { first(t, c), first(t, c); }, idle); }) ==
        "exchange: two copies meet at byte 256 of tile 1: a sync must lie between them");
}

TEST_CASE("a machine takes its numbers from a plan", "[mimd]") {
  plan p;
  p.units = 5, p.bytes_per_unit = 1000;
  const tile_machine m(p);
  CHECK(m.tiles() == 5);
  CHECK(m.bytes_per_tile() == 1000);
  serial run;
  const tile_machine on_executor(p, run);
  CHECK(on_executor.tiles() == 5);
}

}  // namespace tern::test
