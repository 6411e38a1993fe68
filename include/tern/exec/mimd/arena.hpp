// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The private memory of one tile, as the tile's worker sees it.
#pragma once

#include <limits>
#include <span>

#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"

namespace tern::inline TERN_ISA {

namespace impl {

/// The state of a byte of an arena, in checking mode.
enum word_mark : unsigned char { defined = 1, read_now = 2, written_now = 4 };
inline constexpr index_t word_bytes = 1;  ///< size of the smallest elements

/// count * step + more, or the largest number, which no arena holds, if that overflows.
TERN_INLINE index_t bytes_of(index_t count, index_t step, index_t more = 0) {
  constexpr index_t largest = std::numeric_limits<index_t>::max();
  index_t bytes = 0;
  return __builtin_mul_overflow(count, step, &bytes) || __builtin_add_overflow(bytes, more, &bytes) ? largest : bytes;
}

}  // namespace impl

/// Gives access to spans of one tile's memory and nothing else. A worker declares the use of each span. In the
/// machine's checking mode, reading bytes that neither an exchange nor an earlier superstep has written is a violation.
///
/// Offsets and counts beyond the arena are a violation in every mode. Offsets are multiples of the element's size.
class arena {
 public:
  /// `count` elements at byte `offset`, for reading.
  template <class T>
  std::span<const T> in(index_t offset, index_t count) {
    T* p = place<T>(offset, count);
    expect_defined(offset, count * static_cast<index_t>(sizeof(T)));
    return {p, static_cast<std::size_t>(count)};
  }
  /// `count` elements at byte `offset`, which are written before they are read.
  template <class T>
  std::span<T> out(index_t offset, index_t count) {
    T* p = place<T>(offset, count);
    mark(offset, count * static_cast<index_t>(sizeof(T)), impl::defined);
    return {p, static_cast<std::size_t>(count)};
  }
  /// `count` elements at byte `offset`, for reading and writing.
  template <class T>
  std::span<T> inout(index_t offset, index_t count) {
    T* p = place<T>(offset, count);
    expect_defined(offset, count * static_cast<index_t>(sizeof(T)));
    return {p, static_cast<std::size_t>(count)};
  }

  index_t tile() const { return tile_; }
  index_t bytes() const { return bytes_; }

 private:
  friend class tile_machine;
  friend class copier;

  /// Checks the bounds and records the extent in use.
  unsigned char* reach(index_t offset, index_t bytes) {
    expect_inside(offset, bytes);
    if (bytes > 0 && offset + bytes > used_) used_ = offset + bytes;
    return memory_ + offset;
  }
  template <class T>
  T* place(index_t offset, index_t count) {
    return reinterpret_cast<T*>(reach(offset, impl::bytes_of(count, sizeof(T))));
  }

  void expect_inside(index_t offset, index_t bytes) const {
    if (offset < 0 || bytes < 0 || offset > bytes_ - bytes)
      violation("arena: bytes %td to %td of tile %td, which has %td", offset, impl::bytes_of(bytes, 1, offset), tile_,
                bytes_);
  }
  void expect_defined(index_t offset, index_t bytes) const {
    if (!marks_) return;
    for (index_t w = offset / impl::word_bytes; w * impl::word_bytes < offset + bytes; ++w)
      if (!(marks_[w] & impl::defined))
        violation("arena: tile %td reads byte %td, which neither an exchange nor a superstep has written", tile_,
                  w * impl::word_bytes);
  }
  void mark(index_t offset, index_t bytes, int bits) {
    if (!marks_) return;
    for (index_t w = offset / impl::word_bytes; w * impl::word_bytes < offset + bytes; ++w)
      marks_[w] = static_cast<unsigned char>(marks_[w] | bits);
  }
  /// Fails if a copy would touch bytes that another copy of the same exchange writes.
  void expect_free(index_t offset, index_t bytes, int bits) const {
    if (!marks_) return;
    for (index_t w = offset / impl::word_bytes; w * impl::word_bytes < offset + bytes; ++w)
      if (marks_[w] & bits)
        violation("exchange: two copies meet at byte %td of tile %td: a sync must lie between them",
                  w * impl::word_bytes, tile_);
  }

  unsigned char* memory_ = nullptr;
  unsigned char* marks_ = nullptr;  ///< one word_mark per word, in checking mode
  index_t tile_ = 0, bytes_ = 0, used_ = 0;
};

}  // namespace tern::inline TERN_ISA
