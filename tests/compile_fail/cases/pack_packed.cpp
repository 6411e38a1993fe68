// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: matmul: b must not be packed weights
#include "tests/compile_fail/tensors.hpp"

using kernel = tern::kernel<tern::matmul<>, tern::reference>;

auto f(const kernel& k) { return k.pack(k.pack(b)); }
