// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For pytorch.py: loads a state dict and samples, compares results, and writes the parameters for PyTorch.
//
// usage: files_pytorch digits|encoder   in a folder with float.safetensors, half.safetensors and samples.safetensors
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "tern/blocks.hpp"
#include "tern/files.hpp"
#include "tern/simd.hpp"

namespace {

struct digits {
  static constexpr const char* slope = "";
  static constexpr tern::sample_shape in = tern::sample_shape::image(1, 28, 28);
  static constexpr tern::value define(tern::graph& g, tern::value x) {
    x = g.conv2d("conv1", {.out = 8, .kernel = 3, .pad = 1, .bias = true}, x);
    x = g.batch_norm("norm1", {.act = tern::activation::relu}, x);
    x = g.max_pool2d("pool1", {.kernel = 2}, x);
    x = g.conv2d("conv2", {.out = 16, .kernel = 3, .pad = 1}, x);
    x = g.batch_norm("norm2", {.act = tern::activation::relu}, x);
    x = g.max_pool2d("pool2", {.kernel = 2}, x);
    return g.matmul("fc", {.n = 10, .bias = true}, g.flatten(x));
  }
};

struct encoder {
  static constexpr const char* slope = "conv.slope";
  static constexpr tern::sample_shape in = tern::sample_shape::image(3, 8, 10);
  static constexpr tern::value define(tern::graph& g, tern::value x) {
    x = g.conv2d(
        "conv",
        {.out = 6, .groups = 3, .kernel = 3, .stride = 2, .pad = 1, .bias = true, .act = tern::activation::prelu}, x);
    x = g.batch_norm("norm", {}, g.flatten(x));
    x = g.matmul("dense", {.n = 24, .bias = true}, x);
    x = g.batch_norm("norm2", {.act = tern::activation::relu}, x);
    x = g.reshape("image", tern::sample_shape::image(4, 2, 3), x);
    return g.conv_transpose2d(
        "up", {.out = 6, .groups = 2, .kernel = {2, 3}, .stride = 2, .output_padding = {1, 0}, .bias = true}, x);
  }
};

template <class Net>
std::vector<tern::named_tensor> state_dict(std::vector<float>& parameters, std::vector<float>& statistics,
                                           const std::string& slope) {
  const auto tensors = tern::tensors_of<Net>(parameters, statistics, tern::convention::pytorch);
  return slope.empty() ? tensors : tern::renamed(tensors, {{slope, "act.weight"}});
}

tern::named_tensor samples(const char* name, std::vector<float>& elements, tern::index_t count,
                           const tern::sample_shape& s) {
  tern::named_tensor t = tern::named(name, elements);
  t.shape.assign(1, count);
  t.shape.insert(t.shape.end(), s.extent, s.extent + s.rank);
  t.shape.push_back(s.channels);
  return t;
}

/// The largest difference to PyTorch's results, relative to the largest of these.
template <class Block>
double difference() {
  using net = tern::network<Block, Block::in, tern::simd<>>;
  constexpr tern::index_t count = 2;
  std::vector<float> parameters(net::parameters), statistics(net::statistics), of_half(net::parameters),
      statistics_of_half(net::statistics);
  const auto tensors = state_dict<net>(parameters, statistics, Block::slope);
  tern::load_safetensors("float.safetensors", tensors);
  tern::load_safetensors("half.safetensors", state_dict<net>(of_half, statistics_of_half, Block::slope),
                         {.convert = true});
  if (of_half != parameters || statistics_of_half != statistics) return 1;
  tern::save_safetensors("written.safetensors", tensors);

  std::vector<float> x(count * net::in.size()), y(count * net::out.size()), expected(y.size()),
      memory(net::infer_memory.elements(count));
  tern::load_safetensors("samples.safetensors",
                         std::vector{samples("x", x, count, net::in), samples("y", expected, count, net::out)});
  auto state = net::make_state();
  net::infer(state, parameters, statistics, x, y, memory);
  double most = 0, apart = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    most = std::max(most, std::abs(static_cast<double>(expected[i])));
    apart = std::max(apart, std::abs(static_cast<double>(y[i]) - static_cast<double>(expected[i])));
  }
  return apart / most;
}

}  // namespace

int main(int argc, char** argv) try {
  const std::string name = argc == 2 ? argv[1] : "";
  if (name != "digits" && name != "encoder") {
    std::fprintf(stderr, "usage: files_pytorch digits|encoder\n");
    return 2;
  }
  const double apart = name == "digits" ? difference<digits>() : difference<encoder>();
  std::printf("%s: differs from PyTorch by %.1e\n", name.c_str(), apart);
  return apart < 2e-6 ? 0 : 1;  // sums of at most 120 products, a few layers
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
