// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ops that draw random numbers share: sizes, keys and checks of a call.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/family/map/drawing.hpp"
#include "tern/kernel/operands.hpp"
#include "tern/kernel/scattered.hpp"
#include "tern/op/dropout.hpp"

namespace tern::inline TERN_ISA::impl {

inline tile::random_key key_of(const random_site& s) {
  return {{static_cast<std::uint32_t>(s.seed), static_cast<std::uint32_t>(s.seed >> 32)}, s.step, s.site, s.sample};
}

template <class Call, class View>
void set_drawn_shape(const char* op, Call& q, const View& v) {
  static_assert(View::rank >= 2 && View::rank <= 5,
                "draws: x must have the rank (sample, channel, spatial...), with up to three axes");
  set_sizes(q, v);
  if (q.batch > 0 && q.elements() / q.batch > index_t{1} << 34)
    violation("%s: x is %s: a sample may have at most 2^34 elements", op, text_of(v).text);
}

/// Throws where an output shares elements with another tensor, and is not an input itself.
template <class Call>
void check_drawn(const char* op, const Call& q) {
  const image_shape s{q.batch, q.channels, {q.extent[0], q.extent[1], q.extent[2]}};
  for (int o = 0; o < Call::outputs; ++o) {
    const interval_set to = intervals_of(q.out[o], s);
    check_output(op, to);
    for (const auto& i : q.in)
      if (!same_place(i, q.out[o])) check_output(op, to, intervals_of(i, s));
    for (int other = 0; other < o; ++other) check_output(op, to, intervals_of(q.out[other], s));
  }
}

}  // namespace tern::inline TERN_ISA::impl
