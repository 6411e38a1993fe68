// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layers of models that layers.txt lists.
#pragma once

#include <string>
#include <vector>

namespace tern::test {

/// A shape of layer in a model.
struct layer {
  int count = 0;      ///< layers of this shape
  std::string name;   ///< of the first of them
  std::string op;     ///< conv2d, matmul, maxpool, ...
  std::string shape;  ///< the operation and its geometry: equal for layers that compute the same
  std::string after;  ///< bias, activation, note
};

struct model {
  std::string name, certainty, source;
  std::vector<layer> layers;
};

/// The models of a file. Ends the program if there is no such file, or if a line has another format.
std::vector<model> read_models(const char* file);

/// Runs a layer in every pass under `reference` and `simd`, scaled down to where `reference` takes a moment. Returns
/// what is wrong, nothing where all bits are equal and a sample of results is as near to higher precision as their
/// arithmetic allows.
std::string fault_of_conv(const std::string& shape, unsigned seed);
std::string fault_of_matmul(const std::string& shape, unsigned seed);
std::string fault_of_pool(const std::string& shape, unsigned seed);
std::string fault_of_norm(const std::string& shape, unsigned seed);
std::string fault_of_softmax(const std::string& shape, unsigned seed);
std::string fault_of_map(const std::string& shape, unsigned seed);
std::string fault_of_draw(const std::string& shape, unsigned seed);

}  // namespace tern::test
