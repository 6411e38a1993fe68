// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Indices of the largest elements against those of a sort. tests/driver/rows.hpp compares the policies.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "tern/reference.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {
namespace {

TEMPLATE_TEST_CASE("argmax finds the first of the largest elements, and NaN before all", "[argmax]", float, double) {
  using T = TestType;
  for (const index_t n : {1, 5, 17, 40, 300, 5000})
    for (const unsigned special : {0u, 1u, 2u, 3u, 4u}) {
      auto x = random_vector<T>(4 * n, special);
      for (std::size_t i = 0; i < x.size(); ++i) {
        const auto hash = static_cast<unsigned>(i) * 2654435761u >> 16;
        if (special == 1) x[i] = T(hash % 3);
        if (special == 2) x[i] = -static_cast<T>(INFINITY);
        if (special == 3) x[i] = hash % 2 == 0 ? T(0) : -T(0);
        if (special == 4 && hash % 61 == 0) x[i] = static_cast<T>(NAN);
      }
      std::vector<std::int32_t> wanted, y(4, -7), of_columns(4, -7);
      std::vector<T> columns(x.size());
      for (index_t r = 0; r < 4; ++r) {
        const T* const row = &x[static_cast<std::size_t>(r * n)];
        for (index_t i = 0; i < n; ++i) columns[static_cast<std::size_t>(i * 4 + r)] = row[i];
        std::vector<std::int32_t> index(static_cast<std::size_t>(n));
        std::iota(index.begin(), index.end(), 0);
        std::stable_sort(index.begin(), index.end(), [&](std::int32_t i, std::int32_t j) {
          return !std::isnan(row[j]) && (std::isnan(row[i]) || row[i] > row[j]);
        });
        wanted.push_back(index[0]);
      }
      kernel<argmax<argmax_config{}, T>, reference>()(view(x, dims<2>(4, n)), view(y, dims<2>(4, 1)));
      kernel<argmax<argmax_config{.axis = 0}, T>, reference>()(view(columns, dims<2>(n, 4)),
                                                               view(of_columns, dims<2>(1, 4)));
      CHECK(y == wanted);
      CHECK(of_columns == wanted);
    }
}

TEST_CASE("argmax refuses rows whose indices do not fit", "[argmax][contract]") {
  constexpr index_t most = 0x7fffffff;
  float x = 0;
  std::int32_t y = 7;
  CHECK(message([&] {
          kernel<argmax<argmax_config{}, float>, reference>()(view(unchecked, &x, dims<2>(1, most + 1)),
                                                              view(unchecked, &y, dims<2>(1, 1)));
        }) == "argmax: x is 1x2147483648: indices along axis 1 must fit std::int32_t");
  CHECK(y == 7);
}

}  // namespace
}  // namespace tern::test
