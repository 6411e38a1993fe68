// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <thread>
#include <vector>

#include "tern/exec/cpu/executor.hpp"

namespace tern::test {

/// Tasks on threads of their own, dealt out in turn.
struct threads {
  index_t count;
  void operator()(index_t n, task_ref f) const {
    std::vector<std::thread> team;
    for (index_t t = 0; t < count; ++t)
      team.emplace_back([this, n, f, t] {
        for (index_t i = t; i < n; i += count) f(i);
      });
    for (std::thread& t : team) t.join();
  }
  index_t concurrency() const { return count; }
};

}  // namespace tern::test
