// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/math/log.hpp"
#include "tern/core/math/polynomial.hpp"
#include "tern/core/math/primitives.hpp"

namespace tern::math::inline TERN_ISA {

/// The quantile of the standard normal distribution for a probability p from 2^-33 to 1/2: at most 0. For float, double
/// and vectors of them. Uses the rational functions of PPND16 (Wichura 1988, Applied Statistics 37, algorithm AS 241).
/// Accuracy: 8 ulp, or 8 units of the last place of 1/2 near p = 1/2 (tests/kernel/normal_ops.cpp). Cost: a logarithm,
/// a square root, two divisions and 28 fmas.
template <class V>
TERN_FN V normal_quantile(V p) {
  using math::sqrt;
  using T = scalar_of_t<V>;
  const V q = p - V(T(0.5)), r = fma(-q, q, V(T(0.180625)));
  const V central = q *
                    polynomial(r, T(2.5090809287301226727e+3), T(3.3430575583588128105e+4), T(6.7265770927008700853e+4),
                               T(4.5921953931549871457e+4), T(1.3731693765509461125e+4), T(1.9715909503065514427e+3),
                               T(1.3314166789178437745e+2), T(3.3871328727963666080)) /
                    polynomial(r, T(5.2264952788528545610e+3), T(2.8729085735721942674e+4), T(3.9307895800092710610e+4),
                               T(2.1213794301586595867e+4), T(5.3941960214247511077e+3), T(6.8718700749205790830e+2),
                               T(4.2313330701600911252e+1), T(1));
  const V s = sqrt(-log(p)) - V(T(1.6));
  const V tail = -(polynomial(s, T(7.74545014278341407640e-4), T(2.27238449892691845833e-2),
                              T(2.41780725177450611770e-1), T(1.27045825245236838258), T(3.64784832476320460504),
                              T(5.76949722146069140550), T(4.63033784615654529590), T(1.42343711074968357734)) /
                   polynomial(s, T(1.05075007164441684324e-9), T(5.47593808499534494600e-4),
                              T(1.51986665636164571966e-2), T(1.48103976427480074590e-1), T(6.89767334985100004550e-1),
                              T(1.67638483018380384940), T(2.05319162663775882187), T(1)));
  return select(p < V(T(0.075)), tail, central);
}

}  // namespace tern::math::inline TERN_ISA
