// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The record of a tile machine's supersteps, in memory of the caller.
#pragma once

#include <span>

#include "tern/core/config.hpp"

namespace tern::inline TERN_ISA {

/// One superstep, or one transfer between the caller and the tiles (which costs no modelled cycles).
struct superstep_record {
  const char* name = "";
  index_t tiles = 0;            ///< number of active tiles
  index_t bytes_exchanged = 0;  ///< between tiles, in total
  index_t bytes_streamed = 0;   ///< between the caller's memory and the tiles
  double compute_cycles = 0;    ///< of the slowest tile
  double sync_cycles = 0;
  double exchange_cycles = 0;  ///< of the tile that sends or receives most

  TERN_FN constexpr double cycles() const { return compute_cycles + sync_cycles + exchange_cycles; }
  friend constexpr bool operator==(const superstep_record&, const superstep_record&) = default;
};

/// The totals of a machine's calls since the last `start`.
struct tile_totals {
  index_t supersteps = 0;
  index_t bytes_per_tile = 0;  ///< highest address used on any tile, plus 1
  index_t bytes_exchanged = 0;
  index_t bytes_streamed = 0;
  double compute_cycles = 0;
  double sync_cycles = 0;
  double exchange_cycles = 0;

  TERN_FN constexpr double cycles() const { return compute_cycles + sync_cycles + exchange_cycles; }
  friend constexpr bool operator==(const tile_totals&, const tile_totals&) = default;
};

/// Records of supersteps in storage of the caller; records beyond its size are counted and dropped.
///
///     tern::superstep_record records[64];
///     tern::trace t(records);
///     machine.record(&t);
///     multiply(machine, a, b, c);
///     std::cout << t;
class trace {
 public:
  TERN_FN explicit trace(std::span<superstep_record> storage) : storage_(storage) {}

  TERN_FN void add(const superstep_record& r) {
    if (count_ < storage_.size())
      storage_[count_++] = r;
    else
      ++dropped_;
  }
  TERN_FN void clear() { count_ = dropped_ = 0; }
  TERN_FN std::span<const superstep_record> records() const { return storage_.first(count_); }
  TERN_FN std::size_t dropped() const { return dropped_; }

  /// Prints one superstep per line to any stream; needs no <ostream>.
  template <class Stream>
  friend Stream& operator<<(Stream& out, const trace& t) {
    for (const superstep_record& r : t.records())
      out << r.name << ": " << r.tiles << " tiles, compute " << r.compute_cycles << " sync " << r.sync_cycles
          << " exchange " << r.exchange_cycles << " cycles, " << r.bytes_exchanged << " bytes exchanged, "
          << r.bytes_streamed << " streamed\n";
    if (t.dropped()) out << t.dropped() << " more did not fit the storage\n";
    return out;
  }

  /// Prints a JSON array of objects.
  template <class Stream>
  Stream& json(Stream& out) const {
    out << '[';
    const char* separator = "";
    for (const superstep_record& r : records()) {
      out << separator << "{\"name\":\"" << r.name << "\",\"tiles\":" << r.tiles
          << ",\"compute_cycles\":" << r.compute_cycles << ",\"sync_cycles\":" << r.sync_cycles
          << ",\"exchange_cycles\":" << r.exchange_cycles << ",\"bytes_exchanged\":" << r.bytes_exchanged
          << ",\"bytes_streamed\":" << r.bytes_streamed << '}';
      separator = ",";
    }
    out << ']';
    return out;
  }

 private:
  std::span<superstep_record> storage_;
  std::size_t count_ = 0, dropped_ = 0;
};

}  // namespace tern::inline TERN_ISA
