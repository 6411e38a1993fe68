// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/simt/ptx/memory.hpp"

#include <algorithm>
#include <cstring>

namespace ptx {
namespace {

std::string number(std::uint64_t n) { return std::to_string(n); }
std::string hex(std::uint64_t n) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(n));
  return text;
}
std::string described(const actor& a) { return "thread " + number(a.thread) + " of block " + number(a.block); }

/// Whether nothing orders the accesses of two.
bool conflict(const actor& a, const actor& b) {
  return a.block != b.block || (a.epoch == b.epoch && a.thread != b.thread);
}
bool same_phase(const actor& a, const actor& b) { return a.block == b.block && a.epoch == b.epoch; }

}  // namespace

/// f(cell, bytes of it as bits) for each word of a range.
template <class F>
void shadow::each(std::size_t first, std::size_t bytes, F f) {
  if (((first | bytes) & 3) == 0) {
    for (std::size_t word = first / 4; word < (first + bytes) / 4; ++word) f(this->at(word), std::uint8_t{0xf});
    return;
  }
  for (std::size_t at = first; at < first + bytes;) {
    const std::size_t in_word = at % 4, count = std::min(4 - in_word, first + bytes - at);
    f(this->at(at / 4), static_cast<std::uint8_t>(((1u << count) - 1) << in_word));
    at += count;
  }
}

bool shadow::read(std::size_t first, std::size_t bytes, const actor& who, const char* what) {
  bool defined = true;
  each(first, bytes, [&](cell& c, std::uint8_t mask) {
    defined &= (c.defined & mask) == mask;
    if (c.pending & mask) throw access_error(std::string(what) + " what an asynchronous copy is still writing");
    if (c.written & mask && (conflict(c.writer, who) || (c.several_writers && same_phase(c.writer, who))))
      throw access_error(std::string(what) + " what " + described(c.writer) + " writes, with no barrier between them");
    if (c.read == 0 || (c.reader.block == who.block && c.reader.epoch != who.epoch && !c.several_blocks)) {
      c.reader = who, c.read = mask, c.several_readers = false;
      return;
    }
    if (c.reader.block != who.block)
      c.several_blocks = true;
    else if (c.reader.thread != who.thread)
      c.several_readers = true;
    c.read |= mask;
  });
  return defined;
}

void shadow::write(std::size_t first, std::size_t bytes, const actor& who, const char* what) {
  each(first, bytes, [&](cell& c, std::uint8_t mask) {
    if (c.pending & mask) throw access_error(std::string(what) + " what an asynchronous copy is still writing");
    if (c.written & mask && (conflict(c.writer, who) || (c.several_writers && same_phase(c.writer, who))))
      throw access_error(std::string(what) + " what " + described(c.writer) +
                         " writes, too, with no barrier between them");
    if (c.read & mask &&
        (c.several_blocks || conflict(c.reader, who) || (c.several_readers && same_phase(c.reader, who))))
      throw access_error(std::string(what) + " what " + described(c.reader) + " reads, with no barrier between them");
    if (c.written == 0 || (!conflict(c.writer, who) && !same_phase(c.writer, who)))
      c.written = mask, c.several_writers = false;
    else
      c.several_writers |= conflict(c.writer, who), c.written |= mask;
    c.writer = who;
    c.defined |= mask;
  });
}

void shadow::begin_copy(std::size_t first, std::size_t bytes, const actor& who) {
  write(first, bytes, who, "copies to");
  each(first, bytes, [](cell& c, std::uint8_t mask) { c.pending |= mask; });
}
void shadow::end_copy(std::size_t first, std::size_t bytes, const actor& who) {
  each(first, bytes, [](cell& c, std::uint8_t mask) { c.pending = static_cast<std::uint8_t>(c.pending & ~mask); });
  write(first, bytes, who, "copies to");
}

void shadow::define(std::size_t first, std::size_t bytes, bool is_defined) {
  each(first, bytes, [&](cell& c, std::uint8_t mask) {
    c.defined = static_cast<std::uint8_t>(is_defined ? c.defined | mask : c.defined & ~mask);
  });
}

std::uint8_t* shared_memory::at(std::uint64_t address, std::uint32_t bytes, const char* what) {
  for (const auto& [first, size] : variables_) {
    if (address < first || address >= std::uint64_t{first} + size) continue;
    if (address + bytes > std::uint64_t{first} + size) break;
    if (address % bytes != 0)
      throw access_error(std::string(what) + " " + number(bytes) + " bytes of shared memory at " +
                         number(address - first) + ", which is not a multiple of that");
    return bytes_.data() + address;
  }
  // The nearest variable below says most.
  std::uint64_t first = 0, size = 0;
  for (const auto& [f, s] : variables_)
    if (f <= address) first = f, size = s;
  throw access_error(std::string(what) + " " + number(bytes) + " bytes of shared memory " +
                     (first ? "at " + number(address - first) + " of a variable of " + number(size)
                            : "at address " + number(address)));
}
void shared_memory::clear() {
  watched.forget(bytes_.size());
  std::fill(bytes_.begin(), bytes_.end(), std::uint8_t{0xff});
}

void global_memory::add(const void* first, std::size_t bytes, bool defined) {
  const auto at = reinterpret_cast<std::uint64_t>(first);
  all_.insert_or_assign(at, allocation{at, bytes, {}, std::vector<bool>(defined ? 0 : bytes), 0});
  last_ = nullptr;
}
void global_memory::remove(const void* first) {
  all_.erase(reinterpret_cast<std::uint64_t>(first));
  last_ = nullptr;
}
global_memory::allocation* global_memory::find(std::uint64_t address, std::size_t bytes) {
  if (!last_ || address < last_->first || address - last_->first >= last_->bytes) {
    auto next = all_.upper_bound(address);
    if (next == all_.begin()) return nullptr;
    last_ = &(--next)->second;
  }
  return address - last_->first <= last_->bytes && bytes <= last_->bytes - (address - last_->first) ? last_ : nullptr;
}
void global_memory::define(const void* first, std::size_t bytes) {
  const auto at = reinterpret_cast<std::uint64_t>(first);
  allocation* const a = find(at, bytes);
  if (a && !a->defined.empty())
    std::fill_n(a->defined.begin() + static_cast<std::ptrdiff_t>(at - a->first), bytes, true);
}
global_memory::allocation& global_memory::access(std::uint64_t address, std::uint32_t bytes, const char* what) {
  allocation* const a = find(address, bytes);
  if (!a) {
    const auto next = all_.upper_bound(address);
    const allocation* const below = next == all_.begin() ? nullptr : &std::prev(next)->second;
    std::string where;
    if (below && address - below->first < below->bytes + (1u << 20))
      where = ", at " + number(address - below->first) + " of an allocation of " + number(below->bytes);
    throw access_error(std::string(what) + " " + number(bytes) + " bytes of global memory at " + hex(address) +
                       (where.empty() ? ", which nobody allocated" : where));
  }
  if (address % bytes != 0)
    throw access_error(std::string(what) + " " + number(bytes) + " bytes of global memory at " + hex(address) +
                       ", which is not a multiple of that");
  if (a->launch != launch) a->launch = launch, a->watched.forget(a->bytes);
  return *a;
}

}  // namespace ptx
