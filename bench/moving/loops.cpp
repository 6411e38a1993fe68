// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/moving/loops.hpp"

#include <algorithm>
#include <cmath>

namespace tern::bench::loops {

namespace {

/// Calls f(0) to f(n - 1), on `threads` threads.
template <class F>
void each(long n, int threads, F f) {
  if (threads == 1 || n == 1) {
    for (long i = 0; i < n; ++i) f(i);
    return;
  }
#if defined(_OPENMP)
#pragma omp parallel for schedule(static) num_threads(threads)
#endif
  for (long i = 0; i < n; ++i) f(i);
}

/// f(first, last) for a share of n elements per thread.
template <class F>
void share(long n, int threads, F f) {
  each(threads, threads, [=](long t) { f(n * t / threads, n * (t + 1) / threads); });
}

/// y = a x + b with scalars a and b, then residual and relu.
void finish(long n, const float* x, float a, float b, const float* residual, bool relu, float* y) {
  if (residual && relu)
    for (long i = 0; i < n; ++i) y[i] = std::max(x[i] * a + b + residual[i], 0.0f);
  else
    for (long i = 0; i < n; ++i) y[i] = x[i] * a + b;
}
/// The same with an a and a b per element.
void finish_each(long n, const float* x, const float* a, const float* b, const float* residual, bool relu, float* y) {
  if (residual && relu)
    for (long i = 0; i < n; ++i) y[i] = std::max(x[i] * a[i] + b[i] + residual[i], 0.0f);
  else
    for (long i = 0; i < n; ++i) y[i] = x[i] * a[i] + b[i];
}
const float* at(const float* p, long i) { return p ? p + i : nullptr; }

float sum(long n, const float* x) {
  float s = 0;
  for (long i = 0; i < n; ++i) s += x[i];
  return s;
}
float squares(long n, const float* x, float mean) {
  float s = 0;
  for (long i = 0; i < n; ++i) s += (x[i] - mean) * (x[i] - mean);
  return s;
}

constexpr long channels_at_once = 1024;

}  // namespace

void batch_norm_last(const norm& q) {
  share(q.c, q.threads, [&](long begin, long end) {
    for (long first = begin; first < end; first += channels_at_once) {
      const long c = std::min(end - first, channels_at_once), rows = q.n * q.s;
      const float* x = q.x + first;
      float mean[channels_at_once] = {}, a[channels_at_once] = {}, b[channels_at_once];
      for (long r = 0; r < rows; ++r)
        for (long i = 0; i < c; ++i) mean[i] += x[r * q.c + i];
      for (long i = 0; i < c; ++i) mean[i] /= static_cast<float>(rows);
      for (long r = 0; r < rows; ++r)
        for (long i = 0; i < c; ++i) a[i] += (x[r * q.c + i] - mean[i]) * (x[r * q.c + i] - mean[i]);
      for (long i = 0; i < c; ++i) {
        const float rstd = 1 / std::sqrt(a[i] / static_cast<float>(rows) + q.eps);
        q.mean[first + i] = mean[i], q.rstd[first + i] = rstd;
        a[i] = rstd * q.scale[first + i], b[i] = q.shift[first + i] - mean[i] * a[i];
      }
      for (long r = 0; r < rows; ++r)
        finish_each(c, x + r * q.c, a, b, at(q.residual, first + r * q.c), q.relu, q.y + first + r * q.c);
    }
  });
}

void batch_norm_planes(const norm& q) {
  each(q.c, q.threads, [&](long c) {
    const float count = static_cast<float>(q.n * q.s);
    float mean = 0, variance = 0;
    for (long n = 0; n < q.n; ++n) mean += sum(q.s, q.x + (n * q.c + c) * q.s);
    mean /= count;
    for (long n = 0; n < q.n; ++n) variance += squares(q.s, q.x + (n * q.c + c) * q.s, mean);
    const float rstd = 1 / std::sqrt(variance / count + q.eps), a = rstd * q.scale[c], b = q.shift[c] - mean * a;
    q.mean[c] = mean, q.rstd[c] = rstd;
    for (long n = 0; n < q.n; ++n) {
      const long p = (n * q.c + c) * q.s;
      finish(q.s, q.x + p, a, b, at(q.residual, p), q.relu, q.y + p);
    }
  });
}

void group_norm_last(const norm& q) {
  each(q.n, q.threads, [&](long n) {
    const long size = q.c / q.groups;
    const float count = static_cast<float>(size * q.s);
    const float* x = q.x + n * q.c * q.s;
    float mean[channels_at_once] = {}, a[channels_at_once] = {}, b[channels_at_once];
    const auto fold = [&](float* of) {
      for (long g = 0; g < q.c; g += size) {
        const float total = sum(size, of + g) / count;
        for (long i = g; i < g + size; ++i) of[i] = total;
      }
    };
    for (long r = 0; r < q.s; ++r)
      for (long i = 0; i < q.c; ++i) mean[i] += x[r * q.c + i];
    fold(mean);
    for (long r = 0; r < q.s; ++r)
      for (long i = 0; i < q.c; ++i) a[i] += (x[r * q.c + i] - mean[i]) * (x[r * q.c + i] - mean[i]);
    fold(a);
    for (long i = 0; i < q.c; ++i) a[i] = q.scale[i] / std::sqrt(a[i] + q.eps), b[i] = q.shift[i] - mean[i] * a[i];
    for (long r = 0; r < q.s; ++r) {
      const long p = (n * q.s + r) * q.c;
      finish_each(q.c, q.x + p, a, b, at(q.residual, p), q.relu, q.y + p);
    }
  });
}

void group_norm_planes(const norm& q) {
  each(q.n * q.groups, q.threads, [&](long ng) {
    const long size = q.c / q.groups, all = size * q.s;
    const float* x = q.x + ng * all;
    const float mean = sum(all, x) / static_cast<float>(all);
    const float rstd = 1 / std::sqrt(squares(all, x, mean) / static_cast<float>(all) + q.eps);
    for (long i = 0; i < size; ++i) {
      const long c = ng % q.groups * size + i, p = ng * all + i * q.s;
      const float a = rstd * q.scale[c];
      finish(q.s, q.x + p, a, q.shift[c] - mean * a, at(q.residual, p), q.relu, q.y + p);
    }
  });
}

void layer_norm(const norm& q) {
  each(q.n, q.threads, [&](long n) {
    const float* x = q.x + n * q.c;
    const float mean = sum(q.c, x) / static_cast<float>(q.c);
    const float rstd = 1 / std::sqrt(squares(q.c, x, mean) / static_cast<float>(q.c) + q.eps);
    float* y = q.y + n * q.c;
    if (q.residual && q.relu) {
      const float* residual = q.residual + n * q.c;
      for (long i = 0; i < q.c; ++i)
        y[i] = std::max((x[i] - mean) * rstd * q.scale[i] + q.shift[i] + residual[i], 0.0f);
    } else {
      for (long i = 0; i < q.c; ++i) y[i] = (x[i] - mean) * rstd * q.scale[i] + q.shift[i];
    }
  });
}

void batch_norm_gradient_last(const norm_gradient& q) {
  share(q.c, q.threads, [&](long begin, long end) {
    for (long first = begin; first < end; first += channels_at_once) {
      const long c = std::min(end - first, channels_at_once), rows = q.n * q.s;
      const float *dy = q.dy + first, *x = q.x + first, *mean = q.mean + first, *rstd = q.rstd + first;
      float a[channels_at_once] = {}, b[channels_at_once] = {};
      for (long r = 0; r < rows; ++r)
        for (long i = 0; i < c; ++i) {
          a[i] += dy[r * q.c + i] * (x[r * q.c + i] - mean[i]);
          b[i] += dy[r * q.c + i];
        }
      if (q.dscale)
        for (long i = 0; i < c; ++i) q.dscale[first + i] = a[i] * rstd[i], q.dshift[first + i] = b[i];
      if (!q.dx) continue;
      float of_dy[channels_at_once];
      for (long i = 0; i < c; ++i) {
        of_dy[i] = q.scale[first + i] * rstd[i];
        a[i] *= of_dy[i] * rstd[i] * rstd[i] / static_cast<float>(rows);
        b[i] *= of_dy[i] / static_cast<float>(rows);
      }
      for (long r = 0; r < rows; ++r)
        for (long i = 0; i < c; ++i) {
          const long p = r * q.c + i;
          q.dx[first + p] = dy[p] * of_dy[i] - b[i] - (x[p] - mean[i]) * a[i];
        }
    }
  });
}

void batch_norm_gradient_planes(const norm_gradient& q) {
  each(q.c, q.threads, [&](long c) {
    const float mean = q.mean[c], rstd = q.rstd[c], count = static_cast<float>(q.n * q.s);
    float a = 0, b = 0;
    for (long n = 0; n < q.n; ++n) {
      const long p = (n * q.c + c) * q.s;
      for (long i = 0; i < q.s; ++i) a += q.dy[p + i] * (q.x[p + i] - mean), b += q.dy[p + i];
    }
    if (q.dscale) q.dscale[c] = a * rstd, q.dshift[c] = b;
    if (!q.dx) return;
    const float of_dy = q.scale[c] * rstd;
    a *= of_dy * rstd * rstd / count, b *= of_dy / count;
    for (long n = 0; n < q.n; ++n) {
      const long p = (n * q.c + c) * q.s;
      for (long i = 0; i < q.s; ++i) q.dx[p + i] = q.dy[p + i] * of_dy - b - (q.x[p + i] - mean) * a;
    }
  });
}

namespace {

/// Gradients of scale and shift where statistics are those of a sample and a group of its channels.
void sums_over_samples(const norm_gradient& q) {
  const long size = q.c / q.groups;
  share(q.c, q.threads, [&](long begin, long end) {
    for (long first = begin; first < end; first += channels_at_once) {
      const long c = std::min(end - first, channels_at_once);
      float a[channels_at_once] = {}, b[channels_at_once] = {}, mean[channels_at_once], rstd[channels_at_once];
      for (long n = 0; n < q.n; ++n) {
        for (long i = 0; i < c; ++i) {
          const long g = n * q.groups + (first + i) / size;
          mean[i] = q.mean[g], rstd[i] = q.rstd[g];
        }
        for (long r = 0; r < q.s; ++r) {
          const long p = (n * q.s + r) * q.c + first;
          for (long i = 0; i < c; ++i) a[i] += q.dy[p + i] * (q.x[p + i] - mean[i]) * rstd[i], b[i] += q.dy[p + i];
        }
      }
      for (long i = 0; i < c; ++i) q.dscale[first + i] = a[i], q.dshift[first + i] = b[i];
    }
  });
}
/// Of rows, whose statistics are two numbers.
void sums_over_rows(const norm_gradient& q) {
  share(q.c, q.threads, [&](long begin, long end) {
    for (long first = begin; first < end; first += channels_at_once) {
      const long c = std::min(end - first, channels_at_once);
      float a[channels_at_once] = {}, b[channels_at_once] = {};
      for (long n = 0; n < q.n; ++n) {
        const float mean = q.mean[n], rstd = q.rstd[n];
        const long p = n * q.c + first;
        for (long i = 0; i < c; ++i) a[i] += q.dy[p + i] * (q.x[p + i] - mean) * rstd, b[i] += q.dy[p + i];
      }
      for (long i = 0; i < c; ++i) q.dscale[first + i] = a[i], q.dshift[first + i] = b[i];
    }
  });
}

}  // namespace

void group_norm_gradient_last(const norm_gradient& q) {
  if (q.dscale) sums_over_samples(q);
  if (!q.dx) return;
  each(q.n, q.threads, [&](long n) {
    const long size = q.c / q.groups;
    const float count = static_cast<float>(size * q.s), *dy = q.dy + n * q.c * q.s, *x = q.x + n * q.c * q.s;
    float a[channels_at_once] = {}, b[channels_at_once] = {}, mean[channels_at_once], of_dy[channels_at_once];
    for (long i = 0; i < q.c; ++i) mean[i] = q.mean[n * q.groups + i / size];
    for (long r = 0; r < q.s; ++r)
      for (long i = 0; i < q.c; ++i) {
        a[i] += dy[r * q.c + i] * (x[r * q.c + i] - mean[i]);
        b[i] += dy[r * q.c + i];
      }
    for (long i = 0; i < q.c; ++i) a[i] *= q.scale[i], b[i] *= q.scale[i];
    for (long g = 0; g < q.groups; ++g) {
      const float rstd = q.rstd[n * q.groups + g];
      const float of_a = sum(size, a + g * size) * rstd * rstd * rstd / count,
                  of_b = sum(size, b + g * size) * rstd / count;
      for (long i = g * size; i < (g + 1) * size; ++i) a[i] = of_a, b[i] = of_b, of_dy[i] = q.scale[i] * rstd;
    }
    float* dx = q.dx + n * q.c * q.s;
    for (long r = 0; r < q.s; ++r)
      for (long i = 0; i < q.c; ++i) {
        const long p = r * q.c + i;
        dx[p] = dy[p] * of_dy[i] - b[i] - (x[p] - mean[i]) * a[i];
      }
  });
}

void layer_norm_gradient(const norm_gradient& q) {
  if (q.dscale) sums_over_rows(q);
  if (!q.dx) return;
  each(q.n, q.threads, [&](long n) {
    const float *dy = q.dy + n * q.c, *x = q.x + n * q.c, mean = q.mean[n], rstd = q.rstd[n];
    float a = 0, b = 0;
    for (long i = 0; i < q.c; ++i) a += dy[i] * q.scale[i] * (x[i] - mean), b += dy[i] * q.scale[i];
    a *= rstd * rstd * rstd / static_cast<float>(q.c), b *= rstd / static_cast<float>(q.c);
    for (long i = 0; i < q.c; ++i) q.dx[n * q.c + i] = dy[i] * q.scale[i] * rstd - b - (x[i] - mean) * a;
  });
}

namespace {

float largest(long n, const float* x) {
  float most = x[0];
  for (long i = 0; i < n; ++i) most = x[i] > most ? x[i] : most;
  return most;
}
/// y = exp(x - the largest), and their sum.
float exponentials(long n, const float* x, float* y) {
  const float most = largest(n, x);
  float s = 0;
  for (long i = 0; i < n; ++i) {
    const float e = std::exp(x[i] - most);
    y[i] = e, s += e;
  }
  return s;
}

}  // namespace

void softmax(long rows, long n, const float* x, float* y, int threads) {
  each(rows, threads, [=](long r) {
    const float share_of_one = 1 / exponentials(n, x + r * n, y + r * n);
    for (long i = r * n; i < (r + 1) * n; ++i) y[i] *= share_of_one;
  });
}

void softmax_gradient(long rows, long n, const float* dy, const float* y, float* dx, int threads) {
  each(rows, threads, [=](long r) {
    float s = 0;
    for (long i = r * n; i < (r + 1) * n; ++i) s += dy[i] * y[i];
    for (long i = r * n; i < (r + 1) * n; ++i) dx[i] = y[i] * (dy[i] - s);
  });
}

void cross_entropy(long rows, long n, const float* x, const int* target, float* losses, int threads) {
  each(rows, threads, [=](long r) {
    const float most = largest(n, x + r * n);
    float s = 0;
    for (long i = r * n; i < (r + 1) * n; ++i) s += std::exp(x[i] - most);
    losses[r] = std::log(s) - (x[r * n + target[r]] - most);
  });
  losses[rows] = sum(rows, losses) / static_cast<float>(rows);
}

void cross_entropy_gradient(long rows, long n, const float* x, const int* target, float* dx, int threads) {
  each(rows, threads, [=](long r) {
    const float weight = 1 / static_cast<float>(rows), a = weight / exponentials(n, x + r * n, dx + r * n);
    for (long i = r * n; i < (r + 1) * n; ++i) dx[i] *= a;
    dx[r * n + target[r]] -= weight;
  });
}

void relu(long n, const float* x, float* y, int threads) {
  share(n, threads, [=](long first, long last) {
    for (long i = first; i < last; ++i) y[i] = x[i] > 0 ? x[i] : 0;
  });
}
void relu_gradient(long n, const float* dy, const float* y, float* dx, int threads) {
  share(n, threads, [=](long first, long last) {
    for (long i = first; i < last; ++i) {
      const float g = dy[i];
      dx[i] = y[i] > 0 ? g : 0;
    }
  });
}
void gelu(long n, const float* x, float* y, int threads) {
  share(n, threads, [=](long first, long last) {
    for (long i = first; i < last; ++i) y[i] = x[i] * 0.5f * (1 + std::erf(x[i] * 0.707106781f));
  });
}
void gelu_gradient(long n, const float* dy, const float* x, float* dx, int threads) {
  share(n, threads, [=](long first, long last) {
    for (long i = first; i < last; ++i)
      dx[i] =
          dy[i] * (0.5f * (1 + std::erf(x[i] * 0.707106781f)) + x[i] * 0.398942280f * std::exp(-0.5f * x[i] * x[i]));
  });
}
void add(long n, const float* x, const float* residual, float* y, int threads) {
  share(n, threads, [=](long first, long last) {
    for (long i = first; i < last; ++i) y[i] = x[i] + residual[i];
  });
}

void drop(const dropout& q) {
  each(q.rows, q.threads, [&](long r) {
    for (long i = 0; i < q.n / 4; ++i) {
      unsigned long c0 = static_cast<unsigned long>(i), c1 = static_cast<unsigned long>(r), c2 = q.step, c3 = q.site;
      unsigned k0 = q.key0, k1 = q.key1;
      for (int round = 0; round < 10; ++round) {
        const unsigned long a = (c0 & 0xffffffffu) * 0xd2511f53u, b = (c2 & 0xffffffffu) * 0xcd9e8d57u;
        c0 = (b >> 32) ^ c1 ^ k0, c1 = b & 0xffffffffu, c2 = (a >> 32) ^ c3 ^ k1, c3 = a & 0xffffffffu;
        k0 += 0x9e3779b9u, k1 += 0xbb67ae85u;
      }
      const unsigned word[] = {static_cast<unsigned>(c0), static_cast<unsigned>(c1), static_cast<unsigned>(c2),
                               static_cast<unsigned>(c3)};
      for (int j = 0; j < 4; ++j) {
        const long p = r * q.n + 4 * i + j;
        q.y[p] = word[j] < q.threshold ? 0 : q.x[p] * q.scale;
      }
    }
  });
}

void first_step(const adam& q) {
  share(q.n, q.threads, [&](long first, long last) {
    const float rate = q.rate / (1 - q.beta1), beta1 = q.beta1, beta2 = q.beta2, epsilon = q.epsilon,
                of_square = 1 / (1 - beta2);
    const float* gradient = q.gradient;
    float *parameters = q.parameters, *mean = q.mean, *square = q.square;
    for (long i = first; i < last; ++i) {
      const float g = gradient[i], m = beta1 * mean[i] + (1 - beta1) * g, v = beta2 * square[i] + (1 - beta2) * g * g;
      mean[i] = m, square[i] = v;
      parameters[i] -= rate * m / (std::sqrt(v * of_square) + epsilon);
    }
  });
}

}  // namespace tern::bench::loops
