// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random calls of losses that are sums over elements, or of several numbers at once; their totals and gradients.
#pragma once

#include <random>

#include "tests/driver/parity.hpp"
#include "tests/driver/places.hpp"

namespace tern::test::inline TERN_ISA {

/// Samples of an element to many thousand, and now and then so many samples that totals have several chunks.
/// \param axis   the name of axis 1
/// \param empty  whether there may be no samples
call_rules loss_rules(std::mt19937& engine, const char* axis, double most, bool empty);
loss_scale some_scale(std::mt19937& engine);
/// None, or a share of the targets.
label_smoothing some_smoothing(std::mt19937& engine);

/// Common parts of the families of losses.
struct of_losses {
  static constexpr loss_config each{.reduce = reduction::none}, sums{.reduce = reduction::sum}, means{},
      of_batch{.reduce = reduction::batch_mean};

  static call_rules rules_for(auto& run, const char* axis, const loss_config& c) {
    return loss_rules(run.engine, axis, run.few_or_many(), c == each || c == sums);
  }
};

struct loss_family : of_losses {
  static constexpr int cases = 200;
  static constexpr double most = 6e4;  ///< elements
  static constexpr tiles_used on_tiles{.spread = 500, .stepped = 300, .cut_in_both = 80};

  /// \tparam C  of gradients that are added; others are those of every sample
  /// \tparam V  of the values
  template <class T, loss_kind K, loss_config C, loss_config V = C, class Run>
  static void of_elements(Run& run) {
    constexpr int across = 96 / sizeof(T);  // whole vectors cross from one block to the next
    using values = declare::element_loss_pass<K, V, T>;
    using gradients = declare::element_loss_gradient_pass<K, C, T>;
    using each_gradients = declare::element_loss_gradient_pass<K, each, T>;
    const auto rules = [&](const loss_config& c) { return rules_for(run, "channels", c); };
    run.template call<element_loss<K, V, T>, not_adding<values>, 5, blocks<4, 16, values::inputs == 3 ? across : 0>>(
        rules(V));
    run.template call<element_loss<K, C, T>, adding<gradients>, 5, blocks<across, 4, 16, 0, 4>>(rules(C),
                                                                                                some_scale(run.engine));
    run.template call<element_loss<K, each, T>, not_adding<each_gradients>, 5>(rules(each));
  }

  template <class T, class Run>
  static void of_numbers(Run& run) {
    using two = multivariate_gaussian_nll<2, of_batch, T>;
    using three = multivariate_gaussian_nll<3, each, T>;
    using values = declare::multivariate_pass<3, each, T>;
    using gradients = declare::multivariate_gradient_pass<2, of_batch, T>;
    using each_gradients = declare::multivariate_gradient_pass<3, each, T>;
    const auto rules = [&](const loss_config& c) { return rules_for(run, "features", c); };
    run.template call<three, values, 2, blocks<4, 16>>(rules(each));
    run.template call<two, not_adding<gradients>, 2, blocks<0, 16, 4>>(rules(of_batch), some_scale(run.engine));
    run.template call<three, adding<each_gradients>, 2>(rules(each));
  }

  /// A call of every pass.
  template <class T, class Run>
  static void calls(Run& run) {
    of_elements<T, loss_kind::squared_error, sums>(run);
    of_elements<T, loss_kind::bce_with_logits, means>(run);
    of_elements<T, loss_kind::gaussian_nll, of_batch, each>(run);
    of_elements<T, loss_kind::gaussian_kl, of_batch>(run);
    of_numbers<T>(run);
  }
};

}  // namespace tern::test::inline TERN_ISA
