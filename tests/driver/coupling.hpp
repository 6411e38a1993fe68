// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random calls of couplings. Streams hold bits that count even where they look like NaN.
#pragma once

#include <cstring>

#include "tests/driver/parity.hpp"
#include "tests/driver/places.hpp"
#include "tests/kernel/coupling_cases.hpp"

namespace tern::test::inline TERN_ISA {

/// \tparam Bits  what fractions of the numbers count
template <class T, int Bits>
void fill_streams(drawn_call& c, std::mt19937& engine) {
  for (drawn_tensor& t : c.tensors)
    for (std::size_t i = 0; i < t.values.size(); i += sizeof(T)) {
      const T x = any_number<T, Bits>(engine);
      std::memcpy(&t.values[i], &x, sizeof(T));
    }
}

struct coupling_family {
  static constexpr int cases = 60;
  static constexpr double most = 2e4;  ///< elements
  static constexpr tiles_used on_tiles{.spread = 150, .stepped = 50, .cut_in_both = -1};

  template <class T, coupling_config C, class Run>
  static void all_passes(Run& run) {
    using op = coupling<C, T>;
    const auto call = [&]<class Pass, class... Layouts>(bool payloads) {
      call_rules rules = places(run.engine, run.few_or_many());
      rules.payloads = payloads, rules.fill = fill_streams<T, op::bits>;
      run.template call<op, Pass, 5, Layouts...>(rules);
    };
    constexpr bool exact = C.stream != stream_kind::drifting;
    constexpr int across = 96 / sizeof(T);  // whole vectors cross from one block to the next
    call.template operator()<declare::coupling_pass<C, T, false>, blocks<16, 4, across>>(exact);
    call.template operator()<declare::coupling_pass<C, T, true>>(exact);
    call.template operator()<declare::stream_pass<C, T, false>>(true);
    call.template operator()<declare::stream_pass<C, T, true>>(true);
  }

  /// A call of every pass.
  template <class T, class Run>
  static void calls(Run& run) {
    using enum stream_kind;
    constexpr bool narrow = sizeof(T) == 4;
    all_passes<T, coupling_config{.stream = fixed_point}>(run);
    all_passes<T, coupling_config{.stream = fixed_point, .bits = narrow ? 30 : 62}>(run);
    all_passes<T, coupling_config{.stream = grid}>(run);
    all_passes<T, coupling_config{.stream = grid, .bits = narrow ? 22 : 51}>(run);
    all_passes<T, coupling_config{.stream = drifting}>(run);
  }
};

}  // namespace tern::test::inline TERN_ISA
