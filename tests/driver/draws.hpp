// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random calls of ops that draw random numbers.
#pragma once

#include "tests/driver/parity.hpp"
#include "tests/driver/places.hpp"

namespace tern::test::inline TERN_ISA {

struct draws_family {
  static constexpr int cases = 150;
  static constexpr double most = 2e4;  ///< elements
  static constexpr tiles_used on_tiles{.spread = 200, .stepped = 40, .cut_in_both = -1};

  /// A call of every pass.
  template <class T, class Run>
  static void calls(Run& run) {
    constexpr dropout_config of_elements{}, of_samples{.whole_samples = true};
    constexpr int across = 96 / sizeof(T);  // whole vectors cross from one block to the next
    std::mt19937& engine = run.engine;
    const auto call = [&]<class Op, class Pass, class... Layouts>(const auto&... option) {
      const auto word = [&] { return static_cast<std::uint32_t>(engine()); };
      const std::uint64_t seed = std::uint64_t{word()} << 32 | word();
      const random_site site{.seed = seed, .step = word(), .site = word(), .sample = word()};
      run.template call<Op, Pass, 5, Layouts...>(places(engine, run.few_or_many()), option..., site);
    };
    const drop_rate rate{engine() % 8 == 0 ? 0 : static_cast<double>(engine()) * 0x1p-32};
    call.template operator()<dropout<of_elements, T>, declare::dropout_pass<of_elements, T, false>, blocks<4, across>>(
        rate);
    call.template operator()<dropout<of_elements, T>, adding<declare::dropout_pass<of_elements, T, true>>>(rate);
    call.template operator()<dropout<of_samples, T>, declare::dropout_pass<of_samples, T, false>>(rate);
    call.template operator()<dropout<of_samples, T>, adding<declare::dropout_pass<of_samples, T, true>>, blocks<16, 4>>(
        rate);
    call.template operator()<normal_sample<T>, declare::normal_samples<T>, blocks<16, across, 4>>();
    call.template operator()<normal_sample<T>, adding<declare::normal_sample_gradients<T>>>();
  }
};

}  // namespace tern::test::inline TERN_ISA
