// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random calls of layer, group, instance and RMS norms.
#pragma once

#include "tests/driver/norms.hpp"
#include "tests/driver/parity.hpp"

namespace tern::test::inline TERN_ISA {

struct norm_family {
  static constexpr int cases = 400;
  static constexpr double most = 6e4;  ///< elements
  static constexpr tiles_used on_tiles{.spread = 400, .stepped = 80, .cut_in_both = 50};

  /// A call of every norm.
  template <class T, class Run>
  static void calls(Run& run) {
    constexpr norm_config plain{}, rest{.residual = true}, root{.shift = false},
        bare{.scale = false, .shift = false, .residual = true, .act = activation::silu};
    using group = norm_of<norm_kind::group, plain, T>;
    using bare_group = norm_of<norm_kind::group, bare, T>;
    using instance = norm_of<norm_kind::instance, plain, T>;
    using rms = norm_of<norm_kind::rms, root, T>;
    using layer = norm_of<norm_kind::layer, plain, T>;
    using layer_of_rows = norm_of<norm_kind::layer, rest, T>;
    constexpr int across = 96 / sizeof(T);  // whole vectors cross from one block to the next
    const auto call = [&]<class Norm, class Pass, int Rank, class... Layouts>(index_t groups = 1) {
      run.template call<typename Norm::op, Pass, Rank, Layouts...>(norm_calls(run.engine, run.few_or_many(), groups),
                                                                   some_epsilon(run.engine));
    };
    call.template operator()<group, any_groups<typename group::template values<2>>, 5, blocks<16, 0, 0, 16>,
                             blocks<4, 0, 0, across>>(some_groups(run.engine));
    call.template operator()<bare_group, any_groups<typename bare_group::template values<2>>, 5, blocks<across, 4, 16>>(
        some_groups(run.engine));
    call.template operator()<instance, typename instance::template values<2>, 5>();
    call.template operator()<rms, typename rms::template values<1>, 5, vectors, blocks<4, 0, 4>>();
    call.template operator()<layer, typename layer::template values<0>, 5>();
    call.template operator()<layer_of_rows, typename layer_of_rows::template values<2>, 2, vectors>();
  }
};

}  // namespace tern::test::inline TERN_ISA
