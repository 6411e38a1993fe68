// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a pool of too many axes
// error: pooling: there are one, two or three spatial axes
#include "tern/reference.hpp"

template struct tern::pooling<4, tern::pool_kind::max, tern::pool_config<4>{}>;
