// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The readers on arbitrary bytes, for libFuzzer: a file is refused with std::runtime_error and the caller's tensors are
// as they were, or it is loaded. TERN_FUZZ says what the bytes are: 1 a safetensors file, 2 an npz file, 3 an array in
// an npz file whose checksum is right.
//
//     fuzz_npz -runs=200000 FOLDER      puts its seeds into the folder and goes on from there
//
// With TERN_FUZZ_PLAIN, where there is no libFuzzer, the program changes the seeds itself.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "tern/files.hpp"
#include "tests/files/samples.hpp"

using namespace tern::test;

namespace {

std::vector<std::string> seeds() {
  std::vector<std::string> result;
  if (TERN_FUZZ == 3) {
    for (const zip_entry& array : small_arrays()) result.push_back(array.content);
    return result;
  }
  result.push_back(TERN_FUZZ == 1 ? small_safetensors() : small_npz());
  // As the library itself writes it.
  const folder place;
  small_model model;
  if (TERN_FUZZ == 1)
    tern::save_safetensors(place / "x", model.tensors(), {{"a", "b"}});
  else
    tern::save_npz(place / "x", model.tensors());
  result.push_back(read_bytes(place / "x"));
  return result;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const memory_file file;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  file.write(TERN_FUZZ == 3 ? zip_bytes({{"w.npy", bytes}}) : bytes);
  small_model model = small_model::other();
  std::vector<tern::named_tensor> tensors = model.tensors();
  if (TERN_FUZZ == 3) tensors.resize(1);
  try {
    if (TERN_FUZZ == 1)
      tern::load_safetensors(file.path(), tensors);
    else
      tern::load_npz(file.path(), tensors);
  } catch (const std::runtime_error&) {
    if (!(model == small_model::other())) std::abort();
  }
  return 0;
}

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  for (int i = 1; i < *argc; ++i) {
    const std::filesystem::path corpus = (*argv)[i];
    if (corpus.string().starts_with('-')) continue;
    std::filesystem::create_directories(corpus);
    int number = 0;
    for (const std::string& seed : seeds()) write_bytes(corpus / ("seed" + std::to_string(number++)), seed);
  }
  return 0;
}

#if defined(TERN_FUZZ_PLAIN)
int main() {
  std::mt19937 random(1);
  const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  const std::vector<std::string> all = seeds();
  constexpr int runs = 20'000;
  for (int run = 0; run < runs; ++run) {
    std::string bytes = all[below(all.size())];
    for (std::size_t changes = 1 + below(4); changes > 0 && !bytes.empty(); --changes) {
      const std::size_t at = below(bytes.size()), count = 1 + below(8);
      switch (below(4)) {
        case 0: bytes[at] = static_cast<char>(below(256)); break;
        case 1: bytes.erase(at, count); break;
        case 2: bytes.insert(at, bytes.substr(below(bytes.size()), count)); break;
        case 3: bytes.replace(at, count, little(~0ull >> below(64), 8).substr(0, count)); break;
      }
    }
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  }
  std::printf("%d runs\n", runs);
}
#endif
