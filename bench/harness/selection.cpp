// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/harness/selection.hpp"

#include <cstdio>
#include <fstream>

namespace tern::bench {

namespace {

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

}  // namespace

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

int print_list(const options& o) {
  int cases = 0;
  for (const int threads : o.threads)
    for (const problem& p : wanted_rows(o))
      for (const benchmark_case& c : wanted_cases(o, p, threads)) {
        std::printf("%-28s %s\n", p.row.c_str(), c.descriptor().c_str());
        ++cases;
      }
  return cases;
}

void check_json(const options& o) {
  if (!o.json.empty() && !std::ofstream(o.json, std::ios::app))
    throw std::invalid_argument("--json: cannot write '" + o.json + "'");
}

std::invalid_argument nothing_to_measure(const options& o) {
  const std::string& asked = o.repro.empty() ? o.filter : o.repro;
  return std::invalid_argument("nothing to measure: no case matches" + (asked.empty() ? "" : " '" + asked + "'") +
                               "; --list --all shows what there is");
}

}  // namespace tern::bench
