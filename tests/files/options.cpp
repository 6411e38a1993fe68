// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists under other names, parts of files, conversions, and tensors of any strides.
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "tern/files.hpp"
#include "tests/files/bytes.hpp"
#include "tests/files/complaint.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message.hpp"
#include "tests/support/vectors.hpp"

using namespace tern::test;

namespace {

std::vector<std::string> names_of(const std::vector<tern::named_tensor>& tensors) {
  std::vector<std::string> names;
  for (const auto& t : tensors) names.push_back(t.name);
  return names;
}

struct three {
  std::vector<float> a{1, 2}, b{3}, c{4, 5, 6};
  std::vector<tern::named_tensor> tensors() {
    return {tern::named("stage.0.conv.weight", a), tern::named("stage.1.conv.weight", b),
            tern::named("head.weight", c)};
  }
  bool operator==(const three&) const = default;
};

using strings = std::vector<std::string>;

/// Both formats, by one signature.
struct format {
  const char* call;
  void (*save)(const std::filesystem::path&, const std::vector<tern::named_tensor>&);
  tern::loaded (*load)(const std::filesystem::path&, const std::vector<tern::named_tensor>&, const tern::load_options&);
};
const format formats[] = {
    {"load_safetensors", [](const auto& path, const auto& t) { tern::save_safetensors(path, t); },
     [](const auto& path, const auto& t, const auto& o) { return tern::load_safetensors(path, t, o); }},
    {"load_npz", [](const auto& path, const auto& t) { tern::save_npz(path, t); },
     [](const auto& path, const auto& t, const auto& o) { return tern::load_npz(path, t, o); }}};

}  // namespace

TEST_CASE("renamed: patterns take names apart, the first that fits") {
  three x;
  CHECK(names_of(tern::renamed(x.tensors(), {{"stage.*.conv.*", "layers.*.0.*"}})) ==
        strings{"layers.0.0.weight", "layers.1.0.weight", "head.weight"});
  CHECK(
      names_of(tern::renamed(x.tensors(), {{"stage.1.conv.weight", "last"}, {"stage.*", "*.of"}, {"*", "model.*"}})) ==
      strings{"0.conv.weight.of", "last", "model.head.weight"});
}

TEST_CASE("renamed: rules that do nothing, or do not fit together, are refused") {
  three x;
  CHECK(message([&] { tern::renamed(x.tensors(), {{"stge.*", "layers.*"}}); }) ==
        "renamed: no tensor's name fits 'stge.*', or an earlier rule took it");
  CHECK(message([&] { tern::renamed(x.tensors(), {{"*", "a.*"}, {"head.*", "b.*"}}); }) ==
        "renamed: no tensor's name fits 'head.*', or an earlier rule took it");
  CHECK(message([&] { tern::renamed(x.tensors(), {{"stage.*.conv.*", "layers.*"}}); }) ==
        "renamed: 'stage.*.conv.*' and 'layers.*' have different numbers of stars");
  const folder place;
  CHECK(message([&] {
          tern::save_safetensors(place / "x", tern::renamed(x.tensors(), {{"stage.*", "same"}}));
        }).starts_with("renamed: 'stage.*' and 'same'"));
}

TEST_CASE("matching: a part of a list") {
  three x;
  CHECK(names_of(tern::matching(x.tensors(), "stage.*")) == strings{"stage.0.conv.weight", "stage.1.conv.weight"});
  CHECK(names_of(tern::matching(x.tensors(), "*.*.conv*")) == strings{"stage.0.conv.weight", "stage.1.conv.weight"});
  CHECK(names_of(tern::matching(x.tensors(), "head.weight")) == strings{"head.weight"});
  CHECK(names_of(tern::matching(x.tensors(), "*")).size() == 3);
  CHECK(message([&] { tern::matching(x.tensors(), "head"); }) == "matching: no tensor's name fits 'head'");
}

