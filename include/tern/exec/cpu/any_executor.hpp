// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <concepts>

#include "tern/core/config.hpp"
#include "tern/exec/cpu/executor.hpp"

namespace tern::inline TERN_ISA::impl {

/// A type-erased executor, by default the calling thread. Large kernels are compiled for this type only.
class any_executor {
 public:
  any_executor() : any_executor(calling_thread) {}
  template <class E>
    requires(!std::same_as<const E, const any_executor>)
  explicit any_executor(E& e)
      : self_(const_cast<void*>(static_cast<const void*>(&e))), run_(run_on<E>), tasks_(e.concurrency()) {}

  void operator()(index_t n, task_ref f) const { run_(self_, n, f); }
  index_t concurrency() const { return tasks_; }

  /// Calls f(worker, i) for every i in [0, n). Calls of one worker, an index below `workers`, never overlap, so it may
  /// own memory.
  template <class F>
  void claim(index_t n, index_t workers, const F& f) const {
    std::atomic<index_t> next = 0;
    const auto work = [&](index_t worker) {
      for (index_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < n;) f(worker, i);
    };
    (*this)(workers, work);
  }

 private:
  static constexpr serial calling_thread{};
  template <class E>
  static void run_on(void* self, index_t n, task_ref f) {
    (*static_cast<E*>(self))(n, f);
  }

  void* self_;
  void (*run_)(void*, index_t, task_ref);
  index_t tasks_;
};

}  // namespace tern::inline TERN_ISA::impl
