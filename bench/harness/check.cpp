// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/harness/check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <type_traits>

#include "bench/harness/expected.hpp"
#include "tests/support/bits.hpp"

namespace tern::bench {

namespace {

/// One element of the result: in the canonical order, and in the highest precision of the machine.
template <class T>
struct element_of_result {
  T canonical;
  long double precise;
};

template <class T>
element_of_result<T> element_of_product(const problem& p, const operands& x, index_t at) {
  const product q = p.as_product();
  const index_t item = at / q.c_size(), i = at / q.n % q.m, j = at % q.n;
  using wide = std::conditional_t<sizeof(T) == 4, double, long double>;
  const T* a = x.left<T>() + item * q.a_size() + (q.ta ? i : i * q.k);
  const T* b = x.right<T>() + item * q.b_size() + (q.tb ? j * q.k : j);
  const index_t a_step = q.ta ? q.m : 1, b_step = q.tb ? 1 : q.n;
  T total = 0;
  wide precise = 0;
  for (index_t k0 = 0; k0 < q.k; k0 += q.chunk) {
    T sum = 0;
    for (index_t k = k0; k < std::min(q.k, k0 + q.chunk); ++k) {
      sum = std::fma(a[k * a_step], b[k * b_step], sum);
      precise += static_cast<wide>(a[k * a_step]) * static_cast<wide>(b[k * b_step]);
    }
    total = total + sum;
  }
  const auto add = [&](T y) {
    total = total + y;
    precise += y;
  };
  if (p.op.bias) add(x.bias<T>()[j]);
  if (p.op.residual) add(x.residual<T>()[item * q.c_size() + i * q.n + j]);
  if (p.op.act == activation::relu) {
    total = T(0) > total ? T(0) : total;
    precise = precise < 0 ? 0 : precise;
  }
  return {total, precise};
}

/// The sum of one element of a convolution's result, chunk by chunk.
template <class T>
class chunked_sum {
 public:
  void add(T a, T b) {
    chain_ = std::fma(a, b, chain_);
    precise_ += static_cast<wide>(a) * static_cast<wide>(b);
  }
  void end_chunk() { total_ = total_ + chain_, chain_ = 0; }
  element_of_result<T> result() const { return {total_, precise_}; }

