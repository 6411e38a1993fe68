// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A training of a small network, compiled for each instruction set: its symbols are looked at. Optimised only: without,
// the spans and tuples of the standard library leave symbols of theirs (tern/exec/cpu/dispatch.hpp).
#include <cstdint>
#include <span>

#include "tern/blocks.hpp"
#include "tern/isa.hpp"
#include "tern/simd.hpp"

namespace tern::test {

float train(isa_tag::current, std::span<float> memory, std::span<const float> x,
            std::span<const std::int32_t> classes) {
  using half = matmul<matmul_config{.n = 4, .bias = true, .act = activation::tanh}>;
  using net = network<sequence<matmul<matmul_config{.n = 8}>, to_stream<>, repeat<2, reversible<half, half>>,
                               from_stream, drop<10>, residual<layer_norm<>>>,
                      sample_shape::features(5), simd<>>;
  trainer<net, cross_entropy<loss_config{.reduce = reduction::sum}>, adam<>> t(memory);
  t.initialize(1);
  serial here;
  return static_cast<float>(t.step(here, x, classes).loss);
}

}  // namespace tern::test
