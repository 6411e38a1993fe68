// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors to call kernels with, for files that must not compile: m x k, k x n, m x n and n elements, also in a type.
#pragma once

#include "tern/reference.hpp"

inline tern::view<const float, tern::dims<2>> a, b, residual;
inline tern::view<float, tern::dims<2>> c;
inline tern::view<const float, tern::dims<1>> bias;
