// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes the cases under every policy, on every instruction set of this build that the machine has, with every
// variation that must not change a bit. Compares checksums of the results with those in the repository.
//
//     tern_verify [--isa NAME] [--verbose] [--report FILE] [--table FILE]
//     tern_verify --list       the cases of the table
//     tern_verify --update     writes the table from the reference, then compares everything with it
//
// Without Catch2, so that it runs without exceptions, too.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "bench/support/progress.hpp"
#include "tests/verify/executors.hpp"
#if defined(TERN_VERIFY_EMULATED)
#include "tests/verify/emulated.hpp"
#endif

#if !defined(TERN_NO_XSIMD) && __has_include(<xsimd/config/xsimd_config.hpp>)
#include <xsimd/config/xsimd_config.hpp>
#endif

namespace tern::test {
namespace {

struct result {
  std::string isa, policy, way, name;
  std::uint64_t sum;
};

/// Collects results.
struct collector : recorder {
  collector()
      : recorder{[](recorder& self, const char* policy, const char* way, const char* name, std::uint64_t sum) {
          auto& mine = static_cast<collector&>(self);
          mine.results.push_back({mine.isa, policy, way, name, sum});
          mine.said(std::to_string(mine.results.size()) + " checksums, now " + mine.isa + " " + policy + ", " + way);
        }} {}
  std::string isa;
  std::vector<result> results;
  bench::progress said{"tern_verify"};
};

using table = std::map<std::string, std::uint64_t>;

bool read(const char* file, table& to) {
  std::FILE* f = std::fopen(file, "r");
  if (!f) return false;
  char line[300];
  while (std::fgets(line, sizeof line, f)) {
    char* end = nullptr;
    const std::uint64_t sum = std::strtoull(line, &end, 16);
    if (line[0] == '#' || end != line + 16) continue;
    to[std::string(end + 1, std::strcspn(end + 1, "\n"))] = sum;
  }
  std::fclose(f);
  return true;
}

bool write(const char* file, const table& from) {
  std::FILE* f = std::fopen(file, "w");
  if (!f) return false;
  std::fprintf(
      f,
      "# SPDX-FileCopyrightText: 2026 The tern authors\n"
      "# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n#\n"
      "# Checksums of the bits of results, one case a line. Written by tern_verify --update; a change of bits is\n"
      "# a change of docs/numerics.md and of the reference, in one commit that says so.\n");
  for (const auto& [name, sum] : from) std::fprintf(f, "%016" PRIx64 " %s\n", sum, name.c_str());
  return std::fclose(f) == 0;
}

// Which xsimd there is, whether or not an instruction set uses it.
#if !defined(TERN_NO_XSIMD) && __has_include(<xsimd/config/xsimd_config.hpp>)
#define TERN_VERIFY_TEXT_(x) #x
#define TERN_VERIFY_TEXT(x) TERN_VERIFY_TEXT_(x)
constexpr const char* xsimd_version = TERN_VERIFY_TEXT(XSIMD_VERSION_MAJOR) "." TERN_VERIFY_TEXT(XSIMD_VERSION_MINOR);
#else
constexpr const char* xsimd_version = "none";
#endif

#if defined(__aarch64__)
constexpr const char* processor = "aarch64";
#elif defined(__x86_64__)
constexpr const char* processor = "x86-64";
#else
constexpr const char* processor = "another";
#endif

const char* compiler() {
#if defined(__clang__)
  return "clang " __clang_version__;
#else
  return "g++ " __VERSION__;
#endif
}

/// One line per result, for matrix.py.
bool report(const char* file, const std::vector<result>& results, const table& expected) {
  std::FILE* f = std::fopen(file, "w");
  if (!f) return false;
  std::fprintf(f, "compiler\t%s\nflags\t%s\nprocessor\t%s\nxsimd\t%s\n", compiler(), TERN_VERIFY_FLAGS, processor,
               xsimd_version);
  for (const result& r : results) {
    const auto at = expected.find(r.name);
    const bool equal = at != expected.end() && at->second == r.sum;
    std::fprintf(f, "%s\t%s\t%s\t%s\t%s\n", equal ? "equal" : "different", r.isa.c_str(), r.policy.c_str(),
                 r.way.c_str(), r.name.c_str());
  }
  return std::fclose(f) == 0;
}

struct options {
  const char *isa = nullptr, *report = nullptr, *table = TERN_VERIFY_TABLE;
  bool list = false, update = false, verbose = false;
};

template <class Tag>
void run_isa(collector& to, const options& o) {
  if (!Tag::runs_here() || (o.isa && std::strcmp(o.isa, Tag::name) != 0)) return;
  to.isa = Tag::name;
  const parts p = parts_of(Tag{});
  for (int i = 0; i < p.count; ++i) p.first[i](to, executors());
}

template <class... Tags>
void run_isas(isa_tag::list<Tags...>, collector& to, const options& o) {
  (run_isa<Tags>(to, o), ...);
}

/// Lines about what is wrong, at most.
constexpr std::size_t most_lines = 20;

/// A line for each way, and one for each checksum that is not the table's. Returns how many are equal.
std::size_t compare(const std::vector<result>& results, const table& expected, bool verbose) {
  std::size_t equal = 0, differences = 0;
  for (std::size_t first = 0; first < results.size();) {
    const auto way = [&](std::size_t i) { return results[i].isa + " " + results[i].policy + " " + results[i].way; };
    std::size_t last = first, right = 0;
    for (; last < results.size() && way(last) == way(first); ++last) {
      const auto at = expected.find(results[last].name);
      if (at != expected.end() && at->second == results[last].sum)
        ++right;
      else if (++differences <= most_lines || verbose)
        std::printf("%s: %s is %016" PRIx64 ", %s\n", way(last).c_str(), results[last].name.c_str(), results[last].sum,
                    at == expected.end() ? "which the table does not have" : "the table has another");
    }
    if (verbose)
      std::printf("%-10s %-10s %-28s %4zu of %4zu\n", results[first].isa.c_str(), results[first].policy.c_str(),
                  results[first].way.c_str(), right, last - first);
    equal += right, first = last;
  }
  return equal;
}

int run(const options& o) {
  table expected;
  if (!read(o.table, expected) && !o.update) {
    std::fprintf(stderr, "tern_verify: cannot read %s\n", o.table);
    return 2;
  }
  if (o.list) {
    for (const auto& [name, sum] : expected) std::printf("%016" PRIx64 " %s\n", sum, name.c_str());
    return 0;
  }
  collector all;
  run_isas(isa_tag::list<TERN_VERIFY_ISAS>{}, all, o);
#if defined(TERN_VERIFY_EMULATED)
  if (!o.isa || std::strcmp(o.isa, "emulated") == 0) {
    all.isa = "emulated";
    run_emulated_widths<float>(all);
    run_emulated_widths<double>(all);
  }
#endif
  all.said.erase();
  if (o.update) {
    expected.clear();
    for (const result& r : all.results)
      if (r.policy == "reference" || r.way == "one lane") expected.emplace(r.name, r.sum);
    if (!write(o.table, expected)) {
      std::fprintf(stderr, "tern_verify: cannot write %s\n", o.table);
      return 2;
    }
  }
  if (o.report && !report(o.report, all.results, expected)) {
    std::fprintf(stderr, "tern_verify: cannot write %s\n", o.report);
    return 2;
  }
  std::size_t equal = compare(all.results, expected, o.verbose), total = all.results.size();
  // A case of the table that nothing computes any more must not go unseen.
  table computed;
  for (const result& r : all.results) computed[r.name] = r.sum;
  std::size_t missing = 0;
  for (const auto& [name, sum] : expected)
    if (!computed.count(name) && ++missing <= most_lines)
      std::printf("the table has %s, which was not computed\n", name.c_str());
  total += missing;
  std::printf("%zu of %zu checksums are equal\n", equal, total);
  return equal == total && total > 0 ? 0 : 1;
}

}  // namespace
}  // namespace tern::test

int main(int argc, char** argv) {
  tern::test::options o;
  for (int i = 1; i < argc; ++i) {
    const auto is = [&](const char* name) { return std::strcmp(argv[i], name) == 0; };
    const auto value = [&](const char* name, const char*& to) {
      if (!is(name) || i + 1 == argc) return false;
      to = argv[++i];
      return true;
    };
    if (is("--list"))
      o.list = true;
    else if (is("--update"))
      o.update = true;
    else if (is("--verbose"))
      o.verbose = true;
    else if (!value("--isa", o.isa) && !value("--report", o.report) && !value("--table", o.table)) {
      std::fprintf(stderr,
                   "usage: tern_verify [--list] [--update] [--verbose] [--isa NAME] [--report FILE] [--table FILE]\n");
      return 2;
    }
  }
  return tern::test::run(o);
}
