// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Base of the kernels of every family under simt.
#pragma once

#include <climits>
#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/core/sentence.hpp"
#include "tern/exec/simt/block.hpp"
#include "tern/exec/simt/host.hpp"
#include "tern/policy/numerics.hpp"
#include "tern/policy/simt.hpp"

namespace tern::inline TERN_ISA {

template <const device& D, class Numerics, class Tuning>
struct simt_kernels {
  /// The reason why there are no kernels with these numerics; empty if there are.
  static constexpr const char* refusal =
      std::is_same_v<Numerics, numerics::exact> || std::is_same_v<Numerics, numerics::relaxed>
          ? ""
          : "simt: there are exact (and relaxed) numerics, not numerics::instruction";
  /// The reason why calls do not run on a State; empty if they do.
  template <class State>
  static constexpr const char* refusal_of =
      is_simt_state<State> ? ""
                           : "simt: the first argument of the call must be tern::simt_host, tern::simt_threads or, "
                             "with tern/simt.cuh, tern::simt_stream";

  static constexpr bool reads_numbers = false;  ///< in place of vectors: a GPU cannot read the host's memory

  /// Calls run in loops on the host unless a stream is given.
  using context = simt_host;

  template <class T, problem_size Size>
  static constexpr simt_tuning tuning = Tuning{}(D, sizeof(T), Size);

  /// The tile size with the lower modelled time: large tiles waste more at the borders and in the last wave.
  template <class T, problem_size Large = problem_size::large>
  static constexpr problem_size size_of(index_t m, index_t n, index_t batch) {
    return results_in_turn<T, Large>(m, n, batch) <= results_in_turn<T, problem_size::small>(m, n, batch)
               ? Large
               : problem_size::small;
  }
  /// Cycles for sums of k products: blocks run in waves over the multiprocessors, at the peak of multiply-adds. For
  /// float32; memory and launch are ignored.
  template <class T, problem_size Large = problem_size::large>
  static constexpr double cycles_for(index_t m, index_t n, index_t batch, index_t k) {
    if (sizeof(T) != 4 || D.fma_per_cycle <= 0) return 0;
    const double results = size_of<T, Large>(m, n, batch) == Large
                               ? results_in_turn<T, Large>(m, n, batch)
                               : results_in_turn<T, problem_size::small>(m, n, batch);
    return results * static_cast<double>(k) / D.fma_per_cycle;
  }

 protected:
  /// Kernels without tiles have as many threads per block as those with small tiles.
  template <class T>
  static constexpr int threads = tuning<T, problem_size::small>.threads();

  static constexpr index_t tiles(index_t size, int block) { return (size + block - 1) / block; }

  /// Results that a multiprocessor computes, borders included. Small tiles reuse an operand half as often: each of
  /// their results is charged a third more, an estimate that has not been measured on a GPU.
  template <class T, problem_size Size>
  static constexpr double results_in_turn(index_t m, index_t n, index_t batch) {
    constexpr simt_tuning t = tuning<T, Size>;
    constexpr index_t units = D.units > 0 ? D.units : 1;
    const index_t waves = (tiles(m, t.block_m) * tiles(n, t.block_n) * batch + units - 1) / units;
    const double results = static_cast<double>(waves * t.block_m * t.block_n);
    return Size == problem_size::small ? results * 4 / 3 : results;
  }

  /// True if calls run on a State; otherwise one compile error.
  template <class State>
  static constexpr bool runs_on() {
    return declare::no_error<declare::text(refusal_of<State>)>();
  }
  /// The same for arithmetic on elements of T.
  template <class State, class T>
  static constexpr bool runs_on() {
    static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>,
                  "simt: there are kernels for float and double only");
    return runs_on<State>() && (std::is_same_v<T, float> || std::is_same_v<T, double>);
  }

  /// Runs the blocks of one problem.
  template <class Block, class State>
  static void start(const State& state, const typename Block::problem& p) {
    static_assert(D.local_bytes == 0 || sizeof(typename Block::shared) <= D.local_bytes,
                  "simt: the slabs of the tuning do not fit the shared memory of a block (device.local_bytes)");
    if constexpr (requires { p.slabs; }) {
      constexpr index_t most = INT_MAX - 512;  // a pipeline counts some slabs ahead
      if (p.slabs.count() > most)
        violation("simt: a sum has %td slabs of its products: at most %td are possible", p.slabs.count(), most);
    }
    if (p.blocks() > INT_MAX) violation("simt: the call needs %td blocks, a grid has at most %d", p.blocks(), INT_MAX);
    launch<Block>(state, p.blocks(), p);
  }
};

}  // namespace tern::inline TERN_ISA
