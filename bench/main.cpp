// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tern_bench, programs with some of its variants, and tern_batching: docs/benchmarks.md.
#include <cstdio>
#include <fstream>
#include <stdexcept>

#include "bench/harness/measure.hpp"
#include "bench/harness/options.hpp"
#include "bench/harness/output.hpp"
#include "bench/harness/selection.hpp"
#include "bench/support/environment.hpp"

namespace tern::bench {

namespace {

constexpr const char* program = TERN_BENCH_PROGRAM;

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
        "s stride, d dilation, p padding (or crop) before, e after\n",
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
        "before, e after; averages do not count padding\n",
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
  const options o = parse(count, arguments);
  if (o.help) return print_usage(program), 0;
  if (o.list) return print_list(o) > 0 ? 0 : throw nothing_to_measure(o);
  check_json(o);
  const std::vector<problem> rows = wanted_rows(o);
  for (const auto& [name, text] : environment()) std::printf("%-18s %s\n", name.c_str(), text.c_str());

  progress said(program);
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
      results.push_back(measure(p, threads, cases, o.rounds, said));
      said.erase();
      print_row(results.back());
      for (const case_result& r : results.back().cases) wrong = wrong || !r.failure.empty();
    }
  }
  if (results.empty()) throw nothing_to_measure(o);
  print_summary(results);
  for (const ending& e : endings()) e.print(results);
  if (!o.json.empty()) {
    std::ofstream json(o.json);
    write_json(json, results, program);
    if (!json.flush()) throw std::runtime_error("--json: cannot write '" + o.json + "'");
  }
  if (wrong) std::fprintf(stderr, "%s: results marked WRONG above were not timed\n", program);
  return wrong ? 1 : 0;
}

}  // namespace

}  // namespace tern::bench

int main(int count, char** arguments) {
  return tern::bench::guarded(TERN_BENCH_PROGRAM, tern::bench::run, count, arguments);
}
