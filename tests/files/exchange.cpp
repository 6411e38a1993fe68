// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The half of other_writers.py that is tern:
//
//     files_exchange safetensors | npz IN OUT      loads IN, compares it with the tensors that the script makes, too,
//     and
//                                                  saves these to OUT
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#include "tern/files.hpp"

int main(int argc, char** argv) {
  if (argc != 4) return std::puts("usage: files_exchange safetensors | npz IN OUT"), 2;
  const bool npz = argv[1] == std::string("npz");
  using enum tern::stored_type;
  const std::vector<tern::index_t> shapes[] = {{}, {5}, {2, 3}, {4, 0}, {3, 1, 2}, {2, 2, 2, 3}, {1, 2, 1, 3, 2}};
  std::vector<tern::named_tensor> tensors;
  std::vector<std::vector<unsigned char>> memory, expected;
  for (const tern::stored_type type :
       {boolean, uint8, int8, int16, uint16, float16, bfloat16, int32, uint32, float32, float64, int64, uint64}) {
    if (npz && type == bfloat16) continue;
    for (const auto& shape : shapes) {
      const auto n = static_cast<std::size_t>(tern::impl::stored_bytes(type, shape));
      std::vector<unsigned char>& bytes = expected.emplace_back(n);
      for (std::size_t i = 0; i < n; ++i)
        bytes[i] = static_cast<unsigned char>(type == boolean ? i % 2 : (7 * i + expected.size()) % 64);
      unsigned char* data = memory.emplace_back(n).data();
      tensors.push_back({std::string(tern::detail::facts(type).name) + "/Größe \"" + std::to_string(shape.size()) +
                             "." + std::to_string(n),
                         type, shape, data});
    }
  }
  tern::file_metadata metadata{{"by", "x"}};
  if (npz)
    tern::load_npz(argv[2], tensors);
  else if (tern::load_safetensors(argv[2], tensors).metadata != metadata)
    return std::puts("the metadata differ"), 1;
  if (memory != expected) return std::puts("the tensors differ"), 1;
  npz ? tern::save_npz(argv[3], tensors) : tern::save_safetensors(argv[3], tensors, metadata);
  std::printf("%zu tensors\n", tensors.size());
}
