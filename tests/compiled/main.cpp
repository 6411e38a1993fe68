// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares calls from the headers and through the compiled part, of every instruction set that this machine has.
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "tern/isa.hpp"
#include "tests/compiled/calls.hpp"

namespace {

std::vector<std::pair<std::string, std::uint64_t>> results;

auto results_of(void (*calls)(tern::test::record)) {
  results.clear();
  calls([](const char* name, std::uint64_t sum) { results.emplace_back(name, sum); });
  return results;
}

}  // namespace

int main() {
  using namespace tern;
  const struct {
    const char* name;
    bool runs_here;
    void (*calls)(test::record);
  } all[] = {
#if defined(__aarch64__)
      {"neon64", isa_tag::neon64::runs_here(), test::calls_neon64},
      {"neon64, compiled", isa_tag::neon64::runs_here(), test::calls_neon64_compiled},
#else
      {"avx2", isa_tag::avx2::runs_here(), test::calls_avx2},
      {"avx2, compiled", isa_tag::avx2::runs_here(), test::calls_avx2_compiled},
      {"avx512", isa_tag::avx512::runs_here(), test::calls_avx512},
      {"avx512, compiled", isa_tag::avx512::runs_here(), test::calls_avx512_compiled},
#endif
  };
  std::vector<std::pair<std::string, std::uint64_t>> expected;
  int failures = 0, compared = 0;
  for (const auto& one : all) {
    if (!one.runs_here) continue;
    const auto found = results_of(one.calls);
    if (expected.empty()) expected = found;
    failures += found.size() != expected.size();
    for (std::size_t i = 0; i < found.size() && i < expected.size(); ++i, ++compared)
      if (found[i] != expected[i]) {
        std::printf("%s: %s, result %zu, has other bits than %s\n", one.name, found[i].first.c_str(), i, all[0].name);
        ++failures;
      }
  }
  std::printf("%d results, %d failures\n", compared, failures);
  return failures != 0 || compared == 0;
}
