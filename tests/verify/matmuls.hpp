// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cases of matmul, and how a policy runs them. A case is a mathematical problem: operands, pass and epilogue. What
// must not change its bits (layout, packing, executor, tiles, cuts of the batch) is a way to run it.
#pragma once

#include <cstdio>
#include <type_traits>
#include <vector>

#include "tern/reference.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/tensor.hpp"
#include "tests/verify/inputs.hpp"
#include "tests/verify/recorder.hpp"

namespace tern::test::inline TERN_ISA {

/// The layout of the operands, and the number of calls for a result.
enum class form {
  rows,     ///< row-major
  columns,  ///< column-major: every operand transposed
  gaps,     ///< strided with gaps in both directions, misaligned
  packed,   ///< weights packed
  cut       ///< samples (rows, or items of a batch) in several calls, weight gradients accumulated
};

struct problem {
  index_t m, n, k;
  inputs kind = inputs::uniform;
  index_t batch = 1;
};

/// Every place sees sizes below, at and above those of vectors, tiles and chunks. Some are worth a fork, and all fit
/// one tile of an IPU.
inline constexpr problem problems[] = {{1, 1, 1},
                                       {5, 7, 0},
                                       {7, 15, 17},
                                       {16, 16, 16},
                                       {31, 33, 65},
                                       {1, 65, 513},
                                       {129, 67, 65},
                                       {9, 23, 1031},
                                       {127, 17, 255},
                                       {2, 1, 700},
                                       {31, 33, 65, inputs::wide},
                                       {19, 37, 600, inputs::wide},
                                       {16, 63, 33, inputs::special}};
/// For epilogues: other problems test the sums before them.
inline constexpr problem epilogue_problems[] = {
    {7, 15, 17}, {16, 16, 16}, {31, 33, 65}, {129, 67, 65}, {31, 33, 65, inputs::wide}, {16, 63, 33, inputs::special}};
inline constexpr problem batches[] = {
    {13, 40, 70, inputs::uniform, 3}, {17, 19, 33, inputs::wide, 5}, {33, 31, 64, inputs::uniform, 4}};
/// For runs with a thread per lane or a long search, which take time.
inline constexpr problem small_problems[] = {{7, 15, 17}, {16, 16, 16}, {16, 63, 33, inputs::special}};

template <class T>
using plain_matmul = matmul<matmul_config{}, T>;
template <class T>
using batched_matmul = matmul<matmul_config{.batch = dynamic}, T>;
template <class T>
using full_matmul = matmul<matmul_config{.bias = true, .residual = true, .act = activation::relu}, T>;
template <activation A, class T>
using biased_matmul = matmul<matmul_config{.bias = true, .act = A}, T>;

/// Static sizes have their values, dynamic ones any.
template <class Op>
constexpr bool takes(const problem& p) {
  const auto is = [](index_t size, index_t configured) { return configured == dynamic || size == configured; };
  return is(p.m, Op::config.m) && is(p.n, Op::config.n) && is(p.k, Op::config.k);
}

/// One op under one policy, in one way. `Make` gives the run-time state for the sizes of a problem.
/// `Packs` says whether weights may be packed.
template <class Op, class Policy, class Make, bool Packs>
class matmul_way {
  using T = typename Op::value_type;
  static constexpr bool bias = Op::config.bias, residual = Op::config.residual, batched = Op::config.batch != 1;
  static constexpr bool is_static = Op::config.m != dynamic;

 public:
  matmul_way(recorder& to, const char* policy, const char* way, const problem& p, form f, Make& make)
      : to_(to),
        policy_(policy),
        way_(way),
        p_(p),
        form_(f),
        make_(make),
        a_(matrix_of(p.m, p.k, 1)),
        b_(matrix_of(p.k, p.n, 2)),
        r_(matrix_of(p.m, p.n, 3)),
        bias_(static_cast<std::size_t>(p.n)) {
    input_sequence<T> next(4, p.kind);
    for (T& x : bias_) x = next();
  }

  template <bool Accumulating = false>
  void forward() {
    matrix<T> c = matrix_of(p_.m, p_.n, Accumulating ? 5 : 0);
    auto&& state = make_(p_.m, p_.n, p_.k, p_.batch);
    with_weights([&](auto weights) {
      parts([&](index_t first, index_t last) {
        if constexpr (Accumulating)
          call(state, weights(first, last), c, first, last, accumulate);
        else
          call(state, weights(first, last), c, first, last);
      });
    });
    constexpr bool act = Op::config.act != activation::none;
    char text[60];
    std::snprintf(text, sizeof text, "%s%s%s%s%s", Accumulating ? " accumulate" : "", bias ? " bias" : "",
                  residual ? " residual" : "", act ? " " : "", act ? tern::name(Op::config.act) : "");
    record("forward", text, c);
  }

  void backward_data() {
    matrix<T> dx = matrix_of(p_.m, p_.k, 0);
    auto&& state = make_(p_.m, p_.n, p_.k, p_.batch);
    with_weights([&](auto weights) {
      parts([&](index_t first, index_t last) {
        kernel_.backward_data(state, samples(r_, first, last), weights(first, last), samples(dx, first, last));
      });
    });
    record("backward_data", "", dx);
  }

