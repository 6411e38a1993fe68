// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executors run the independent tasks of a call. Kernels own no thread; the caller hands them an executor.
#pragma once

#include <concepts>

#include "tern/core/config.hpp"

namespace tern {

/// A task for every index in [0, n), from a kernel to an executor. Non-owning: valid during the call.
class task_ref {
 public:
  template <class F>
    requires(!std::same_as<const F, const task_ref>)
  TERN_FN task_ref(F& f)  // NOLINT: implicit, as function_ref
      : self_(const_cast<void*>(static_cast<const void*>(&f))), run_(run_task<F>) {}
  TERN_FN void operator()(index_t i) const { run_(self_, i); }

 private:
  template <class F>
  TERN_HD static void run_task(void* self, index_t i) {  // always_inline fails at -Og, since its address is taken
    (*static_cast<F*>(self))(i);
  }

  void* self_;
  void (*run_)(void*, index_t);
};

/// Runs f(0), ..., f(n - 1), each once, in any order, on any threads, and returns when all are done. Its concurrency is
/// the number of tasks that a kernel makes.
template <class E>
concept executor = requires(E& e, index_t n, task_ref f) {
  e(n, f);
  { e.concurrency() } -> std::convertible_to<index_t>;
};

/// The calling thread. The default.
struct serial {
  TERN_FN void operator()(index_t n, task_ref f) const {
    for (index_t i = 0; i < n; ++i) f(i);
  }
  TERN_FN static constexpr index_t concurrency() { return 1; }
};

/// Any callable for_each_index(n, f) as an executor.
///
///     tern::with_concurrency pool{[&](tern::index_t n, tern::task_ref f) { my_pool.for_each_index(n, f); }, 8};
template <class F>
struct with_concurrency {
  F for_each_index;
  index_t tasks;

  TERN_FN void operator()(index_t n, task_ref f) { for_each_index(n, f); }
  TERN_FN index_t concurrency() const { return tasks; }
};
template <class F>
with_concurrency(F, index_t) -> with_concurrency<F>;

}  // namespace tern
