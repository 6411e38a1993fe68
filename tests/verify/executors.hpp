// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tests/verify/recorder.hpp"

namespace tern::test {

/// The executors of this build; their threads live until the program ends.
executor_list executors();

}  // namespace tern::test
