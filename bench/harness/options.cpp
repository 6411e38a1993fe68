// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/harness/options.hpp"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>

#include "bench/harness/executors.hpp"
#include "bench/harness/problem.hpp"

namespace tern::bench {

void print_usage(const char* program) {
  std::printf(R"(usage: %s [options]

Checks, then times, the matmuls, convolutions, pools, reductions and maps that tern's speed is judged by, beside the
other libraries that were found.

  --list              what would be measured, one descriptor per line
  --filter=REGEX      only cases whose "<row> <descriptor>" matches, among all rows
  --all               all rows: also double, gradients, epilogues, every executor
  --threads=N[,N...]  threads, one number after the other (1)
  --rounds=N          rounds, in each of which every case of a row runs (15)
  --no-peers          only tern
  --vary=tuning       also the tunings of the variants list, of matmuls and convolutions
  --repro=NAME        explain one row, or one case by its descriptor, and measure nothing else
  --json=FILE         write the results in the format of Google Benchmark, for bench/report.py
  --help              this text

docs/benchmarks.md says what is measured and how to read it.
)",
              program);
}

namespace {

[[noreturn]] void wrong(const std::string& sentence) { throw std::invalid_argument(sentence); }

int number(const std::string& option, const std::string& text, int most) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 1 || value > most)
    wrong(option + " takes a number from 1 to " + std::to_string(most) + ", not '" + text + "'");
  return value;
}

/// Threads of a descriptor: "...:t2" and "...:t2-openmp" mean two.
int threads_in(const std::string& descriptor, int otherwise) {
  const std::string last = split(descriptor, ':').back();
  return last.size() > 1 && last[0] == 't' && last[1] >= '1' && last[1] <= '9' ? std::atoi(last.c_str() + 1)
                                                                               : otherwise;
}

}  // namespace

options parse(int count, const char* const* arguments) {
  options o;
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    const std::size_t equals = argument.find('=');
    const std::string name = argument.substr(0, equals);
    const auto is = [&](const char* option, bool& flag) {
      if (name != option) return false;
      if (equals != std::string::npos) wrong(name + " takes no value");
      return flag = true;
    };
    bool no_peers = false;
    if (is("--help", o.help) || is("-h", o.help) || is("--list", o.list) || is("--all", o.all)) continue;
    if (is("--no-peers", no_peers)) {
      o.peers = false;
      continue;
    }
    bool known = false;
    for (const char* option : {"--filter", "--threads", "--rounds", "--vary", "--repro", "--json"})
      known = known || name == option;
    if (!known) wrong("unknown argument '" + argument + "'; --help lists those there are");
    if (equals == std::string::npos && ++i == count) wrong(name + " needs a value");
    const std::string value = equals == std::string::npos ? arguments[i] : argument.substr(equals + 1);
    if (value.empty()) wrong(name + " needs a value");
    if (name == "--filter") {
      o.filter = value;
      try {
        o.filter_expression = std::regex(value);
      } catch (const std::regex_error&) {
        wrong("--filter: '" + value + "' is not a regular expression");
      }
    } else if (name == "--threads") {
      o.threads.clear();
      for (const std::string& n : split(value, ','))
        o.threads.push_back(number(name, n, static_cast<int>(usable_cpus().size())));
    } else if (name == "--rounds") {
      o.rounds = number(name, value, 100'000);
    } else if (name == "--vary") {
      if (value != "tuning") wrong("--vary takes 'tuning', not '" + value + "'");
      o.tunings = true;
    } else if (name == "--repro") {
      o.repro = value;
    } else {
      o.json = value;
    }
  }
  for (int& t : o.threads) {
    if (!o.repro.empty()) t = threads_in(o.repro, t);
    if (t > static_cast<int>(usable_cpus().size())) wrong("'" + o.repro + "' needs " + std::to_string(t) + " CPUs");
  }
  return o;
}

int guarded(const char* program, int (*run)(int, const char* const*), int count, const char* const* arguments) {
  try {
    return run(count, arguments);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s: %s\n", program, e.what());
    return 2;
  }
}

}  // namespace tern::bench
