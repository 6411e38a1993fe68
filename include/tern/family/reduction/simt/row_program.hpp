// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Row programs on SIMT machines: a block per row, whose threads are the lanes of sums over features.
#pragma once

#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/exec/simt/block.hpp"
#include "tern/exec/simt/collectives.hpp"
#include "tern/exec/simt/simt_kernels.hpp"
#include "tern/family/kernels.hpp"
#include "tern/family/reduction/row_program.hpp"
#include "tern/family/reduction/simt/feature_lanes.hpp"
#include "tern/policy/simt.hpp"

namespace tern::inline TERN_ISA {

namespace impl {

/// One row. Cost: inputs are read once per step, from the caches after the first; kept elements are recomputed.
template <class Call, int Threads>
struct row_program_block {
  using T = typename Call::value_type;
  using program = row::program<Call>;
  using steps = typename program::steps;
  static constexpr int threads = Threads, count = steps::size;
  static constexpr int resident_blocks = 1;  // lets a thread use all registers it needs

  struct shared {};
  struct problem {
    Call q;
    index_t blocks() const { return q.shape.features > 0 ? q.shape.rows() : 0; }
  };

  template <class Block>
  static TERN_FN void run(Block& block, shared&, const problem& p) {
    const row_shape& s = p.q.shape;
    const index_t i = block.index(), x = i % s.extent[2], y = i / s.extent[2] % s.extent[1],
                  z = i / s.extent[2] / s.extent[1] % s.extent[0], n = i / s.extent[2] / s.extent[1] / s.extent[0];
    number<Block> known[count];
    row_at<Block> row{p.q, n, z, y, x, known};
    if constexpr (has_index) {
      row.named = *index::of(p.q).at(n, 0, z, y, x);
      if (row.named < 0 || row.named >= s.features) return leave_out(block, row);
    }
    step<0>(block, row);
  }

 private:
  using index = typename row::index_of<typename program::tensors>::type;
  static constexpr bool has_index = !std::is_void_v<index>;
  template <class Block>
  using number = typename Block::template per_thread<T>;

  template <class Block>
  struct row_at {
    const Call& call;
    index_t n, z, y, x;
    number<Block>* known;
    index_t named = 0;  ///< the feature, if a row names one
  };
  /// The environment of thread t at a feature.
  template <class Block>
  struct feature : row::environment<program, feature<Block>, false> {
    const Call& call;
    const row_at<Block>& row;
    int t;
    index_t i;

    TERN_FN feature(const row_at<Block>& r, int thread, index_t at) : call(r.call), row(r), t(thread), i(at) {}
    template <int I>
    TERN_FN T number() const {
      return row.known[I][t];
    }
    template <class Tensor>
    TERN_FN auto& element(Tensor) const {
      return *Tensor::of(call).at(row.n, Tensor::of_rows ? 0 : i, row.z, row.y, row.x);
    }
    template <class Tensor>
    TERN_FN auto load(Tensor x) const {
      if constexpr (sizeof(typename Tensor::element) == 1)
        return element(x) != 0;
      else
        return element(x);
    }
    TERN_FN T at(auto, T yes, T no) const { return i == row.named ? yes : no; }
    TERN_FN T active(T v) const { return v; }
  };

  /// The result of a row that takes no part.
  template <class Block>
  static TERN_FN void leave_out(Block& block, const row_at<Block>& row) {
    using output = typename steps::template at<count - 1>::output;
    block.step([&](int t) {
      for (index_t i = t; i < (output::of_rows ? 1 : row.call.shape.features); i += Threads) {
        T& to = feature<Block>(row, t, i).element(output());
        const T v = row::result_without<T>(row.named);
        to = output::accumulates ? to + v : v;
      }
    });
  }

  template <int I, class Block>
  static TERN_FN void step(Block& block, const row_at<Block>& row) {
    using now = typename steps::template at<I>;
    const index_t features = row.call.shape.features;
    const auto finish = [&](int t) { row.known[I][t] = now::finish(feature<Block>(row, t, 0), row.known[I][t]); };
    if constexpr (now::kind == row::step_kind::map) {
      block.step([&](int t) {
        for (index_t i = t; i < features; i += Threads) {
          const feature<Block> e(row, t, i);
          const T v = now::of(e);
          T& to = e.element(typename now::output());
          to = now::output::accumulates ? to + v : v;
        }
      });
    } else if constexpr (now::kind == row::step_kind::argmax) {
      number<Block> of_thread;
      typename Block::template per_thread<index_t> first;
      block.step([&](int t) {
        row::first_largest<T> of;
        for (index_t i = t; i < features; i += Threads) of.take(now::of(feature<Block>(row, t, i)), i);
        of_thread[t] = row.known[I][t] = of.value;
        first[t] = static_cast<index_t>(math::bits(of.place));
      });
      block_max(block, row.known[I]);
      block.step([&](int t) {
        const T most = row.known[I][t], v = of_thread[t];
        if (v != most && (v == v || most == most)) first[t] = features;
      });
      block.template fold<Threads>(first, fold_min{});
      block.step([&](int t) {
        using output = typename now::output;
        if (t == 0) feature<Block>(row, t, 0).element(output()) = static_cast<typename output::element>(first[t]);
      });
    } else if constexpr (now::kind == row::step_kind::pick) {
      block.step([&](int t) { row.known[I][t] = now::of(feature<Block>(row, t, row.named)); });
    } else if constexpr (now::kind == row::step_kind::number) {
      block.step([&](int t) {
        const feature<Block> e(row, t, 0);
        if constexpr (!now::writes)
          row.known[I][t] = now::of(e);
        else if (t == 0)
          e.element(typename now::output()) = now::of(e);
      });
    } else if constexpr (now::kind == row::step_kind::max) {
      block.step([&](int t) {
        T largest = -static_cast<T>(__builtin_huge_valf());
        for (index_t i = t; i < features; i += Threads) {
          const T v = now::of(feature<Block>(row, t, i));
          largest = v > largest ? v : largest;
        }
        row.known[I][t] = largest;
      });
      block_max(block, row.known[I]);
      block.step(finish);
    } else {
      sum_of_features(block, features, row.known[I], [&](int t, index_t i, T lane) {
        const feature<Block> e(row, t, i);
        if constexpr (requires { now::add(e, lane); })
          return now::add(e, lane);
        else
          return lane + now::of(e);
      });
      block.step(finish);
    }
    if constexpr (I + 1 < count) step<I + 1>(block, row);
  }
};

}  // namespace impl

template <const device& D, class Numerics, class Tuning>
struct row_kernel<simt<D, Numerics, Tuning>> : simt_kernels<D, Numerics, Tuning> {
  using common = simt_kernels<D, Numerics, Tuning>;

  /// \param state  simt_host, simt_threads or simt_stream
  template <class State, class Call>
  static void run(const State& state, const Call& call) {
    using T = typename Call::value_type;
    if constexpr (common::template runs_on<State, T>()) {
      using block = impl::row_program_block<Call, impl::threads_for_lanes(common::template threads<T>)>;
      common::template start<block>(state, typename block::problem{call});
    }
  }
};

}  // namespace tern::inline TERN_ISA
