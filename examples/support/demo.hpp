// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Common parts of the demos: options, first weights, and the table with a row for each policy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <string>

#include "trainers.hpp"

namespace demo {

/// An option of the command line, and the variable for its value: a text, or a number of at least 1. An option without
/// a value sets a flag.
struct option {
  const char* name;
  std::string* text = nullptr;
  int* number = nullptr;
  bool* flag = nullptr;
};

/// Reads `--name value` pairs and flags; --help prints the usage and leaves the program.
/// \throws std::runtime_error  with one sentence on what is wrong
void parse(int argc, char** argv, const char* usage, std::initializer_list<option> options);

/// Weights drawn evenly from +-sqrt(6 / inputs) (He et al. 2015, arXiv 1502.01852), the same on every machine.
class he_uniform {
 public:
  template <std::size_t Size>
  void fill(float (&weights)[Size], float inputs) {
    fill(weights, Size, inputs);
  }
  void fill(float* weights, std::size_t size, float inputs);

 private:
  std::mt19937 random_{1};
};

/// A checksum of 64 bits over numbers (FNV-1a).
class checksum {
 public:
  void add(const float* x, std::size_t size);
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325u;
};

/// Prints the checksum of a trained state, so that runs can be compared.
void print_checksum(const float* kept, std::size_t size);

/// Prints a row for every policy: its time, its share of the peak, and the checksum of its results.
class policy_table {
 public:
  /// Prints the head. \param peak  operations per second
  policy_table(const char* isa, double peak);
  void row(const char* policy, const char* where, cost, checksum);
  /// \throws std::runtime_error  if the checksums of the rows differ
  void require_equal() const;

 private:
  double peak_;
  int rows_ = 0;
  std::uint64_t first_ = 0;
  bool equal_ = true;
};

/// Calls f. An exception becomes one line on stderr with the program's name. Returns the exit status for main.
int run(const char* program, void (*f)(int argc, char** argv), int argc, char** argv);

}  // namespace demo
