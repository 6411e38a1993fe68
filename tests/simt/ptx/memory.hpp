// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory as the executor watches it: who may access what, who did since the last barrier, and what is defined.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ptx {

/// An access that must not be, without the thread and the instruction that it is of.
struct access_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A thread between two barriers.
struct actor {
  std::uint32_t block = 0;
  std::uint32_t epoch = 0;  ///< barriers that the block has passed
  std::uint32_t thread = 0;
};

/// Who wrote and who read each byte. Two accesses of different threads to one byte, of which one is a write, need a
/// barrier between them; threads of different blocks have none. Kept for words of four bytes, with a bit for each byte.
class shadow {
 public:
  /// Everything before is forgotten: another block, or another launch.
  void forget(std::size_t bytes) {
    ++stamp_;
    cells_.resize((bytes + 3) / 4 + 1);
  }

  /// Takes note of an access. Throws an access_error that begins with `what`. A read says whether all bytes are
  /// defined.
  bool read(std::size_t at, std::size_t bytes, const actor& who, const char* what);
  void write(std::size_t at, std::size_t bytes, const actor& who, const char* what);

  /// Asynchronous copies: between `begin_copy` and `end_copy` nobody may touch their target.
  void begin_copy(std::size_t at, std::size_t bytes, const actor& who);
  void end_copy(std::size_t at, std::size_t bytes, const actor& who);

  /// What is written since forget() is defined, unless this says otherwise.
  void define(std::size_t at, std::size_t bytes, bool is_defined);

 private:
  struct cell {
    std::uint32_t stamp = 0;
    std::uint8_t written = 0, read = 0, pending = 0, defined = 0;  ///< bytes, as bits
    bool several_writers = false;                                  ///< of disjoint bytes: who wrote which is not kept
    bool several_readers = false, several_blocks = false;
    actor writer, reader;
  };
  cell& at(std::size_t word) {
    cell& c = cells_[word];
    if (c.stamp != stamp_) c = cell{.stamp = stamp_, .writer = {}, .reader = {}};
    return c;
  }
  template <class F>
  void each(std::size_t first, std::size_t bytes, F f);

  std::vector<cell> cells_;
  std::uint32_t stamp_ = 0;
};

/// Shared memory of a block: its variables, and a gap behind each.
class shared_memory {
 public:
  shared_memory(std::vector<std::pair<std::uint32_t, std::uint32_t>> variables, std::size_t size)
      : variables_(std::move(variables)), bytes_(size) {}

  /// `bytes` bytes at an address that is a multiple of that, within one variable; else an access_error.
  std::uint8_t* at(std::uint64_t address, std::uint32_t bytes, const char* what);
  /// A block begins: nothing is defined.
  void clear();

 private:
  std::vector<std::pair<std::uint32_t, std::uint32_t>> variables_;
  std::vector<std::uint8_t> bytes_;

 public:
  shadow watched;
};

/// Global memory: allocations of the stand-in for the CUDA runtime, and memory of the host where a test says so.
class global_memory {
 public:
  struct allocation {
    std::uint64_t first, bytes;
    shadow watched;
    std::vector<bool> defined;  ///< byte by byte; empty: all of it is
    std::uint64_t launch = 0;   ///< the last one that touched it
  };

  void add(const void* first, std::size_t bytes, bool defined);
  void remove(const void* first);
  /// The allocation that has all of these bytes; null where there is none.
  allocation* find(std::uint64_t address, std::size_t bytes);
  /// For copies by the host: what it wrote is defined.
  void define(const void* first, std::size_t bytes);

  /// The bytes at an address that is a multiple of `bytes`, if they are allocated; else an
  /// access_error.
  allocation& access(std::uint64_t address, std::uint32_t bytes, const char* what);
  std::uint64_t launch = 1;

 private:
  std::map<std::uint64_t, allocation> all_;
  allocation* last_ = nullptr;
};

}  // namespace ptx
