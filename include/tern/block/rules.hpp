// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reasons why a block cannot take its samples. A layer states them in `wrong`; the network reports them, in one
// error.
#pragma once

#include <initializer_list>

#include "tern/core/config.hpp"
#include "tern/core/sentence.hpp"
#include "tern/op/sample_shape.hpp"
#include "tern/op/window.hpp"

namespace tern::inline TERN_ISA::impl {

struct rule {
  bool holds;
  const char* otherwise;
};
/// The first error of the inner layers, else of the rules that do not hold; empty if there is none.
/// \param op  precedes a rule
template <class... Parts>
constexpr declare::sentence broken_rule(const char* op, std::initializer_list<rule> rules) {
  declare::sentence s;
  ((s.empty() ? void(s = Parts::wrong) : void()), ...);
  for (const rule& r : rules)
    if (s.empty() && !r.holds) s << op << ": " << r.otherwise;
  return s;
}

/// The first reason why an inner layer has no backward pass; empty if all have one.
template <class... Parts>
constexpr declare::sentence missing_backward() {
  declare::sentence s;
  ((s.empty() ? void(s = Parts::no_backward) : void()), ...);
  return s;
}

/// The sentence of an op for samples of `rank` axes.
constexpr const char* takes_rank(int rank) {
  return rank == 0   ? "the op takes features: put a tern::flatten before it"
         : rank == 1 ? "the op takes signals, of one axis"
         : rank == 2 ? "the op takes images, of two axes"
                     : "the op takes volumes, of three axes";
}
constexpr declare::sentence broken_rank(const char* op, int rank, const sample_shape& x) {
  declare::sentence s;
  if (x.rank != rank) s << op << ": " << takes_rank(rank) << ": x is " << x;
  return s;
}
inline constexpr const char* any_batch = ".batch must not be set: a network takes any number of samples";
/// Explains why windows on x have no result; nothing if they have one.
template <class Config>
constexpr declare::sentence no_result(const Config& c, const sample_shape& x) {
  declare::sentence s;
  for (int r = 0; r < Config::rank && s.empty(); ++r) {
    const window_axis a = c.axis(r, x.extent[r]);
    if constexpr (requires { c.crop; }) {
      const index_t removed = c.crop[r] + (c.crop_end[r] == c.as_crop ? c.crop[r] : c.crop_end[r]);
      if (a.in < 1)
        s << "on axis " << r << " .crop and .crop_end remove " << removed << " of " << a.in + removed
          << " elements: there would be no result";
    } else if (a.out < 1) {
      a.add_no_result(s << "on axis " << r << " ");
    }
  }
  return s;
}
/// Reports errors of an op with a window.
/// \tparam Op  has .batch in its config
template <class Op>
constexpr declare::sentence broken_window(const sample_shape& x) {
  declare::sentence s = broken_rank(Op::name, Op::rank, x);
  if (s.empty()) s = broken_rule(Op::name, {{Op::config.batch == dynamic, any_batch}});
  if (!s.empty()) return s;
  if (const declare::sentence why = no_result(Op::config, x); !why.empty())
    s << Op::name << ": " << why.text() << ": x is " << x;
  return s;
}
inline constexpr const char* residual_op = "an op with .residual is no block: use tern::residual";
inline constexpr const char* no_stream = "the input must be no stream: put a tern::from_stream before it";

}  // namespace tern::inline TERN_ISA::impl
