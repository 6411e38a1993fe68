// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a declared call with poisoned, shared and overlapping memory, and says what its declaration has wrong.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tern/kernel/declared_call.hpp"
#include "tests/support/message.hpp"

namespace tern::test {

/// \tparam Rank     axes of the first tensor
/// \tparam Vectors  whether tensors that may be vectors are
template <class Op, class Policy, class Pass, int Rank, bool Vectors = false>
class declared_driver {
  using T = typename Pass::value_type;
  static constexpr const declare::declaration& declared = Pass::declared;
  static constexpr int count = declared.given();
  static constexpr std::make_integer_sequence<int, count> all{};
  static constexpr index_t guard = 8;

 public:
  /// \param seed      of the sizes and elements
  /// \param multiple  what divides all extents
  explicit declared_driver(unsigned seed, index_t multiple = 1) : engine_(seed) {
    do draw_extents(multiple);
    while (!may_be_called());
  }

  /// What is wrong with the declaration; empty where nothing was found.
  template <class... Option>
  std::string complaint(const Option&... option) {
    if (std::string c = writes_outputs(option...); !c.empty()) return c;
    if (std::string c = may_be_inputs(option...); !c.empty()) return c;
    if (std::string c = refuses_overlaps(option...); !c.empty()) return c;
    if constexpr (Pass::optional::template has<workspace>) return refuses_workspaces(option...);
    return "";
  }

 private:
  using memory = std::vector<unsigned char>;

  static std::pair<std::string, int> axis(std::string name, int number) { return {std::move(name), number}; }
  static constexpr int rank(int i) {
    if (Vectors && declared[i].may_be_vector()) return 1;
    return declare::declaration::rank_beside(declared[i].shape, declared[0].shape, Rank);
  }
  template <int I>
  using element_of =
      std::conditional_t<declared[I].of == declare::element::op, T,
                         std::conditional_t<declared[I].of == declare::element::uint8, std::uint8_t, std::int32_t>>;
  static constexpr index_t bytes(int i) {
    return declared[i].of == declare::element::op ? sizeof(T) : declared[i].of == declare::element::uint8 ? 1 : 4;
  }

  void draw_extents(index_t multiple) {
    sizes_.clear();
    for (int i = 0; i < count; ++i)
      for (int r = 0; r < rank(i); ++r) {
        const declare::axis_name name = declare::declaration::name_of(declared[i].shape_of(rank(i)), rank(i), r);
        const auto key = axis(std::string(name.name.text, static_cast<std::size_t>(name.name.length)), name.number);
        const index_t known = declared.extent_of(name).value;
        if (!sizes_.contains(key))
          sizes_[key] = known != dynamic ? known : multiple * (1 + static_cast<index_t>(engine_() % 7));
        extent_[i][r] = name.name.is_one() || (name.name.or_one && engine_() % 2 == 0) ? 1 : sizes_[key];
      }
    for (int i = 0; i < count; ++i) {
      if constexpr (declare::makes_shapes<Pass>)
        if (const int from = declared.source_of(i); from >= 0) {
          std::copy(extent_[from], extent_[from] + Rank, extent_[i]);
          Pass::made(extent_[i], Rank);
          for (int j = 0; j < count; ++j)  // others of its shape
            if (j != i && j != from && declare::same_text(declared[j].shape, declared[i].shape))
              std::copy(extent_[i], extent_[i] + Rank, extent_[j]);
        }
    }
    for (int i = 0; i < count; ++i) {
      size_[i] = 1;
      for (int r = 0; r < rank(i); ++r) size_[i] *= extent_[i][r];
    }
  }
  /// Whether the pass has no rule of its own against these extents.
  bool may_be_called() const {
    if constexpr (requires(declare::sentence& s, const declare::fact* t) { Pass::judge(s, "", t); }) {
      declare::fact t[count];
      for (int i = 0; i < count; ++i) {
        t[i].rank = rank(i);
        std::copy(extent_[i], extent_[i] + rank(i), t[i].extent);
      }
      declare::sentence s;
      Pass::judge(s, Op::name, t);
      return s.size() == 0;
    } else {
      return true;
    }
  }

