// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a std::vector as a matrix
// error: matmul: a has 1 axis: it must be (m, k)
#include <vector>

#include "tern/reference.hpp"

using namespace tern;
void f(kernel<matmul<>, reference>& k, std::vector<float>& a) { k(a, a, a); }
