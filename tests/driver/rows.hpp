// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random calls of row programs but softmax: cross-entropies, L2 normalisations, and indices of the largest elements.
#pragma once

#include "tests/driver/loss.hpp"
#include "tests/driver/parity.hpp"
#include "tests/driver/places.hpp"

namespace tern::test::inline TERN_ISA {

struct rows_family : of_losses {
  static constexpr int cases = 250;
  static constexpr double most = 6e4;  ///< elements
  static constexpr tiles_used on_tiles{.spread = 300, .stepped = 180, .cut_in_both = -1};

  template <class T, class Run>
  static void of_classes(Run& run) {
    using single = cross_entropy<each, T>;
    using summed = cross_entropy<sums, T>;
    using mean = cross_entropy<means, T>;
    using total = declare::cross_entropy_pass<sums, T, false, true>;
    using smooth_values = declare::cross_entropy_pass<each, T, true, true>;
    using gradients = declare::cross_entropy_gradient_pass<means, T, false, true>;
    using each_gradients = declare::cross_entropy_gradient_pass<each, T, true, true>;
    constexpr loss_config weighted{.reduce = reduction::none, .class_weights = true};
    const auto rules = [&](const loss_config& c) { return rules_for(run, "classes", c); };
    run.template call<summed, adding<total>, 5, blocks<16>>(rules(sums));
    run.template call<single, smooth_values, 5, blocks<4>>(rules(each), some_smoothing(run.engine));
    run.template call<mean, adding<gradients>, 5, blocks<4, 0, 16>>(rules(means), some_scale(run.engine));
    run.template call<single, not_adding<each_gradients>, 5>(rules(each), some_smoothing(run.engine));
    // Of classes with weights: the values of smoothed targets, and the gradients of others.
    run.template call<cross_entropy<weighted, T>, declare::cross_entropy_pass<weighted, T, true, true>, 5>(
        rules(each), some_smoothing(run.engine));
    using weighted_gradients = declare::cross_entropy_gradient_pass<weighted, T, false, true>;
    run.template call<cross_entropy<weighted, T>, adding<weighted_gradients>, 5>(rules(each));
  }

  /// A call of every pass.
  template <class T, class Run>
  static void calls(Run& run) {
    constexpr l2_config across{.axis = 1}, last{};
    constexpr argmax_config largest{.axis = 1};
    of_classes<T>(run);
    call_rules rules = rows_along(1, run.few_or_many());
    rules.fill = fill_rows;
    run.template call<l2_normalize<across, T>, declare::l2_pass<across, T>, 5, blocks<16, 4>>(rules);
    run.template call<argmax<largest, T>, declare::argmax_pass<largest, T>, 5, blocks<16>, blocks<4, 4>>(rules);
    rules = rows_along(4, run.few_or_many()), rules.fill = fill_rows;
    run.template call<l2_normalize<last, T>, adding<declare::l2_gradient_pass<last, T>>, 5>(rules);
  }
};

}  // namespace tern::test::inline TERN_ISA
