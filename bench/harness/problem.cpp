// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/harness/problem.hpp"

#include <cctype>

#include "tern/policy/numerics.hpp"
#include "tests/support/variants.hpp"

namespace tern::bench {

product problem::as_product() const {
  const auto [m, n, k, batch] = matmul_sizes{op.m, op.n, op.k, op.batch};
  switch (direction) {
    case pass::forward: return {m, n, k, batch, false, transposed_b, dot_chunk};
    case pass::backward_data: return {m, k, n, batch, false, !transposed_b, dot_chunk};
    case pass::backward_weights: return {k, n, m, batch, true, false, sample_grain};
  }
  return {};
}

double problem::fmas() const {
  return static_cast<double>(op.m) * static_cast<double>(op.n) * static_cast<double>(op.k) *
         static_cast<double>(op.batch);
}

double problem::bytes() const {
  const index_t matrices = op.m * op.k + op.k * op.n + op.m * op.n * (op.residual ? 2 : 1);
  return static_cast<double>((op.batch * matrices + (op.bias ? op.n : 0)) * element_bytes());
}

std::string problem::text() const {
  std::string s = "matmul";
  if (direction == pass::backward_data) s += ".backward_data";
  if (direction == pass::backward_weights) s += ".backward_weights";
  if (op.bias) s += "+bias";
  if (op.residual) s += "+residual";
  if (op.act != activation::none) s += std::string("+") + name(op.act);
  s += ":";
  if (op.batch != 1) s += "b" + std::to_string(op.batch);
  s += "m" + std::to_string(op.m) + "n" + std::to_string(op.n) + "k" + std::to_string(op.k);
  if (transposed_b) s += "bt";
  return s + (f64 ? ":f64" : ":f32");
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

std::optional<problem> parse_problem(const std::string& op, const std::string& shape, const std::string& element) {
  problem p;
  p.op.batch = 1;
  std::size_t at = 0;
  const auto number = [&](char letter, index_t& to) {
    if (at >= shape.size() || shape[at] != letter) return false;
    std::size_t digits = at + 1;
    index_t value = 0;
    while (digits < shape.size() && std::isdigit(static_cast<unsigned char>(shape[digits])) && value < 1'000'000'000)
      value = 10 * value + (shape[digits++] - '0');
    if (digits == at + 1 || value < 1) return false;
    to = value, at = digits;
    return true;
  };
  if (shape[0] == 'b' && !number('b', p.op.batch)) return {};
  if (!number('m', p.op.m) || !number('n', p.op.n) || !number('k', p.op.k)) return {};
  p.transposed_b = shape.substr(at) == "bt";
  p.f64 = element == "f64";
  p.op.bias = op.find("+bias") != std::string::npos;
  p.op.residual = op.find("+residual") != std::string::npos;
  if (op.find("+relu") != std::string::npos) p.op.act = activation::relu;
  if (op.rfind("matmul.backward_data", 0) == 0) p.direction = pass::backward_data;
  if (op.rfind("matmul.backward_weights", 0) == 0) p.direction = pass::backward_weights;
  if (p.text() != op + ":" + shape + ":" + element) return {};
  for (const problem& known : all_problems())
    if (known == p) return known;
  p.row = "(not in the list)";
  return p;
}

std::vector<problem> all_problems() {
  std::vector<problem> rows;
  const auto shaped = [](const variants::matmul_workload& w) {
    problem p;
    p.row = w.name;
    p.op = {.m = w.m, .n = w.n, .k = w.k, .batch = w.batch};
    p.transposed_b = w.transposed_b;
    return p;
  };
  for (const auto& w : variants::matmul_workloads) {
    rows.push_back(shaped(w));
    rows.back().judged = true;
    rows.back().closely = w.closely;
  }
  for (const auto& w : variants::matmul_sweep) rows.push_back(shaped(w));
  for (const auto& w : variants::matmul_workloads) {
    if (!w.closely) continue;
    const auto add = [&](const std::string& what) -> problem& {
      rows.push_back(shaped(w));
      rows.back().row += what;
      return rows.back();
    };
    add("/f64").f64 = true;
    add("/backward_data").direction = pass::backward_data;
    add("/backward_weights").direction = pass::backward_weights;
    variants::for_each(variants::matmuls<float>{}, [&]<class Op> {
      constexpr matmul_config c = Op::config;
      if (c == matmul_config{}) return;
      std::string what;
      if (c.bias) what += "+bias";
      if (c.residual) what += "+residual";
      if (c.act != activation::none) what += std::string("+") + name(c.act);
      matmul_config& op = add("/" + what.substr(1)).op;
      op.bias = c.bias, op.residual = c.residual, op.act = c.act;
    });
  }
  return rows;
}

}  // namespace tern::bench
