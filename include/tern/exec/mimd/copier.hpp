// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes the copies of an exchange, tile by tile, and records their costs.
#pragma once

#include <atomic>

#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/exec/mimd/arena.hpp"
#include "tern/exec/mimd/exchange.hpp"

namespace tern::inline TERN_ISA {

namespace impl {

/// The record of one tile in one superstep.
struct alignas(64) tile_account {
  index_t received = 0;  ///< charged bytes: bytes that a pair receives together count half
  index_t sent = 0;
  index_t exchanged = 0, streamed = 0;
  double cycles = 0;
};

}  // namespace impl

/// Executes a tile's copies in an exchange: call it once per copy. A tile executes the copies into its arena and those
/// from its arena to the caller's memory.
class copier {
 public:
  copier(arena* arenas, impl::tile_account* accounts, index_t tiles, index_t tile)
      : arenas_(arenas), accounts_(accounts), tiles_(tiles), tile_(tile) {}

  void operator()(const copy& c) {
    if (c.rows <= 0 || c.columns <= 0) return;
    const bool to_host = c.to.tile == location::host, from_host = c.from.tile == location::host;
    if ((to_host ? c.from.tile : c.to.tile) != tile_)
      violation("exchange: tile %td was given a copy from tile %td to tile %td", tile_, c.from.tile, c.to.tile);
    const unsigned char* from = source(c);
    impl::move(from, destination(c), c);
    impl::tile_account& mine = accounts_[tile_];
    if (to_host || from_host) {
      mine.streamed += c.bytes();
    } else if (c.from.tile != tile_) {
      mine.exchanged += c.bytes();
      mine.received += c.paired ? c.bytes() / 2 : c.bytes();
      if (c.charge_sender)  // other tiles may charge the same sender concurrently
        std::atomic_ref(accounts_[c.from.tile].sent).fetch_add(c.bytes(), std::memory_order_relaxed);
    }
  }

 private:
  const unsigned char* source(const copy& c) {
    if (c.from.tile == location::host) return static_cast<const unsigned char*>(c.from.memory);
    if (c.from.tile < 0 || c.from.tile >= tiles_)
      violation("exchange: tile %td copies from tile %td, the program has %td", tile_, c.from.tile, tiles_);
    arena& a = arenas_[c.from.tile];
    for (index_t i = 0; i < c.rows; ++i) {
      const index_t at = c.from.offset + i * c.from.row,
                    bytes = impl::bytes_of(c.columns - 1, c.from.column, c.element_bytes);
      a.expect_inside(at, bytes);
      a.expect_free(at, bytes, impl::written_now);
      a.expect_defined(at, bytes);
      a.mark(at, bytes, impl::read_now);
    }
    return a.memory_ + c.from.offset;
  }

  unsigned char* destination(const copy& c) {
    if (c.to.tile == location::host) return static_cast<unsigned char*>(c.to.memory);
    arena& a = arenas_[tile_];
    for (index_t i = 0; i < c.rows; ++i) {
      const index_t at = c.to.offset + i * c.to.row,
                    bytes = impl::bytes_of(c.columns - 1, c.to.column, c.element_bytes);
      a.reach(at, bytes);
      a.expect_free(at, bytes, impl::read_now | impl::written_now);
      a.mark(at, bytes, impl::written_now);
    }
    return a.memory_ + c.to.offset;
  }

  arena* arenas_;
  impl::tile_account* accounts_;
  index_t tiles_, tile_;
};

}  // namespace tern::inline TERN_ISA
