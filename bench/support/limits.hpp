// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Peak rates of the machine, as loops that are timed beside the cases.
#pragma once

#include <functional>

#include "bench/harness/executors.hpp"

namespace tern::bench {

/// The level of the memory hierarchy that holds data in use.
enum class level { l1, l2, l3, memory };
const char* name_of(level);

/// The smallest level that holds `bytes`, if each of `threads` cores has its own first two levels.
level level_of(double bytes, int threads);

/// A loop with known work.
struct limit {
  std::function<void(long)> run;  ///< that many times
  double work;                    ///< operations or bytes of one time, over all threads
};

/// Independent multiply-adds in registers; work in operations, two for each.
limit peak_limit(const setting&, bool f64);
/// Reading a block that fills most of a level, again and again.
limit read_limit(const setting&, level);
/// Copying one half of such a block to the other; work counts bytes read and bytes written.
limit copy_limit(const setting&, level);
/// The same with non-temporal stores; an empty run if the machine has none.
limit stream_limit(const setting&, level);

}  // namespace tern::bench
