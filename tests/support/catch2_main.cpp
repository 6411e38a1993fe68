// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The main function of tests under Catch2 2.13, compiled once.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
