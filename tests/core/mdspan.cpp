// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// std::mdspan as an argument of kernels. Built where the standard library has it (libc++ 19 in C++23 mode).
#include <version>

#if !defined(__cpp_lib_mdspan)
#error "this test needs std::mdspan"
#endif

#include <cstdio>
#include <mdspan>
#include <vector>

#include "tern/reference.hpp"

int main() {
  std::vector<float> a{1, 2, 3, 4, 5, 6}, b{1, 0, 0, 1, 1, 1}, c(4), padded(8, -1.0f);
  const std::mdspan<const float, std::dextents<int, 2>> va(a.data(), 2, 3);
  const std::mdspan<const float, std::extents<int, 3, 2>> vb(b.data());
  const tern::kernel<tern::matmul<>, tern::reference> k;
  k(va, vb, std::mdspan<float, std::dextents<int, 2>>(c.data(), 2, 2));
  bool right = c == std::vector<float>{4, 5, 10, 11};

  // Column-major and strided spans, and packed weights.
  const std::mdspan<const float, std::dextents<long, 2>, std::layout_left> at(a.data(), 3, 2);
  const std::layout_stride::mapping<std::dextents<int, 2>> gaps(std::dextents<int, 2>(3, 2), std::array<int, 2>{2, 1});
  const std::mdspan<float, std::dextents<int, 2>, std::layout_stride> to(padded.data(), gaps);
  k(at, std::mdspan<const float, std::dextents<int, 2>>(c.data(), 2, 2), to);
  right = right && padded == std::vector<float>{44, 49, 58, 65, 72, 81, -1, -1};
  const auto w = k.pack(vb);
  std::vector<float> d(4);
  k(va, w, std::mdspan<float, std::dextents<int, 2>>(d.data(), 2, 2));
  right = right && d == c;
  std::puts(right ? "mdspan: all equal" : "mdspan: WRONG");
  return right ? 0 : 1;
}
