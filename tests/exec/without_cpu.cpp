// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call does not wait for a worker without a CPU: a signal handler holds the worker until the call is over, as another
// program would. Adaptors to other libraries run each task once.
#include <pthread.h>

#include <atomic>
#include <csignal>
#include <ctime>
#include <thread>
#include <vector>

#include "tern/exec/cpu/team.hpp"
#include "tests/support/catch.hpp"

#if defined(_OPENMP)
#include "tern/exec/cpu/openmp.hpp"
#endif
#if defined(TERN_TEST_ONETBB)
#include "tern/exec/cpu/onetbb.hpp"
#endif

namespace tern::test {
namespace {

std::atomic<int> held{0};
std::atomic<bool> release{false};

void nap() {
  const timespec ms{0, 1000000};
  nanosleep(&ms, nullptr);
}
void hold(int) {
  held.fetch_add(1);
  while (!release.load()) nap();
}

/// The threads of a team but for the caller, found by tasks that wait for each other.
std::vector<pthread_t> workers_of(team& run) {
  const auto n = static_cast<std::size_t>(run.concurrency());
  std::vector<pthread_t> threads(n);
  std::atomic<std::size_t> begun{0};
  const auto task = [&](index_t i) {
    threads[static_cast<std::size_t>(i)] = pthread_self();
    begun.fetch_add(1);
    while (begun.load() < n) std::this_thread::yield();
  };
  run(static_cast<index_t>(n), task);
  threads.erase(threads.begin());  // task 0 is the caller's
  return threads;
}

TEST_CASE("the caller runs tasks that a worker without a CPU has not begun", "[executors]") {
  std::signal(SIGUSR1, hold);
  for (const int threads : {2, 4})
    for (const index_t n : {2, 3, 4, 5, 64}) {
      INFO(threads << " threads, " << n << " tasks");
      team run({.threads = threads, .oversubscribe = true});
      const std::vector<pthread_t> workers = workers_of(run);
      held = 0, release = false;
      for (const pthread_t w : workers) pthread_kill(w, SIGUSR1);
      while (held.load() < threads - 1) nap();
      std::vector<int> times(static_cast<std::size_t>(n));
      std::vector<pthread_t> by(times.size());
      const auto task = [&](index_t i) {
        ++times[static_cast<std::size_t>(i)];
        by[static_cast<std::size_t>(i)] = pthread_self();
      };
      for (int call = 1; call <= 3; ++call) {
        run(n, task);  // would never return
        for (const int t : times) CHECK(t == call);
        for (const pthread_t t : by) CHECK(pthread_equal(t, pthread_self()));
      }
      release = true;
    }
}

template <class E>
void each_task_once(const E& run) {
  for (const index_t n : {0, 1, 2, 3, 8, 100}) {
    std::vector<int> times(static_cast<std::size_t>(n));
    const auto task = [&](index_t i) { ++times[static_cast<std::size_t>(i)]; };
    for (int call = 1; call <= 50; ++call) {
      run(n, task);
      int wrong = 0;
      for (const int t : times) wrong += t != call;
      CHECK(wrong == 0);
    }
  }
}

#if defined(_OPENMP)
TEST_CASE("OpenMP runs each task once", "[executors]") {
  for (const int threads : {1, 2, 4, 9}) {
    each_task_once(openmp{threads});
    each_task_once(openmp{.threads = threads, .cpus = threads});
  }
}
#endif

#if defined(TERN_TEST_ONETBB)
TEST_CASE("oneTBB runs each task once", "[executors]") {
  for (const int threads : {1, 2, 4}) {
    oneapi::tbb::task_arena arena(threads);
    arena.execute([&] {
      each_task_once(onetbb{});
      each_task_once(onetbb{.cpus = threads});
    });
  }
}
#endif

}  // namespace
}  // namespace tern::test
