// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tern_bench and tern_batching: docs/benchmarks.md.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <stdexcept>

#include "bench/harness/measure.hpp"
#include "bench/harness/options.hpp"
#include "bench/harness/output.hpp"
#include "bench/support/environment.hpp"

namespace tern::bench {

namespace {

constexpr const char* program = TERN_BENCH_PROGRAM;

/// The row of a name or of the start of a descriptor, also of sizes that are in no list.
problem row_called(const std::string& name) {
  for (const problem& p : all_problems())
    if (p.row == name) return p;
  const std::vector<std::string> parts = split(name, ':');
  if (parts.size() >= 3 && !parts[1].empty())
    if (const auto p = parse_problem(parts[0], parts[1], parts[2])) return *p;
  throw std::invalid_argument("--repro: '" + name + "' is neither a row nor a descriptor; --list --all shows both");
}

bool wanted(const options& o, const benchmark_case& c) {
  const variant& v = *c.how;
  if (!v.takes(c.what, c.where) || (v.peer && !o.peers) || (v.tuned && !o.tunings)) return false;
  if (!o.repro.empty()) return o.repro == c.what.row || c.descriptor().rfind(o.repro, 0) == 0;
  if (!c.where.usual() && !(c.what.closely && (o.all || !o.filter.empty()))) return false;
  return o.filter.empty() || std::regex_search(c.what.row + " " + c.descriptor(), o.filter_expression);
}

std::vector<problem> wanted_rows(const options& o) {
  if (!o.repro.empty()) return {row_called(o.repro)};
  std::vector<problem> rows;
  for (const problem& p : all_problems())
    if (o.all || !o.filter.empty() || p.judged) rows.push_back(p);
  return rows;
}

std::vector<benchmark_case> wanted_cases(const options& o, const problem& p, int threads) {
  std::vector<benchmark_case> cases;
  for (const setting& s : settings(threads))
    for (const variant& v : variants_of_all()) {
      const benchmark_case c{p, &v, s};
      if (wanted(o, c)) cases.push_back(c);
    }
  return cases;
}

/// Threads of a descriptor: "...:t2" and "...:t2-openmp" mean two.
int threads_in(const std::string& descriptor, int otherwise) {
  const std::string last = split(descriptor, ':').back();
  return last.size() > 1 && last[0] == 't' && last[1] >= '1' && last[1] <= '9' ? std::atoi(last.c_str() + 1)
                                                                               : otherwise;
}

void explain(const problem& p, const options& o) {
  const char* pass_names[] = {"forward", "backward_data", "backward_weights"};
  std::printf("\nrow       %s\nproblem   %s\n", p.row.c_str(), p.text().c_str());
  const auto command = [&] {
    std::printf("command   %s --repro='%s' --rounds=%d%s\n", program, o.repro.c_str(), o.rounds,
                o.tunings ? " --vary=tuning" : "");
  };
  if (p.conv) {
    std::printf(
        "op        tern::conv%s%dd, %s: n batch, g groups, c channels of x, o of y, i extent of x, k kernel, "
        "s stride, d dilation, p padding (or crop) before, e behind\n",
        p.conv->transposed ? "_transpose" : "", p.conv->rank, pass_names[static_cast<int>(p.direction)]);
    std::printf(
        "tensors   channels last, dense; weights (kernel..., in / groups, out); sums of up to %td products; inputs "
        "uniform in [-1, 1): std::mt19937 of seeds 1 (left), 2 (right)\n",
        p.sum_length());
    if (p.constructs)
      std::printf(
          "timed     making the kernel and packing the weights for it; what the last one computes is checked\n");
    return command();
  }
  if (p.pool) {
    std::printf(
        "op        tern::%s_pool2d, %s: n batch, c channels, i extent of x, k kernel, s stride, d dilation, p padding "
        "before, e behind; averages do not count padding\n",
        p.pool->kind == pool_kind::max ? "max" : "avg", pass_names[static_cast<int>(p.direction)]);
    std::printf(
        "tensors   channels last, dense; inputs uniform in [-1, 1): std::mt19937 of seeds 1 (x, or dy), 2 (of "
        "gradients "
        "x, whose maxima get them)\n");
    return command();
  }
  if (p.moving) {
    std::printf("op        %s, %s: n batch, c channels, g groups, i extent of images; a batch of rows has none\n",
                split(p.text(), ':')[0].c_str(),
                p.moving->all_gradients ? "backward" : pass_names[static_cast<int>(p.direction)]);
    std::printf(
        "tensors   channels last, dense; inputs uniform in [-1, 1): std::mt19937 of seeds 1 (x, or dy), 2 (of "
        "gradients "
        "what they need of the forward pass; of Adam what it changes), 4 (scale, shift), 5 (residual)\n");
    return command();
  }
  const product q = p.as_product();
  std::printf(
      "op        tern::matmul<tern::matmul_config{.m = %td, .n = %td, .k = %td, .batch = %td, .bias = %s, "
      ".residual = %s, "
      ".act = tern::activation::%s}, %s>, %s%s\n",
      p.op.m, p.op.n, p.op.k, p.op.batch, p.op.bias ? "true" : "false", p.op.residual ? "true" : "false",
      name(p.op.act), p.f64 ? "double" : "float", pass_names[static_cast<int>(p.direction)],
      p.transposed_b ? ", b column-major" : "");
  std::printf(
      "product   %td x %td x %td, %td of them, sums in chunks of %td; inputs uniform in [-1, 1): std::mt19937 "
      "of seeds 1 (left), 2 (right), 4 (bias), 5 (residual)\n",
      q.m, q.n, q.k, q.batch, q.chunk);
  command();
}

int run(int count, const char* const* arguments) {
  options o = parse(count, arguments);
  if (o.help) return std::printf("usage: %s [options]\n%s", program, usage()), 0;
  const std::vector<problem> rows = wanted_rows(o);
  if (!o.repro.empty())
    for (int& t : o.threads) t = threads_in(o.repro, t);
  for (const int t : o.threads)
    if (t > static_cast<int>(usable_cpus().size()))
      throw std::invalid_argument("'" + o.repro + "' needs " + std::to_string(t) + " CPUs");

  if (o.list) {
    for (const int threads : o.threads)
      for (const problem& p : rows)
        for (const benchmark_case& c : wanted_cases(o, p, threads))
          std::printf("%-28s %s\n", p.row.c_str(), c.descriptor().c_str());
    return 0;
  }

  std::ofstream json;
  if (!o.json.empty()) {
    json.open(o.json);
    if (!json) throw std::invalid_argument("--json: cannot write '" + o.json + "'");
  }
  for (const auto& [name, text] : environment()) std::printf("%-18s %s\n", name.c_str(), text.c_str());

  std::vector<row_result> results;
  bool wrong = false;
  for (const int threads : o.threads) {
    settings(threads);
    for (const library& l : libraries())
      if (l.set_threads) l.set_threads(threads);
    for (const problem& p : rows) {
      const std::vector<benchmark_case> cases = wanted_cases(o, p, threads);
      if (cases.empty()) continue;
      if (!o.repro.empty()) explain(p, o);
      results.push_back(measure(p, threads, cases, o.rounds));
      print_row(results.back());
      for (const case_result& r : results.back().cases) wrong = wrong || !r.failure.empty();
    }
  }
  if (results.empty())
    throw std::invalid_argument("nothing to measure: no case matches; --list --all shows what there is");
  print_summary(results);
  for (const ending& e : endings()) e.print(results);
  if (!o.json.empty()) {
    write_json(json, results, program);
    if (!json.flush()) throw std::runtime_error("--json: cannot write '" + o.json + "'");
  }
  if (wrong) std::fprintf(stderr, "%s: results marked WRONG above were not timed\n", program);
  return wrong ? 1 : 0;
}

}  // namespace

}  // namespace tern::bench

int main(int count, char** arguments) {
  try {
    return tern::bench::run(count, arguments);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s: %s\n", TERN_BENCH_PROGRAM, e.what());
    return 2;
  }
}
