// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/harness/executors.hpp"

#include <map>
#include <memory>

#include "tern/exec/cpu/team.hpp"
#if defined(_OPENMP)
#include "tern/exec/cpu/openmp.hpp"
#endif
#if defined(TERN_BENCH_HAS_TBB)
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_scheduler_observer.h>

#include "tern/exec/cpu/onetbb.hpp"
#endif

namespace tern::bench {

const std::vector<int>& usable_cpus() {
  static const std::vector<int> cpus = [] {
    std::vector<int> found;
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
      for (int c = 0; c < CPU_SETSIZE; ++c)
        if (CPU_ISSET(c, &set)) found.push_back(c);
#endif
    if (found.empty()) found.push_back(0);
    return found;
  }();
  return cpus;
}

void bind_to_cpu([[maybe_unused]] int i) {
#if defined(__linux__)
  const std::vector<int>& cpus = usable_cpus();
  cpu_set_t set;
  CPU_ZERO(&set);
  for (std::size_t c = 0; c < cpus.size(); ++c)
    if (i < 0 || static_cast<std::size_t>(i) % cpus.size() == c) CPU_SET(cpus[c], &set);
  pthread_setaffinity_np(pthread_self(), sizeof set, &set);
#endif
}

namespace {

template <class E>
any_executor erased(E& e) {
  return {&e, [](void* self, index_t n, task_ref f) { (*static_cast<E*>(self))(n, f); }, e.concurrency()};
}

#if defined(TERN_BENCH_HAS_TBB)
/// An arena whose workers are pinned.
struct pinned_arena : oneapi::tbb::task_scheduler_observer {
  explicit pinned_arena(int threads) : arena(threads) {
    arena.initialize();
    limit = std::make_unique<oneapi::tbb::global_control>(oneapi::tbb::global_control::max_allowed_parallelism,
                                                          static_cast<std::size_t>(threads));
    observe(true);
  }
  ~pinned_arena() override { observe(false); }
  void on_scheduler_entry(bool) override { bind_to_cpu(oneapi::tbb::this_task_arena::current_thread_index()); }

  oneapi::tbb::task_arena arena;
  std::unique_ptr<oneapi::tbb::global_control> limit;
};
#endif

/// The threads that the settings with one number of threads share.
struct machine {
  explicit machine(int threads) {
    bind_to_cpu(-1);  // threads inherit where they may run
    const std::string name = "t" + std::to_string(threads);
#if defined(_OPENMP)
    openmp_threads.threads = threads;
#pragma omp parallel num_threads(threads)
    bind_to_cpu(omp_get_thread_num());
    bind_to_cpu(-1);
#endif
    if (threads == 1) {
      all.push_back({name, 1, nullptr, {}});
      bind_to_cpu(0);
      return;
    }
    workers = std::make_unique<team>(team_options{.threads = threads, .pin = true, .pin_caller = true});
    executors[0] = erased(*workers);
    all.push_back({name, threads, &executors[0], {}});
#if defined(_OPENMP)
    executors[1] = erased(openmp_threads);
    all.push_back({name + "-openmp", threads, &executors[1], {}});
#endif
#if defined(TERN_BENCH_HAS_TBB)
    bind_to_cpu(-1);
    tbb_threads = std::make_unique<pinned_arena>(threads);
    tbb_threads->arena.execute([&] { executors[2] = erased(tbb_executor); });
    all.push_back({name + "-onetbb", threads, &executors[2],
                   [arena = &tbb_threads->arena](const std::function<void()>& f) { arena->execute(f); }});
#endif
    bind_to_cpu(0);
  }

  std::vector<setting> all;
  any_executor executors[3];
  std::unique_ptr<team> workers;
#if defined(_OPENMP)
  openmp openmp_threads;
#endif
#if defined(TERN_BENCH_HAS_TBB)
  std::unique_ptr<pinned_arena> tbb_threads;
  onetbb tbb_executor;
#endif
};

}  // namespace

const std::vector<setting>& settings(int threads) {
  static std::map<int, std::unique_ptr<machine>> machines;
  auto& m = machines[threads];
  if (!m) m = std::make_unique<machine>(threads);
  return m->all;
}

}  // namespace tern::bench
