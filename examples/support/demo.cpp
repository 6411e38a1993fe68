// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "demo.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <stdexcept>

namespace demo {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

namespace {

int number(const std::string& name, const char* text) {
  int value = 0;
  const char* const end = text + std::strlen(text);
  const auto [rest, error] = std::from_chars(text, end, value);
  if (error == std::errc::result_out_of_range) throw std::runtime_error(name + " is too large: " + text);
  if (error != std::errc() || rest != end) throw std::runtime_error(name + " must be a number, not '" + text + "'");
  if (value < 1) throw std::runtime_error(name + " must be at least 1");
  return value;
}

}  // namespace

void parse(int argc, char** argv, const char* usage, std::initializer_list<option> options) {
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--help" || name == "-h") {
      std::fputs(usage, stdout);
      std::exit(0);
    }
    const auto* o = std::find_if(options.begin(), options.end(), [&](const option& q) { return name == q.name; });
    if (o == options.end()) throw std::runtime_error("there is no option " + name + "; --help lists those there are");
    if (o->flag) {
      *o->flag = true;
      continue;
    }
    if (++i == argc) throw std::runtime_error(name + " needs a value");
    if (o->text) *o->text = argv[i];
    if (o->number) *o->number = number(name, argv[i]);
  }
}

void he_uniform::fill(float* weights, std::size_t size, float inputs) {
  for (std::size_t i = 0; i < size; ++i)
    weights[i] = (static_cast<float>(random_() >> 8) * 0x1p-23f - 1) * std::sqrt(6 / inputs);
}

void checksum::add(const float* x, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    std::uint32_t bits;
    std::memcpy(&bits, &x[i], sizeof bits);
    value_ = (value_ ^ bits) * 0x100000001b3u;
  }
}

void print_checksum(const float* kept, std::size_t size) {
  checksum sum;
  sum.add(kept, size);
  std::printf("checksum of parameters, of what the optimiser remembers and of running averages:\n%016llx\n",
              static_cast<unsigned long long>(sum.value()));
}

policy_table::policy_table(const char* isa, double peak) : peak_(peak) {
  std::printf("one core, instruction set %s, measured peak %.1f GFLOP/s in float32\n\n", isa, peak / 1e9);
  std::printf("%-10s %-30s %9s %9s %8s  %s\n", "policy", "runs on", "seconds", "GFLOP/s", "of peak", "checksum");
}

void policy_table::row(const char* policy, const char* where, cost c, checksum sum) {
  const double rate = c.flops / c.seconds;
  std::printf("%-10s %-30s %9.3f %9.2f %7.1f%%  %016llx\n", policy, where, c.seconds, rate / 1e9, 100 * rate / peak_,
              static_cast<unsigned long long>(sum.value()));
  std::fflush(stdout);
  if (rows_++ == 0) first_ = sum.value();
  equal_ = equal_ && sum.value() == first_;
}

void policy_table::require_equal() const {
  if (!equal_) throw std::runtime_error("the checksums differ: the policies did not compute the same bits");
}

int run(const char* program, void (*f)(int, char**), int argc, char** argv) try {
  f(argc, argv);
  return 0;
} catch (const std::exception& e) {
  std::fflush(stdout);
  std::fprintf(stderr, "%s: %s\n", program, e.what());
  return 1;
}

}  // namespace demo
