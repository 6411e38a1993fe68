// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registration of peers. Each file of this folder registers one library and calls it as its documentation recommends
// for speed: primitives are made and weights packed before the clock starts, and threads are the library's own.
#pragma once

#include <omp.h>

#include <string>
#include <type_traits>
#include <utility>

#include "bench/harness/variant.hpp"

namespace tern::bench {

/// A call as something to time: that many of them, one after the other.
template <class F>
prepared repeated(F once, index_t workspace_bytes = 0) {
  return {[once](long n) {
            for (; n > 0; --n) once();
          },
          workspace_bytes};
}

/// Calls once(item) for every item of a batch, on `threads` OpenMP threads: for libraries without batches.
template <class F>
prepared repeated_batch(index_t batch, int threads, F once) {
  if (batch == 1) return repeated([once] { once(index_t(0)); });
  return repeated([=] {
#pragma omp parallel for schedule(static) num_threads(threads)
    for (index_t item = 0; item < batch; ++item) once(item);
  });
}

/// Adds a variant of a library for problems of a kind. Peers have their own threads: they run where tern's
/// usual executor does.
inline void add_peer_for(problem_kind kind, const std::string& weights, const std::string& name,
                         std::function<bool(const problem&, const setting&)> takes,
                         std::function<prepared(const problem&, const operands&, const setting&)> prepare) {
  variant v;
  v.weights = weights;
  v.policy = name;
  v.peer = true;
  v.takes = [kind, takes = std::move(takes)](const problem& p, const setting& s) {
    return s.usual() && p.kind() == kind && takes(p, s);
  };
  v.prepare = std::move(prepare);
  variants_of_all().push_back(std::move(v));
}

template <class Takes, class Prepare>
void add_peer(const std::string& weights, const std::string& name, Takes takes, Prepare prepare) {
  add_peer_for(problem_kind::matmul, weights, name, takes, prepare);
}
template <class Takes, class Prepare>
void add_conv_peer(const std::string& weights, const std::string& name, Takes takes, Prepare prepare) {
  add_peer_for(problem_kind::convolution, weights, name, takes, prepare);
}

/// Making what calls need of a convolution and packing its weights for it.
template <class Takes, class Prepare>
void add_construction_peer(const std::string& name, Takes takes, Prepare prepare) {
  add_peer_for(problem_kind::construction, "packed", name, takes, prepare);
}
/// Pools have no weights.
template <class Takes, class Prepare>
void add_pool_peer(const std::string& name, Takes takes, Prepare prepare) {
  add_peer_for(problem_kind::pool, "none", name, takes, prepare);
}

/// Neither have reductions and maps.
template <class Takes, class Prepare>
void add_moving_peer(const std::string& name, Takes takes, Prepare prepare) {
  for (const problem_kind kind : {problem_kind::reduction, problem_kind::map})
    add_peer_for(
        kind, "none", name, [takes](const problem& p, const setting& s) { return !p.f64 && takes(p, s); }, prepare);
}

/// f(T()) with the element type of the problem.
template <class F>
prepared with_element(const problem& p, F f) {
  return p.f64 ? f(double()) : f(float());
}

}  // namespace tern::bench
