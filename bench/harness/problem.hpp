// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The problem of a case, as a value and as text, for tern and peers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tern/family/contraction/convolution.hpp"
#include "tern/family/window/pooling.hpp"
#include "tern/op/matmul.hpp"
#include "tern/policy/plan.hpp"

namespace tern::variants {
struct conv_workload;
struct pool_workload;
struct moving_workload;
enum class moving_op;
}  // namespace tern::variants

namespace tern::bench {

/// The matrix product of a pass: c = op(a) op(b) for every item of a batch, all of them row-major and dense. `ta`: a is
/// stored as its transpose, k x m; `tb`: b is stored n x k.
struct product {
  index_t m, n, k, batch;
  bool ta, tb;
  index_t chunk;  ///< the length at which the canonical order cuts sums

  index_t lda() const { return ta ? m : k; }
  index_t ldb() const { return tb ? k : n; }
  index_t a_size() const { return m * k; }
  index_t b_size() const { return k * n; }
  index_t c_size() const { return m * n; }
};

/// A convolution of known sizes, with tensors channels last and dense, weights (kernel..., in / groups, out).
struct convolution_of {
  conv_shape shape;  ///< its wide tensor is x, or y of a transposed one
  int rank = 2;
  bool transposed = false;

  index_t x_size() const {
    return shape.batch * shape.groups * (transposed ? shape.out * small() : shape.in * large());
  }
  index_t y_size() const {
    return shape.batch * shape.groups * (transposed ? shape.in * large() : shape.out * small());
  }
  index_t w_size() const { return shape.groups * shape.taps() * shape.in * shape.out; }
  index_t small() const { return shape.positions(); }
  index_t large() const { return shape.axis[0].in * shape.axis[1].in * shape.axis[2].in; }
  /// The kind of sums that a pass computes.
  conv_work work(pass) const;
};

/// A pool over images of known sizes, with tensors channels last and dense. Gradients of maxima go by indices, which
/// every library computes beforehand and stores in its own way.
struct pooling_of {
  pool_shape shape;
  pool_kind kind = pool_kind::max;

  index_t x_size() const { return shape.batch * shape.channels * shape.axis[1].in * shape.axis[2].in; }
  index_t y_size() const { return shape.batch * shape.channels * shape.positions(); }
};

/// A reduction or a map over tensors of known sizes, dense and channels last, or over rows.
struct memory_bound_op {
  variants::moving_op what;
  index_t batch, channels, extent;  ///< images are square; rows are those of a batch, with an extent of 1
  bool all_gradients = false;       ///< of x and of scale and shift, whatever the direction of the problem

  index_t positions() const { return extent * extent; }
  index_t size() const { return batch * channels * positions(); }
  bool norm() const;  ///< has scale and shift
  bool map() const;   ///< an element of the result depends on one place only
};

enum class problem_kind { matmul, convolution, pool, construction, reduction, map };

/// A matmul, a convolution, a pool, a reduction or a map of known sizes in one pass.
struct problem {
  std::string row;                        ///< its name in tables
  matmul_config op;                       ///< sizes, none of them dynamic, and epilogue
  std::optional<convolution_of> conv;     ///< then op says only the epilogue
  std::optional<pooling_of> pool;         ///< then op says nothing
  std::optional<memory_bound_op> moving;  ///< then op says only residual and activation
  bool constructs = false;                ///< not a call of conv, but making its kernel and packing the weights for it
  bool transposed_b = false;
  bool f64 = false;  ///< elements are double rather than float
  pass direction = pass::forward;
  bool judged = false;   ///< one of the rows that the summary covers
  bool closely = false;  ///< measured under every executor

  problem_kind kind() const {
    if (constructs) return problem_kind::construction;
    if (moving) return moving->map() ? problem_kind::map : problem_kind::reduction;
    return conv ? problem_kind::convolution : pool ? problem_kind::pool : problem_kind::matmul;
  }
  product as_product() const;
  /// Elements of left and right operand and of the output, as `operands` holds them.
  index_t left_size() const;
  index_t right_size() const;
  index_t out_size() const;
  index_t parameter_size() const;  ///< of scale and shift of a norm
  index_t sum_length() const;      ///< products of one sum, taps of a pool's window, terms of a reduction
  /// Weights can be packed.
  bool packs() const { return !pool && !moving && op.batch == 1 && direction != pass::backward_weights; }
  bool plain_product() const { return !op.bias && !op.residual && op.act == activation::none; }
  index_t element_bytes() const { return f64 ? 8 : 4; }
  double fmas() const;  ///< without those on padding; none for ops that only move bytes
  double flops() const { return 2 * fmas(); }
  double bytes() const;  ///< every input read and every output written once; of constructions the weights

  /// The first half of a case's descriptor, such as "matmul:m1n4096k1024:f32".
  std::string text() const;
  friend bool operator==(const problem& a, const problem& b) { return a.text() == b.text(); }
};

/// Padding after the input that its windows reach.
index_t behind(const window_axis&);

/// The row of a workload.
problem problem_of(const variants::conv_workload&, index_t batch);
problem problem_of(const variants::pool_workload&, index_t batch);
problem problem_of(const variants::moving_workload&, index_t batch);

/// Reads what problem::text() writes; the row is found by its sizes or left empty. Nothing if it is not one.
std::optional<problem> parse_problem(const std::string& op, const std::string& shape, const std::string& element);

/// The rows of the variants list, in the order of the tables.
std::vector<problem> all_problems();

/// Cuts a text at every `separator`.
std::vector<std::string> split(const std::string& text, char separator);

}  // namespace tern::bench