 private:
  using wide = std::conditional_t<sizeof(T) == 4, double, long double>;
  T chain_ = 0, total_ = 0;
  wide precise_ = 0;
};

/// The channels at a position of a dense image with channels last.
template <class T>
const T* pixel(const T* p, index_t channels, const index_t (&extent)[3], index_t n, index_t z, index_t y, index_t x) {
  return p + (((n * extent[0] + z) * extent[1] + y) * extent[2] + x) * channels;
}

/// Sums over taps and channels: y of a convolution, dx of one, y of a transposed one.
template <class T, conv_pass P>
element_of_result<T> element_of_sums(const convolution_of& c, const T* from, const T* w, index_t at) {
  conv_sums<T, P, epilogue{}> q;
  q.shape = c.shape;
  const conv_shape& s = c.shape;
  const index_t channels = s.groups * q.results(), channel = at % channels, g = channel / q.results();
  const index_t x = at / channels % q.extent(2), y = at / channels / q.extent(2) % q.extent(1),
                z = at / channels / q.extent(2) / q.extent(1) % q.extent(0),
                n = at / channels / q.extent(2) / q.extent(1) / q.extent(0);
  index_t extent[3];
  for (int r = 0; r < 3; ++r) extent[r] = P == conv_pass::forward ? s.axis[r].in : s.axis[r].out;
  const conv_chunks chunk = chunks_of(q.summed());
  chunked_sum<T> sum;
  for (index_t t = 0; t < s.taps(); ++t) {
    const index_t kx = s.axis[2].kernel, ky = s.axis[1].kernel;
    const index_t sz = q.source(0, z, t / kx / ky), sy = q.source(1, y, t / kx % ky), sx = q.source(2, x, t % kx);
    for (index_t i = 0; i < q.summed(); ++i) {
      if (i > 0 && i % chunk.channels == 0) sum.end_chunk();
      if (sz < 0 || sy < 0 || sx < 0) continue;
      const index_t r = channel % q.results(), in = P == conv_pass::forward ? i : r,
                    out = P == conv_pass::forward ? r : i;
      sum.add(pixel(from, s.groups * q.summed(), extent, n, sz, sy, sx)[g * q.summed() + i],
              w[(t * s.in + in) * s.groups * s.out + g * s.out + out]);
    }
    if ((t + 1) % chunk.taps == 0 || t + 1 == s.taps()) sum.end_chunk();
  }
  return sum.result();
}

/// Sums over samples and positions.
template <class T>
element_of_result<T> element_of_gradient(const convolution_of& c, const T* x, const T* dy, index_t at) {
  const conv_shape& s = c.shape;
  const index_t outs = s.groups * s.out, o = at % outs, in = o / s.out * s.in + at / outs % s.in, t = at / outs / s.in;
  const window_axis *z = s.axis, *y = z + 1, *w = z + 2;
  const index_t tx = t % w->kernel, ty = t / w->kernel % y->kernel, tz = t / w->kernel / y->kernel;
  const index_t wide[] = {z->in, y->in, w->in}, narrow[] = {z->out, y->out, w->out};
  chunked_sum<T> sum;
  each_chunk(s.batch, narrow, [&](index_t first, index_t position, index_t count) {
    each_row(narrow, first, position, count, [&](index_t n, index_t pz, index_t py, index_t px, index_t size) {
      for (index_t i = px; i < px + size; ++i) {
        const index_t iz = z->input(pz, tz), iy = y->input(py, ty), ix = w->input(i, tx);
        if (z->has(iz) && y->has(iy) && w->has(ix))
          sum.add(pixel(x, s.groups * s.in, wide, n, iz, iy, ix)[in], pixel(dy, outs, narrow, n, pz, py, i)[o]);
      }
    });
    sum.end_chunk();
  });
  return sum.result();
}

template <class T>
element_of_result<T> element_of_convolution(const problem& p, const operands& x, index_t at) {
  const convolution_of& c = *p.conv;
  switch (c.work(p.direction)) {
    case conv_work::forward: return element_of_sums<T, conv_pass::forward>(c, x.left<T>(), x.right<T>(), at);
    case conv_work::data: return element_of_sums<T, conv_pass::data>(c, x.left<T>(), x.right<T>(), at);
    case conv_work::weights: break;
  }
  return c.transposed ? element_of_gradient(c, x.right<T>(), x.left<T>(), at)
                      : element_of_gradient(c, x.left<T>(), x.right<T>(), at);
}

/// The place of an element of a tensor with channels last.
struct place {
  index_t n, c, y, x;

