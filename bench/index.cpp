// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tern_bench_index: what tern_bench would do, by a program that compiles in less than a minute, because it has the
// variants of tern without their kernels. It answers --help, --list and wrong arguments; of others it says which parts
// a program needs, for CMake: "parts: simd_forward;static_0". bench/run.sh builds that program.
#include <cstdio>
#include <set>
#include <string>

#include "bench/harness/options.hpp"
#include "bench/harness/selection.hpp"

namespace tern::bench {

namespace {

int run(int count, const char* const* arguments) {
  const options o = parse(count, arguments);
  if (o.help) return print_usage(TERN_BENCH_PROGRAM), 0;
  if (o.list) return print_list(o) > 0 ? 0 : throw nothing_to_measure(o);
  std::set<std::string> parts;
  for (const int threads : o.threads)
    for (const problem& p : wanted_rows(o))
      for (const benchmark_case& c : wanted_cases(o, p, threads)) parts.insert(c.how->part);
  if (parts.empty()) throw nothing_to_measure(o);
  check_json(o);
  const char* separator = "parts: ";
  for (const std::string& part : parts) {
    std::printf("%s%s", separator, part.c_str());
    separator = ";";
  }
  std::puts("");
  return 0;
}

}  // namespace

}  // namespace tern::bench

int main(int count, char** arguments) {
  return tern::bench::guarded(TERN_BENCH_PROGRAM, tern::bench::run, count, arguments);
}
