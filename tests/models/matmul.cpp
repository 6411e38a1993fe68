// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <random>
#include <vector>

#include "tern/reference.hpp"
#include "tests/models/check.hpp"
#include "tests/models/layers.hpp"
#include "tests/support/oracle.hpp"
#include "tests/support/tensor.hpp"

namespace tern::test {
namespace {

struct matmul_sizes {
  index_t batch = 1, m = 0, k = 0, n = 0;

  index_t products() const { return batch * m * k * n; }
  /// Fewer items, rows and columns; sums over k keep their length.
  void scale() {
    while (products() > most_products && batch > 2) batch = (batch + 1) / 2;
    while (products() > most_products && m > 13) m = (m + 1) / 2;
    while (products() > most_products && n > 300) n = (n + 1) / 2;
  }
};

/// A dense layer, or a product of two batches as in attention.
template <bool Batched>
class matmul_check {
  using op = matmul<matmul_config{.batch = Batched ? dynamic : 1}, float>;

 public:
  matmul_check(const matmul_sizes& s, unsigned seed)
      : s_(s),
        engine_(seed),
        a_(s.batch, s.m, s.k),
        b_(s.batch, s.k, s.n),
        b_by_column_(s.batch, s.k, s.n, order::column),
        dy_(s.batch, s.m, s.n) {
    a_.fill(numbers(seed)), b_.fill(numbers(seed + 1)), b_by_column_.fill(numbers(seed + 1)),
        dy_.fill(numbers(seed + 2));
  }

  std::string fault() {
    matrix<float> c(s_.batch, s_.m, s_.n), da(s_.batch, s_.m, s_.k), db(s_.batch, s_.k, s_.n);
    std::vector<float> dbias(static_cast<std::size_t>(s_.n));
    all_passes<reference>(contraction_kernel<reference>::context{}, b_by_column_, c, da, db, dbias);
    for (int i = 0; i < samples; ++i) {
      const index_t q = below(s_.batch), row = below(s_.m), inner = below(s_.k), column = below(s_.n);
      expected forward, data, weights;
      for (index_t j = 0; j < s_.k; ++j) forward.add(1.0L * a_(q, row, j) * b_(q, j, column));
      for (index_t j = 0; j < s_.n; ++j) data.add(1.0L * dy_(q, row, j) * b_(q, inner, j));
      for (index_t j = 0; j < s_.m; ++j) weights.add(1.0L * a_(q, j, inner) * dy_(q, j, column));
      if (!within_rounding(c(q, row, column), forward, s_.k, dot_chunk, 1) ||
          !within_rounding(da(q, row, inner), data, s_.n, dot_chunk, 1) ||
          !within_rounding(db(q, inner, column), weights, s_.m, sample_grain, 1))
        return "the reference is far from the sums of its products";
    }
    for (const any_executor& run : executors) {
      matrix<float> e(s_.batch, s_.m, s_.n), ea(s_.batch, s_.m, s_.k), eb(s_.batch, s_.k, s_.n);
      std::vector<float> ebias(dbias.size());
      all_passes<simd<>>(run, b_, e, ea, eb, ebias);
      bool equal = equal_bits(c, e) && equal_bits(da, ea) && equal_bits(db, eb);
      for (std::size_t j = 0; j < dbias.size(); ++j) equal = equal && equal_bits(dbias[j], ebias[j]);
      if (!equal) return std::string("simd has other bits, ") + run.name;
    }
    return "";
  }

 private:
  static auto view_of(matrix<float>& m) {
    if constexpr (Batched)
      return m.strided_batch();
    else
      return m.strided();
  }
  index_t below(index_t n) { return static_cast<index_t>(engine_() % static_cast<unsigned long>(n)); }

  template <class Policy, class State>
  void all_passes(const State& state, matrix<float>& b, matrix<float>& c, matrix<float>& da, matrix<float>& db,
                  std::vector<float>& dbias) {
    const kernel<op, Policy> k;
    k(state, view_of(a_), view_of(b), view_of(c));
    k.backward_data(state, view_of(dy_), view_of(b_), view_of(da));
    k.backward_weights(state, view_of(a_), view_of(dy_), view_of(db), dbias);
  }

  static constexpr int samples = 8;
  matmul_sizes s_;
  std::mt19937 engine_;
  matrix<float> a_, b_, b_by_column_, dy_;
};

}  // namespace

std::string fault_of_matmul(const std::string& shape, unsigned seed) {
  matmul_sizes s;
  index_t rows = 0, batch = 1;
  if (std::sscanf(shape.c_str(), "matmul %tdx%td to %tdx%td", &s.m, &s.k, &rows, &s.n) == 4) {
    if (s.m != rows) return "rows of the result are not those of the operand";
    s.scale();
    return matmul_check<false>(s, seed).fault();
  }
  if (std::sscanf(shape.c_str(), "batched_matmul %tdx%tdx%td to %tdx%tdx%td", &s.batch, &s.m, &s.k, &batch, &rows,
                  &s.n) != 6)
    return "this is no matmul";
  if (s.m != rows || s.batch != batch) return "rows of the result are not those of the operand";
  s.scale();
  return matmul_check<true>(s, seed).fault();
}

}  // namespace tern::test
