// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/driver/call_in_memory.hpp"

#include <algorithm>
#include <cstddef>

#include "tests/support/message.hpp"

namespace tern::test::inline TERN_ISA {

call_in_memory::call_in_memory(const drawn_call& of, const declare::declaration& d, bool adds, int (*block_of)(int),
                               bool payloads, std::mt19937& engine)
    : payloads_(payloads), from_(of.tensors) {
  const bool nan = engine() % 2 == 0;
  const auto all = engine() % 8;  // now and then all tensors are dense in one order, as most are
  for (std::size_t i = 0; i < from_.size(); ++i) place_.push_back(static_cast<int>(i));
  for (int i = 0; i < static_cast<int>(from_.size()); ++i) {
    drawn_tensor& t = from_[static_cast<std::size_t>(i)];
    int& place = place_[static_cast<std::size_t>(i)];
    for (int j = 0; j < static_cast<int>(from_.size()) && t.is_output(); ++j) {
      const auto x = static_cast<std::size_t>(j);
      if (place == i && d.may_be(i, j) && from_[x].shape == t.shape && from_[x].of == t.of &&
          block_of(i) == block_of(j) && !taken(x) && engine() % 4 == 0)
        place = j, t.values = from_[x].values;
    }
    const index_t before = below(engine, 4), behind = engine() % 2 == 0 ? 0 : 9;
    const int block = block_of(i);
    expected_.emplace_back(t.of, t.shape, placement::dense(t.shape, t.is.adjacent), 0, 0, !nan);
    got_.emplace_back(t.of, t.shape,
                      block > 0 ? placement::blocked(t.shape, block)
                      : all < 2 ? placement::dense(t.shape, t.is.adjacent || all == 0)
                                : placement::random(t.shape, t.is.adjacent, engine),
                      before, behind, nan);
    if (!t.is_output() || adds || t.is.is == declare::role::changed)
      expected_.back().put(t.values), got_.back().put(t.values);
  }
  for (const placed_tensor& t : got_) before_.push_back(t.memory());
}

bool call_in_memory::taken(std::size_t i) const {
  for (std::size_t o = 0; o < place_.size(); ++o)
    if (place_[o] == static_cast<int>(i) && o != i) return true;
  return false;
}

std::string call_in_memory::complaint() const {
  for (std::size_t i = 0; i < from_.size(); ++i) {
    const drawn_tensor& t = from_[i];
    const std::string name = t.is.name;
    if (!t.is_output()) {
      if (!taken(i) && got_[i].memory() != before_[i]) return "input " + name + " is written";
      continue;
    }
    const placed_tensor& result = got(static_cast<int>(i));
    if (!result.surroundings_are(before_[static_cast<std::size_t>(place_[i])]))
      return "memory around output " + name + " is written";
    const auto wanted = expected_[i].values(), values = result.values();
    const auto bytes = static_cast<std::size_t>(bytes_of(t.of));
    for (std::size_t k = 0; k < wanted.size(); k += bytes)
      if (!same_element(&wanted[k], &values[k], t.of, payloads_))
        return "output " + name + " is not the reference's at element " + std::to_string(k / bytes);
  }
  return "";
}
std::string call_in_memory::text() const {
  std::string s;
  for (std::size_t i = 0; i < from_.size(); ++i) {
    s += std::string(i > 0 ? ", " : "") + from_[i].is.name + " " + from_[i].shape.text();
    if (place_[i] != static_cast<int>(i)) {
      s += " in the place of " + std::string(from_[static_cast<std::size_t>(place_[i])].is.name);
    } else if (got_[i].at().block > 0) {
      s += " in blocks of " + std::to_string(got_[i].at().block);
    } else {
      for (int r = 0; r < from_[i].shape.rank; ++r)
        s += (r == 0 ? " with strides " : " ") + std::to_string(got_[i].at().stride[r]);
    }
  }
  return s;
}

std::string call_in_memory::complaint_of_overlap(const std::function<void()>& call, std::mt19937& engine) {
  const auto count = static_cast<index_t>(from_.size());
  const auto o = static_cast<std::size_t>(below(engine, count)), i = static_cast<std::size_t>(below(engine, count));
  const index_t ends = below(engine, 3);  // both first elements are in one place, or a last and a first one
  if (o == i || !from_[o].is_output() || got_[o].shape().size() == 0 || got_[i].shape().size() == 0) return "";
  const index_t bytes = bytes_of(from_[o].of), bytes_i = bytes_of(from_[i].of), span = got_[o].span_bytes();
  const index_t last = (got_[i].span_bytes() - bytes_i) / bytes * bytes;  // aligned as the output must be
  const index_t shift = ends == 0 ? 0 : ends == 1 ? last : bytes - span;
  if (shift == 0 && from_[o].is.alias[0] != '\0') return "";
  const index_t margin = (span + 15) / 16 * 16;
  std::vector<unsigned char> shared(static_cast<std::size_t>(2 * margin + got_[i].span_bytes()), 3);
  overlapping_.clear();
  for (std::size_t k = 0; k < from_.size(); ++k)
    overlapping_.emplace_back(got_[k], k == o   ? &shared[static_cast<std::size_t>(margin + shift)]
                                       : k == i ? &shared[static_cast<std::size_t>(margin)]
                                                : got_[k].data());
  std::vector<std::vector<unsigned char>> before;
  for (const placed_tensor& t : got_) before.push_back(t.memory());
  const std::string said = message(call), both = from_[o].is.name + std::string(" over ") + from_[i].is.name;
  if (said == "no error") return both + " is not refused";
  bool same = std::all_of(shared.begin(), shared.end(), [](unsigned char c) { return c == 3; });
  for (std::size_t k = 0; k < from_.size(); ++k) same = same && got_[k].memory() == before[k];
  return same ? "" : both + " is refused too late";
}

std::string call_in_memory::complaint_of_workspace(const std::function<void(workspace)>& call,
                                                   std::mt19937& engine) const {
  const auto i = static_cast<std::size_t>(below(engine, static_cast<index_t>(from_.size())));
  const placed_tensor& t = got(static_cast<int>(i));
  if (t.shape().size() == 0) return "";
  const index_t bytes = bytes_of(t.element());
  std::vector<std::vector<unsigned char>> before;
  for (const placed_tensor& x : got_) before.push_back(x.memory());
  const workspace lent{t.data() + (engine() % 2 == 0 ? 0 : t.span_bytes() - bytes), bytes};
  const std::string said = message([&] { call(lent); }), over = std::string("a workspace over ") + from_[i].is.name;
  if (said == "no error") return over + " is not refused";
  for (std::size_t k = 0; k < got_.size(); ++k)
    if (got_[k].memory() != before[k]) return over + " is refused too late";
  return "";
}

bool call_driver::draw(const tested_pass& p, const call_rules& rules, const tested_layout* layouts, int count) {
  ++calls;
  layout_ = static_cast<int>(below(engine, count));
  drawn_call c;
  if (!c.draw(*p.declared, p.rank, layouts[layout_].vectors, p.made, p.of, rules, engine, p.wrong)) {
    ++skipped;
    return false;
  }
  c.fill(rules, engine);
  adds_ = p.must_add || (p.may_add && engine() % 2 != 0);
  call_ = std::make_unique<call_in_memory>(c, *p.declared, adds_, layouts[layout_].block_of, rules.payloads, engine);
  text_ = p.op + std::string(*p.declared->pass != '\0' ? " " : "") + p.declared->pass +
          (adds_ ? ", accumulating" : "") + (rules.text.empty() ? "" : ", " + rules.text) + ": ";
  wrong_.clear();
  return true;
}

}  // namespace tern::test::inline TERN_ISA
