// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tensors of networks and trainers under their names, for files: tern::save_safetensors and its kin.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tern/block/network.hpp"
#include "tern/block/parameters.hpp"
#include "tern/block/trainer.hpp"
#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/files/named_tensor.hpp"
#include "tern/op/sample_shape.hpp"

namespace tern {

/// The library whose names and shapes a file uses.
///
/// | tensor | tern | pytorch | keras |
/// |---|---|---|---|
/// | convolution | weight (kernel..., in / groups, out) | weight (out, in / groups, kernel...) | kernel, as tern's |
/// | depthwise | weight (kernel..., 1, out) | weight (out, 1, kernel...) | kernel (kernel..., groups, out / groups) |
/// | transposed | weight (kernel..., out / groups, in) | weight (in, out / groups, kernel...) | kernel, as tern's |
/// | matmul | weight (in, out) | weight (out, in) | kernel (in, out) |
/// | norm | scale, shift | weight, bias | gamma, beta |
/// | its statistics | mean, variance | running_mean, running_var | moving_mean, moving_variance |
/// | prelu | slope | weight | alpha |
///
/// Features that a flatten makes of an image, or a reshape turns into one, are ordered channel by channel in PyTorch,
/// position by position in tern and Keras. PyTorch's num_batches_tracked is ignored.
enum class convention { tern, pytorch, keras };

}  // namespace tern

