// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block that remembers nothing but its input, which its backward pass runs through it once more.
#pragma once

#include "tern/block/layer.hpp"
#include "tern/block/memory.hpp"
#include "tern/core/config.hpp"

namespace tern::inline TERN_ISA::impl {

template <class F, sample_shape In, class Policy>
struct block_layer<checkpoint<F>, In, Policy> : layer_base<In> {
  using f = layer<F, In, Policy>;
  using value_type = typename f::value_type;
  static constexpr sample_shape out = f::out;
  static constexpr index_t parameters = f::parameters, statistics = f::statistics, sites = f::sites,
                           penalties = f::penalties, grain = f::grain;
  static constexpr bool whole_batch = f::whole_batch, needs_x = true;
  static constexpr memory_need of_y = detail::need_per_sample(out.size());
  static constexpr memory_need forward_scratch = f::kept + f::forward_scratch;
  static constexpr memory_need backward_scratch = of_y + f::kept + most(f::forward_scratch, f::backward_scratch);
  static constexpr memory_need infer_scratch = f::infer_scratch;

  template <class Visit>
  static void each_parameter(Visit& visit, const detail::parameter_path& path) {
    f::each_parameter(visit, path);
  }
  template <class Call>
  static void conclude(const Call& c) {
    f::conclude(c);
  }
  template <class Call, class T, class M>
  static void forward(const Call& c, const T* x, T* y, const M&, const M& scratch) {
    f::forward(c, x, y, scratch, scratch.at(f::kept));
  }
  template <class Call, class T, class M>
  static void backward(const Call& c, const T* x, T*, const T* dy, T* dx, const M&, const M& scratch) {
    const M kept_memory = scratch.at(of_y), behind = kept_memory.at(f::kept);
    f::forward(c.again(), x, scratch.samples, kept_memory, behind);
    f::backward(c, x, scratch.samples, dy, dx, kept_memory, behind);
  }
  template <class Call, class T, class M>
  static void infer(const Call& c, const T* x, T* y, const M& scratch) {
    f::infer(c, x, y, scratch);
  }
  template <elementwise_config Steps>
  static constexpr bool takes_steps = f::template takes_steps<Steps>;
  template <elementwise_config Steps, class Call, class T, class M>
  static void infer_then(const Call& c, const T* x, T* y, const M& scratch, const step_operands<T>& o) {
    f::template infer_then<Steps>(c, x, y, scratch, o);
  }
};

}  // namespace tern::inline TERN_ISA::impl
