// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: cross_entropy: the call takes (x, target, weights, losses, total); weights is taken if .class_weights is set,
// error: total if .reduce is not none, and optionally a tern::label_smoothing
#include "tern/reference.hpp"

using rows = tern::view<float, tern::dims<2>>;
using column = tern::view<float, tern::dims<1>>;

void f(rows x, column losses) { tern::kernel<tern::cross_entropy<>, tern::reference>{}(x, losses, losses); }