TEST_CASE("not strict: common tensors are loaded, and the others are reported") {
  for (const format& f : formats) {
    const folder place;
    three saved;
    f.save(place / "x", saved.tensors());
    std::vector<float> a(2), other(1, 7.0f);
    const std::vector wanted{tern::named("stage.0.conv.weight", a), tern::named("other", other)};
    const tern::loaded result = f.load(place / "x", wanted, {.strict = false});
    CHECK(a == saved.a);
    CHECK(other[0] == 7.0f);
    CHECK(result.missing == strings{"other"});
    strings unexpected = result.unexpected;
    std::ranges::sort(unexpected);
    CHECK(unexpected == strings{"head.weight", "stage.1.conv.weight"});
    CHECK(complaint(f.call, place / "x", [&] {
            f.load(place / "x", wanted, {});
          }).starts_with("there is no tensor 'other' (float32 [1]); tensors '"));

    // Another shape is another network, and nothing in common is no success.
    std::vector<float> wrong(3, 7.0f);
    CHECK(complaint(f.call, place / "x", [&] {
            f.load(place / "x", std::vector{tern::named("stage.0.conv.weight", wrong)}, {.strict = false});
          }) == "tensor 'stage.0.conv.weight' is float32 [2], asked for is float32 [3]");
    CHECK(complaint(f.call, place / "x", [&] {
            f.load(place / "x", std::vector{tern::named("other", other)}, {.strict = false});
          }).starts_with("there is no tensor 'other' (float32 [1]); tensors "));
    CHECK(wrong == std::vector<float>(3, 7.0f));
  }
}

TEST_CASE("convert: floating-point types become float or double, or the file is refused") {
  const std::vector<double> values{
      0, -0.0, 1.5, -3, 1024.0, 0.1, 65504.0, 1e-8, std::numeric_limits<double>::infinity()};
  const std::size_t n = values.size();
  std::vector<tern::half> h;
  std::vector<tern::bfloat16> b;
  std::vector<float> f;
  for (const double v : values) {
    f.push_back(static_cast<float>(v)), h.push_back(tern::half(f.back())), b.push_back(tern::bfloat16(f.back()));
  }
  for (const format& format : formats) {
    const folder place;
    const bool npz = std::string(format.call) == "load_npz";
    auto d = values;
    std::vector tensors{tern::named("h", h), tern::named("f", f), tern::named("d", d)};
    if (!npz) tensors.push_back(tern::named("b", b));
    format.save(place / "x", tensors);

    std::vector<float> floats(4 * n);
    std::vector<double> doubles(4 * n);
    const auto wanted = [&](auto& to) {
      std::vector<tern::named_tensor> list;
      const char* names[] = {"h", "f", "d", "b"};
      for (std::size_t i = 0; i < (npz ? 3u : 4u); ++i)
        list.push_back(tern::named(names[i], std::span(to).subspan(i * n, n)));
      return list;
    };
    format.load(place / "x", wanted(floats), {.convert = true});
    format.load(place / "x", wanted(doubles), {.convert = true});
    for (std::size_t i = 0; i < n; ++i) {
      CHECK(same_bits(std::vector{floats[i]}, std::vector{static_cast<float>(h[i])}));
      CHECK(same_bits(std::vector{floats[n + i]}, std::vector{f[i]}));
      CHECK(same_bits(std::vector{floats[2 * n + i]}, std::vector{static_cast<float>(values[i])}));
      CHECK(doubles[i] == static_cast<double>(static_cast<float>(h[i])));
      CHECK(doubles[n + i] == static_cast<double>(f[i]));
      CHECK(same_bits(std::vector{doubles[2 * n + i]}, std::vector{values[i]}));
      if (npz) continue;
      CHECK(same_bits(std::vector{floats[3 * n + i]}, std::vector{static_cast<float>(b[i])}));
      CHECK(doubles[3 * n + i] == static_cast<double>(static_cast<float>(b[i])));
    }

    const auto refused = [&](const std::vector<tern::named_tensor>& list, const tern::load_options& o) {
      return complaint(format.call, place / "x", [&] { format.load(place / "x", list, o); });
    };
    std::vector<float> kept(n, 7.0f);
    CHECK(refused(std::vector{tern::named("d", kept)}, {.strict = false}) ==
          "tensor 'd' is float64 [9], asked for is float32 [9]: .convert would convert it");
    std::vector<tern::half> narrow(n);
    CHECK(refused(std::vector{tern::named("f", narrow)}, {.strict = false, .convert = true}) ==
          "tensor 'f' is float32 [9], asked for is float16 [9]");
    std::vector<std::int32_t> whole(n);
    CHECK(refused(std::vector{tern::named("f", whole)}, {.strict = false, .convert = true}) ==
          "tensor 'f' is float32 [9], asked for is int32 [9]");
    d[3] = 1e300;
    format.save(place / "x", tensors);
    std::vector<float> first(n, 7.0f);
    CHECK(refused(std::vector{tern::named("f", first), tern::named("d", kept)}, {.strict = false, .convert = true}) ==
          "tensor 'd' has a number that is too large for float32");
    CHECK(kept == std::vector<float>(n, 7.0f));
    CHECK(first == std::vector<float>(n, 7.0f));
  }
}

