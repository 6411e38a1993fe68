// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Philox4x32-10, a counter-based generator (Salmon, Moraes, Dror and Shaw 2011, "Parallel random numbers: as easy as
// 1, 2, 3"): four random words are a function of a counter and a key.
#pragma once

#include <cstdint>

#include "tern/core/config.hpp"
#include "tern/core/math/primitives.hpp"

namespace tern::tile::inline TERN_ISA {

/// Distinguishes the random words of a call.
struct random_key {
  std::uint32_t seed[2] = {}, step = 0, site = 0, sample = 0;
};

/// Replaces counters by random words, in the low halves of 64 bits.
/// \tparam W  std::uint64_t, or lanes of it
/// \tparam N  counters, or vectors of them, side by side
template <int N, class W>
TERN_FN void philox(W (&c)[4][N], std::uint32_t key0, std::uint32_t key1) {
  using math::product_of_low;
  TERN_UNROLL
  for (int round = 0; round < 10; ++round) {
    const W k0(std::uint64_t{key0}), k1(std::uint64_t{key1});
    TERN_UNROLL
    for (int i = 0; i < N; ++i) {  // high halves hold garbage
      const W a = product_of_low(W(std::uint64_t{0xd2511f53}), c[0][i]),
              b = product_of_low(W(std::uint64_t{0xcd9e8d57}), c[2][i]);
      c[0][i] = (b >> 32) ^ c[1][i] ^ k0;
      c[1][i] = b;
      c[2][i] = (a >> 32) ^ c[3][i] ^ k1;
      c[3][i] = a;
    }
    key0 += 0x9e3779b9u, key1 += 0xbb67ae85u;
  }
}

/// The random word of one element.
TERN_FN std::uint32_t random_word(const random_key& key, index_t sample, index_t element) {
  std::uint64_t c[4][1] = {{static_cast<std::uint32_t>(element / 4)},
                           {key.sample + static_cast<std::uint32_t>(sample)},
                           {key.step},
                           {key.site}};
  philox(c, key.seed[0], key.seed[1]);
  const index_t j = element % 4;  // compared, not indexed: a GPU keeps an indexed array in memory, not in registers
  return static_cast<std::uint32_t>(j < 2 ? (j == 0 ? c[0][0] : c[1][0]) : (j == 2 ? c[2][0] : c[3][0]));
}

}  // namespace tern::tile::inline TERN_ISA
