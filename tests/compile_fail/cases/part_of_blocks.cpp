// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: part: tensors with blocks of channels cannot be cut: reorder them to channels last
#include "tern/reference.hpp"

auto f(tern::view<float, tern::dims<4>, tern::layout_channel_blocked<8>> x) { return tern::part<1>(x, 0, 8); }
