// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a declared call with poisoned, shared and overlapping memory, and says what its declaration has wrong.
#pragma once

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tern/kernel/declared_call.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/message.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {

/// \tparam Rank     axes of the tensors
/// \tparam Vectors  whether tensors that may be vectors are
template <class Op, class Policy, class Pass, int Rank, bool Vectors = false>
class declared_driver {
  using T = typename Pass::value_type;
  static constexpr int count = Pass::declared.given();
  static constexpr std::make_integer_sequence<int, count> all{};
  static constexpr index_t guard = 5;

 public:
  /// \param seed      of the sizes and elements
  /// \param multiple  what divides all extents
  explicit declared_driver(unsigned seed, index_t multiple = 1) : engine_(seed) {
    for (int i = 0; i < count; ++i)
      for (int r = 0; r < rank_of(i); ++r) {
        const declare::axis_name name =
            declare::declaration::name_of(Pass::declared[i].shape_of(rank_of(i)), rank_of(i), r);
        const auto key =
            std::pair(std::string(name.name.text, static_cast<std::size_t>(name.name.length)), name.number);
        if (!sizes_.contains(key)) sizes_[key] = multiple * (1 + static_cast<index_t>(engine_() % 7));
        extent_[i][r] = name.name.is_one() || (name.name.or_one && engine_() % 2 == 0) ? 1 : sizes_[key];
      }
    for (int i = 0; i < count; ++i) {
      if constexpr (declare::makes_shapes<Pass>)
        if (const int from = Pass::declared.source_of(i); from >= 0) {
          std::copy(extent_[from], extent_[from] + Rank, extent_[i]);
          Pass::made(extent_[i], Rank);
        }
      size_[i] = 1;
      for (int r = 0; r < rank_of(i); ++r) size_[i] *= extent_[i][r];
    }
  }

  /// What is wrong with the declaration; empty where nothing was found.
  template <class... Option>
  std::string complaint(const Option&... option) {
    if (std::string c = writes_outputs(option...); !c.empty()) return c;
    if (std::string c = may_be_inputs(option...); !c.empty()) return c;
    return refuses_overlaps(option...);
  }

 private:
  using memory = std::vector<T>;

  memory random_elements(int i) {
    std::normal_distribution<double> normal;
    memory m(static_cast<std::size_t>(size_[i] + 2 * guard));
    for (T& x : m) x = static_cast<T>(normal(engine_));
    return m;
  }
  static constexpr int rank_of(int i) { return Vectors && Pass::declared[i].may_be_vector() ? 1 : Rank; }
  static bool is_output(int i) { return Pass::declared[i].is != declare::role::input; }
  static bool is_changed(int i) { return Pass::declared[i].is == declare::role::changed; }
  static std::string name(int i) { return Pass::declared[i].name; }
  static std::string name_of(int i) { return std::string("output ") + name(i); }

  /// Whether output o may be input i, which takes one shape.
  bool may_be(int o, int i) const {
    return Pass::declared.may_be(o, i) && rank_of(o) == rank_of(i) &&
           std::equal(extent_[o], extent_[o] + rank_of(o), extent_[i]);
  }

  template <int I>
  auto view_of(T* p) const {
    using element = std::conditional_t<Pass::declared[I].is == declare::role::input, const T, T>;
    using layout = std::conditional_t<Pass::declared[I].adjacent, layout_channels_last, layout_row>;
    return [&]<std::size_t... R>(std::index_sequence<R...>) {
      return view<element, dims<sizeof...(R)>, layout>(p, dims<sizeof...(R)>(extent_[I][R]...));
    }(std::make_index_sequence<static_cast<std::size_t>(rank_of(I))>{});
  }
  /// Runs the call on tensors that begin at these places; its message, if it is refused.
  template <class... Option>
  std::string call(T* const (&p)[count], const Option&... option) const {
    return message([&] {
      [&]<int... I>(std::integer_sequence<int, I...>) {
        const auto run = [](const auto&... a) { declare::run<Op, Policy, Pass>(a...); };
        run(view_of<I>(p[I])..., option...);
      }(all);
    });
  }
  /// Runs it on memory of its own for every tensor.
  template <class... Option>
  std::string call_apart(std::vector<memory>& m, const Option&... option) const {
    T* p[count];
    for (int i = 0; i < count; ++i) p[i] = m[static_cast<std::size_t>(i)].data() + guard;
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
        if (!same_bits(first[n], before[n])) return "input " + name(i) + " is written";
        continue;
      }
      for (std::size_t k = 0; k < first[n].size(); ++k) {
        const bool inside = k >= guard && k < first[n].size() - guard;
        if (!inside && !equal_bits(first[n][k], before[n][k])) return name_of(i) + " is written outside of its shape";
        if (inside && !is_changed(i) && !equal_bits(first[n][k], second[n][k]) &&
            equal_bits(first[n][k], before[n][k]) && equal_bits(second[n][k], before_second[n][k]))
          return name_of(i) + " is not written whole";
        if (inside && !equal_bits(first[n][k], second[n][k])) return name_of(i) + " depends on what it held";
      }
    }
    results_ = first, inputs_ = before;
    return "";
  }

  /// An output that may be an input gives the same bits there.
  template <class... Option>
  std::string may_be_inputs(const Option&... option) const {
    for (int o = 0; o < count; ++o)
      for (int i = 0; i < count; ++i) {
        if (!is_output(o) || !may_be(o, i)) continue;
        auto m = inputs_;
        T* p[count];
        for (int k = 0; k < count; ++k) p[k] = m[static_cast<std::size_t>(k == o ? i : k)].data() + guard;
        const std::string both = name_of(o) + " in the place of " + name(i);
        if (const std::string said = call(p, option...); said != "no error") return both + " is refused: " + said;
        for (int k = 0; k < count; ++k)
          if (is_output(k) && !std::equal(p[k], p[k] + size_[k], results_[static_cast<std::size_t>(k)].data() + guard,
                                          [](T a, T b) { return equal_bits(a, b); }))
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
        for (const index_t shift : {index_t{0}, size_[i] - 1, 1 - size_[o]}) {
          if (shift == 0 && may_be(o, i)) continue;
          memory shared(static_cast<std::size_t>(size_[i] + 2 * size_[o]), T(3));
          auto m = inputs_;
          T* p[count];
          for (int k = 0; k < count; ++k) p[k] = m[static_cast<std::size_t>(k)].data() + guard;
          p[i] = shared.data() + size_[o], p[o] = p[i] + shift;
          const auto before = m;
          const std::string both = name_of(o) + " over " + name(i);
          if (call(p, option...) == "no error") return both + " is not refused";
          if (shared != memory(shared.size(), T(3)) || m != before) return both + " is refused too late";
        }
      }
    return "";
  }

  std::mt19937 engine_;
  std::map<std::pair<std::string, int>, index_t> sizes_;
  index_t extent_[count][Rank] = {}, size_[count] = {};
  std::vector<memory> results_, inputs_;
};

}  // namespace tern::test
