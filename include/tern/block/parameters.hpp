// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parameters of a network, one by one: names, places and shapes.
#pragma once

#include <cstdio>

#include "tern/core/config.hpp"

namespace tern {

/// One tensor of parameters, or of running statistics, in the flat memory of all of them. It is dense, the last
/// axis fastest.
struct parameter {
  enum start_values { random, zeros, ones, quarters, small_variances };

  char name[128] = {};  ///< as in "3.1.weight": positions of the blocks, outermost first
  index_t offset = 0;
  index_t rank = 1;
  index_t shape[5] = {};
  bool statistic = false;  ///< a running average, not learned
  start_values start = zeros;
  index_t fan_in = 1;  ///< products that every result sums, for random starts

  TERN_FN constexpr index_t size() const {
    index_t n = 1;
    for (index_t r = 0; r < rank; ++r) n *= shape[r];
    return n;
  }
};

namespace detail::inline TERN_ISA {

/// A function of parameters, whatever its type: layers are compiled for this one.
class parameter_visitor {
 public:
  template <class F>
  explicit parameter_visitor(F& f)
      : self_(&f), call_([](void* self, const parameter& p) { (*static_cast<F*>(self))(p); }) {}
  void operator()(const parameter& p) const { call_(self_, p); }

 private:
  void* self_;
  void (*call_)(void*, const parameter&);
};

/// The name of a block, and where its parameters and statistics begin.
struct parameter_path {
  char name[96] = {};
  index_t parameters = 0, statistics = 0;

  parameter_path inside(index_t position, index_t parameter_offset, index_t statistic_offset) const {
    char number[24];
    std::snprintf(number, sizeof number, "%td", position);
    return inside(number, parameter_offset, statistic_offset);
  }
  /// \param inner  none, or as in "stage.1.conv"
  parameter_path inside(const char* inner, index_t parameter_offset, index_t statistic_offset) const {
    parameter_path p{.parameters = parameters + parameter_offset, .statistics = statistics + statistic_offset};
    char text[400];
    std::snprintf(text, sizeof text, "%s%s%s", name, inner, *inner == '\0' ? "" : ".");
    std::snprintf(p.name, sizeof p.name, "%.95s", text);
    return p;
  }
  /// Gives a tensor of the block another name.
  void rename(parameter& p, const char* last) const { std::snprintf(p.name, sizeof p.name, "%.95s%.31s", name, last); }
  /// Calls f with a tensor of the block.
  template <class F, class... Extents>
  void visit(F& f, const char* last, index_t offset, parameter::start_values start, index_t fan_in, bool statistic,
             Extents... shape) const {
    parameter p{.offset = (statistic ? statistics : parameters) + offset,
                .rank = sizeof...(shape),
                .shape = {static_cast<index_t>(shape)...},
                .statistic = statistic,
                .start = start,
                .fan_in = fan_in};
    rename(p, last);
    f(static_cast<const parameter&>(p));
  }
};

}  // namespace detail::inline TERN_ISA
}  // namespace tern
