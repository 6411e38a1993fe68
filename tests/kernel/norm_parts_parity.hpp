// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Batch norms over parts of a batch under any policy against the reference, bit by bit. States are made by `call`,
// which calls a function with the states of a call.
#pragma once

#include <type_traits>
#include <vector>

#include "tern/reference.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {

template <class T>
auto part_of(std::vector<T>& v, index_t first, index_t n, index_t c, index_t h, index_t w) {
  return view(v.data() + first * c * h * w, layout_channels_last::mapping(dims<4>(n, c, h, w)));
}

/// All that a batch norm of parts makes; `call` gives the state of every call, if any.
template <class Policy, norm_config C, class T, class Call>
std::vector<T> norm_in_parts(index_t batch, index_t c, index_t h, index_t w, const std::vector<index_t>& cuts,
                             Call call) {
  auto x = random_vector<T>(batch * c * h * w, 1), more = random_vector<T>(batch * c * h * w, 2),
       dy = random_vector<T>(batch * c * h * w, 3), scale = random_vector<T>(c, 4), shift = random_vector<T>(c, 5);
  std::vector<T> mean(static_cast<std::size_t>(c), 7), squares(mean), rstd(mean), variance(mean), dscale(mean.size()),
      dshift(mean.size()), y(x.size()), dx(x.size());
  const kernel<batch_norm<C, T>, Policy> k;
  const auto each = [&](auto f) {
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) f(cuts[i], cuts[i + 1] - cuts[i]);
  };
  index_t seen = 0;
  each([&](index_t first, index_t n) {
    const auto from = part_of(x, first, n, c, h, w);
    if (seen == 0)
      call([&](auto&... s) { k.statistics(s..., from, mean, squares); });
    else
      call([&](auto&... s) { k.statistics(s..., from, mean, squares, values_seen{seen}); });
    seen += n * h * w;
  });
  k.deviation(squares, rstd, variance, values_seen{seen}, epsilon{1e-3});
  each([&](index_t first, index_t n) {
    const auto at = [&](std::vector<T>& v) { return part_of(v, first, n, c, h, w); };
    if constexpr (C.scale)
      call([&](auto&... s) { k.apply(s..., at(x), mean, rstd, scale, shift, at(more), at(y)); });
    else
      call([&](auto&... s) { k.apply(s..., at(x), mean, rstd, at(y)); });
    call([&](auto&... s) { k.backward_weights(s..., at(dy), at(x), mean, rstd, dscale, dshift, accumulate); });
  });
  each([&](index_t first, index_t n) {
    const auto at = [&](std::vector<T>& v) { return part_of(v, first, n, c, h, w); };
    if constexpr (C.scale)
      call([&](auto&... s) {
        k.backward_part(s..., at(dy), at(x), mean, rstd, dscale, dshift, scale, at(dx), values_seen{seen});
      });
    else
      call([&](auto&... s) {
        k.backward_part(s..., at(dy), at(x), mean, rstd, dscale, dshift, at(dx), values_seen{seen});
      });
  });
  // All gradients of the whole in one call.
  std::vector<T> all_dx(x.size()), all_dscale(mean.size()), all_dshift(mean.size());
  const auto all = [&](std::vector<T>& v) { return part_of(v, 0, batch, c, h, w); };
  if constexpr (C.scale)
    call(
        [&](auto&... s) { k.backward(s..., all(dy), all(x), scale, mean, rstd, all(all_dx), all_dscale, all_dshift); });
  else
    call([&](auto&... s) { k.backward(s..., all(dy), all(x), mean, rstd, all(all_dx), all_dscale, all_dshift); });
  CHECK(same_bits(dx, all_dx));
  CHECK(same_bits(all_dscale, dscale));
  CHECK(same_bits(all_dshift, dshift));
  for (const auto* v : {&mean, &squares, &rstd, &variance, &y, &dscale, &dshift})
    dx.insert(dx.end(), v->begin(), v->end());
  return dx;
}

/// Shapes, and places to cut them that have the bits of the whole: f.operator()<config>(batch, c, h, w, cuts).
template <class F>
void norm_part_cases(F f) {
  constexpr norm_config full{.residual = true, .act = activation::relu}, bare{.scale = false, .shift = false};
  using cuts = std::vector<index_t>;
  f.template operator()<full>(12, 19, 5, 3, cuts{0, 4, 8, 12});    // grains of four samples
  f.template operator()<bare>(70, 33, 1, 1, cuts{0, 32, 64, 70});  // of 32
  f.template operator()<full>(3, 600, 30, 20, cuts{0, 1, 3});      // chunks within a sample
  f.template operator()<full>(3, 7, 30, 20, cuts{0, 2, 3});
}

/// \param most_elements  of cases
template <class Policy, class T, class Call>
void norm_parts_parity(Call call, index_t most_elements) {
  norm_part_cases([&]<norm_config C>(index_t batch, index_t c, index_t h, index_t w, std::vector<index_t> cuts) {
    if (batch * c * h * w > most_elements) return;
    INFO(batch << " x " << c << " x " << h << " x " << w);
    const auto plain = [](auto f) { f(); };
    CHECK(same_bits(norm_in_parts<reference, C, T>(batch, c, h, w, {0, batch}, plain),
                    norm_in_parts<Policy, C, T>(batch, c, h, w, cuts, call)));
  });
}

}  // namespace tern::test
