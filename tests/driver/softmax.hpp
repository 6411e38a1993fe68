// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random calls of softmax and its logarithm.
#pragma once

#include <cmath>

#include "tests/driver/parity.hpp"
#include "tests/driver/places.hpp"

namespace tern::test::inline TERN_ISA {

struct softmax_family {
  static constexpr int cases = 200;
  static constexpr double most = 6e4;  ///< elements
  static constexpr tiles_used on_tiles{.spread = 400, .stepped = 100, .cut_in_both = -1};

  template <class T, softmax_config C, class Values, class Gradient, class Run>
  static void both_passes(Run& run) {
    using op = softmax<C, T>;
    call_rules rules = rows_along(C.axis_of(5), run.few_or_many());
    rules.fill = [](drawn_call& c, std::mt19937& engine) {
      if (engine() % 2 == 0) c["x"].fill(some_numbers(engine, 30));
    };
    run.template call<op, declare::softmax_pass<C, T>, 5, Values>(rules);
    rules.fill = [](drawn_call& c, std::mt19937& engine) {  // results
      some_numbers next(engine, C.log && engine() % 2 == 0 ? 30 : 1);
      c["y"].fill([&] { return C.log ? -std::fabs(next()) : std::fabs(next()); });
    };
    run.template call<op, declare::softmax_gradient_pass<C, T>, 5, Gradient>(rules);
  }

  /// A call of every pass.
  template <class T, class Run>
  static void calls(Run& run) {
    constexpr softmax_config plain{.axis = 1}, log{.axis = 1, .log = true}, masked{.axis = 1, .mask = true},
        log_masked{.axis = 1, .log = true, .mask = true}, last{.axis = -1, .mask = true};
    both_passes<T, plain, blocks<16, 4>, blocks<4, 0, 16>>(run);
    both_passes<T, log, blocks<0, 4>, blocks<0, 16, 4>>(run);
    both_passes<T, masked, blocks<16, 4, 4>, blocks<>>(run);
    both_passes<T, log_masked, blocks<4, 0, 4>, blocks<>>(run);
    both_passes<T, last, blocks<>, blocks<>>(run);
  }
};

}  // namespace tern::test::inline TERN_ISA
