// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Saved tensors are loaded again, in every type and rank, in both formats.
#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "tern/files.hpp"
#include "tests/files/bytes.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message.hpp"

using tern::stored_type;
using tern::test::folder;
using tern::test::message;

namespace {

constexpr int types = 13;

int bytes_of(stored_type type) { return tern::detail::facts(type).bytes; }

struct model {
  std::vector<tern::named_tensor> tensors;
  std::vector<std::vector<unsigned char>> memory;

  void add(std::string name, stored_type type, std::vector<tern::index_t> shape) {
    const auto n = std::accumulate(shape.begin(), shape.end(), tern::index_t{bytes_of(type)}, std::multiplies<>());
    auto& bytes = memory.emplace_back(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < bytes.size(); ++i)
      bytes[i] = static_cast<unsigned char>(type == stored_type::boolean ? i % 2 : 31 * memory.size() + 7 * i);
    tensors.push_back({std::move(name), type, std::move(shape), bytes.data()});
  }
  void clear() {
    for (auto& bytes : memory) std::fill(bytes.begin(), bytes.end(), static_cast<unsigned char>(0));
  }
};

model every_type_and_rank(bool numpy) {
  model result;
  for (int t = 0; t < types; ++t) {
    const auto type = static_cast<stored_type>(t);
    if (numpy && type == stored_type::bfloat16) continue;
    for (std::size_t rank = 0; rank <= 5; ++rank) {
      std::vector<tern::index_t> shape{3, 1, 4, 2, 5};
      shape.resize(rank);
      const std::string name = std::string(tern::detail::facts(type).name) + '.' + std::to_string(rank);
      result.add(name, type, shape);
      if (rank == 0) continue;
      shape[rank / 2] = 0;
      result.add(name + ".empty", type, shape);
    }
  }
  return result;
}

const std::vector<std::string> strange_names{
    "",     " ",    "layers.0/weight", "\"quoted\"\\", "../../etc/passwd",   "tab\tline\nend", "Größe", "重み", "😀",
    "\x7f", ".npy", "shape",           "{}",           std::string(300, 'n')};

}  // namespace

TEST_CASE("safetensors: every type and rank, empty tensors") {
  const folder place;
  model saved = every_type_and_rank(false);
  tern::save_safetensors(place / "x", saved.tensors);
  const auto memory = saved.memory;
  saved.clear();
  CHECK(tern::load_safetensors(place / "x", saved.tensors).metadata.empty());
  CHECK(saved.memory == memory);
  CHECK(place.count() == 1);
  CHECK(std::filesystem::file_size(place / "x") % 8 ==
        std::accumulate(memory.begin(), memory.end(), std::size_t{}, [](auto n, auto& m) { return n + m.size(); }) % 8);
}

TEST_CASE("npz: every type and rank, empty tensors") {
  const folder place;
  model saved = every_type_and_rank(true);
  tern::save_npz(place / "x", saved.tensors);
  const auto memory = saved.memory;
  saved.clear();
  tern::load_npz(place / "x", saved.tensors);
  CHECK(saved.memory == memory);
  CHECK(place.count() == 1);
}

TEST_CASE("names and metadata may be any UTF-8") {
  const folder place;
  model saved;
  for (const std::string& name : strange_names) saved.add(name, stored_type::int32, {2});
  tern::save_npz(place / "npz", saved.tensors);
  saved.add(std::string("0\0in it", 7), stored_type::int32, {2});
  tern::file_metadata metadata{{"__metadata__", "Größe"}, {std::string("\0", 1), "\n"}, {"", ""}, {"😀", "\\\""}};
  tern::save_safetensors(place / "safetensors", saved.tensors, metadata);
  const auto memory = saved.memory;
  saved.clear();
  CHECK(tern::load_safetensors(place / "safetensors", saved.tensors).metadata == metadata);
  CHECK(saved.memory == memory);

  saved.tensors.pop_back(), saved.memory.pop_back();
  saved.clear();
  tern::load_npz(place / "npz", saved.tensors);
  CHECK(std::equal(saved.memory.begin(), saved.memory.end(), memory.begin()));
}

TEST_CASE("a file of no tensors") {
  const folder place;
  const std::vector<tern::named_tensor> none;
  tern::save_safetensors(place / "x", none, {{"only", "this"}});
  CHECK(tern::load_safetensors(place / "x", none).metadata.at("only") == "this");
  tern::save_npz(place / "x", none);
  tern::load_npz(place / "x", none);
}

TEST_CASE("equal tensors give equal files, at any place in memory") {
  const folder place;
  for (const char* name : {"1", "2"}) {
    const model m = every_type_and_rank(true);
    tern::save_npz(place / name, m.tensors);
  }
  CHECK(tern::test::read_bytes(place / "1") == tern::test::read_bytes(place / "2"));
}

