// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operands of a case.
#pragma once

#include <memory>

#include "bench/harness/problem.hpp"

namespace tern::bench {

/// Memory that extends 64 elements past the last one (XNNPACK reads there), aligned to cache lines; blocks of 2 MiB and
/// more ask for huge pages, for tern and peers alike.
class buffer {
 public:
  buffer() = default;
  explicit buffer(index_t bytes);
  template <class T>
  T* as() const {
    return static_cast<T*>(memory_.get());
  }

 private:
  std::unique_ptr<void, void (*)(void*)> memory_{nullptr, nullptr};
};

/// Left and right operand and output of a pass in the order of its call: (a, b, c), (dy, b, dx) or (a, dy, db), of
/// pools (x, nothing, y), (dy, nothing, dx) or, where maxima say who gets it, (dy, x, dx), of reductions and maps
/// (x, nothing, y) or (dy, what it needs of the forward pass, dx), of cross-entropies (x, nothing, losses and their
/// mean) or (x, nothing, dx), of Adam (gradient, start, end), where start and end are parameters, mean and square.
/// Gradients of norms end with those of scale and shift, as far as they are asked for. The memory of each is dense.
/// Inputs are uniform in [-1, 1), the same on every machine.
struct operands {
  explicit operands(const problem&);

  template <class T>
  const T* left() const {
    return left_.as<T>();
  }
  template <class T>
  const T* right() const {
    return right_.as<T>();
  }
  template <class T>
  T* out() const {
    return out_.as<T>();
  }
  /// The scale of a norm, followed by its shift.
  template <class T>
  const T* bias() const {
    return bias_.as<T>();
  }
  template <class T>
  const T* residual() const {
    return residual_.as<T>();
  }

  /// Overwrites the output with something no case computes.
  void poison() const;

 private:
  buffer left_, right_, out_, bias_, residual_;
  index_t out_size_;
  bool f64_;
};

}  // namespace tern::bench
