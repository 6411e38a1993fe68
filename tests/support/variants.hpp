// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one list of variants: ops x element types x policies. Tests, benchmarks and the support table in the docs are
// made from it; a new variant is one line here.
#pragma once

#include "tern/op/matmul.hpp"
#include "tern/policy/numerics.hpp"

namespace tern::variants {

template <class... V>
struct list {};

/// Calls f.template operator()<V>() for every V of a list.
template <class... V, class F>
void for_each(list<V...>, F&& f) {
  (f.template operator()<V>(), ...);
}

/// Matmuls with every kind of epilogue.
template <class T>
using matmuls = list<matmul<matmul_config{}, T>,                                               //
                     matmul<matmul_config{.bias = true}, T>,                                   //
                     matmul<matmul_config{.residual = true}, T>,                               //
                     matmul<matmul_config{.bias = true, .residual = true, .act = activation::relu}, T>>;

}  // namespace tern::variants