  memory random_elements(int i) {
    memory m(static_cast<std::size_t>((size_[i] + 2 * guard) * bytes(i)));
    const auto fill = [&](auto next) {
      for (std::size_t at = 0; at < m.size(); at += sizeof(next())) {
        const auto x = next();
        std::memcpy(&m[at], &x, sizeof(x));
      }
    };
    std::normal_distribution<double> normal;
    switch (declared[i].of) {
      case declare::element::uint8: fill([&] { return static_cast<std::uint8_t>(engine_() % 2); }); break;
      case declare::element::int32: fill([&] { return static_cast<std::int32_t>(engine_() % 2) - 1; }); break;
      default: fill([&] { return static_cast<T>(normal(engine_)); });
    }
    return m;
  }
  static bool is_output(int i) { return declared[i].is != declare::role::input; }
  static bool is_changed(int i) { return declared[i].is == declare::role::changed; }
  static std::string name(int i) { return declared[i].name; }
  static std::string name_of(int i) { return std::string("output ") + name(i); }

  /// Whether output o may be input i, which takes one shape.
  bool may_be(int o, int i) const {
    return declared.may_be(o, i) && rank(o) == rank(i) && std::equal(extent_[o], extent_[o] + rank(o), extent_[i]);
  }

  template <int I>
  auto view_of(unsigned char* p) const {
    using element = std::conditional_t<declared[I].is == declare::role::input, const element_of<I>, element_of<I>>;
    using layout = std::conditional_t<declared[I].adjacent, layout_channels_last, layout_row>;
    return [&]<std::size_t... R>(std::index_sequence<R...>) {
      using extents = dims<static_cast<int>(sizeof...(R))>;
      return view<element, extents, layout>(reinterpret_cast<element*>(p), extents(extent_[I][R]...));
    }(std::make_index_sequence<static_cast<std::size_t>(rank(I))>{});
  }
  /// Runs the call on tensors that begin at these places; its message, if it is refused.
  template <class... Option>
  std::string call(unsigned char* const (&p)[count], const Option&... option) const {
    return message([&] {
      [&]<int... I>(std::integer_sequence<int, I...>) {
        const auto run = [](const auto&... a) { declare::run<Op, Policy, Pass>(a...); };
        run(view_of<I>(p[I])..., option...);
      }(all);
    });
  }
  /// Where tensor i begins in memory of its own.
  static unsigned char* begin(memory& m, int i) { return m.data() + guard * bytes(i); }
  /// Runs it on memory of its own for every tensor.
  template <class... Option>
  std::string call_apart(std::vector<memory>& m, const Option&... option) const {
    unsigned char* p[count];
    for (int i = 0; i < count; ++i) p[i] = begin(m[static_cast<std::size_t>(i)], i);
    return call(p, option...);
  }

  /// Outputs are written whole, whatever they held, and nothing else is.
  template <class... Option>
  std::string writes_outputs(const Option&... option) {
    std::vector<memory> first;
    for (int i = 0; i < count; ++i) first.push_back(random_elements(i));
    auto second = first;
    for (int i = 0; i < count; ++i)
      if (is_output(i) && !is_changed(i)) second[static_cast<std::size_t>(i)] = random_elements(i);
    const auto before = first, before_second = second;
    for (auto* m : {&first, &second})
      if (const std::string said = call_apart(*m, option...); said != "no error") return "the call is refused: " + said;
    for (int i = 0; i < count; ++i) {
      const auto n = static_cast<std::size_t>(i);
      if (!is_output(i)) {
        if (first[n] != before[n]) return "input " + name(i) + " is written";
        continue;
      }
      for (index_t k = 0; k < size_[i] + 2 * guard; ++k) {
        const auto same = [&](const memory& a, const memory& b) {
          const index_t at = k * bytes(i);
          return std::equal(a.data() + at, a.data() + at + bytes(i), b.data() + at);
        };
        const bool inside = k >= guard && k < size_[i] + guard;
        if (!inside && !same(first[n], before[n])) return name_of(i) + " is written outside of its shape";
        if (inside && !is_changed(i) && !same(first[n], second[n]) && same(first[n], before[n]) &&
            same(second[n], before_second[n]))
          return name_of(i) + " is not written whole";
        if (inside && !same(first[n], second[n])) return name_of(i) + " depends on what it held";
      }
    }
    results_ = first, inputs_ = before;
    return "";
  }

