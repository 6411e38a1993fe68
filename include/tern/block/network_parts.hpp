// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of a network: its root, or an empty one after an error; and spans of one or several tensors.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <type_traits>

#include "tern/block/graph_layer.hpp"
#include "tern/block/memory.hpp"
#include "tern/block/rules.hpp"
#include "tern/block/stream.hpp"
#include "tern/core/config.hpp"
#include "tern/core/sentence.hpp"
#include "tern/device/device.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/op/sample_shape.hpp"
#include "tern/policy/reference.hpp"
#include "tern/policy/training_batch_for.hpp"

namespace tern::inline TERN_ISA::impl {

/// The batch rule of a network: see policy/batch_rules.hpp.
struct network_rule {
  index_t element_bytes, parameters, sample_grain;
  memory_need memory;

  constexpr index_t grain() const { return sample_grain; }
  /// Parameters, their gradient, and memory for a step.
  constexpr index_t stored_bytes(index_t m) const { return (2 * parameters + memory.elements(m)) * element_bytes; }
  /// Everything is spread over the tiles; the largest call may use as much again.
  constexpr index_t tile_bytes(const device& d, index_t m) const {
    return 2 * detail::batching::ceil_div(stored_bytes(m), d.units > 0 ? d.units : 1) + d.program_bytes;
  }
  /// Samples whose memory stays in half of a core's L2.
  constexpr index_t cached_samples(const device& d) const {
    const index_t l2 = d.l2_bytes > 0 ? d.l2_bytes : 256 * 1024;
    return l2 / 2 / (detail::batching::at_least(memory.per_sample, 1) * element_bytes);
  }
};

/// The element type of a network.
template <class Root>
using element_of = std::conditional_t<std::is_void_v<typename Root::value_type>, float, typename Root::value_type>;

template <std::size_t N>
constexpr std::array<sample_shape, N> all_shapes(const std::array<sample_shape, N>& s) {
  return s;
}
constexpr std::array<sample_shape, 1> all_shapes(const sample_shape& s) { return {s}; }
/// A placeholder for an argument that is not a shape, which is an error.
template <class Other>
constexpr std::array<sample_shape, 1> all_shapes(const Other&) {
  return {sample_shape::features(1)};
}
// Overloads, as nvcc 13 loses the type of a template argument.
constexpr bool are_shapes(const sample_shape&) { return true; }
template <std::size_t N>
constexpr bool are_shapes(const std::array<sample_shape, N>&) {
  return N > 0;
}
template <class Other>
constexpr bool are_shapes(const Other&) {
  return false;
}

inline constexpr index_t most_elements = index_t(1) << 40;
constexpr bool is_at_most(const sample_shape& s, index_t most) {
  for (const index_t e : {s.channels, s.extent[0], s.extent[1], s.extent[2]})
    if (e > most)
      return false;
    else
      most /= e < 1 ? 1 : e;
  return true;
}
/// The reason why a policy of the simd model has no kernels here; or empty. Checked once per network, because every op
/// with weights would report it.
template <class Policy>
constexpr const char* refusal_of_policy() {
  if constexpr (policy<Policy>)
    if constexpr (Policy::execution == model::simd && requires { mapping_kernel<Policy>::refusal; })
      return mapping_kernel<Policy>::refusal;
  return "";
}
template <class Policy>
concept is_usable = policy<Policy> && *refusal_of_policy<Policy>() == '\0';
/// The error of a network's arguments, except its block; empty if they are valid.
template <auto In, class Policy>
constexpr declare::sentence error_of_arguments() {
  if (!are_shapes(In))
    return broken_rule("network", {{false,
                                    "the second argument must be the shape of a sample, such as "
                                    "tern::sample_shape::features(784), or a std::array of shapes"}});
  declare::sentence wrong = broken_rule(
      "network", {{policy<Policy>, "the third argument must be a policy, such as tern::simd<> or tern::reference"}});
  for (const sample_shape& s : all_shapes(In))
    if (wrong.empty())
      wrong = broken_rule("network", {{s.is_static() && !s.stream,
                                       "every extent of a sample must be a number of at least 1, and it must be no "
                                       "stream"},
                                      {is_at_most(s, most_elements), "a sample must have at most 2^40 elements"}});
  if (const char* const why = refusal_of_policy<Policy>(); wrong.empty()) wrong << why;
  return wrong;
}
template <class T>
constexpr T one_or_all(const std::array<T, 1>& a) {
  return a[0];
}
template <class T, std::size_t N>
constexpr std::array<T, N> one_or_all(const std::array<T, N>& a) {
  return a;
}
/// One span, or an array of them.
template <class T, std::size_t N>
using spans = std::conditional_t<N == 1, std::span<T>, std::array<std::span<T>, N>>;
template <class T>
std::array<std::span<T>, 1> all_spans(const std::span<T>& s) {
  return {s};
}
template <class T, std::size_t N>
const std::array<std::span<T>, N>& all_spans(const std::array<std::span<T>, N>& s) {
  return s;
}
template <class T, std::size_t N>
std::array<T*, N> pointers(const std::array<std::span<T>, N>& s) {
  std::array<T*, N> p;
  for (std::size_t i = 0; i < N; ++i) p[i] = s[i].data();
  return p;
}

/// The sentence of a network without a backward pass; empty if it has one.
template <class Root>
constexpr declare::sentence error_of_backward() {
  declare::sentence s;
  if (!Root::no_backward.empty()) s << "network: " << Root::no_backward.text();
  return s;
}

/// A valid network; or a placeholder with its inputs and results, so that compilers report one error.
template <class Block, auto In, class Policy, bool HasArguments = error_of_arguments<In, Policy>().empty()>
struct checked_network {
  using policy_type = Policy;
  using whole = typename whole_layer<Block, In, Policy>::type;
  static constexpr declare::sentence wrong = [] {
    declare::sentence s;
    if (!whole::wrong.empty()) s << "network: " << whole::wrong.text();
    if constexpr (whole::wrong.empty())
      if (const declare::sentence stream = error_of_streams<whole, element_of<whole>>(); !stream.empty())
        s << "network: " << stream.text();
    return s.empty()
               ? broken_rule("network",
                             {{!whole::out.stream, "the result must be no stream: put a tern::from_stream at its end"}})
               : s;
  }();
  using root =
      typename std::conditional_t<wrong.empty(), std::type_identity<whole>,
                                  layer_of_nothing<all_shapes(In).size(), whole::flat.outputs.size(), Policy>>::type;
};
template <class Block, auto In, class Policy>
struct checked_network<Block, In, Policy, false> {
  using policy_type = std::conditional_t<is_usable<Policy>, Policy, reference>;
  static constexpr declare::sentence wrong = error_of_arguments<In, Policy>();
  using root = typename layer_of_nothing<all_shapes(In).size(), 1, policy_type>::type;
};

}  // namespace tern::inline TERN_ISA::impl
