// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>
#include <thread>
#include <vector>

#include "tern/core/config.hpp"
#include "tern/exec/cpu/cpus.hpp"
#include "tern/exec/cpu/executor.hpp"
#include "tern/exec/cpu/stall_guard.hpp"

namespace tern::inline TERN_ISA {

/// Options of a team.
struct team_options {
  int threads = 0;                       ///< including the caller; 0: one per CPU available to the caller
  bool pin = false;                      ///< pins each worker to one of those CPUs (Linux; ignored elsewhere)
  bool pin_caller = false;               ///< pins the constructing thread to the first of them, too, for good
  bool oversubscribe = false;            ///< starts all threads, even beyond the available CPUs
  std::chrono::microseconds spin{2000};  ///< time that an idle worker spins before it sleeps
};

/// A few threads that spin while they wait for work, so that a call starts them in about 0.1 us; OpenMP takes 0.5 (two
/// cores, Zen 4 and Zen 5). Idle workers sleep after `spin`; waking them costs about 10 us.
///
/// Every thread has a share of a call's tasks, the same in every call, so that data stays in its caches. A thread that
/// has finished its share claims tasks of others. So a call never waits for a worker without a CPU, unless it lost the
/// CPU in the middle of a task; then calls run on their caller alone for a while (stall_guard). No thread spins for
/// longer than `spin`. The number of threads is limited to the CPUs that affinity and control groups allow at
/// construction, unless `oversubscribe` is set.
///
/// If a thread cannot be started the constructor throws std::system_error. A team does not survive a fork. One call
/// runs at a time; a concurrent call from a second thread runs all of its tasks on that thread, with the same results.
/// Tasks must not throw.
class team {
 public:
  explicit team(team_options options = {}) : options_(options) {
    const std::vector<int> cpus = impl::allowed_cpus();
    const int usable = impl::usable_cpus();
    const int wanted = options.threads > 0 ? options.threads : usable;
    const int count = options.oversubscribe ? wanted : std::min(wanted, usable);
    if (options.pin && options.pin_caller && cpus[0] >= 0) impl::pin_to(cpus[0]);
    shares_ = std::vector<share>(static_cast<std::size_t>(count));
    for (int w = 1; w < count; ++w)
      crew_.threads.emplace_back([this, w, cpu = cpus[static_cast<std::size_t>(w) % cpus.size()]] {
        if (options_.pin && cpu >= 0) impl::pin_to(cpu);
        work(shares_[static_cast<std::size_t>(w)]);
      });
  }

  /// \param threads  including the caller; 0: one per CPU available to the caller
  explicit team(int threads) : team(team_options{.threads = threads}) {}

  team(const team&) = delete;
  team& operator=(const team&) = delete;

  /// The number of threads, including the caller.
  index_t concurrency() const { return static_cast<index_t>(shares_.size()); }

  void operator()(index_t n, task_ref f) {
    bool idle = false;
    if (n <= 1 || shares_.size() == 1 || !busy_.compare_exchange_strong(idle, true, std::memory_order_acquire)) {
      for (index_t i = 0; i < n; ++i) f(i);
      return;
    }
    const bool is_serial = guard_.is_serial();
    resting_.store(is_serial, std::memory_order_relaxed);
    if (is_serial)
      for (index_t i = 0; i < n; ++i) f(i);
    else
      run_together(n, f);
    busy_.store(false, std::memory_order_release);
  }

 private:
  /// The tasks of one thread: share s of S has tasks s, s + S, s + 2 S, ... Every thread claims them one by one.
  struct alignas(64) share {
    std::atomic<index_t> left{0};  ///< unclaimed tasks; none if below 1
    std::atomic<index_t> done{0};  ///< finished tasks
    index_t count = 0;             ///< all tasks
    std::optional<task_ref> task;
    std::atomic<int> wakes{0};         ///< incremented to wake a sleeper
    std::atomic<bool> asleep{false};   ///< its worker sleeps
    std::atomic<bool> awaited{false};  ///< the caller sleeps until the tasks are done
    share() = default;
    share(const share&) {}  // std::vector requires it; no share in use is copied

    void ring() {
      wakes.fetch_add(1, std::memory_order_seq_cst);
      wakes.notify_all();
    }
  };

  /// The workers; its destructor joins them.
  struct crew {
    team& of;
    std::vector<std::thread> threads;

    ~crew() {
      of.stop_.store(true, std::memory_order_seq_cst);
      for (share& s : of.shares_) s.ring();
      for (std::thread& t : threads) t.join();
    }
  };

  /// Polls before a thread reads the clock or sleeps: about 50 us.
  static constexpr int polls = 2000;
  /// One call in this many is evaluated for whether sharing paid off.
  static constexpr int weighed_calls = 16;
  /// The number of calls that are timed after one that had to sleep. Reading the clock in all calls would cost 20 ns
  /// each.
  static constexpr int watched_calls = 4096;

