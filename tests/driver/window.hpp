// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random calls of pools. Windows that only the run knows stand for all configs: so a pass is compiled once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "tests/driver/parity.hpp"

namespace tern::test::inline TERN_ISA {

/// The pool that any_window computes.
extern pool3d_config current_window;

/// A pass of a pool of three axes, with the windows and padding of current_window instead of those of its config.
template <class Pass>
struct any_window : Pass {
  static constexpr bool made(index_t* extent, int) {
    if (std::is_constant_evaluated()) {
      for (int r = 0; r < 3; ++r) extent[2 + r] = dynamic;
      return true;
    }
    for (int r = 0; r < 3; ++r) {
      const window_axis a = current_window.axis(r, extent[2 + r]);
      if (a.in > 0 && a.out < 1) return false;
      extent[2 + r] = a.out;
    }
    return true;
  }
  template <bool Add, class... View>
  static auto problem(const char* op, const View&... view) {
    auto q = Pass::template problem<Add>(op, view...);
    for (int r = 0; r < 3; ++r) q.shape.axis[r] = current_window.axis(r, q.shape.axis[r].in);
    q.shape.count_padding = current_window.count_padding, q.shape.fixed_divisor = current_window.divisor;
    return q;
  }
};

/// A pool over one to three axes, and the sizes that go with it. Some windows are all of an axis, and some have more
/// than 512 taps, where a call may have so many, or none on x.
/// \param most  taps of a call
pool3d_config random_window(std::mt19937& engine, call_rules& rules, double most);

/// True if a call has at most `most` taps, in the windows of current_window.
/// \param x      the number of the tensor that has them
/// \param again  true if maxima are found again for every tap
std::function<bool(const tensor_shape*)> few_taps(int x, bool again, double most);

/// Gives indices the positions of the maxima of some x, or now and then any numbers: then only a tap of the window gets
/// a gradient.
template <class Op, class Values>
void find_maxima(drawn_call& c, std::mt19937& engine) {
  drawn_tensor& indices = c["indices"];
  if (engine() % 4 == 0) return indices.fill([&] { return below(engine, 40) - 5; });
  drawn_tensor x = c["dx"];
  x.fill(some_numbers(engine));
  const auto dense = [](number of, const tensor_shape& s) { return placed_tensor(of, s, placement::dense(s, true)); };
  const placed_tensor from = dense(x.of, x.shape), to = dense(x.of, indices.shape),
                      at = dense(number::int32, indices.shape);
  from.put(x.values);
  constexpr int rank = Op::rank + 2;
  Values::template kernel<reference>::run(
      {}, Values::template problem<false>(Op::name, view_of<Values, 0, rank, 0>(from), view_of<Values, 1, rank, 0>(to),
                                          view_of<Values, 2, rank, 0>(at)));
  indices.values = at.values();
}

struct window_family {
  static constexpr int cases = 1000;
  static constexpr double most = 1e5;  ///< taps
  static constexpr tiles_used on_tiles{.spread = 1000, .stepped = 200, .cut_in_both = 100};

  /// A call of every pass.
  template <class T, class Run>
  static void calls(Run& run) {
    constexpr pool_kind max = pool_kind::max, average = pool_kind::average;
    constexpr pool3d_config C{};
    using most_of = max_pool3d<C, T>;
    using mean_of = avg_pool3d<C, T>;
    using indexed = any_window<declare::pool_pass<3, max, C, T, true>>;
    constexpr int across = 96 / sizeof(T);  // whole vectors cross from one block to the next
    const double most_taps = run.few_or_many();
    call_rules rules;
    current_window = random_window(run.engine, rules, most_taps);
    rules.fits = few_taps(0, false, most_taps);
    run.template call<most_of, any_window<declare::pool_pass<3, max, C, T, false>>, 5, blocks<4, across>>(rules);
    run.template call<most_of, indexed, 5, blocks<16, 0, 4>>(rules);
    run.template call<mean_of, any_window<declare::pool_pass<3, average, C, T, false>>, 5, blocks<across, 16>>(rules);
    rules.fits = few_taps(1, false, most_taps);
    run.template call<mean_of, any_window<declare::pool_gradient_pass<3, average, C, T, pool_shares::all>>, 5,
                      blocks<1, 4>>(rules);
    rules.fits = few_taps(2, true, most_taps);
    run.template call<most_of, any_window<declare::pool_gradient_pass<3, max, C, T, pool_shares::found>>, 5,
                      blocks<0, 4, across>>(rules);
    rules.fits = few_taps(2, false, most_taps), rules.fill = find_maxima<most_of, indexed>;
    run.template call<most_of, any_window<declare::pool_gradient_pass<3, max, C, T, pool_shares::given>>, 5,
                      blocks<across, 0, 16>>(rules);
  }
};

}  // namespace tern::test::inline TERN_ISA
