// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tests/support/any_executor.hpp"

namespace tern::test {

/// matmul under simd on an executor: calls that are worth a fork, in all passes and in batches, give the bits of the
/// reference, and have tasks for all threads.
void check_executor(const any_executor& run);

}  // namespace tern::test
