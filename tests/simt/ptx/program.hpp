// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels as the executor runs them: what nvcc wrote as PTX, decoded. The language is that of the PTX ISA 9.0, as far
// as nvcc uses it for the kernels of tern; a kernel with anything else has an `error` of one line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ptx {

inline constexpr int warp_lanes = 32;
/// Some lanes of a warp, lane i as bit i.
using lane_mask = std::uint32_t;
inline constexpr lane_mask all_lanes = 0xffffffffu;

/// The bank of a register, by the bits of a lane. Registers narrower than 32 bits are words.
enum class bank : std::uint8_t { none, predicate, word, wide };
struct slot {
  bank in = bank::none;
  std::uint16_t index = 0;

  explicit operator bool() const { return in != bank::none; }
  friend bool operator==(const slot&, const slot&) = default;
};

enum class kind : std::uint8_t { arithmetic, load, store, branch, exit, barrier, shuffle, copy, commit, wait };
enum class space : std::uint8_t { generic, global, shared, param };
enum class shuffle_mode : std::uint8_t { up, down, bfly, idx };

/// Generic addresses of shared memory begin here.
inline constexpr std::uint64_t shared_window = 0x7f00'0000'0000'0000;

/// Groups of instructions in the statistics.
enum class group : std::uint8_t { fma, floating, integer, predicate, move, memory, control, none };
inline constexpr int groups = 7;  ///< without `none`, what PTX has no instruction for
inline constexpr const char* group_names[groups] = {
    "fma", "other floating point", "integer", "predicates", "move", "memory", "control"};

class registers;
struct instruction;
/// Executes an instruction for some lanes of a warp.
using handler = void (*)(registers&, const instruction&, lane_mask);

struct instruction {
  handler run = nullptr;  ///< of arithmetic
  kind what = kind::arithmetic;
  group counts_as = group::control;
  space where = space::generic;
  shuffle_mode mode = shuffle_mode::idx;
  bool extends_sign = false, guard_negated = false;
  bool is_target = false;              ///< of a branch
  bool constant = false;               ///< a load of memory that nobody writes
  bool waits_for_all = false;          ///< copies, also those of no group; else for all but the last `offset` groups
  std::uint8_t bytes = 0, vector = 1;  ///< of an element in memory, and elements
  slot guard;                          ///< lanes whose predicate is false do nothing
  slot to, second;                     ///< result; of a shuffle also whether there was a source lane
  slot from[4];                        ///< operands; of loads and stores the elements
  slot base, source;                   ///< of an address, which may be a plain number; of the source of a copy
  std::int64_t offset = 0, source_offset = 0;
  std::uint32_t target = 0;  ///< of a branch
  int line = 0;              ///< in the PTX
  std::string_view text;
};

/// A thread's coordinates and the like, which are registers whose value no instruction writes.
enum class special : std::uint8_t {
  tid_x,
  tid_y,
  tid_z,
  ntid_x,
  ntid_y,
  ntid_z,
  ctaid_x,
  ctaid_y,
  ctaid_z,
  nctaid_x,
  nctaid_y,
  nctaid_z,
  laneid,
  warpid
};

struct kernel {
  struct param {
    std::uint32_t offset, bytes;
  };

  std::string name;
  std::string error;  ///< why it cannot be run; empty if it can
  std::vector<param> params;
  std::uint32_t param_bytes = 0;
  std::uint32_t static_shared = 0;    ///< bytes of its own variables, which start after a gap
  std::uint32_t dynamic_at = 0;       ///< where the caller's part of shared memory begins
  std::uint32_t most_threads = 1024;  ///< of a block, by .maxntid
  std::vector<std::pair<std::uint32_t, std::uint32_t>> variables;  ///< of shared memory: first byte, bytes
  std::vector<instruction> code;
  std::uint16_t predicates = 0, words = 0, wides = 0;  ///< registers of each bank, constants included
  std::vector<std::pair<slot, std::uint64_t>> constants;
  std::vector<std::pair<slot, special>> specials;
};

/// The kernels of one PTX text. They refer to the text, which must live as long.
struct program {
  std::vector<kernel> kernels;

  const kernel* find(std::string_view name) const;
};
/// Throws std::runtime_error with a line number where the text as a whole cannot be understood.
program parse(std::string_view text);

}  // namespace ptx
