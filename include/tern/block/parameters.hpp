// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parameters of a network, one by one: names, offsets and shapes.
#pragma once

#include <cstdio>

#include "tern/core/config.hpp"
#include "tern/op/sample_shape.hpp"

namespace tern {

/// The memory order of features, if it matters: channels contiguous, as in the images that a flatten takes, or that a
/// reshape makes of features.
struct feature_order {
  sample_shape shape = {};  ///< of the images; no channels: an order that does not matter
  bool mixed = false;       ///< of several images, or of parts

  TERN_FN constexpr bool is_shared() const { return shape.channels == 0 && !mixed; }
  friend TERN_FN constexpr bool operator==(const feature_order& a, const feature_order& b) {
    return a.mixed == b.mixed && a.shape == b.shape;
  }
};

/// One tensor of parameters, or of running statistics, in the flat memory of all. It is dense, the last axis fastest.
struct parameter {
  enum start_values { random, zeros, ones, quarters, small_variances };

  char name[128] = {};  ///< such as "3.1.weight": indices of the blocks, outermost first
  index_t offset = 0;
  index_t rank = 1;
  index_t shape[5] = {};
  bool statistic = false;  ///< a running average, not learned
  start_values start = zeros;
  index_t fan_in = 1;  ///< products in the sum of a result, for random starts
  index_t groups = 1;  ///< of the weights of a convolution
  /// Orders of the last axis, and of the one before it, if they count features.
  feature_order columns = {}, rows = {};

  TERN_FN constexpr index_t size() const {
    index_t n = 1;
    for (index_t r = 0; r < rank; ++r) n *= shape[r];
    return n;
  }
};

namespace detail::inline TERN_ISA {

/// A type-erased function of parameters: layers are compiled for this type only.
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

/// The name of a block, and the offsets of its parameters and statistics.
struct parameter_path {
  char name[96] = {};
  index_t parameters = 0, statistics = 0;
  feature_order taken = {}, made = {};  ///< orders of the features that the block takes and makes

  parameter_path inside(index_t position, index_t parameter_offset, index_t statistic_offset) const {
    char number[24];
    std::snprintf(number, sizeof number, "%td", position);
    return inside(number, parameter_offset, statistic_offset);
  }
  /// \param inner  none, or a name such as "stage.1.conv"
  parameter_path inside(const char* inner, index_t parameter_offset, index_t statistic_offset) const {
    parameter_path p{.parameters = parameters + parameter_offset, .statistics = statistics + statistic_offset};
    p.taken.mixed = !taken.is_shared(), p.made.mixed = !made.is_shared();  // a graph inside replaces it
    char text[400];
    std::snprintf(text, sizeof text, "%.95s%.300s%s", name, inner, *inner == '\0' ? "" : ".");
    std::snprintf(p.name, sizeof p.name, "%.95s", text);
    return p;
  }
  /// Renames a tensor of the block.
  void rename(parameter& p, const char* last) const { std::snprintf(p.name, sizeof p.name, "%.95s%.31s", name, last); }
  /// Calls f with a tensor of the block.
  template <class F, class... Extents>
  void visit(F& f, const char* last, index_t offset, parameter::start_values start, index_t fan_in, bool statistic,
             Extents... shape) const {
    visit(f, last,
          parameter{.offset = offset,
                    .rank = sizeof...(shape),
                    .shape = {static_cast<index_t>(shape)...},
                    .statistic = statistic,
                    .start = start,
                    .fan_in = fan_in});
  }
  /// \param p  with its offset in the block
  template <class F>
  void visit(F& f, const char* last, parameter p) const {
    rename(p, last);
    p.offset += p.statistic ? statistics : parameters;
    p.columns = made, p.rows = taken;
    f(static_cast<const parameter&>(p));
  }
};

}  // namespace detail::inline TERN_ISA
}  // namespace tern
