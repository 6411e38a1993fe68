// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters in files as PyTorch and Keras have them: every element is where the definition of the other layout says.
#include <unistd.h>

#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tern/blocks.hpp"
#include "tern/files.hpp"
#include "tern/simd.hpp"
#include "tests/files/complaint.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {
namespace {

/// Tensors by name, as a reader of the file that knows nothing of networks finds them.
struct file_tensor {
  std::vector<index_t> shape;
  std::vector<float> elements;

  template <class... I>
  float at(I... i) const {
    REQUIRE(sizeof...(i) == shape.size());
    index_t offset = 0;
    std::size_t r = 0;
    ((offset = offset * shape[r++] + i), ...);
    return elements[static_cast<std::size_t>(offset)];
  }
};
using file_contents = std::map<std::string, file_tensor>;

template <class Net>
struct filled {
  std::vector<float> parameters = std::vector<float>(Net::parameters), statistics = std::vector<float>(Net::statistics);

  explicit filled(float first) {
    for (float& p : parameters) p = first++;
    for (float& s : statistics) s = first++;
  }
  std::vector<named_tensor> tensors(convention c) { return tensors_of<Net>(parameters, statistics, c); }

  /// Checks the file of a convention, and that loading it restores the network.
  file_contents in_file(convention c) {
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / ("tern_conventions_" + std::to_string(getpid()));
    save_safetensors(file, tensors(c));
    file_contents contents;
    std::vector<named_tensor> wanted;
    for (const named_tensor& t : tensors(c)) {
      if (t.passed_over) continue;
      file_tensor& to = contents[t.name];
      to.shape = t.shape;
      index_t size = 1;
      for (const index_t extent : t.shape) size *= extent;
      to.elements.resize(static_cast<std::size_t>(size));
      wanted.push_back({t.name, t.type, t.shape, to.elements.data()});
    }
    load_safetensors(file, wanted);
    filled other(-1e6f);
    load_safetensors(file, other.tensors(c));
    CHECK(same_bits(other.parameters, parameters));
    CHECK(same_bits(other.statistics, statistics));
    const std::filesystem::path zipped = file.string() + ".npz";
    save_npz(zipped, tensors(c));
    filled third(-2e6f);
    load_npz(zipped, third.tensors(c));
    CHECK(same_bits(third.parameters, parameters));
    std::filesystem::remove(file), std::filesystem::remove(zipped);
    return contents;
  }
  file_contents own() { return in_file(convention::tern); }
};

struct encoder {
  static constexpr value define(graph& g, value x) {
    x = g.conv2d("conv", {.out = 6, .groups = 2, .kernel = {3, 2}, .bias = true}, x);  // 6 x 3 x 4
    x = g.batch_norm("norm", {.act = activation::relu}, x);
    x = g.flatten(x);
    x = g.dropout("drop", 10, x);
    x = g.batch_norm("flat_norm", {}, x);
    x = g.matmul("first", {.n = 5, .bias = true, .act = activation::prelu}, x);
    return g.activate("act", activation::prelu, g.matmul("second", {.n = 5}, x));
  }
};
constexpr index_t conv_channels = 6, height = 3, width = 4;

TEST_CASE("conventions: PyTorch's order of weights, and of features after a flatten") {
  filled<network<encoder, sample_shape::image(4, 5, 5), simd<>>> net(1);
  const file_contents ours = net.own(), theirs = net.in_file(convention::pytorch);

  const file_tensor &conv = theirs.at("conv.weight"), &own_conv = ours.at("conv.weight");
  CHECK(conv.shape == std::vector<index_t>{6, 2, 3, 2});
  for (index_t o = 0; o < 6; ++o)
    for (index_t i = 0; i < 2; ++i)
      for (index_t y = 0; y < 3; ++y)
        for (index_t x = 0; x < 2; ++x) CHECK(conv.at(o, i, y, x) == own_conv.at(y, x, i, o));
  CHECK(theirs.at("norm.weight").elements == ours.at("norm.scale").elements);
  CHECK(theirs.at("norm.bias").elements == ours.at("norm.shift").elements);
  CHECK(theirs.at("norm.running_mean").elements == ours.at("norm.mean").elements);
  CHECK(theirs.at("norm.running_var").elements == ours.at("norm.variance").elements);

  const file_tensor &first = theirs.at("first.weight"), &own_first = ours.at("first.weight");
  CHECK(first.shape == std::vector<index_t>{5, conv_channels * height * width});
  for (index_t c = 0; c < conv_channels; ++c)
    for (index_t y = 0; y < height; ++y)
      for (index_t x = 0; x < width; ++x) {
        const index_t feature = (c * height + y) * width + x, own = (y * width + x) * conv_channels + c;
        for (index_t o = 0; o < 5; ++o) CHECK(first.at(o, feature) == own_first.at(own, o));
        CHECK(theirs.at("flat_norm.running_var").at(feature) == ours.at("flat_norm.variance").at(own));
        CHECK(theirs.at("flat_norm.weight").at(feature) == ours.at("flat_norm.scale").at(own));
      }
  CHECK(theirs.at("first.bias").elements == ours.at("first.bias").elements);
  CHECK(theirs.at("first.slope").elements == ours.at("first.slope").elements);
  CHECK(theirs.at("act.weight").elements == ours.at("act.slope").elements);
  for (index_t i = 0; i < 5; ++i)
    for (index_t o = 0; o < 5; ++o) CHECK(theirs.at("second.weight").at(o, i) == ours.at("second.weight").at(i, o));
}

struct decoder {
  static constexpr value define(graph& g, value x) {
    x = g.matmul("first", {.n = 24, .bias = true}, x);
    x = g.batch_norm("norm", {.act = activation::relu}, x);
    x = g.reshape("image", sample_shape::image(4, 2, 3), x);
    return g.conv_transpose2d("up", {.out = 6, .groups = 2, .kernel = {2, 3}}, x);
  }
};

TEST_CASE("conventions: PyTorch's order of features that become an image") {
  filled<network<decoder, sample_shape::features(7), simd<>>> net(1);
  const file_contents ours = net.own(), theirs = net.in_file(convention::pytorch);
  const file_tensor& first = theirs.at("first.weight");
  CHECK(first.shape == std::vector<index_t>{24, 7});
  for (index_t c = 0; c < 4; ++c)
    for (index_t y = 0; y < 2; ++y)
      for (index_t x = 0; x < 3; ++x) {
        const index_t feature = (c * 2 + y) * 3 + x, own = (y * 3 + x) * 4 + c;
        for (index_t i = 0; i < 7; ++i) CHECK(first.at(feature, i) == ours.at("first.weight").at(i, own));
        CHECK(theirs.at("first.bias").at(feature) == ours.at("first.bias").at(own));
        CHECK(theirs.at("norm.running_mean").at(feature) == ours.at("norm.mean").at(own));
        CHECK(theirs.at("norm.bias").at(feature) == ours.at("norm.shift").at(own));
      }
  const file_tensor& up = theirs.at("up.weight");
  CHECK(up.shape == std::vector<index_t>{4, 3, 2, 3});
  for (index_t i = 0; i < 4; ++i)
    for (index_t o = 0; o < 3; ++o)
      for (index_t y = 0; y < 2; ++y)
        for (index_t x = 0; x < 3; ++x) CHECK(up.at(i, o, y, x) == ours.at("up.weight").at(y, x, o, i));
}

TEST_CASE("conventions: Keras' names, and its depthwise weights") {
  using block = sequence<conv2d<conv2d_config{.in = 3, .out = 6, .groups = 3, .kernel = {2, 3}, .bias = true}>,
                         batch_norm<>, flatten, matmul<matmul_config{.n = 2}>>;
  filled<network<block, sample_shape::image(3, 4, 4), simd<>>> net(1);
  const file_contents ours = net.own(), theirs = net.in_file(convention::keras);
  const file_tensor& depthwise = theirs.at("0.kernel");
  CHECK(depthwise.shape == std::vector<index_t>{2, 3, 3, 2});
  for (index_t y = 0; y < 2; ++y)
    for (index_t x = 0; x < 3; ++x)
      for (index_t i = 0; i < 3; ++i)
        for (index_t m = 0; m < 2; ++m) CHECK(depthwise.at(y, x, i, m) == ours.at("0.weight").at(y, x, 0, i * 2 + m));
  CHECK(theirs.at("0.bias").elements == ours.at("0.bias").elements);
  CHECK(theirs.at("1.gamma").elements == ours.at("1.scale").elements);
  CHECK(theirs.at("1.beta").elements == ours.at("1.shift").elements);
  CHECK(theirs.at("1.moving_mean").elements == ours.at("1.mean").elements);
  CHECK(theirs.at("1.moving_variance").elements == ours.at("1.variance").elements);
  CHECK(theirs.at("3.kernel").elements == ours.at("3.weight").elements);
}

TEST_CASE("conventions: counters of PyTorch's norms are passed over, and not written") {
  using net = network<batch_norm<>, sample_shape::features(2), simd<>>;
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("tern_counters_" + std::to_string(getpid()));
  filled<net> a(1), b(50);
  const auto theirs = a.tensors(convention::pytorch);
  std::vector<named_tensor> with_counter;
  std::int64_t batches = 12;
  for (named_tensor t : theirs) {
    if (t.passed_over) t.data = &batches, t.passed_over = false;
    with_counter.push_back(t);
  }
  save_safetensors(file, with_counter);
  load_safetensors(file, b.tensors(convention::pytorch));
  CHECK(same_bits(b.parameters, a.parameters));
  CHECK(same_bits(b.statistics, a.statistics));
  save_safetensors(file, theirs);
  CHECK(complaint("load_safetensors", file, [&] { load_safetensors(file, with_counter); }) ==
        "there is no tensor '0.num_batches_tracked' (int64 [])");
  std::filesystem::remove(file);
}

/// Features of which only some were an image.
struct mixed {
  static constexpr value define(graph& g, value x, value y) {
    return g.matmul("dense", {.n = 2}, g.concat("both", {g.flatten(x), y}));
  }
};
/// One matmul for images of two shapes.
struct two_shapes {
  static constexpr value define(graph& g, value x, value y) {
    const auto look = [&](value v) { return g.matmul("dense", {.n = 2}, v); };
    return g.add("sum", g.shared("look", g.flatten(x), look), g.shared("look", g.flatten(y), look));
  }
};
/// A pooled image, whose features all count alike.
struct pooled {
  static constexpr value define(graph& g, value x, value y) {
    return g.matmul("dense", {.n = 2}, g.concat("both", {g.flatten(g.global_avg_pool("pool", x)), y}));
  }
};

TEST_CASE("conventions: orders of PyTorch that no strides describe are refused") {
  constexpr std::array inputs{sample_shape::image(3, 2, 2), sample_shape::features(5)};
  filled<network<mixed, inputs, simd<>>> a(1);
  const std::string refused =
      " cannot be stored as in PyTorch: its features are of several images, or parts of one, "
      "which PyTorch has in another order";
  CHECK(message([&] { a.tensors(convention::pytorch); }) == "tensors_of: dense.weight" + refused);
  CHECK(a.in_file(convention::keras).size() == 1);

  constexpr std::array shapes{sample_shape::image(3, 2, 2), sample_shape::image(2, 3, 2)};
  filled<network<two_shapes, shapes, simd<>>> b(1);
  CHECK(message([&] { b.tensors(convention::pytorch); }) == "tensors_of: look.dense.weight" + refused);

  filled<network<pooled, inputs, simd<>>> c(1);
  CHECK(c.in_file(convention::pytorch).at("dense.weight").shape == std::vector<index_t>{2, 8});
}

}  // namespace
}  // namespace tern::test
