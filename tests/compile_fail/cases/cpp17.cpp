// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: tern: C++20 is needed: compile with -std=c++20
// flags: -std=c++17
#include "tern/core/config.hpp"
