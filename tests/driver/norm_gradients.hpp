// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random calls of gradients of x of layer, group, instance and RMS norms.
#pragma once

#include "tests/driver/norms.hpp"
#include "tests/driver/parity.hpp"

namespace tern::test::inline TERN_ISA {

struct norm_gradients_family {
  static constexpr int cases = 400;
  static constexpr double most = 6e4;  ///< elements
  static constexpr tiles_used on_tiles{.spread = 350, .stepped = 80, .cut_in_both = 45};

  /// A call of every norm.
  template <class T, class Run>
  static void calls(Run& run) {
    constexpr norm_config plain{}, root{.shift = false}, bare{.scale = false};
    using group = norm_of<norm_kind::group, plain, T>;
    using bare_group = norm_of<norm_kind::group, bare, T>;
    using instance = norm_of<norm_kind::instance, plain, T>;
    using rms = norm_of<norm_kind::rms, root, T>;
    using layer = norm_of<norm_kind::layer, plain, T>;
    constexpr int across = 96 / sizeof(T);  // whole vectors cross from one block to the next
    const auto call = [&]<class Norm, class Pass, int Rank, class... Layouts>(index_t groups = 1) {
      run.template call<typename Norm::op, Pass, Rank, Layouts...>(norm_calls(run.engine, run.few_or_many(), groups));
    };
    call.template operator()<group, any_groups<not_adding<typename group::of_x>>, 5, blocks<16, 16, 0, 0, 0, 16>,
                             blocks<4, across, 0, 0, 0, 4>>(some_groups(run.engine));
    call.template operator()<bare_group, any_groups<adding<typename bare_group::of_x>>, 5, blocks<across, 4, 0, 0, 16>>(
        some_groups(run.engine));
    call.template operator()<instance, not_adding<typename instance::of_x>, 5>();
    call.template operator()<rms, not_adding<typename rms::of_x>, 5, vectors>();
    call.template operator()<layer, not_adding<typename layer::of_x>, 2, vectors>();
  }
};

}  // namespace tern::test::inline TERN_ISA
