// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A team runs every task once, on its own threads, for any number of threads, tasks and concurrent callers.
#include <atomic>
#include <chrono>
#include <random>
#include <set>
#include <thread>
#include <vector>

#include "tern/exec/cpu/stall_guard.hpp"
#include "tern/exec/cpu/team.hpp"
#include "tests/support/catch.hpp"

namespace tern::test {
namespace {

/// Records the thread that ran each task of a call. Writes without atomics: the thread sanitizer sees a task that two
/// threads run.
struct record {
  std::vector<int> times;
  std::vector<std::thread::id> by;
  explicit record(index_t n) : times(static_cast<std::size_t>(n)), by(times.size()) {}

  void operator()(index_t i) {
    ++times[static_cast<std::size_t>(i)];
    by[static_cast<std::size_t>(i)] = std::this_thread::get_id();
  }
  bool each_once() const {
    for (const int t : times)
      if (t != 1) return false;
    return true;
  }
  std::set<std::thread::id> threads() const { return {by.begin(), by.end()}; }
};

TEST_CASE("every task runs once, on at most as many threads as a team has", "[executors]") {
  std::mt19937 random(Catch::rngSeed());
  for (const int threads : {1, 2, 3, 4, 7}) {
    team run({.threads = threads, .oversubscribe = true});
    CHECK(run.concurrency() == threads);
    std::set<std::thread::id> all;
    for (int call = 0; call < 400; ++call) {
      const index_t n = static_cast<index_t>(random() % 40);
      record r(n);
      const bool slow = call % 20 == 0;  // so that others find tasks to claim
      const auto task = [&](index_t i) {
        r(i);
        if (slow) std::this_thread::yield();
      };
      run(n, task);
      if (!r.each_once()) FAIL(threads << " threads, " << n << " tasks: not each of them ran once");
      for (const auto& id : r.threads()) all.insert(id);
    }
    CHECK(all.size() <= static_cast<std::size_t>(threads));
    CHECK(all.count(std::this_thread::get_id()) == 1);
  }
}

TEST_CASE("every thread of a team works, even with more threads than CPUs if requested", "[executors]") {
  // Each task waits for the others, as long as it takes: no thread can run two.
  for (const int threads : {2, 3, impl::usable_cpus() + 3}) {
    team run({.threads = threads, .oversubscribe = true});
    record r(threads);
    std::atomic<int> begun{0};
    const auto task = [&](index_t i) {
      r(i);
      begun.fetch_add(1);
      while (begun.load() < threads) std::this_thread::yield();
    };
    run(threads, task);
    CHECK(r.each_once());
    CHECK(r.threads().size() == static_cast<std::size_t>(threads));
  }
}

TEST_CASE("threads beyond the CPUs are not started unless asked for", "[executors]") {
  const int threads = impl::usable_cpus() + 3;
  team run(threads);
  CHECK(run.concurrency() == impl::usable_cpus());
  CHECK(team({.threads = threads, .oversubscribe = true}).concurrency() == threads);
  std::set<std::thread::id> all;
  for (int call = 0; call < 200; ++call) {
    record r(4 * threads);
    const auto task = [&](index_t i) {
      r(i);
      std::this_thread::yield();
    };
    run(4 * threads, task);
    CHECK(r.each_once());
    for (const auto& id : r.threads()) all.insert(id);
  }
  CHECK(static_cast<int>(all.size()) <= impl::usable_cpus());
}

TEST_CASE("workers that sleep wake up for a call and for the end of their team", "[executors]") {
  for (int i = 0; i < 20; ++i) {
    team run({.threads = 3, .oversubscribe = true, .spin = std::chrono::microseconds(0)});
    for (int call = 0; call < 5; ++call) {
      std::this_thread::sleep_for(std::chrono::milliseconds(call));
      record r(9);
      run(9, r);
      CHECK(r.each_once());
    }
    if (i % 2 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

TEST_CASE("calls of several threads and calls from tasks run each task once", "[executors]") {
  team run({.threads = 3, .oversubscribe = true});
  std::atomic<int> sum{0};
  const auto call = [&] {
    for (int i = 0; i < 100; ++i) {
      const auto inner = [&](index_t) { sum.fetch_add(1, std::memory_order_relaxed); };
      const auto outer = [&](index_t) { run(2, inner); };
      run(5, outer);
    }
  };
  std::vector<std::thread> callers;
  for (int t = 0; t < 3; ++t) callers.emplace_back(call);
  call();
  for (std::thread& t : callers) t.join();
  CHECK(sum == 4 * 100 * 5 * 2);
}

TEST_CASE("calls that were held up are followed by calls alone, and those by shared ones", "[executors]") {
  using clock = impl::stall_guard::clock;
  using std::chrono::microseconds;
  impl::stall_guard guard;
  /// A call of two tasks that took so long, of which the caller worked on one of them.
  const auto call = [&](auto took, auto worked) {
    const auto now = clock::now();
    guard.account(now - took, now, worked, 2, 1, 16);
  };
  CHECK(!guard.is_serial());
  SECTION("all tasks were done in less than twice the time of the caller's: nothing is lost") {
    for (int i = 0; i < 100; ++i) call(microseconds(1500000), std::chrono::seconds(1));
    CHECK(!guard.is_serial());
  }
  SECTION("a caller that had no task knows nothing") {
    for (int i = 0; i < 100; ++i) guard.account(clock::now() - std::chrono::seconds(2), clock::now(), {}, 2, 0, 16);
    CHECK(!guard.is_serial());
  }
  SECTION("one stall is enough") {
    call(std::chrono::seconds(20), std::chrono::seconds(1));
    CHECK(guard.is_serial());
    impl::stall_guard copy = guard;
    CHECK(copy.is_serial());
  }
  SECTION("small losses are judged together") {
    for (int i = 0; i < 15; ++i) call(microseconds(40), microseconds(1));
    CHECK(!guard.is_serial());
    call(microseconds(40), microseconds(1));
    CHECK(guard.is_serial());
  }
  SECTION("they may be made up for") {
    for (int i = 0; i < 15; ++i) call(microseconds(3), microseconds(1));
    call(std::chrono::seconds(1), std::chrono::seconds(1));
    CHECK(!guard.is_serial());
  }
  SECTION("being alone ends") {
    call(microseconds(60), microseconds(1));
    while (guard.is_serial()) {
    }
    CHECK(!guard.is_serial());
  }
}

}  // namespace
}  // namespace tern::test
