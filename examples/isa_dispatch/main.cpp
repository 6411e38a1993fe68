// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program for any machine whose kernels use what the machine has. The results are the same, bit by bit.
//
//     isa_dispatch [avx512|avx2|neon64|scalar]     the best instruction set that may be used, by default any
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <vector>

#include "kernels.hpp"

int main(int argc, char** argv) try {
  const char* at_most = argc > 1 ? argv[1] : nullptr;
  const char* name = "";
  const example::kernels kernels = tern::dispatch(
      [&](auto isa) {
        name = isa.name;
        return example::make_kernels(isa);
      },
      at_most);

  constexpr tern::index_t m = 37, n = 53, k = 1071;
  std::vector<float> a(m * k), b(k * n), bias(n), c(m * n);
  std::uint32_t state = 1;
  const auto fill = [&](std::vector<float>& v) {
    for (float& x : v) {
      state = state * 1664525u + 1013904223u;
      x = static_cast<float>(state >> 8) * 0x1p-23f - 1.0f;
    }
  };
  fill(a), fill(b), fill(bias);
  kernels.dense(a.data(), b.data(), bias.data(), c.data(), m, n, k);

  std::uint64_t checksum = 0xcbf29ce484222325u;
  for (const float x : c) {
    std::uint32_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    checksum = (checksum ^ bits) * 0x100000001b3u;
  }
  std::printf("%s checksum %016llx\n", name, static_cast<unsigned long long>(checksum));
} catch (const std::exception& e) {
  std::fprintf(stderr, "isa_dispatch: %s\n", e.what());
  return 1;
}
