// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory behind the tiles of a host machine. Guarded memory can be locked tile by tile: the processor then traps
// every access, reading or writing, through any pointer.
#pragma once

#include <new>

#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"

#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#include <unistd.h>
#define TERN_HAS_PAGE_PROTECTION 1
#endif

namespace tern::inline TERN_ISA::impl {

/// `tiles` blocks of `bytes` each, aligned to 64 bytes, uninitialised. Allocates once.
class tile_memory {
 public:
  static constexpr index_t alignment = 64;

  tile_memory(index_t tiles, index_t bytes, bool guarded) : tiles_(tiles), guarded_(guarded) {
    stride_ = (bytes + alignment - 1) / alignment * alignment;
    if (guarded) {
#if defined(TERN_HAS_PAGE_PROTECTION)
      // A block ends with its last page, so that the first byte after it belongs to a locked page.
      const index_t page = sysconf(_SC_PAGESIZE), pages = (stride_ + page - 1) / page;
      shift_ = pages * page - stride_;
      stride_ = pages * page;
      size_ = static_cast<std::size_t>(tiles * stride_ + page);
      void* p = mmap(nullptr, size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (p == MAP_FAILED) violation("tile_machine: %td tiles of %td bytes cannot be allocated", tiles, bytes);
      base_ = static_cast<unsigned char*>(p);
      unlock_all();
#else
      violation("tile_machine: this system cannot protect memory, so it has no checking mode");
#endif
    } else {
      size_ = static_cast<std::size_t>(tiles * stride_);
      base_ = static_cast<unsigned char*>(::operator new(size_, std::align_val_t(alignment)));
    }
  }
  tile_memory(const tile_memory&) = delete;
  tile_memory& operator=(const tile_memory&) = delete;
  ~tile_memory() {
#if defined(TERN_HAS_PAGE_PROTECTION)
    if (guarded_) munmap(base_, size_);
#endif
    if (!guarded_) ::operator delete(base_, std::align_val_t(alignment));
  }

  unsigned char* at(index_t tile) const { return base_ + tile * stride_ + shift_; }

  void lock_all() const { protect(0, tiles_, false); }
  void unlock_all() const { protect(0, tiles_, true); }
  void lock(index_t tile) const { protect(tile, 1, false); }
  void unlock(index_t tile) const { protect(tile, 1, true); }

 private:
  void protect([[maybe_unused]] index_t first, [[maybe_unused]] index_t count, [[maybe_unused]] bool open) const {
#if defined(TERN_HAS_PAGE_PROTECTION)
    if (guarded_ && count > 0)
      mprotect(base_ + first * stride_, static_cast<std::size_t>(count * stride_),
               open ? PROT_READ | PROT_WRITE : PROT_NONE);
#endif
  }

  index_t tiles_, stride_ = 0, shift_ = 0;
  bool guarded_;
  std::size_t size_ = 0;
  unsigned char* base_ = nullptr;
};

}  // namespace tern::inline TERN_ISA::impl
