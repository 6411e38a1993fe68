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

/// True if nothing orders the accesses of two threads.
bool conflict(const actor& a, const actor& b) {
  return a.block != b.block || (a.epoch == b.epoch && a.thread != b.thread);
}
}  // namespace

/// f(cell) for each word of a range, or each byte of words that are not in it as a whole or were not before.
template <class F>
void shadow::each(std::size_t first, std::size_t bytes, F f) {
  for (std::size_t at = first, end = first + bytes; at < end;) {
    const std::size_t in_word = at % 4, count = std::min(4 - in_word, end - at);
    cell& word = words_[at / 4];
    if (word.stamp != stamp_) word = cell{.stamp = stamp_, .writer = {}, .reader = {}};
    at += count;
    if (count == 4 && word.parts == 0) {
      f(word);
      continue;
    }
    if (word.parts == 0) {
      parts_.push_back({word, word, word, word});
      word.parts = static_cast<std::uint32_t>(parts_.size());
    }
    for (std::size_t b = in_word; b < in_word + count; ++b) f(parts_[word.parts - 1][b]);
  }
}

bool shadow::read(std::size_t first, std::size_t bytes, const actor& who, const char* what) {
  bool defined = true;
  each(first, bytes, [&](cell& c) {
    defined &= c.defined;
    if (c.pending) throw access_error(std::string(what) + " what an asynchronous copy is still writing");
    if (c.written && conflict(c.writer, who))
      throw access_error(std::string(what) + " what " + described(c.writer) + " writes, with no barrier between them");
    if (!c.read || (c.reader.block == who.block && c.reader.epoch != who.epoch && !c.several_blocks)) {
      c.reader = who, c.read = true, c.several_readers = false;
      return;
    }
    if (c.reader.block != who.block)
      c.several_blocks = true;
    else if (c.reader.thread != who.thread)
      c.several_readers = true;
  });
  return defined;
}

void shadow::write(std::size_t first, std::size_t bytes, const actor& who, const char* what) {
  each(first, bytes, [&](cell& c) {
    if (c.pending) throw access_error(std::string(what) + " what an asynchronous copy is still writing");
    if (c.constant) throw access_error(std::string(what) + " what is read as constant in the same launch");
    if (c.sources > 0) throw access_error(std::string(what) + " what an asynchronous copy is still reading");
    if (c.written && conflict(c.writer, who))
      throw access_error(std::string(what) + " what " + described(c.writer) +
                         " writes, too, with no barrier between them");
    const bool same_phase = c.reader.block == who.block && c.reader.epoch == who.epoch;
    if (c.read && (c.several_blocks || conflict(c.reader, who) || (c.several_readers && same_phase)))
      throw access_error(std::string(what) + " what " + described(c.reader) + " reads, with no barrier between them");
    c.written = true;
    c.writer = who;
    c.defined = true;
  });
}

void shadow::read_constant(std::size_t first, std::size_t bytes) {
  each(first, bytes, [&](cell& c) {
    if (c.written) throw access_error("reads as constant what " + described(c.writer) + " writes in the same launch");
    c.constant = true;
  });
}

void shadow::begin_copy(std::size_t first, std::size_t bytes, const actor& who) {
  write(first, bytes, who, "copies to");
  each(first, bytes, [](cell& c) { c.pending = true; });
}
void shadow::end_copy(std::size_t first, std::size_t bytes, const actor& who) {
  each(first, bytes, [](cell& c) { c.pending = false; });
  write(first, bytes, who, "copies to");
}
void shadow::begin_source(std::size_t first, std::size_t bytes, const actor& who) {
  read(first, bytes, who, "copies from");
  each(first, bytes, [](cell& c) { ++c.sources; });
}
void shadow::end_source(std::size_t first, std::size_t bytes) {
  each(first, bytes, [](cell& c) { --c.sources; });
}

void shadow::define(std::size_t first, std::size_t bytes, bool is_defined) {
  each(first, bytes, [&](cell& c) { c.defined = is_defined; });
}
bool shadow::is_defined(std::size_t first, std::size_t bytes) {
  bool all = true;
  each(first, bytes, [&](const cell& c) { all &= c.defined; });
  return all;
}

shared_memory::shared_memory(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& variables) {
  std::size_t end = 0;
  for (const auto& [first, size] : variables) {
    variables_.push_back({first, size, end});
    end += (size + 15) / 16 * 16;
  }
  bytes_.resize(end);
}
shared_memory::place shared_memory::at(std::uint64_t address, std::uint32_t bytes, const char* what) {
  for (const variable& v : variables_) {
    if (address < v.first || address >= v.first + v.size) continue;
    if (address + bytes > v.first + v.size) break;
    if (address % bytes != 0)
      throw access_error(std::string(what) + " " + number(bytes) + " bytes of shared memory at " +
                         number(address - v.first) + ", which is not a multiple of that");
    const std::size_t at = v.at + (address - v.first);
    return {bytes_.data() + at, at};
  }
  // The nearest variable below says most.
  std::uint64_t first = 0, size = 0;
  for (const variable& v : variables_)
    if (v.first <= address) first = v.first, size = v.size;
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
void global_memory::define_as(const void* first, const void* from, std::size_t bytes) {
  define(first, bytes);
  const auto at = reinterpret_cast<std::uint64_t>(from);
  const allocation* const source = find(at, bytes);
  if (!source || source->defined.empty()) return;
  const auto to = reinterpret_cast<std::uint64_t>(first);
  if (allocation* const a = find(to, bytes); a && !a->defined.empty())
    for (std::size_t b = 0; b < bytes; ++b) a->defined[to - a->first + b] = source->defined[at - source->first + b];
}
bool global_memory::allocation::is_defined(std::uint64_t address, std::size_t count) const {
  if (defined.empty()) return true;
  const auto from = defined.begin() + static_cast<std::ptrdiff_t>(address - first);
  return std::find(from, from + static_cast<std::ptrdiff_t>(count), false) == from + static_cast<std::ptrdiff_t>(count);
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
