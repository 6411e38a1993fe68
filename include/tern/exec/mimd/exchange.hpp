// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Planned copies: the only transfers between the memories of tiles, and between the caller and a tile.
#pragma once

#include <cstring>

#include "tern/core/config.hpp"

namespace tern {

/// One side of a copy: a matrix of elements in a tile's arena, or in the caller's memory (then `tile` is `host`).
/// Strides are in bytes.
struct location {
  static constexpr index_t host = -1;

  index_t tile = host;
  index_t offset = 0;      ///< bytes from the start of the tile's arena
  void* memory = nullptr;  ///< the caller's
  index_t row = 0;         ///< bytes between rows
  index_t column = 0;      ///< bytes between elements of a row

  friend TERN_FN constexpr bool operator==(const location&, const location&) = default;

  /// Contiguous elements in the arena of a tile.
  TERN_FN static constexpr location on(index_t tile, index_t offset, index_t row, index_t element_bytes) {
    return {tile, offset, nullptr, row, element_bytes};
  }
  /// Elements of the caller, as a source.
  TERN_FN static location at(const void* memory, index_t row, index_t column) {
    return {host, 0, const_cast<void*>(memory), row, column};
  }
};

/// Copies rows x columns elements. All copies of an exchange are simultaneous, so none may touch another one's
/// destination.
struct copy {
  location from, to;
  index_t rows = 1;
  index_t columns = 0;
  index_t element_bytes = 0;
  bool charge_sender = true;  ///< a sender is charged once for bytes that several tiles receive at the same time
  bool paired = false;        ///< the neighbour (tile xor 1) receives the same bytes: both at twice the rate

  TERN_FN constexpr index_t bytes() const { return rows * columns * element_bytes; }
  friend TERN_FN constexpr bool operator==(const copy&, const copy&) = default;
};

}  // namespace tern

namespace tern::inline TERN_ISA::impl {

template <int Bytes>
void move_elements(const unsigned char* from, unsigned char* to, const copy& c) {
  for (index_t i = 0; i < c.rows; ++i)
    for (index_t j = 0; j < c.columns; ++j)
      std::memcpy(to + i * c.to.row + j * c.to.column, from + i * c.from.row + j * c.from.column, Bytes);
}

/// Executes a copy between two addresses. Elements have 1, 2, 4 or 8 bytes.
inline void move(const unsigned char* from, unsigned char* to, const copy& c) {
  if (c.from.column == c.element_bytes && c.to.column == c.element_bytes)
    for (index_t i = 0; i < c.rows; ++i)
      std::memcpy(to + i * c.to.row, from + i * c.from.row, static_cast<std::size_t>(c.columns * c.element_bytes));
  else if (c.element_bytes == 8)
    move_elements<8>(from, to, c);
  else if (c.element_bytes == 4)
    move_elements<4>(from, to, c);
  else if (c.element_bytes == 2)
    move_elements<2>(from, to, c);
  else
    move_elements<1>(from, to, c);
}

}  // namespace tern::inline TERN_ISA::impl
