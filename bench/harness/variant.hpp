// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The registry of variants: kernels of tern and of other libraries. A source file that registers variants is linked or
// left out; nothing else refers to it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/harness/executors.hpp"
#include "bench/harness/operands.hpp"
#include "bench/harness/problem.hpp"

namespace tern::bench {

/// Ready to be timed: weights are packed, primitives made.
struct prepared {
  std::function<void(long)> run;      ///< that many calls, one after the other; empty: takes no part
  index_t workspace_bytes = 0;        ///< lent to each call
  std::function<void()> finish = {};  ///< computes the output with what the last call made; empty: calls compute it

  void once() const {
    run(1);
    if (finish) finish();
  }
};

/// The layout of images, and their number per call.
struct image_cut {
  std::string layout;   ///< "last", "blocks of 8", "planes"; empty: as all the others
  index_t samples = 0;  ///< of a call; 0: the whole batch
  bool chosen = false;  ///< by image_layout and training_batch_for
};

/// One way to compute problems.
struct variant {
  std::string weights;  ///< the form of b: "plain" or "packed", then "-static" if sizes are in the type;
                        ///< "none" without weights
  std::string policy;   ///< "simd<native,exact>", or the name of a library
  bool peer = false;    ///< another library
  bool loop = false;    ///< neither: a plain loop, to see what the compiler makes of it
  bool exact = false;   ///< promises the canonical bits
  bool judged = false;  ///< counts as tern in the summary
  bool tuned = false;   ///< only of interest beside its siblings: --vary tuning
  image_cut cut;        ///< only of interest beside its siblings: tern_batching
  std::string part;     ///< the library that CMake links for it is tern_bench_<part>
  std::function<bool(const problem&, const setting&)> takes;  ///< true if the problem is to be tried
  std::function<prepared(const problem&, const operands&, const setting&)> prepare;

  bool packed() const { return weights.rfind("packed", 0) == 0; }
};

/// All variants; each source file adds its own before main.
inline std::vector<variant>& variants_of_all() {
  static std::vector<variant> all;
  return all;
}

/// A library that was linked.
struct library {
  std::string name, version;
  std::function<void(int)> set_threads;  ///< called before cases of that number of threads are prepared; may be empty
};
inline std::vector<library>& libraries() {
  static std::vector<library> all;
  return all;
}

/// Calls f at start-up: `const at_start add([] { ... });`
struct at_start {
  template <class F>
  explicit at_start(F f) {
    f();
  }
  /// The same; the variants that f adds are those of a part.
  template <class F>
  at_start(const std::string& part, F f) {
    std::vector<variant>& all = variants_of_all();
    const std::size_t before = all.size();
    f();
    for (std::size_t i = before; i < all.size(); ++i) all[i].part = part;
  }
};

}  // namespace tern::bench
