// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Catch2 2.13 (Debian 12) and 3 (everywhere newer), to the extent that the tests use them; or less than either, where
// TERN_TEST_WITHOUT_CATCH is defined.
#pragma once

#if defined(TERN_TEST_WITHOUT_CATCH)
#include "tests/support/plain_checks.hpp"
#elif __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#else
#include <catch2/catch.hpp>
#endif
