// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/harness/measure.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <random>
#include <thread>

#include "bench/harness/check.hpp"
#include "tests/support/allocations.hpp"

#if defined(__unix__)
#include <sys/resource.h>
#endif

namespace tern::bench {

namespace {

using clock = std::chrono::steady_clock;
double seconds_since(clock::time_point start) { return std::chrono::duration<double>(clock::now() - start).count(); }

constexpr double warm_up = 2e-3;      // caches, clock and sleeping workers of whatever runs next
constexpr double sample_time = 3e-4;  // so long that the clock costs nothing, so short that most are not interrupted
constexpr int samples_per_round = 5;

/// Tasks of the system that could run right now, this thread among them.
int runnable_tasks() {
  int runnable = 1;
  if (std::FILE* f = std::fopen("/proc/loadavg", "r")) {
    if (std::fscanf(f, "%*f %*f %*f %d", &runnable) != 1) runnable = 1;
    std::fclose(f);
  }
  return runnable;
}

/// Waits until the workers of whatever ran last must be asleep: those of libgomp and pthreadpool spin for milliseconds
/// after a call and would take the other cores' time. Then for a quiet moment, but not for long.
void settle(int threads) {
  std::this_thread::sleep_for(std::chrono::milliseconds(threads == 1 ? 5 : 22));
  for (int waited = 0; waited < 30 && runnable_tasks() > 1; waited += 5)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

/// The number of involuntary context switches of this process.
long preemptions() {
#if defined(__unix__)
  rusage u;
  getrusage(RUSAGE_SELF, &u);
  return u.ru_nivcsw;
#else
  return 0;
#endif
}

/// A case that is timed, and its times.
struct slot {
  std::function<void(long)> run;
  samples time;
  double fastest = 1e9;  // seconds of a call, as seen so far
  bool timed = true;

  void round(int threads) {
    settle(threads);
    const auto start = clock::now();
    long calls = 0;
    double passed = 0;
    for (long batch = 1; passed < warm_up; batch *= 2) {
      run(batch);
      calls += batch;
      passed = seconds_since(start);
    }
    fastest = std::min(fastest, passed / static_cast<double>(calls));
    const long loops = std::max(1L, static_cast<long>(sample_time / fastest));
    std::vector<double> now;
    for (int s = 0; s < (fastest > 0.03 ? 1 : samples_per_round); ++s) {
      const long before = preemptions();
      const auto begin = clock::now();
      run(loops);
      now.push_back(seconds_since(begin) / static_cast<double>(loops));
      time.all.push_back(now.back());
      if (preemptions() == before) time.clean.push_back(now.back());
    }
    fastest = std::min(fastest, *std::min_element(now.begin(), now.end()));
  }
};

/// Runs a prepared case once on a poisoned output and says what is wrong with it.
void verify(const operands& x, const prepared& p, case_result& r) {
  x.poison();
  p.once();
  const verdict v = check(r.c.what, x);
  r.error = v.error;
  r.checksum = v.checksum;
  char text[96];
  std::snprintf(text, sizeof text, "relative error %.1e, at most %.1e is accepted", v.error, v.tolerance);
  if (!(v.error <= v.tolerance))
    r.failure = text;
  else if (r.c.how->exact && !v.canonical)
    r.failure = "the bits are not those of the canonical order";
}

/// Allocations per call, once the first call is over.
double count_allocations(const prepared& p) {
  if (!test::allocations_are_counted()) return -1;
  constexpr int calls = 3;
  const long before = test::allocations();
  p.run(calls);
  return static_cast<double>(test::allocations() - before) / calls;
}

}  // namespace

double samples::quantile(double q) const {
  std::vector<double> v = used();
  if (v.empty()) return 0;
  std::sort(v.begin(), v.end());
  return v[static_cast<std::size_t>(q * static_cast<double>(v.size() - 1) + 0.5)];
}

double row_result::bound() const {
  const double arithmetic = peak > 0 ? what.flops() / peak : 0,
               movement = bandwidth() > 0 ? what.bytes() / bandwidth() : 0;
  return std::max(arithmetic, movement);
}
const case_result* row_result::fastest(const std::function<bool(const case_result&)>& wanted) const {
  for (const case_result& r : cases)
    if (r.failure.empty() && wanted(r)) return &r;
  return nullptr;
}
const case_result* row_result::best_peer(bool plain) const {
  return fastest([=](const case_result& r) { return r.c.how->peer && (!plain || !r.c.how->packed()); });
}
const case_result* row_result::best_loop() const {
  return fastest([](const case_result& r) { return r.c.how->loop; });
}
double row_result::against_peers(const case_result& r) const {
  const case_result* peer = best_peer(!r.c.how->packed() && r.c.what.packs());
  return peer && r.failure.empty() ? peer->time.median() / r.time.median() : 0;
}
bool row_result::bound_by_memory() const { return peak > 0 && bound() > what.flops() / peak; }

row_result measure(const problem& what, int threads, const std::vector<benchmark_case>& cases, int rounds,
                   progress& said) {
  const operands x(what);
  row_result row{what, threads, 0, level_of(what.bytes(), threads), 0, 0, {}};
  std::vector<slot> slots;
  std::vector<prepared> ready;
  for (const benchmark_case& c : cases) {
    said(what.row + ", checking " + c.descriptor());
    prepared p = c.how->prepare(what, x, c.where);
    if (!p.run) continue;
    case_result r;
    r.c = c;
    r.workspace_bytes = p.workspace_bytes;
    verify(x, p, r);
    r.allocations = count_allocations(p);
    const bool tern = !c.how->peer && !c.how->loop;
    if (r.failure.empty() && tern && !what.constructs && r.allocations > 0) r.failure = "allocates memory";
    row.cases.push_back(r);
    ready.push_back(p);
    slots.push_back({p.run, {}, 1e9, r.failure.empty()});
  }

  const setting& machine = settings(threads).front();
  const limit limits[] = {peak_limit(machine, what.f64), read_limit(machine, row.data), copy_limit(machine, row.data),
                          stream_limit(machine, row.data)};
  for (const limit& l : limits) slots.push_back({l.run, {}, 1e9, bool(l.run)});

  std::mt19937 engine(1);
  std::vector<std::size_t> order(slots.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  for (int round = 0; round < rounds; ++round) {
    std::shuffle(order.begin(), order.end(), engine);
    for (const std::size_t i : order) {
      said(what.row + ", round " + std::to_string(round + 1) + " of " + std::to_string(rounds));
      if (slots[i].timed && (round < 3 || slots[i].fastest < 0.2)) slots[i].round(threads);
    }
  }

  const auto rate = [&](std::size_t l) {
    const slot& s = slots[row.cases.size() + l];
    return s.timed ? limits[l].work / s.time.median() : 0;
  };
  row.peak = rate(0), row.read = rate(1), row.copy = std::max(rate(2), rate(3));

  std::uint64_t exact_bits = 0;
  for (std::size_t i = 0; i < row.cases.size(); ++i) {
    case_result& r = row.cases[i];
    if (!r.failure.empty()) continue;
    r.time = slots[i].time;
    x.poison();
    ready[i].once();
    if (checksum_of(what, x) != r.checksum) r.failure = "other bits than in the first call";
    if (!r.c.how->exact) continue;
    if (exact_bits == 0) exact_bits = r.checksum;
    if (r.checksum != exact_bits) r.failure = "other bits than another exact case of the row";
  }
  std::sort(row.cases.begin(), row.cases.end(), [](const case_result& a, const case_result& b) {
    return a.failure.empty() != b.failure.empty() ? a.failure.empty() : a.time.median() < b.time.median();
  });
  return row;
}

}  // namespace tern::bench
