// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A contraction in higher precision, with an error bound that follows from the arithmetic. Every result of correctly
// ordered float arithmetic is within it, so a check against it needs no tuned tolerance.
#pragma once

#include <cmath>
#include <limits>

#include "tern/core/config.hpp"

namespace tern::test {

/// One element: the value and the sum of the magnitudes that went into it.
struct expected {
  long double value = 0;
  long double magnitude = 0;

  void add(long double x) {
    value += x;
    magnitude += std::fabs(x);
  }
};

/// True if y is within the rounding errors of k products summed in chunks, plus `extra` further additions. First-order
/// bound: every addend passes through at most min(k, chunk) fmas, one addition per chunk and the extra steps, each with
/// a relative error of at most u; products may underflow by half the smallest subnormal each.
template <class T>
bool within_rounding(T y, const expected& e, index_t k, index_t chunk, int extra) {
  if (std::isnan(e.value) || std::isinf(e.value) || std::isinf(e.magnitude)) return true;  // judged by the bits
  const long double u = std::numeric_limits<T>::epsilon() / 2.0L;
  const auto steps = static_cast<long double>((k < chunk ? k : chunk) + (k + chunk - 1) / chunk + extra);
  const long double bound = steps * u / (1 - steps * u) * e.magnitude +
                            static_cast<long double>(k + 1) * std::numeric_limits<T>::denorm_min();
  if (e.magnitude + bound > std::numeric_limits<T>::max()) return true;
  return std::fabs(static_cast<long double>(y) - e.value) <= bound;
}

}  // namespace tern::test