  static void relax() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ __volatile__("yield");
#endif
  }

  void run_together(index_t n, const task_ref& f) {
    using clock = impl::stall_guard::clock;
    const bool weighed = ++calls_ % weighed_calls == 0, timed = weighed || watched_ > 0;
    if (watched_ > 0) --watched_;
    const clock::time_point began = timed ? clock::now() : clock::time_point();
    const index_t used = std::min(n, concurrency());
    for (index_t s = 1; s < used; ++s) post(shares_[static_cast<std::size_t>(s)], s, n, f);
    if (n > concurrency()) post(shares_[0], 0, n, f);
    const clock::time_point posted = weighed ? clock::now() : began;
    index_t own = 0;
    if (n <= concurrency()) f(0), own = 1;
    for (index_t s = 0; s < used; ++s) own += claim(shares_[static_cast<std::size_t>(s)]);
    clock::duration busy = weighed ? clock::now() - posted : clock::duration{};

    const auto finished = [](const share& s, std::memory_order order) { return s.done.load(order) == s.count; };
    index_t s = n > concurrency() ? 0 : 1;
    for (int i = 0; i < polls && s < used; ++i)
      if (finished(shares_[static_cast<std::size_t>(s)], std::memory_order_acquire))
        ++s;
      else
        relax();
    if (s < used) {
      if (timed && !weighed) busy = clock::now() - began;
      for (; s < used; ++s) {
        share& of = shares_[static_cast<std::size_t>(s)];
        of.awaited.store(true, std::memory_order_seq_cst);
        for (;;) {
          const int wakes = of.wakes.load(std::memory_order_seq_cst);
          if (finished(of, std::memory_order_seq_cst)) break;
          of.wakes.wait(wakes, std::memory_order_seq_cst);
        }
        of.awaited.store(false, std::memory_order_relaxed);
      }
      if (!timed) watched_ = watched_calls;
    } else if (!weighed) {
      return;
    }
    if (timed) guard_.account(began, clock::now(), busy, n, own, weighed_calls);
  }

  /// Posts the tasks of share s of a call. No thread reads them before `left` announces them.
  void post(share& to, index_t s, index_t n, const task_ref& f) {
    to.count = (n - s + concurrency() - 1) / concurrency();
    to.task = f;
    to.done.store(0, std::memory_order_relaxed);
    to.left.store(to.count, std::memory_order_seq_cst);
    if (to.asleep.load(std::memory_order_seq_cst)) to.ring();
  }

  /// Runs tasks of a share until none is left to claim; returns their number.
  index_t claim(share& s) {
    index_t ran = 0;
    while (s.left.load(std::memory_order_relaxed) > 0) {
      const index_t left = s.left.fetch_sub(1, std::memory_order_acq_rel);
      if (left <= 0) break;
      (*s.task)(&s - shares_.data() + (s.count - left) * concurrency());
      ++ran;
      s.done.fetch_add(1, std::memory_order_seq_cst);
      if (s.awaited.load(std::memory_order_seq_cst)) s.ring();
    }
    return ran;
  }

  void work(share& own) {
    for (;;) {
      wait(own);
      if (stop_.load(std::memory_order_relaxed)) return;
      claim(own);
      for (share& s : shares_) claim(s);
    }
  }

  /// Waits for tasks, or the end of the team: spinning, then asleep.
  void wait(share& own) const {
    const auto work_or_end = [&](std::memory_order order) { return own.left.load(order) > 0 || stop_.load(order); };
    const auto until = std::chrono::steady_clock::now() + options_.spin;
    do {
      for (int i = 0; i < polls; ++i) {
        if (own.left.load(std::memory_order_acquire) > 0) return;
        relax();
      }
      if (stop_.load(std::memory_order_relaxed)) return;
    } while (!resting_.load(std::memory_order_relaxed) && std::chrono::steady_clock::now() < until);
    own.asleep.store(true, std::memory_order_seq_cst);
    for (;;) {
      const int wakes = own.wakes.load(std::memory_order_seq_cst);
      if (work_or_end(std::memory_order_seq_cst)) break;
      own.wakes.wait(wakes, std::memory_order_seq_cst);
    }
    own.asleep.store(false, std::memory_order_relaxed);
  }

  team_options options_;
  std::vector<share> shares_;
  unsigned calls_ = 0;  ///< number of shared calls
  int watched_ = 0;     ///< calls still to be timed
  std::atomic<bool> busy_{false};
  std::atomic<bool> resting_{false};  ///< calls run alone: workers need not spin
  std::atomic<bool> stop_{false};
  impl::stall_guard guard_;
  crew crew_{*this, {}};  // the last member: destroyed before the state it uses, also if a thread cannot be started
};

}  // namespace tern::inline TERN_ISA