TEST_CASE("views of any strides are saved and loaded element by element") {
  for (const format& f : formats) {
    const folder place;
    const std::vector<float> rows = random_vector<float>(3 * 4, 3u);
    std::vector<float> memory = rows, transposed(12), padded(3 * 7, -1.0f);
    f.save(place / "x", std::vector{tern::named("a", tern::view(memory, tern::extents(3, 4)))});
    f.load(place / "x", std::vector{tern::named("a", tern::transposed(tern::view(transposed, tern::extents(4, 3))))},
           {});
    const tern::view columns(padded, tern::layout_strided::mapping(tern::extents(3, 4), 7, 1));
    f.load(place / "x", std::vector{tern::named("a", columns)}, {});
    for (std::size_t r = 0; r < 3; ++r) {
      for (std::size_t c = 0; c < 4; ++c) {
        CHECK(transposed[c * 3 + r] == rows[r * 4 + c]);
        CHECK(padded[r * 7 + c] == rows[r * 4 + c]);
      }
      for (std::size_t c = 4; c < 7; ++c) CHECK(padded[r * 7 + c] == -1.0f);
    }
    const auto bytes = read_bytes(place / "x");
    f.save(place / "x", std::vector{tern::named("a", columns)});
    CHECK(read_bytes(place / "x") == bytes);
    f.save(place / "x", std::vector{tern::named("a", tern::transposed(tern::view(transposed, tern::extents(4, 3))))});
    CHECK(read_bytes(place / "x") == bytes);

    std::vector<double> wide(12);
    f.load(place / "x", std::vector{tern::named("a", tern::transposed(tern::view(wide, tern::extents(4, 3))))},
           {.convert = true});
    for (std::size_t r = 0; r < 3; ++r)
      for (std::size_t c = 0; c < 4; ++c) CHECK(wide[c * 3 + r] == static_cast<double>(rows[r * 4 + c]));
  }
}

TEST_CASE("axes in memory that do not fit the shape are refused") {
  const folder place;
  float x[6] = {};
  tern::named_tensor t{"x", tern::stored_type::float32, {2, 3}, x, {{2, 3}, {2, 1}}};
  const auto says = [&] { return message([&] { tern::save_safetensors(place / "x", std::vector{t}); }); };
  CHECK(says() == "save_safetensors: tensor 'x', [2, 3], has another number of elements in memory");
  t.axes = {{2, 3}, {3, 0}};
  CHECK(message([&] { tern::load_safetensors(place / "x", std::vector{t}); }) ==
        "load_safetensors: tensor 'x', [2, 3], has elements in one place in memory");
  t.axes = {{-2, 3}, {-3, 1}};
  CHECK(says() == "save_safetensors: tensor 'x', [2, 3], has an axis in memory with a negative extent");
}