  /// An output that may be an input gives the same bits there.
  template <class... Option>
  std::string may_be_inputs(const Option&... option) {
    for (int o = 0; o < count; ++o)
      for (int i = 0; i < count; ++i) {
        if (!is_output(o) || !may_be(o, i)) continue;
        auto m = inputs_;
        unsigned char* p[count];
        for (int k = 0; k < count; ++k) p[k] = begin(m[static_cast<std::size_t>(k == o ? i : k)], k);
        const std::string both = name_of(o) + " in the place of " + name(i);
        if (const std::string said = call(p, option...); said != "no error") return both + " is refused: " + said;
        for (int k = 0; k < count; ++k)
          if (is_output(k) &&
              !std::equal(p[k], p[k] + size_[k] * bytes(k), begin(results_[static_cast<std::size_t>(k)], k)))
            return both + " changes " + name(k);
      }
    return "";
  }

  /// Outputs that share elements with others in any other way are refused, and nothing is written.
  template <class... Option>
  std::string refuses_overlaps(const Option&... option) const {
    for (int o = 0; o < count; ++o)
      for (int i = 0; i < count; ++i) {
        if (!is_output(o) || i == o) continue;
        const index_t last = (size_[i] - 1) * bytes(i) / bytes(o) * bytes(o);  // aligned as the output must be
        for (const index_t shift : {index_t{0}, last, (1 - size_[o]) * bytes(o)}) {
          if (shift == 0 && may_be(o, i)) continue;
          const index_t before_i = (size_[o] * bytes(o) + 7) / 8 * 8;
          memory shared(static_cast<std::size_t>(size_[i] * bytes(i) + 2 * before_i), 3);
          auto m = inputs_;
          unsigned char* p[count];
          for (int k = 0; k < count; ++k) p[k] = begin(m[static_cast<std::size_t>(k)], k);
          p[i] = shared.data() + before_i, p[o] = p[i] + shift;
          const auto before = m;
          const std::string both = name_of(o) + " over " + name(i);
          if (call(p, option...) == "no error") return both + " is not refused";
          if (shared != memory(shared.size(), 3) || m != before) return both + " is refused too late";
        }
      }
    return "";
  }

  /// A workspace in which an element of a tensor lies is refused, and nothing is written.
  template <class... Option>
  std::string refuses_workspaces(const Option&... option) const {
    for (int i = 0; i < count; ++i)
      for (const index_t at : {index_t{0}, size_[i] - 1}) {
        auto m = inputs_;
        unsigned char* p[count];
        for (int k = 0; k < count; ++k) p[k] = begin(m[static_cast<std::size_t>(k)], k);
        const workspace lent{p[i] + at * bytes(i), bytes(i)};
        if (call(p, option..., lent) == "no error") return "a workspace over " + name(i) + " is not refused";
        if (m != inputs_) return "a workspace over " + name(i) + " is refused too late";
      }
    return "";
  }

  std::mt19937 engine_;
  std::map<std::pair<std::string, int>, index_t> sizes_;
  index_t extent_[count][6] = {}, size_[count] = {};
  std::vector<memory> results_, inputs_;
};

}  // namespace tern::test
