// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random calls of optimisers and of what goes with them.
#pragma once

#include <cmath>

#include "tests/driver/parity.hpp"
#include "tests/driver/places.hpp"

namespace tern::test::inline TERN_ISA {

struct optimizer_family {
  static constexpr int cases = 60;
  static constexpr double most = 5000;  ///< elements
  static constexpr tiles_used on_tiles{.spread = 200, .stepped = -1, .cut_in_both = -1};

  /// A call of every pass.
  template <class T, class Run>
  static void calls(Run& run) {
    call_rules rules;
    rules.sizes = {{"elements", {0, 1, 3, 16, 17, 127, 128, 129, 600, 1000, 4097, 5000}}};
    const double elements = run.few_or_many();
    rules.fits = [elements](const tensor_shape* s) { return static_cast<double>(s->size()) <= elements; };
    rules.fill = [](drawn_call& c, std::mt19937& engine) {  // averages and sums of squares
      for (drawn_tensor& t : c.tensors)
        if (std::string(t.is.name).find("square") != std::string::npos) {
          some_numbers next(engine);
          t.fill([&] { return std::fabs(next()); });
        }
    };
    const auto call = [&]<class Op>(std::type_identity<Op>, const auto&... step) {
      run.template call<Op, declare::flat_call<Op>, 1>(rules, step...);
    };
    const auto number = [&](double size) { return static_cast<double>(below(run.engine, 1000)) * size / 1000; };
    const index_t t = 1 + below(run.engine, 20);
    const double scale = run.engine() % 2 == 0 ? 1 : 256;
    sgd_step moving{.rate = number(1), .momentum = number(1), .decay = number(0.1), .scale = scale};
    sgd_step clipped = moving;
    clipped.most = 0.5;
    call(std::type_identity<sgd<sgd_config{}, T>>(), moving);
    call(std::type_identity<sgd<sgd_config{.momentum = true}, T>>(), moving);
    call(std::type_identity<sgd<sgd_config{.momentum = true, .nesterov = true, .clip = true}, T>>(), clipped);
    adam_step mean{.rate = number(0.1), .beta1 = number(1), .beta2 = number(1), .epsilon = 1e-3, .decay = number(0.1)};
    mean.step = t, mean.scale = scale;
    adam_step clipped_mean = mean;
    clipped_mean.most = 0.5;
    call(std::type_identity<adam<adam_config{}, T>>(), mean);
    call(std::type_identity<adam<adam_config{.decoupled = true, .clip = true}, T>>(), clipped_mean);
    const rmsprop_step root{.rate = number(0.1), .alpha = number(1), .decay = number(0.1), .momentum = number(1)};
    call(std::type_identity<rmsprop<rmsprop_config{}, T>>(), root);
    call(std::type_identity<rmsprop<rmsprop_config{.momentum = true}, T>>(), root);
    call(std::type_identity<lars<T>>(), lars_step{.decay = number(0.1), .trust = number(1)});
    call(std::type_identity<lamb_update<T>>(), mean);
    call(std::type_identity<lamb<T>>(), lamb_step{number(0.1)});
    call(std::type_identity<moving_average<T>>(), moving_average_step{.decay = number(1), .factor = number(2)});
    call(std::type_identity<sum_of_squares<T>>());
  }
};

}  // namespace tern::test::inline TERN_ISA
