// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fewer random cases where a run takes a hundred times as long, as under an emulator. Which ones changes with the seed.
#pragma once

namespace tern::test {

/// One of `one_in` random cases is run.
#if defined(TERN_TEST_EVERY)
inline constexpr unsigned one_in = TERN_TEST_EVERY;
#else
inline constexpr unsigned one_in = 1;
#endif

constexpr int thinned(int cases) { return (cases + static_cast<int>(one_in) - 1) / static_cast<int>(one_in); }

}  // namespace tern::test
