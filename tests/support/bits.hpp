// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Comparing and summing up the bits of results. NaN payloads and signs are outside tern's promise and do not count.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tern::test {

template <class T>
bool equal_bits(T a, T b) {
  return (std::isnan(a) && std::isnan(b)) || std::memcmp(&a, &b, sizeof(T)) == 0;
}

/// A 64-bit FNV-1a sum over the bits of elements, in the order they are given; every NaN counts as the same.
class checksum {
 public:
  template <class T>
  void add(T x) {
    if (std::isnan(x)) x = static_cast<T>(NAN);
    unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, &x, sizeof(T));
    if (std::isnan(x)) bytes[sizeof(T) - 1] &= 0x7f;
    for (const unsigned char b : bytes) sum_ = (sum_ ^ b) * 0x100000001b3u;
  }
  std::uint64_t value() const { return sum_; }

 private:
  std::uint64_t sum_ = 0xcbf29ce484222325u;
};

}  // namespace tern::test
