// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "tern/core/config.hpp"
#include "tern/exec/cpu/executor.hpp"

#if defined(__linux__)
#include <pthread.h>
#include <sched.h>
#endif

namespace tern::inline TERN_ISA {

/// How a team is set up.
struct team_options {
  int threads = 0;          ///< with the caller; 0: one per CPU that the caller may use
  bool pin = true;          ///< each worker stays on one CPU of those the caller may use (Linux; elsewhere ignored)
  bool pin_caller = false;  ///< the constructing thread moves to the first of them, too, and stays there
  std::chrono::microseconds spin{2000};  ///< how long an idle worker spins before it sleeps
};

/// A few threads that wait for work spinning, so that a call starts them in about 0.1 us where OpenMP takes 0.5 (two
/// cores, Zen 4 and Zen 5). Idle workers fall asleep after `spin`; waking them costs some 10 us.
///
/// Where a thread cannot be started the constructor throws std::system_error. A team does not survive a fork.
/// One call runs at a time; a second thread that calls meanwhile runs its tasks by itself, with the same results. Tasks
/// must not throw.
class team {
 public:
  explicit team(team_options options = {}) : options_(options) {
    std::vector<int> cpus = allowed_cpus();
    const int count = options.threads > 0 ? options.threads : static_cast<int>(cpus.size());
    if (options.pin && options.pin_caller && !cpus.empty()) pin_to(cpus[0]);
    mailboxes_ = std::vector<mailbox>(static_cast<std::size_t>(count - 1));
    for (int w = 1; w < count; ++w)
      crew_.threads.emplace_back([this, w, cpu = cpus.empty() ? -1 : cpus[static_cast<std::size_t>(w) % cpus.size()]] {
        if (options_.pin && cpu >= 0) pin_to(cpu);
        work(w);
      });
  }

  /// \param threads  with the caller; 0: one per CPU that the caller may use
  explicit team(int threads) : team(team_options{.threads = threads}) {}

  team(const team&) = delete;
  team& operator=(const team&) = delete;

  /// The threads that work, the caller among them.
  index_t concurrency() const { return static_cast<index_t>(mailboxes_.size()) + 1; }

  void operator()(index_t n, task_ref f) {
    bool idle = false;
    if (n <= 1 || mailboxes_.empty() || !busy_.compare_exchange_strong(idle, true, std::memory_order_acquire)) {
      for (index_t i = 0; i < n; ++i) f(i);
      return;
    }
    task_ = &f;
    tasks_ = n;
    const std::size_t helpers = std::min(mailboxes_.size(), static_cast<std::size_t>(n - 1));
    for (std::size_t w = 0; w < helpers; ++w) post(mailboxes_[w]);
    run_share(0);
    for (std::size_t w = 0; w < helpers; ++w)
      while (mailboxes_[w].done.load(std::memory_order_acquire) != mailboxes_[w].posted.load(std::memory_order_relaxed))
        relax();
    busy_.store(false, std::memory_order_release);
  }

 private:
  /// One per worker, on its own cache line: how often it was given work, and how often it finished.
  struct alignas(64) mailbox {
    std::atomic<unsigned> posted{0};
    std::atomic<unsigned> done{0};
    std::atomic<bool> asleep{false};
    mailbox() = default;
    mailbox(const mailbox&) {}  // never used with content: vectors ask for it
  };

  /// The workers. They end with it.
  struct crew {
    team& of;
    std::vector<std::thread> threads;

    ~crew() {
      of.stop_.store(true, std::memory_order_relaxed);
      for (mailbox& m : of.mailboxes_) post(m);
      for (std::thread& t : threads) t.join();
    }
  };

  static void relax() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ __volatile__("yield");
#endif
  }

  static void post(mailbox& m) {
    m.posted.fetch_add(1, std::memory_order_seq_cst);
    if (m.asleep.load(std::memory_order_seq_cst)) m.posted.notify_one();
  }

  /// Tasks of thread t: every concurrency-th, from t on.
  void run_share(index_t t) {
    for (index_t i = t; i < tasks_; i += concurrency()) (*task_)(i);
  }

  void work(int worker) {
    mailbox& m = mailboxes_[static_cast<std::size_t>(worker - 1)];
    unsigned seen = 0;
    for (;;) {
      wait(m, seen);
      ++seen;
      if (stop_.load(std::memory_order_relaxed)) return;
      run_share(worker);
      m.done.store(seen, std::memory_order_release);
    }
  }

  /// Until the mailbox has more than `seen` posts: spinning, then asleep.
  void wait(mailbox& m, unsigned seen) const {
    const auto until = std::chrono::steady_clock::now() + options_.spin;
    for (;;) {
      for (int i = 0; i < 2000; ++i) {
        if (m.posted.load(std::memory_order_acquire) != seen) return;
        relax();
      }
      if (std::chrono::steady_clock::now() >= until) break;
    }
    m.asleep.store(true, std::memory_order_seq_cst);
    m.posted.wait(seen, std::memory_order_seq_cst);
    m.asleep.store(false, std::memory_order_relaxed);
  }

  static std::vector<int> allowed_cpus() {
    std::vector<int> cpus;
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
      for (int c = 0; c < CPU_SETSIZE; ++c)
        if (CPU_ISSET(c, &set)) cpus.push_back(c);
#endif
    if (cpus.empty()) cpus.assign(std::max(1u, std::thread::hardware_concurrency()), -1);
    return cpus;
  }

  static void pin_to([[maybe_unused]] int cpu) {
#if defined(__linux__)
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    pthread_setaffinity_np(pthread_self(), sizeof set, &set);  // failing leaves the thread where it may run
#endif
  }

  team_options options_;
  std::vector<mailbox> mailboxes_;
  std::atomic<bool> busy_{false};
  std::atomic<bool> stop_{false};
  const task_ref* task_ = nullptr;
  index_t tasks_ = 0;
  crew crew_{*this, {}};  // the last member: gone before what it works with, also where a thread cannot be started
};

}  // namespace tern::inline TERN_ISA