  place(index_t at, index_t channels, index_t height, index_t width)
      : n(at / channels / width / height),
        c(at % channels),
        y(at / channels / width % height),
        x(at / channels % width) {}
};

/// Calls f(y, x, tap) for every tap on an input of the window of result (oy, ox), ascending.
template <class F>
void each_tap(const pool_shape& s, index_t oy, index_t ox, F f) {
  for (index_t ty = 0; ty < s.axis[1].kernel; ++ty)
    for (index_t tx = 0; tx < s.axis[2].kernel; ++tx) {
      const index_t y = s.axis[1].input(oy, ty), x = s.axis[2].input(ox, tx);
      if (s.axis[1].has(y) && s.axis[2].has(x)) f(y, x, ty * s.axis[2].kernel + tx);
    }
}

template <class T>
element_of_result<T> element_of_pool(const pooling_of& q, const T* from, index_t at) {
  const pool_shape& s = q.shape;
  const place to(at, s.channels, s.axis[1].out, s.axis[2].out);
  const index_t extent[] = {1, s.axis[1].in, s.axis[2].in};
  T most = -std::numeric_limits<T>::infinity();
  chunked_sum<T> sum;
  index_t taps = 0, chunk = 0;
  each_tap(s, to.y, to.x, [&](index_t y, index_t x, index_t tap) {
    const T v = pixel(from, s.channels, extent, to.n, 0, y, x)[to.c];
    most = v > most ? v : most;
    if (tap / dot_chunk != chunk) sum.end_chunk(), chunk = tap / dot_chunk;
    sum.add(v, T(1));
    ++taps;
  });
  if (q.kind == pool_kind::max) return {most, most};
  sum.end_chunk();
  const auto [total, precise] = sum.result();
  return {total / static_cast<T>(taps), precise / static_cast<long double>(taps)};
}

/// The gradient of an input, over the windows that contain it: ascending, so that its taps descend. x has the maxima.
template <class T>
element_of_result<T> element_of_pool_gradient(const pooling_of& q, const T* dy, const T* from, index_t at) {
  const pool_shape& s = q.shape;
  const place to(at, s.channels, s.axis[1].in, s.axis[2].in);
  const index_t wide[] = {1, s.axis[1].in, s.axis[2].in}, narrow[] = {1, s.axis[1].out, s.axis[2].out};
  T total = 0;
  long double precise = 0;
  for (index_t ty = s.axis[1].kernel; ty-- > 0;)
    for (index_t tx = s.axis[2].kernel; tx-- > 0;) {
      const index_t oy = s.axis[1].result(to.y, ty), ox = s.axis[2].result(to.x, tx);
      if (oy < 0 || ox < 0) continue;
      const T share = pixel(dy, s.channels, narrow, to.n, 0, oy, ox)[to.c];
      index_t taps = 0;
      T most = -std::numeric_limits<T>::infinity();
      bool wins = false;
      each_tap(s, oy, ox, [&](index_t y, index_t x, index_t) {
        ++taps;
        if (q.kind == pool_kind::average) return;
        const T v = pixel(from, s.channels, wide, to.n, 0, y, x)[to.c];
        if (v > most) most = v, wins = y == to.y && x == to.x;  // of equal ones the first
      });
      if (q.kind == pool_kind::average)
        total = total + share / static_cast<T>(taps),
        precise += static_cast<long double>(share) / static_cast<long double>(taps);
      else if (wins)
        total = total + share, precise += share;
    }
  return {total, precise};
}

template <class T>
element_of_result<T> element_of(const problem& p, const operands& x, index_t at) {
  switch (p.kind()) {
    case problem_kind::construction:
    case problem_kind::convolution: return element_of_convolution<T>(p, x, at);
    case problem_kind::pool:
      return p.direction == pass::forward ? element_of_pool<T>(*p.pool, x.left<T>(), at)
                                          : element_of_pool_gradient<T>(*p.pool, x.left<T>(), x.right<T>(), at);
    case problem_kind::reduction:
    case problem_kind::map: {
      const expected_result& e = expected_of(p, x);
      const auto i = static_cast<std::size_t>(at);
      return {static_cast<T>(e.canonical[i]), e.precise[i]};
    }
    case problem_kind::matmul: break;
  }
  return element_of_product<T>(p, x, at);
}

template <class T>
verdict check_elements(const problem& p, const operands& x) {
  const index_t total = p.out_size();
  const double affordable = 2e7 / static_cast<double>(p.sum_length());
  const index_t count = std::min(total, std::max<index_t>(200, static_cast<index_t>(affordable)));
  std::mt19937_64 engine(7);
  long double difference = 0, size = 0;
  verdict v;
  v.canonical = true;
  for (index_t s = 0; s < count; ++s) {  // all of it, or one element of every count-th part
    const index_t low = total * s / count, high = total * (s + 1) / count;
    const index_t at = low + static_cast<index_t>(engine() % static_cast<std::uint64_t>(high - low));
    const auto wanted = element_of<T>(p, x, at);
    const T got = x.out<T>()[at];
    difference += (got - wanted.precise) * (got - wanted.precise);
    size += wanted.precise * wanted.precise;
    v.canonical = v.canonical && test::equal_bits(got, wanted.canonical);
  }
  v.error = static_cast<double>(std::sqrt(difference / std::max(size, 1e-300L)));
  // Rounding errors of k steps of either sign; any order of evaluation stays far below.
  v.tolerance =
      4 * static_cast<double>(std::numeric_limits<T>::epsilon()) * std::sqrt(static_cast<double>(p.sum_length() + 8));
  v.checksum = checksum_of(p, x);
  return v;
}

template <class T>
std::uint64_t checksum_of_elements(const problem& p, const operands& x) {
  test::checksum sum;
  for (index_t i = 0; i < p.out_size(); ++i) sum.add(x.out<T>()[i]);
  return sum.value();
}

}  // namespace

verdict check(const problem& p, const operands& x) {
  return p.f64 ? check_elements<double>(p, x) : check_elements<float>(p, x);
}

std::uint64_t checksum_of(const problem& p, const operands& x) {
  return p.f64 ? checksum_of_elements<double>(p, x) : checksum_of_elements<float>(p, x);
}

}  // namespace tern::bench
