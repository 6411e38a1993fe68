// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts heap allocations by standing in for malloc and its kin, through which operator new goes, too.
#pragma once

namespace tern::test {

/// True if allocations can be counted: with glibc and without a sanitizer.
bool allocations_are_counted();

/// Allocations by all threads of this process so far.
long allocations();

}  // namespace tern::test