  void backward_weights(bool accumulating) {
    // Later parts add to what earlier ones left: zeros, where an item of a batch is alone with its gradient.
    matrix<T> db = matrix_of(p_.k, p_.n, accumulating ? 6 : 0);
    matrix<T> dbias(1, 1, p_.n);
    input_sequence<T> next(7, p_.kind);
    if (accumulating) dbias.fill(next);
    if (!accumulating && batched && form_ == form::cut) db.fill([] { return T(0); });
    auto&& state = make_(p_.m, p_.n, p_.k, p_.batch);
    parts([&](index_t first, index_t last) {
      auto db_part = batched ? samples(db, first, last) : whole(db);
      const view db_sum{unchecked, dbias.data(), extents(p_.n)};
      if (accumulating || first > 0)
        kernel_.backward_weights(state, samples(a_, first, last), samples(r_, first, last), db_part, db_sum,
                                 accumulate);
      else
        kernel_.backward_weights(state, samples(a_, first, last), samples(r_, first, last), db_part, db_sum);
    });
    record("backward_weights", accumulating ? " accumulate" : "", db);
    record("backward_bias", accumulating ? " accumulate" : "", dbias);
  }

 private:
  matrix<T> matrix_of(index_t rows, index_t columns, std::uint64_t seed) const {
    const order o = form_ == form::columns ? order::column : form_ == form::gaps ? order::padded : order::row;
    matrix<T> x(p_.batch, rows, columns, o, form_ == form::gaps ? 1 : 0);
    input_sequence<T> next(seed * 0x10001 + static_cast<std::uint64_t>(rows * 1000 + columns), p_.kind);
    if (seed > 0) x.fill(next);
    return x;
  }

  static auto whole(matrix<T>& x) {
    if constexpr (batched)
      return x.strided_batch();
    else if constexpr (is_static)
      return x.row_major();
    else
      return x.strided();
  }

  /// The rows [first, last) of a matrix, or the items of a batch.
  auto samples(matrix<T>& x, index_t first, index_t last) const {
    if constexpr (is_static) {
      return whole(x);
    } else {
      const auto v = whole(x);
      if constexpr (batched)
        return view<T, dims<3>, layout_strided>(
            unchecked, v.data() + first * v.stride(0),
            {dims<3>(last - first, v.extent(1), v.extent(2)), v.stride(0), v.stride(1), v.stride(2)});
      else
        return view<T, dims<2>, layout_strided>(unchecked, v.data() + first * v.stride(0),
                                                {dims<2>(last - first, v.extent(1)), v.stride(0), v.stride(1)});
    }
  }

  template <class F>
  void parts(F f) const {
    const index_t all = batched ? p_.batch : p_.m, grain = batched ? 1 : sample_grain;
    if (form_ != form::cut) return f(0, all);
    for (index_t first = 0, size = grain; first < all; first += size, size += grain)
      f(first, first + size < all ? first + size : all);
  }

  /// Calls f with a function that gives the right operand for these samples: the same for all, or items of a batch.
  template <class F>
  void with_weights(F f) {
    if constexpr (batched) {
      f([this](index_t first, index_t last) { return samples(b_, first, last); });
    } else {
      if constexpr (Packs) {
        if (form_ == form::packed) {
          const auto w = kernel_.pack(whole(b_));
          return f([&w](index_t, index_t) -> const auto& { return w; });
        }
      }
      f([this](index_t, index_t) { return whole(b_); });
    }
  }

  template <class State, class W, class... Options>
  void call(State& state, const W& w, matrix<T>& c, index_t first, index_t last, Options... options) {
    const auto a = samples(a_, first, last), to = samples(c, first, last);
    if constexpr (bias && residual)
      kernel_(state, a, w, bias_, samples(r_, first, last), to, options...);
    else if constexpr (bias)
      kernel_(state, a, w, bias_, to, options...);
    else if constexpr (residual)
      kernel_(state, a, w, samples(r_, first, last), to, options...);
    else
      kernel_(state, a, w, to, options...);
  }

  void record(const char* pass, const char* detail, const matrix<T>& result) const {
    checksum sum;
    for (index_t q = 0; q < result.batch(); ++q)
      for (index_t i = 0; i < result.rows(); ++i)
        for (index_t j = 0; j < result.columns(); ++j) sum.add(result(q, i, j));
    const char* kinds[] = {"", " wide", " special"};
    char batch[24] = "", name[160];
    if (batched) std::snprintf(batch, sizeof batch, "%tdx", p_.batch);
    std::snprintf(name, sizeof name, "matmul %s %s%s %s%tdx%tdx%td%s", dtype<T>::name, pass, detail, batch, p_.m, p_.n,
                  p_.k, kinds[static_cast<int>(p_.kind)]);
    to_.add(to_, policy_, way_, name, sum.value());
  }

  recorder& to_;
  const char *policy_, *way_;
  problem p_;
  form form_;
  Make& make_;
  matrix<T> a_, b_, r_;
  std::vector<T> bias_;
  kernel<Op, Policy> kernel_;
};

}  // namespace tern::test::inline TERN_ISA
