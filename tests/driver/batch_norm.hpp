// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random calls of batch norms, of all samples and of parts.
#pragma once

#include <cmath>
#include <random>
#include <string>

#include "tests/driver/norm_sums.hpp"
#include "tests/driver/norms.hpp"
#include "tests/driver/parity.hpp"

namespace tern::test::inline TERN_ISA {

struct batch_norm_family {
  static constexpr int cases = 200;
  static constexpr double most = 6e4;  ///< elements
  static constexpr tiles_used on_tiles{.spread = 800, .stepped = 250, .cut_in_both = 200};

  static constexpr norm_config full{.residual = true, .act = activation::relu}, bare{.scale = false, .shift = false};

  /// A call of every pass, and of sums that it has kernels for.
  template <class T, class Run>
  static void calls(Run& run) {
    using norm = norm_of<norm_kind::batch, full, T>;
    using bare_norm = norm_of<norm_kind::batch, bare, T>;
    constexpr int across = 96 / sizeof(T);  // whole vectors cross from one block to the next
    std::mt19937& engine = run.engine;
    const auto call = [&]<class Pass, class... Layouts>(const auto&... option) {
      run.template call<typename norm::op, Pass, 5, Layouts...>(norm_calls(engine, run.few_or_many()), option...);
    };
    const values_seen seen{1 + below(engine, 1000)};
    call.template operator()<typename norm::template values<3>, blocks<16, 0, 0, 4, 16>, blocks<4, 0, 0, across, 4>>(
        some_epsilon(engine));
    call.template operator()<typename norm::template values<0>>();
    call.template operator()<not_adding<typename norm::of_x>, blocks<4, 16, 0, 0, 0, across>>();
    call.template operator()<adding<typename bare_norm::of_x>>();
    call.template operator()<not_adding<typename norm::template gradients<false, true>>>();
    call.template operator()<not_adding<typename norm::template gradients<false, false>>>();
    call.template operator()<adding<typename bare_norm::template gradients<true, true>>>();
    call.template operator()<adding<typename norm::template of_weights<true>>, blocks<16, across>>();
    call.template operator()<not_adding<typename norm::template of_weights<false>>>();
    call.template operator()<declare::norm_statistics_pass<full, T, false>, blocks<across>>();
    call.template operator()<declare::norm_apply_pass<full, T>, blocks<4, 0, 0, 0, 0, 16, across>>();
    call.template operator()<not_adding<declare::norm_part_pass<full, T>>, blocks<4, across, 0, 0, 0, 0, 0, 16>>(seen);
    call.template operator()<adding<declare::norm_part_pass<bare, T>>>(seen);
    run.template call<sums_of_norms, not_adding<any_statistics_pass<T>>, 5, vectors, blocks<4, across>>(
        norm_sums(engine, run.few_or_many()), values_seen{0});
    if constexpr (Run::is_reference) on_channels<T>(run, seen);
  }

  /// The passes that all policies run on the calling thread.
  template <class T, class Run>
  static void on_channels(Run& run, values_seen seen) {
    const auto call = [&]<class Pass>(const auto&... option) {
      call_rules rules;
      rules.sizes = {{"channels", {0, 1, 2, 17, 300}}};
      rules.fill = [](drawn_call& c, std::mt19937& engine) {
        for (drawn_tensor& t : c.tensors)
          if (!t.is_output() && std::string(t.is.name) == "variance") {
            some_numbers next(engine);
            t.fill([&] { return std::fabs(next()); });
          }
      };
      run.template call<batch_norm<full, T>, Pass, 1>(rules, option...);
    };
    using joining = declare::norm_join_pass<T>;
    const epsilon eps = some_epsilon(run.engine);
    call.template operator()<joining>(typename joining::counts{seen.values - 1, below(run.engine, 3)});
    call.template operator()<declare::norm_deviation_pass<full, T, false>>(seen);
    call.template operator()<declare::norm_deviation_pass<full, T, true>>(seen, eps);
    call.template operator()<declare::norm_fold_pass<full, T>>(eps);
    call.template operator()<declare::norm_fold_pass<bare, T>>();
  }
};

}  // namespace tern::test::inline TERN_ISA
