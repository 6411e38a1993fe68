// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A small model of every size of element, and files that hold it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tern/core/view.hpp"
#include "tern/files/named_tensor.hpp"
#include "tests/files/bytes.hpp"

namespace tern::test {

struct small_model {
  float w[6] = {0, 1, 2, 3, 4, 5};
  double b[2] = {0.5, -1};
  std::vector<std::int64_t> e;
  bool m[3] = {true, false, true};
  std::uint8_t s[1] = {7};

  std::vector<named_tensor> tensors() {
    return {named("w", view(unchecked, w, extents(2, 3))), named("b", view(unchecked, b, extents(2))), named("e", e),
            named("m", view(unchecked, m, extents(3))), named("s", view(unchecked, s, extents<>()))};
  }
  /// With other values everywhere.
  static small_model other() {
    small_model result;
    for (float& x : result.w) x = 9;
    for (double& x : result.b) x = 9;
    for (bool& x : result.m) x = true;
    result.s[0] = 9;
    return result;
  }
  bool operator==(const small_model&) const = default;
};

/// The elements of the model, as they are in memory.
struct small_bytes {
  std::string w = from_hex("00000000 0000803f 00000040 00004040 00008040 0000a040");
  std::string b = from_hex("000000000000e03f 000000000000f0bf");
  std::string e;
  std::string m = from_hex("01 00 01");
  std::string s = from_hex("07");
};

inline std::string small_safetensors() {
  const small_bytes bytes;
  return safetensors_file(R"({"b":{"dtype":"F64","shape":[2],"data_offsets":[0,16]},)"
                          R"("e":{"dtype":"I64","shape":[0],"data_offsets":[16,16]},)"
                          R"("w":{"dtype":"F32","shape":[2,3],"data_offsets":[16,40]},)"
                          R"("m":{"dtype":"BOOL","shape":[3],"data_offsets":[40,43]},)"
                          R"("s":{"dtype":"U8","shape":[],"data_offsets":[43,44]},)"
                          R"("__metadata__":{"step":"12"}} )",
                          bytes.b + bytes.w + bytes.m + bytes.s);
}

inline std::string npy_header(const char* type, const char* shape) {
  return std::string("{'descr': '") + type + "', 'fortran_order': False, 'shape': " + shape + ", }\n";
}

inline std::vector<zip_entry> small_arrays() {
  const small_bytes bytes;
  return {{"w.npy", npy_file(npy_header("<f4", "(2, 3)"), bytes.w)},
          {"b.npy", npy_file(npy_header("<f8", "(2,)"), bytes.b)},
          {"e.npy", npy_file(npy_header("<i8", "(0,)"), bytes.e)},
          {"m.npy", npy_file(npy_header("|b1", "(3,)"), bytes.m)},
          {"s.npy", npy_file(npy_header("|u1", "()"), bytes.s)}};
}

inline std::string small_npz() { return zip_bytes(small_arrays()); }

}  // namespace tern::test
