// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the kernels of every instruction set that this machine has and compares the results.
//
//     main [best]     fails, too, where the best instruction set is another one
#include <cstdio>
#include <cstring>

#include "tests/isa/kernels.hpp"

namespace {

int failures = 0;

void check(bool condition, const char* what, const char* isa) {
  if (condition) return;
  std::printf("%s: %s\n", isa, what);
  ++failures;
}

struct choice {
  const char* name;
  tern::test::isa_kernels kernels;
};

choice choose(const char* at_most) {
  return tern::dispatch([](auto isa) { return choice{isa.name, tern::test::make_kernels(isa)}; }, at_most);
}

}  // namespace

int main(int argc, char** argv) {
  const choice best = choose(nullptr);
  if (argc > 1) check(std::strcmp(best.name, argv[1]) == 0, "is chosen, expected was another", best.name);
  const choice scalar = choose("scalar");
  check(std::strcmp(scalar.name, "scalar") == 0, "is chosen where at_most is scalar", scalar.name);
  check(std::strstr(scalar.kernels.compiled_for, "_scalar") != nullptr, "scalar kernels have another namespace",
        scalar.kernels.compiled_for);

  char expected[2000] = {}, text[2000] = {};
  scalar.kernels.print_plan(expected, sizeof expected);
#if defined(__x86_64__)
  const char* const names[] = {"avx512", "avx2"};
#else
  const char* const names[] = {"neon64"};
#endif
  int compared = 0;
  for (const char* name : names) {
    const choice other = choose(name);
    if (std::strcmp(other.name, name) != 0) continue;  // not on this machine
    ++compared;
    check(std::strncmp(other.kernels.compiled_for + 4, name, std::strlen(name)) == 0, "was compiled for another",
          other.kernels.compiled_for);
    check(other.kernels.results(1) == scalar.kernels.results(1), "results differ from scalar ones", name);
    other.kernels.print_plan(text, sizeof text);
    check(std::strcmp(text, expected) == 0, "plan reads otherwise", name);
  }
  check(scalar.kernels.results(1) != scalar.kernels.results(2), "results do not depend on the seed", "scalar");
  std::printf("best %s, %d compared with scalar, %d failures\n", best.name, compared, failures);
  return failures != 0;
}