TEST_CASE("tensors are loaded by name, not by place") {
  const folder place;
  float a[2] = {1, 2}, b[2] = {3, 4};
  const tern::view va(tern::unchecked, a, tern::extents(2)), vb(b, tern::extents(2));
  tern::save_safetensors(place / "x", std::vector{tern::named("a", va), tern::named("b", vb)});
  tern::load_safetensors(place / "x", std::vector{tern::named("b", va), tern::named("a", vb)});
  CHECK((a[0] == 3 && b[1] == 2));
  tern::save_npz(place / "x", std::vector{tern::named("a", va), tern::named("b", vb)});
  tern::load_npz(place / "x", std::vector{tern::named("b", va), tern::named("a", vb)});
  CHECK((a[0] == 1 && b[1] == 4));
}

TEST_CASE("named takes type and shape from a view or a vector") {
  float a[6];
  const auto matrix = tern::named("a", tern::view(tern::unchecked, a, tern::extents<2, 3>()));
  CHECK(matrix.name == "a");
  CHECK(matrix.type == stored_type::float32);
  CHECK(matrix.shape == std::vector<tern::index_t>{2, 3});
  CHECK(matrix.data == a);
  const std::vector<tern::bfloat16> constant(4);
  const auto vector = tern::named("c", constant);
  static_assert(std::is_same_v<decltype(vector), const tern::named_const_tensor>);
  CHECK(vector.type == stored_type::bfloat16);
  CHECK(vector.shape == std::vector<tern::index_t>{4});
  CHECK(tern::named("h", std::vector<tern::half>(1)).type == stored_type::float16);
  CHECK(tern::named("u", std::vector<unsigned long>(1)).type == stored_type::uint64);
  CHECK(tern::named("u", std::vector<signed char>(1)).type == stored_type::int8);
}

TEST_CASE("tensors that cannot be saved are the caller's error, and leave no file") {
  const folder place;
  const auto says = [&](const tern::named_tensor& tensor, bool npz = false) {
    const std::vector<tern::named_tensor> tensors{tensor};
    const std::string text =
        message([&] { npz ? tern::save_npz(place / "x", tensors) : tern::save_safetensors(place / "x", tensors); });
    CHECK(place.count() == 0);
    return text;
  };
  constexpr auto f32 = stored_type::float32;
  float x[4];
  const auto largest = std::numeric_limits<tern::index_t>::max();
  CHECK(says({"a\xff", f32, {4}, x}) == "save_safetensors: tensor 'a\\xff', [4], has a name that is not UTF-8");
  CHECK(says({"\xed\xa0\x80", f32, {4}, x}) ==
        "save_safetensors: tensor '\\xed\\xa0\\x80', [4], has a name that is not UTF-8");
  CHECK(says({"a", f32, {2, -1}, x}) == "save_safetensors: tensor 'a', [2, -1], has a negative extent");
  CHECK(says({"a", f32, {4}, nullptr}) == "save_safetensors: tensor 'a', [4], has no data");
  CHECK(says({"a", static_cast<stored_type>(99), {4}, x}) == "save_safetensors: tensor 'a', [4], has no element type");
  CHECK(says({"a", f32, {largest, 2}, x}) ==
        "save_safetensors: tensor 'a', [" + std::to_string(largest) + ", 2], is larger than memory");
  CHECK(says({"__metadata__", f32, {4}, x}) == "save_safetensors: no tensor can have the name '__metadata__'");
  CHECK(says({"a", stored_type::bfloat16, {4}, x}, true) ==
        "save_npz: tensor 'a' is bfloat16, which numpy does not have");
  CHECK(says({"a", f32, std::vector<tern::index_t>(65, 1), x}, true) ==
        "save_npz: tensor 'a' has more than numpy's 64 dimensions");
  CHECK(says({std::string("a\0b", 3), f32, {4}, x}, true) ==
        "save_npz: tensor 'a\\x00b' has a 0 in its name, where the zip format ends names");
  CHECK(says({std::string(70'000, 'a'), f32, {4}, x}, true) ==
        "save_npz: tensor '" + std::string(100, 'a') + "...' has a longer name than the zip format allows");
  CHECK(message([&] {
          const tern::named_tensor a{"a", stored_type::float32, {4}, x};
          tern::load_npz(place / "x", std::vector{a, a});
        }) == "load_npz: tensor 'a', [4], has the name of another one");
  CHECK(message([&] { tern::save_safetensors(place / "x", std::vector<tern::named_tensor>(), {{"k", "\xc0\x80"}}); }) ==
        "save_safetensors: metadata 'k' are not UTF-8");
}
