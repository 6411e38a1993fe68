// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of the tensors of a network's pass: their sizes, and that outputs share no elements with other tensors.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/kernel/checked_call.hpp"

namespace tern::inline TERN_ISA::impl {

/// \tparam Most  the largest number of tensors
template <std::size_t Most>
class checked_tensors {
  struct tensor {
    const char* name = "";
    int number = -1;  ///< index among several of one name
    declare::address_range range = {};
    bool is_written = false;
  };
  struct text {
    char of[32];
    explicit text(const tensor& t) { std::snprintf(of, sizeof of, t.number < 0 ? "%s" : "%s[%d]", t.name, t.number); }
  };
  std::array<tensor, Most> all_{};
  std::size_t count_ = 0;

  template <class T>
  void add(const tensor& kind, std::span<T> s, index_t wanted) {
    tensor& t = all_[count_++] = kind;
    if (static_cast<index_t>(s.size()) != wanted) wrong_size(t, static_cast<index_t>(s.size()), wanted);
    if (s.empty()) return;
    if (s.data() == nullptr) null(t);
    t.range.first = reinterpret_cast<std::uintptr_t>(s.data()), t.range.last = t.range.first + s.size_bytes();
  }
  TERN_COLD static void wrong_size(const tensor& t, index_t given, index_t wanted) {
    violation("network: %s has %td elements: it must have %td", text(t).of, given, wanted);
  }
  TERN_COLD static void null(const tensor& t) { violation("network: %s is at a null pointer", text(t).of); }
  TERN_COLD static void shared(const tensor& a, const tensor& b) {
    violation("network: %s and %s share elements: they must not overlap", text(a).of, text(b).of);
  }

 public:
  /// Adds an input of `wanted` elements.
  template <class T>
  checked_tensors& reads(const char* name, std::span<T> s, index_t wanted) {
    add({.name = name}, s, wanted);
    return *this;
  }
  template <class T>
  checked_tensors& writes(const char* name, std::span<T> s, index_t wanted) {
    add({.name = name, .is_written = true}, s, wanted);
    return *this;
  }
  /// Adds the inputs or results of a batch, or their gradients.
  /// \param is_written  true if the pass writes them
  template <class T, std::size_t N, class Shape>
  checked_tensors& samples(const char* name, const std::array<std::span<T>, N>& s, const std::array<Shape, N>& shapes,
                           index_t batch, bool is_written) {
    for (std::size_t k = 0; k < N; ++k)
      add({.name = name, .number = N == 1 ? -1 : static_cast<int>(k), .is_written = is_written}, s[k],
          batch * shapes[k].size());
    return *this;
  }
  void check_overlap() const {
    for (std::size_t i = 0; i < count_; ++i)
      for (std::size_t k = 0; k < i; ++k)
        if ((all_[i].is_written || all_[k].is_written) && all_[i].range.meets(all_[k].range)) shared(all_[k], all_[i]);
  }
};

}  // namespace tern::inline TERN_ISA::impl