namespace tern::inline TERN_ISA {

namespace impl {

/// The last component of a name in a convention.
inline const char* last_name(std::string_view last, convention c) {
  struct names {
    const char *tern, *pytorch, *keras;
  };
  static constexpr names all[] = {{"weight", "weight", "kernel"},
                                  {"bias", "bias", "bias"},
                                  {"scale", "weight", "gamma"},
                                  {"shift", "bias", "beta"},
                                  {"mean", "running_mean", "moving_mean"},
                                  {"variance", "running_var", "moving_variance"},
                                  {"slope", "weight", "alpha"}};
  for (const names& n : all)
    if (last == n.tern) return c == convention::pytorch ? n.pytorch : n.keras;
  return nullptr;
}

/// Appends the memory axes of an axis of features, channel by channel.
inline void add_features(std::vector<stored_axis>& axes, const feature_order& order, index_t extent, index_t stride) {
  if (order.is_shared()) {
    axes.push_back({extent, stride});
    return;
  }
  const sample_shape& s = order.shape;
  axes.push_back({s.channels, stride});
  index_t of_axis = s.size() * stride;
  for (int r = 0; r < s.rank; ++r) axes.push_back({s.extent[r], of_axis /= s.extent[r]});
}

/// Converts a parameter to PyTorch's form: weights (kernel..., a, b) become (b, a, kernel...).
inline void as_in_pytorch(named_tensor& t, const parameter& p, bool contraction) {
  const auto wrong = [&](const feature_order& order, index_t extent) {
    return order.mixed || (!order.is_shared() && order.shape.size() != extent);
  };
  const auto r = static_cast<std::size_t>(p.rank);
  if (wrong(p.columns, p.shape[r - 1]) || (r > 1 && wrong(p.rows, p.shape[r - 2])))
    violation(
        "tensors_of: %s cannot be stored as in PyTorch: its features are of several images, or parts of one, which "
        "PyTorch has in another order",
        p.name);
  if (!contraction && p.columns.is_shared() && p.rows.is_shared()) return;
  if (!contraction) return add_features(t.axes, p.columns, p.shape[0], 1);
  const index_t columns = p.shape[r - 1], rows = p.shape[r - 2];
  t.shape = {columns, rows};
  t.shape.insert(t.shape.end(), p.shape, p.shape + r - 2);
  add_features(t.axes, p.columns, columns, 1);
  add_features(t.axes, p.rows, rows, columns);
  index_t stride = p.size();
  for (std::size_t k = 0; k + 2 < r; ++k) t.axes.push_back({p.shape[k], stride /= p.shape[k]});
}

/// Converts a depthwise convolution to Keras' form: (kernel..., channels, multiplier).
inline void as_in_keras(named_tensor& t, const parameter& p) {
  const auto r = static_cast<std::size_t>(p.rank);
  if (p.groups > 1 && p.shape[r - 2] == 1) t.shape[r - 2] = p.groups, t.shape[r - 1] /= p.groups;
}

template <class T>
named_tensor named_parameter(const std::string& prefix, const parameter& p, std::span<T> memory) {
  named_tensor t =
      named(prefix + p.name, memory.subspan(static_cast<std::size_t>(p.offset), static_cast<std::size_t>(p.size())));
  t.shape.assign(p.shape, p.shape + p.rank);
  return t;
}

/// Adds a parameter, and the other tensors that a file has for its block.
inline void add_as(std::vector<named_tensor>& all, named_tensor t, const parameter& p, convention c) {
  const std::size_t dot = t.name.rfind('.') + 1;
  const std::string block = t.name.substr(0, dot), last = t.name.substr(dot);
  const char* const name = c == convention::tern ? nullptr : last_name(last, c);
  if (name) {
    const bool contraction = p.rank > 1 && last == "weight";
    c == convention::pytorch ? as_in_pytorch(t, p, contraction) : as_in_keras(t, p);
    const bool taken = std::ranges::any_of(all, [&](const named_tensor& other) { return other.name == block + name; });
    if (!taken) t.name = block + name;
  }
  if (t.name == block + "running_var") {
    named_tensor& counter = all.emplace_back();
    counter.name = block + "num_batches_tracked", counter.type = stored_type::int64, counter.passed_over = true;
  }
  all.push_back(std::move(t));
}

}  // namespace impl

/// Parameters and running statistics of a network, one by one: everything that inference needs.
///
///     tern::save_safetensors("model.safetensors", tern::tensors_of<net>(parameters, statistics));
///     tern::load_safetensors("from_torch.safetensors",
///                            tern::tensors_of<net>(parameters, statistics, tern::convention::pytorch));
///
/// Throws std::invalid_argument if the spans have another number of elements, or a tensor has no form in the
/// convention. Allocates.
template <class Network>
std::vector<named_tensor> tensors_of(std::span<typename Network::value_type> parameters,
                                     std::span<typename Network::value_type> statistics,
                                     convention c = convention::tern) {
  if (static_cast<index_t>(parameters.size()) != Network::parameters ||
      static_cast<index_t>(statistics.size()) != Network::statistics)
    violation("tensors_of: parameters and statistics have %td and %td elements: they must have %td and %td",
              static_cast<index_t>(parameters.size()), static_cast<index_t>(statistics.size()), Network::parameters,
              Network::statistics);
  std::vector<named_tensor> all;
  Network::each_parameter([&](const parameter& p) {
    impl::add_as(all, impl::named_parameter("", p, p.statistic ? statistics : parameters), p, c);
  });
  return all;
}

/// The state of a trainer, which continues with the same bits: parameters, statistics, optimiser tensors
/// ("optimizer.0.", ...), the number of steps and the seed. Loading changes the whole trainer or nothing.
///
///     tern::save_safetensors("training.safetensors", tern::tensors_of(t));
template <class Network, class Loss, class Optimizer>
std::vector<named_tensor> tensors_of(trainer<Network, Loss, Optimizer>& t) {
  std::vector<named_tensor> all = tensors_of<Network>(t.parameters(), t.statistics());
  for (int i = 0; i < t.state_tensors; ++i)
    Network::each_parameter([&](const parameter& p) {
      if (!p.statistic)
        all.push_back(impl::named_parameter("optimizer." + std::to_string(i) + '.', p, t.memory_of_optimizer(i)));
    });
  all.push_back(named("trainer.steps_done", std::span(&t.steps_done, 1)));
  all.push_back(named("trainer.seed", std::span(&t.seed, 1)));
  return all;
}

}  // namespace tern::inline TERN_ISA
