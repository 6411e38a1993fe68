// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <thread>

#include "tern/core/config.hpp"
#include "tern/exec/cpu/executor.hpp"
#include "tern/exec/cpu/stall_guard.hpp"

namespace tern::inline TERN_ISA::impl {

/// The tasks of one call on the threads of another library. Every thread claims tasks until none is left, so the
/// calling thread runs those that others have not begun.
class claimed_tasks {
 public:
  claimed_tasks(index_t n, task_ref f) : tasks_(n), task_(f) {}

  /// The function of each thread. The caller runs the first task, to learn how long tasks take.
  void work() {
    const bool caller = std::this_thread::get_id() == caller_;
    if (caller && own_ > 0) return;
    const auto begin = caller ? stall_guard::clock::now() : began_;
    index_t ran = 0;
    if (caller) task_(0), ++ran;
    for (index_t i; (i = next_.fetch_add(1, std::memory_order_relaxed)) < tasks_; ++ran) task_(i);
    if (caller) own_ = ran, busy_ = stall_guard::clock::now() - begin;
  }

  /// Reports the cost of the call to the guard, once all threads are done.
  void end(stall_guard& guard) const { guard.account(began_, stall_guard::clock::now(), busy_, tasks_, own_, 1); }

 private:
  index_t tasks_;
  task_ref task_;
  stall_guard::clock::time_point began_ = stall_guard::clock::now();
  std::thread::id caller_ = std::this_thread::get_id();
  index_t own_ = 0;                      ///< tasks of the calling thread
  stall_guard::clock::duration busy_{};  ///< time that they took
  alignas(64) std::atomic<index_t> next_{1};
};

}  // namespace tern::inline TERN_ISA::impl
