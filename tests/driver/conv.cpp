// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <utility>

#include "tests/driver/drawn_call.hpp"
#include "tests/kernel/conv_cases.hpp"
#include "tests/support/draws.hpp"

namespace tern::test::inline TERN_ISA {

conv_shape current_conv;

namespace {

/// Gradients of weights whose sums have several grains of samples, or chunks of positions.
conv_shape several_chunks(std::mt19937& engine) {
  const std::pair<index_t, index_t> sizes[] = {{70, 1}, {70, 3}, {67, 11}, {5, 31}, {3, 32}, {2, 600}, {1, 1025}};
  const auto [batch, size] = sizes[below(engine, 7)];
  conv_shape s{.batch = batch, .groups = one_of(engine, {1, 3}), .in = 3, .out = one_of(engine, {2, 10})};
  s.axis[2] = window_over(size, 3, 1, 1, padding::given, 1, 1);
  return s;
}

}  // namespace

call_rules conv_calls(std::mt19937& engine, double most, bool transposed) {
  const conv_shape deep = several_chunks(engine);
  const bool takes_deep = engine() % 8 == 0 && static_cast<double>(multiply_adds(deep)) <= most;
  const conv_shape s = current_conv = takes_deep ? deep : random_conv(engine, most);
  const index_t wide = s.groups * s.in, narrow = s.groups * s.out;
  call_rules rules;
  rules.text = text(s);
  rules.fits = [](const tensor_shape*) { return true; };
  rules.sizes = {{"n", {s.batch}},
                 {"in", {transposed ? narrow : wide}},
                 {"out", {transposed ? wide : narrow}},
                 {transposed ? "out/groups" : "in/groups", {s.in}}};
  for (int r = 0; r < 3; ++r) {
    const window_axis& a = s.axis[r];
    const std::string number = std::to_string(r);
    rules.sizes.push_back({"kernel..." + number, {a.kernel}});
    rules.sizes.push_back({"spatial..." + number, {transposed ? a.out : a.in}});
    rules.sizes.push_back({"results..." + number, {transposed ? a.in : a.out}});
  }
  return rules;
}

}  // namespace tern::test::inline TERN_ISA
