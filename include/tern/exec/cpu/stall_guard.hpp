// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>

#include "tern/core/config.hpp"

namespace tern::inline TERN_ISA::impl {

/// Decides from past costs whether calls share their tasks with other threads.
///
/// A thread that loses its CPU to another program in the middle of a task holds up the call for milliseconds. After
/// such a stall calls run on their caller alone for 16 times its cost. So stalls take at most a seventeenth of the
/// time, whatever the load of the machine. The same holds for tasks so short that handing them over takes longer than
/// running them. Measured beside busy loops and compilers: docs/results/2026-11-25-load.md.
class stall_guard {
 public:
  using clock = std::chrono::steady_clock;

  stall_guard() = default;
  stall_guard(const stall_guard& other) : until_(other.until_.load(std::memory_order_relaxed)) {}
  stall_guard& operator=(const stall_guard& other) {
    until_.store(other.until_.load(std::memory_order_relaxed), std::memory_order_relaxed);
    return *this;
  }

  /// True if a call that begins now should run alone. Cost: a load, and reading the clock after a stall.
  bool is_serial() {
    const clock::rep until = until_.load(std::memory_order_relaxed);
    if (until == 0) return false;
    if (clock::now().time_since_epoch().count() < until) return true;
    until_.store(0, std::memory_order_relaxed);
    return false;
  }

  /// Records the cost of a call.
  /// \param busy   time that its caller worked on its `own` of the call's `tasks`
  /// \param calls  number of calls that this one represents
  void account(clock::time_point begin, clock::time_point end, clock::duration busy, index_t tasks, index_t own,
               int calls) {
    if (own == 0) return;
    // Alone, the caller would have kept its pace. A call that was faster than that has lost nothing, however unequal
    // its tasks.
    const double serial_time =
        static_cast<double>(busy.count()) * static_cast<double>(tasks) / static_cast<double>(own);
    const auto took = (end - begin).count();
    const auto lost = took - static_cast<clock::rep>(serial_time);
    if (lost > stall.count()) {
      stay_serial(end, lost);
      return;
    }
    // Other threads spin between the calls, so they must save more than a little.
    const clock::rep sum = lost_.load(std::memory_order_relaxed) + calls * (lost + took / 4);
    const int seen = seen_.load(std::memory_order_relaxed) + 1;
    if (seen == samples && sum > 0) stay_serial(end, sum);
    lost_.store(seen == samples ? 0 : sum, std::memory_order_relaxed);
    seen_.store(seen == samples ? 0 : seen, std::memory_order_relaxed);
  }

 private:
  static constexpr clock::duration stall = std::chrono::microseconds(50);
  static constexpr clock::duration longest = std::chrono::milliseconds(100);
  static constexpr int samples = 16;  ///< calls without a stall per decision

  void stay_serial(clock::time_point from, clock::rep lost) {
    until_.store(from.time_since_epoch().count() + 16 * std::min(lost, longest.count()), std::memory_order_relaxed);
  }

  // Two concurrent callers of one executor may lose each other's numbers, which is harmless.
  std::atomic<clock::rep> until_{0};  ///< end of working alone, since the clock's epoch; 0: share
  std::atomic<clock::rep> lost_{0};   ///< lost by these calls; negative: gained
  std::atomic<int> seen_{0};
};

}  // namespace tern::inline TERN_ISA::impl
