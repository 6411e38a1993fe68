// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: pad: there are one, two or three spatial axes
#include "tern/reference.hpp"

template struct tern::pad<4, tern::pad_config<4>{}>;
