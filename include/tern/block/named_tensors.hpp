// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tensors of networks and trainers under their names, for files: tern::save_safetensors and its kin.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tern/block/network.hpp"
#include "tern/block/parameters.hpp"
#include "tern/block/trainer.hpp"
#include "tern/core/config.hpp"
#include "tern/files/named_tensor.hpp"

namespace tern::inline TERN_ISA {

namespace impl {

template <class T>
named_tensor named_parameter(const std::string& prefix, const parameter& p, std::span<T> memory) {
  named_tensor t =
      named(prefix + p.name, memory.subspan(static_cast<std::size_t>(p.offset), static_cast<std::size_t>(p.size())));
  t.shape.assign(p.shape, p.shape + p.rank);
  return t;
}

}  // namespace impl

/// Parameters and running statistics of a network, one by one: what inference needs.
///
///     tern::save_safetensors("model.safetensors", tern::tensors_of<net>(parameters, statistics));
///     tern::load_safetensors("model.safetensors", tern::tensors_of<net>(parameters, statistics));
///
/// Weights of convolutions are (kernel..., in, out), of matmuls (in, out). Throws std::invalid_argument where the spans
/// have another number of elements. Allocates.
template <class Network>
std::vector<named_tensor> tensors_of(std::span<typename Network::value_type> parameters,
                                     std::span<typename Network::value_type> statistics) {
  if (static_cast<index_t>(parameters.size()) != Network::parameters ||
      static_cast<index_t>(statistics.size()) != Network::statistics)
    violation("tensors_of: parameters and statistics have %td and %td elements: they must have %td and %td",
              static_cast<index_t>(parameters.size()), static_cast<index_t>(statistics.size()), Network::parameters,
              Network::statistics);
  std::vector<named_tensor> all;
  Network::each_parameter(
      [&](const parameter& p) { all.push_back(impl::named_parameter("", p, p.statistic ? statistics : parameters)); });
  return all;
}

/// All that a trainer needs to go on with the same bits: parameters, statistics, what the optimiser remembers
/// ("optimizer.0.", ...), the number of steps and the seed. Loading changes the trainer, or nothing at all.
///
///     tern::save_safetensors("training.safetensors", tern::tensors_of(t));
template <class Network, class Loss, class Optimizer>
std::vector<named_tensor> tensors_of(trainer<Network, Loss, Optimizer>& t) {
  std::vector<named_tensor> all = tensors_of<Network>(t.parameters(), t.statistics());
  for (int i = 0; i < t.remembered; ++i)
    Network::each_parameter([&](const parameter& p) {
      if (!p.statistic)
        all.push_back(impl::named_parameter("optimizer." + std::to_string(i) + '.', p, t.memory_of_optimizer(i)));
    });
  all.push_back(named("trainer.steps_done", std::span(&t.steps_done, 1)));
  all.push_back(named("trainer.seed", std::span(&t.seed, 1)));
  return all;
}

}  // namespace tern::inline TERN_ISA
