// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Liveness by data flow over basic blocks, then linear scan (Poletto and Sarkar, 1999).
#include "tests/simt/ptx/allocate.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <vector>

namespace ptx {
namespace {

constexpr int banks = 3;
int number_of(bank in) { return static_cast<int>(in) - 1; }

/// Calls f(slot, is_read) for every register of an instruction. Reads come first.
template <class F>
void each_register(instruction& i, F f) {
  const auto visit = [&](slot& s, bool read) {
    if (s) f(s, read);
  };
  const bool load = i.what == kind::load;
  visit(i.guard, true), visit(i.base, true), visit(i.source, true);
  for (slot& s : i.from)
    if (!load) visit(s, true);
  for (slot& s : i.from)
    if (load) visit(s, false);
  visit(i.to, false), visit(i.second, false);
}

/// A set of registers of all banks.
class register_set {
 public:
  explicit register_set(std::size_t size) : words_((size + 63) / 64) {}
  bool has(std::size_t r) const { return words_[r / 64] >> r % 64 & 1; }
  void add(std::size_t r) { words_[r / 64] |= std::uint64_t{1} << r % 64; }
  void remove(const register_set& other) {
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w] &= ~other.words_[w];
  }
  template <class F>
  void each(F f) const {
    for (std::size_t w = 0; w < words_.size(); ++w)
      for (std::uint64_t left = words_[w]; left != 0; left &= left - 1)
        f(64 * w + static_cast<std::size_t>(std::countr_zero(left)));
  }
  /// Adds the registers of another set. Returns true if any was new.
  bool join(const register_set& other) {
    bool changed = false;
    for (std::size_t w = 0; w < words_.size(); ++w) {
      changed |= (other.words_[w] & ~words_[w]) != 0;
      words_[w] |= other.words_[w];
    }
    return changed;
  }

 private:
  std::vector<std::uint64_t> words_;
};

struct basic_block {
  std::uint32_t first, end;  ///< instructions
  std::vector<std::size_t> next;
  register_set in, out, used, set;
};

}  // namespace

void allocate_registers(kernel& k) {
  const std::size_t start_of[banks + 1] = {0, k.predicates, std::size_t{k.predicates} + k.words,
                                           std::size_t{k.predicates} + k.words + k.wides};
  const std::size_t all = start_of[banks];
  const auto id = [&](slot s) { return start_of[number_of(s.in)] + s.index; };

  // Blocks begin at targets of branches and after branches and exits.
  const auto size = static_cast<std::uint32_t>(k.code.size());
  std::vector<bool> leads(size + 1, false);
  leads[0] = true;
  for (std::uint32_t i = 0; i < size; ++i) {
    const instruction& x = k.code[i];
    if (x.what == kind::branch) leads[std::min(x.target, size)] = true;
    if (x.what == kind::branch || x.what == kind::exit) leads[i + 1] = true;
  }
  std::vector<basic_block> blocks;
  std::vector<std::size_t> block_at(size);
  for (std::uint32_t i = 0; i < size; ++i) {
    if (leads[i]) {
      const register_set none(all);
      blocks.push_back({i, i, {}, none, none, none, none});
    }
    block_at[i] = blocks.size() - 1;
    blocks.back().end = i + 1;
  }
  for (basic_block& b : blocks) {
    for (std::uint32_t i = b.first; i < b.end; ++i)
      each_register(k.code[i], [&](slot s, bool read) {
        // Lanes that an instruction leaves out keep their values: such a result is no new value.
        if (read || k.code[i].guard) {
          if (!b.set.has(id(s))) b.used.add(id(s));
        } else {
          b.set.add(id(s));
        }
      });
    const instruction& last = k.code[b.end - 1];
    if (last.what == kind::branch && last.target < size) b.next.push_back(block_at[last.target]);
    const bool goes_on = (last.what != kind::branch && last.what != kind::exit) || last.guard;
    if (goes_on && b.end < size) b.next.push_back(block_at[b.end]);
  }

  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t n = blocks.size(); n-- > 0;) {
      basic_block& b = blocks[n];
      for (const std::size_t s : b.next) changed |= b.out.join(blocks[s].in);
      register_set in = b.out;
      in.remove(b.set);
      in.join(b.used);
      changed |= b.in.join(in);
    }
  }

  // From the first to the last instruction at which a register is live, whatever is between.
  struct interval {
    std::uint32_t first = 0xffffffff, last = 0;
    slot of;
    void cover(std::uint32_t i) { first = std::min(first, i), last = std::max(last, i); }
  };
  std::vector<interval> intervals(all);
  for (const basic_block& b : blocks) {
    b.in.each([&](std::size_t r) { intervals[r].cover(b.first); });
    b.out.each([&](std::size_t r) { intervals[r].cover(b.end - 1); });
  }
  for (std::uint32_t i = 0; i < size; ++i)
    each_register(k.code[i], [&](slot s, bool) { intervals[id(s)].cover(i), intervals[id(s)].of = s; });
  const auto always = [&](slot s) { intervals[id(s)] = {0, size, s}; };
  for (const auto& [s, value] : k.constants) always(s);
  for (const auto& [s, what] : k.specials) always(s);

  std::vector<interval> sorted;
  for (const interval& i : intervals)
    if (i.of) sorted.push_back(i);
  std::sort(sorted.begin(), sorted.end(), [](const interval& a, const interval& b) { return a.first < b.first; });
  std::vector<std::uint16_t> place(all), free[banks];
  std::vector<interval> busy[banks];
  std::uint16_t used[banks] = {};
  for (const interval& i : sorted) {
    const int in = number_of(i.of.in);
    std::erase_if(busy[in], [&](const interval& b) {
      if (b.last >= i.first) return false;
      free[in].push_back(place[id(b.of)]);
      return true;
    });
    if (free[in].empty()) free[in].push_back(used[in]++);
    place[id(i.of)] = free[in].back();
    free[in].pop_back();
    busy[in].push_back(i);
  }
  const auto move = [&](slot& s) { s.index = place[id(s)]; };
  for (instruction& i : k.code) each_register(i, [&](slot& s, bool) { move(s); });
  for (auto& [s, value] : k.constants) move(s);
  for (auto& [s, what] : k.specials) move(s);
  k.predicates = used[0], k.words = used[1], k.wides = used[2];
}

}  // namespace ptx
