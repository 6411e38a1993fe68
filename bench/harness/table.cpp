// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "bench/harness/output.hpp"

namespace tern::bench {

namespace {

std::string formatted(const char* format, double x) {
  char text[32];
  std::snprintf(text, sizeof text, format, x);
  return text;
}

/// "1.03x", or "-" where there is nothing to compare with.
std::string ratio(double x) { return x > 0 ? formatted("%.2fx", x) : "-"; }
std::string share(double part, double whole) { return whole > 0 ? formatted("%.0f %%", 100 * part / whole) : "-"; }

/// Geometric mean of numbers above 0.
struct mean {
  double logarithms = 0, least = 1e300;
  int count = 0;

  void add(double x) {
    if (!(x > 0)) return;
    logarithms += std::log(x), least = std::min(least, x), ++count;
  }
  double value() const { return count ? std::exp(logarithms / count) : 0; }
};

bool usual(const case_result& r) { return r.c.where.usual() && !r.c.how->tuned; }
bool is_static(const case_result& r) { return r.c.how->weights.find("-static") != std::string::npos; }

/// The cases of tern for a row: with weights packed if they can be, with plain weights, and the best of packed weights
/// with sizes known at run time or in the type.
const case_result* packed_of(const row_result& row) {
  const bool packs = row.what.packs();
  return row.fastest(
      [&](const case_result& r) { return r.c.how->judged && usual(r) && !is_static(r) && r.c.how->packed() == packs; });
}
const case_result* plain_of(const row_result& row) {
  return row.fastest(
      [](const case_result& r) { return r.c.how->judged && usual(r) && !is_static(r) && !r.c.how->packed(); });
}
const case_result* typed_of(const row_result& row) {
  const case_result* typed =
      row.fastest([](const case_result& r) { return r.c.how->judged && usual(r) && is_static(r); });
  const case_result* packed = packed_of(row);
  return typed && (!packed || typed->time.median() < packed->time.median()) ? typed : packed;
}

double time_of(const case_result* r) { return r ? r->time.median() : 0; }
double times_as_fast(const case_result* r, const case_result* as) { return r && as ? time_of(as) / time_of(r) : 0; }

void print_mean(const char* what, const mean& m) {
  if (m.count) std::printf("  %-58s %.3fx over %d rows, least %.2fx\n", what, m.value(), m.count, m.least);
}

/// Policies (and tunings, and executors) beside the judged one, with the same weights, row by row.
void print_other_variants(const std::vector<const row_result*>& rows) {
  std::map<std::string, mean> others;
  for (const row_result* row : rows)
    for (const case_result& r : row->cases) {
      if (r.c.how->peer || r.c.how->loop || !r.failure.empty() || (r.c.how->judged && usual(r))) continue;
      const case_result* same = row->fastest(
          [&](const case_result& s) { return s.c.how->judged && usual(s) && s.c.how->weights == r.c.how->weights; });
      others[r.c.how->policy + " " + r.c.where.name].add(times_as_fast(&r, same));
    }
  for (const auto& [name, m] : others) print_mean((name + " against simd<native,exact>").c_str(), m);
}

void print_judged(const std::vector<const row_result*>& rows, const std::map<std::string, const row_result*>& at_one) {
  std::printf("\n%-18s %9s %6s | %9s %7s %-22s | %9s %7s %-16s | %9s %7s | %7s\n", "row", "GFLOP/s", "bound",
              "packed us", "speed", "best peer", "plain us", "speed", "best plain peer", "typed us", "speed",
              "threads");
  mean packed_mean, plain_mean, typed_mean, threads_mean, small_mean;
  for (const row_result* row : rows) {
    const case_result *packed = packed_of(*row), *plain = plain_of(*row), *typed = typed_of(*row);
    const case_result *peer = row->best_peer(false), *plain_peer = row->best_peer(row->what.packs());
    const double against[] = {times_as_fast(packed, peer), times_as_fast(plain, plain_peer),
                              times_as_fast(typed, peer)};
    const auto one = at_one.find(row->what.text());
    const double scaling = row->threads > 1 && one != at_one.end() ? times_as_fast(packed, packed_of(*one->second)) : 0;
    std::printf("%-18s %9s %6s | %9.4g %7s %-22s | %9.4g %7s %-16s | %9.4g %7s | %7s\n", row->what.row.c_str(),
                packed ? formatted("%.1f", row->what.flops() / time_of(packed) / 1e9).c_str() : "-",
                packed ? share(row->bound(), time_of(packed)).c_str() : "-", 1e6 * time_of(packed),
                ratio(against[0]).c_str(), peer ? (peer->c.how->policy + " " + peer->c.how->weights).c_str() : "-",
                1e6 * time_of(plain), ratio(against[1]).c_str(), plain_peer ? plain_peer->c.how->policy.c_str() : "-",
                1e6 * time_of(typed), ratio(against[2]).c_str(), ratio(scaling).c_str());
    packed_mean.add(against[0]), plain_mean.add(against[1]), typed_mean.add(against[2]);
    (row->what.fmas() >= 512. * 512 * 512 ? threads_mean : small_mean).add(scaling);
  }
  std::printf("\nGeometric means, as fast as the best peer of each row:\n");
  print_mean("packed weights, sizes at run time", packed_mean);
  print_mean("plain weights, sizes at run time, against plain weights", plain_mean);
  print_mean("packed weights, sizes in the type where they are small", typed_mean);
  print_mean("against one thread, from 512 cubed multiply-adds up", threads_mean);
  print_mean("against one thread, below", small_mean);
  print_other_variants(rows);
}

/// Rows without a choice of weights, which move bytes rather than multiply.
void print_moving(const std::vector<const row_result*>& rows, const std::map<std::string, const row_result*>& at_one) {
  std::printf("\n%-30s %9s %6s | %9s %7s %-22s | %7s %-22s | %7s\n", "row", "GB/s", "bound", "us", "speed", "best peer",
              "speed", "best plain loop", "threads");
  mean speed_mean, loop_mean, threads_mean;
  for (const row_result* row : rows) {
    const case_result *ours = packed_of(*row), *peer = row->best_peer(false);
    const double speed = times_as_fast(ours, peer);
    const auto one = at_one.find(row->what.text());
    const double scaling = row->threads > 1 && one != at_one.end() ? times_as_fast(ours, packed_of(*one->second)) : 0;
    const case_result* loop = row->best_loop();
    const double against_loop = times_as_fast(ours, loop);
    std::printf("%-30s %9.1f %6s | %9.4g %7s %-22s | %7s %-22s | %7s\n", row->what.row.c_str(),
                row->what.bytes() / time_of(ours) / 1e9, share(row->bound(), time_of(ours)).c_str(),
                1e6 * time_of(ours), ratio(speed).c_str(), peer ? peer->c.how->policy.c_str() : "-",
                ratio(against_loop).c_str(), loop ? loop->c.how->policy.c_str() : "-", ratio(scaling).c_str());
    speed_mean.add(speed), loop_mean.add(against_loop), threads_mean.add(scaling);
  }
  std::puts("");
  print_mean("geometric mean, as fast as the best peer of each row", speed_mean);
  print_mean("geometric mean, as fast as the best plain loop of each row", loop_mean);
  print_mean("geometric mean, against one thread", threads_mean);
  print_other_variants(rows);
}

}  // namespace

void print_row(const row_result& row) {
  std::printf("\n%s  %s, %d thread%s: %.3g MFLOP, %.3g MB in %s; bound %.4g us by %s (%.1f GFLOP/s, %.1f GB/s)\n",
              row.what.row.c_str(), row.what.text().c_str(), row.threads, row.threads == 1 ? "" : "s",
              row.what.flops() / 1e6, row.what.bytes() / 1e6, name_of(row.data), 1e6 * row.bound(),
              row.bound_by_memory() ? "memory" : "arithmetic", row.peak / 1e9, row.bandwidth() / 1e9);
  std::printf("  %10s %7s %9s %8s %6s %7s %9s %8s %16s  %s\n", "median us", "spread", "GFLOP/s", "GB/s", "bound",
              "speed", "workspace", "error", "checksum", "case");
  for (const case_result& r : row.cases) {
    if (!r.failure.empty()) {
      std::printf("  WRONG: %s  %s\n", r.c.descriptor().c_str(), r.failure.c_str());
      continue;
    }
    const double t = r.time.median();
    std::printf("  %10.4g %6.1f%% %9.2f %8.2f %6s %7s %9td %8.1e %016llx  %s\n", 1e6 * t,
                100 * (r.time.quantile(0.9) - r.time.quantile(0.1)) / t, row.what.flops() / t / 1e9,
                row.what.bytes() / t / 1e9, share(row.bound(), t).c_str(), ratio(row.against_peers(r)).c_str(),
                r.workspace_bytes, r.error, static_cast<unsigned long long>(r.checksum), r.c.descriptor().c_str());
  }
  std::fflush(stdout);
}

void print_summary(const std::vector<row_result>& all) {
  std::set<int> threads;
  std::map<std::string, const row_result*> at_one;
  for (const row_result& row : all)
    if (row.what.judged && packed_of(row)) {
      threads.insert(row.threads);
      if (row.threads == 1) at_one[row.what.text()] = &row;
    }
  for (const int t : threads) {
    for (const auto& [kind, title] :
         {std::pair(problem_kind::matmul, "matmuls"), std::pair(problem_kind::convolution, "convolutions"),
          std::pair(problem_kind::pool, "pools"), std::pair(problem_kind::reduction, "reductions"),
          std::pair(problem_kind::map, "maps"),
          std::pair(problem_kind::construction, "constructing kernels and packing")}) {
      std::vector<const row_result*> rows;
      for (const row_result& row : all)
        if (row.threads == t && row.what.judged && row.what.kind() == kind && packed_of(row)) rows.push_back(&row);
      if (rows.empty()) continue;
      std::printf("\n%s, %d thread%s\n", title, t, t == 1 ? "" : "s");
      if (kind == problem_kind::matmul || kind == problem_kind::convolution)
        print_judged(rows, at_one);
      else
        print_moving(rows, at_one);
    }
  }
}

}  // namespace tern::bench
