// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory as the executor watches it: who may access what, who did since the last barrier, and what is defined.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ptx {

/// A forbidden access, without its thread and instruction.
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
/// barrier between them; threads of different blocks have none. Kept for words of four bytes, and for each byte of a
/// word once an access takes a part of it.
class shadow {
 public:
  /// Everything before is forgotten: another block, or another launch.
  void forget(std::size_t bytes) {
    ++stamp_;
    words_.resize((bytes + 3) / 4 + 1);
    parts_.clear();
  }

  /// Takes note of an access. Throws an access_error that begins with `what`. A read says whether all bytes are
  /// defined.
  bool read(std::size_t at, std::size_t bytes, const actor& who, const char* what);
  void write(std::size_t at, std::size_t bytes, const actor& who, const char* what);
  /// Of memory that nobody writes in the same launch.
  void read_constant(std::size_t at, std::size_t bytes);

  /// Asynchronous copies: between `begin_copy` and `end_copy` nobody may touch their target, and between `begin_source`
  /// and `end_source` nobody may write what they read.
  void begin_copy(std::size_t at, std::size_t bytes, const actor& who);
  void end_copy(std::size_t at, std::size_t bytes, const actor& who);
  void begin_source(std::size_t at, std::size_t bytes, const actor& who);
  void end_source(std::size_t at, std::size_t bytes);

  /// All bytes written since forget() are defined, unless this says otherwise.
  void define(std::size_t at, std::size_t bytes, bool is_defined);
  bool is_defined(std::size_t at, std::size_t bytes);

 private:
  struct cell {
    std::uint32_t stamp = 0;
    std::uint32_t parts = 0;    ///< of a word whose bytes have cells of their own: their number, from 1
    std::uint32_t sources = 0;  ///< asynchronous copies that read it
    bool written = false, read = false, pending = false, defined = false;
    bool constant = false, several_readers = false, several_blocks = false;
    actor writer, reader;
  };
  template <class F>
  void each(std::size_t first, std::size_t bytes, F f);

  std::vector<cell> words_;
  std::vector<std::array<cell, 4>> parts_;
  std::uint32_t stamp_ = 0;
};

/// Shared memory of a block. Its variables have addresses far apart, but contiguous bytes.
class shared_memory {
 public:
  /// \param variables  of each the address and the number of bytes
  explicit shared_memory(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& variables);

  struct place {
    std::uint8_t* bytes;
    std::size_t watched;  ///< where the shadow has them
  };
  /// `bytes` bytes at an address that is a multiple of that, within one variable; else an access_error.
  place at(std::uint64_t address, std::uint32_t bytes, const char* what);
  /// A block begins: nothing is defined.
  void clear();

 private:
  struct variable {
    std::uint64_t first, size;
    std::size_t at;  ///< in bytes_
  };
  std::vector<variable> variables_;
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

    bool is_defined(std::uint64_t address, std::size_t count) const;
  };

  void add(const void* first, std::size_t bytes, bool defined);
  void remove(const void* first);
  /// The allocation that has all of these bytes; null where there is none.
  allocation* find(std::uint64_t address, std::size_t bytes);
  /// For copies by the host: what it wrote is defined, or as defined as what it was copied from.
  void define(const void* first, std::size_t bytes);
  void define_as(const void* first, const void* from, std::size_t bytes);

  /// The bytes at an address that is a multiple of `bytes`, if they are allocated; else an
  /// access_error.
  allocation& access(std::uint64_t address, std::uint32_t bytes, const char* what);
  std::uint64_t launch = 1;

 private:
  std::map<std::uint64_t, allocation> all_;
  allocation* last_ = nullptr;
};

}  // namespace ptx
