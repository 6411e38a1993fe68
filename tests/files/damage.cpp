// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files cut short at every byte, and with every byte changed: they are refused, or hold tensors of the right shapes;
// what is refused leaves the caller's tensors as they were.
#include <filesystem>
#include <stdexcept>
#include <string>

#include "tern/files.hpp"
#include "tests/files/samples.hpp"
#include "tests/support/catch.hpp"

using namespace tern::test;

namespace {

/// True if the file was refused.
template <class Load>
bool refused(const memory_file& file, const std::string& bytes, Load load) {
  file.write(bytes);
  small_model model = small_model::other();
  try {
    load(file.path(), model.tensors());
  } catch (const std::runtime_error& e) {
    REQUIRE(model == small_model::other());
    REQUIRE(std::string(e.what()).find('\n') == std::string::npos);
    return true;
  }
  return false;
}

template <class Load>
void damage_everywhere(const std::string& bytes, Load load) {
  const memory_file file;
  REQUIRE_FALSE(refused(file, bytes, load));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    INFO("the first " << size << " of " << bytes.size() << " bytes");
    REQUIRE(refused(file, bytes.substr(0, size), load));
  }
  REQUIRE(refused(file, bytes + '\0', load));
  std::size_t accepted = 0;
  for (std::size_t at = 0; at < bytes.size(); ++at)
    for (const int flip : {0x01, 0x02, 0x20, 0x80, 0xff}) {
      std::string other = bytes;
      other[at] = static_cast<char>(other[at] ^ flip);
      accepted += !refused(file, other, load);
    }
  CHECK(accepted < 5 * bytes.size());
}

const auto load_safetensors = [](const auto& path, const auto& tensors) { tern::load_safetensors(path, tensors); };
const auto load_npz = [](const auto& path, const auto& tensors) { tern::load_npz(path, tensors); };

}  // namespace

TEST_CASE("damaged safetensors files") { damage_everywhere(small_safetensors(), load_safetensors); }
TEST_CASE("damaged npz files, stored") { damage_everywhere(small_npz(), load_npz); }
TEST_CASE("damaged npz files as we write them") {
  const folder place;
  small_model model;
  tern::save_npz(place / "x", model.tensors());
  damage_everywhere(read_bytes(place / "x"), load_npz);
}

TEST_CASE("npy files with valid checksums, and every byte changed") {
  const memory_file file;
  const auto arrays = small_arrays();
  for (std::size_t a = 0; a < arrays.size(); ++a)
    for (std::size_t at = 0; at < arrays[a].content.size(); ++at)
      for (const int flip : {0x01, 0x02, 0x10, 0x20, 0x80, 0xff}) {
        auto other = arrays;
        other[a].content[at] = static_cast<char>(other[a].content[at] ^ flip);
        refused(file, zip_bytes(other), load_npz);
      }
}
