// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers of a warp, and the instructions that compute on nothing else.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/simt/ptx/program.hpp"

namespace ptx {

/// The registers of a warp: for each of them 32 lanes, and which of those are undefined because what they were computed
/// from was.
class registers {
 public:
  void resize(const kernel& k) {
    words_.assign(k.words, {});
    wides_.assign(k.wides, {});
    predicates_.assign(k.predicates, 0);
    undefined_[0].assign(k.predicates, all_lanes);
    undefined_[1].assign(k.words, all_lanes);
    undefined_[2].assign(k.wides, all_lanes);
  }

  std::uint32_t* word(slot s) { return words_[s.index].lane; }
  std::uint64_t* wide(slot s) { return wides_[s.index].lane; }
  lane_mask& predicate(slot s) { return predicates_[s.index]; }
  lane_mask& undefined(slot s) { return undefined_[static_cast<std::size_t>(s.in) - 1][s.index]; }

  /// One lane of a word or of a wide register.
  std::uint64_t get(slot s, int lane) { return s.in == bank::wide ? wide(s)[lane] : word(s)[lane]; }
  void set(slot s, int lane, std::uint64_t value) {
    if (s.in == bank::wide)
      wide(s)[lane] = value;
    else
      word(s)[lane] = static_cast<std::uint32_t>(value);
  }
  /// Results in some lanes are as undefined as the lanes say.
  void taint(slot to, lane_mask lanes, lane_mask undefined_lanes) {
    lane_mask& u = undefined(to);
    u = (u & ~lanes) | (undefined_lanes & lanes);
  }

 private:
  struct alignas(64) words {
    std::uint32_t lane[warp_lanes];
  };
  struct alignas(64) wides {
    std::uint64_t lane[warp_lanes];
  };
  std::vector<words> words_;
  std::vector<wides> wides_;
  std::vector<lane_mask> predicates_;
  std::array<std::vector<lane_mask>, 3> undefined_;
};

/// An instruction that reads and writes registers only.
struct operation {
  handler run;
  group counts_as;
  std::uint8_t operands;  ///< without the result
  std::uint8_t bits[5];   ///< of the result and of each operand; 1 for predicates
};
/// The operation of a name such as "fma.rn.f32"; null where there is none. "pack" and "unpack" are mov.b64 from and to
/// two words.
const operation* find_operation(std::string_view name);
std::vector<std::string> operation_names();

}  // namespace ptx
