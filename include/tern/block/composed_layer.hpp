// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The base of layers that call other layers: couplings and non-local ones.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>

#include "tern/block/layer.hpp"
#include "tern/block/memory.hpp"
#include "tern/block/parameters.hpp"
#include "tern/core/config.hpp"
#include "tern/core/each_constant.hpp"
#include "tern/policy/batch_rules.hpp"

namespace tern::inline TERN_ISA::impl {

/// The layers inside a composed layer: their summed sizes, and the offsets of each one's parameters and packed weights.
template <class Tuple>
struct layer_tuple;
template <class... L>
struct layer_tuple<std::tuple<L...>> {
  static constexpr std::size_t count = sizeof...(L);
  static constexpr index_t parameters = (L::parameters + ... + 0), statistics = (L::statistics + ... + 0),
                           sites = (L::sites + ... + 0), penalties = (L::penalties + ... + 0);
  static constexpr index_t packed = (detail::in_memory_grains(L::packed) + ... + 0),
                           thread_workspace = std::max({index_t(0), L::thread_workspace...});
  static constexpr index_t multiply_adds = (L::multiply_adds + ... + 0);
  static constexpr declare::sentence no_backward = missing_backward<L...>();
  static constexpr bool whole_batch = (L::whole_batch || ...), independent = (independent_layer<L>::value && ...);
  static constexpr index_t grain = [] {
    index_t g = 1;
    ((g = detail::batching::at_least(g, L::grain)), ...);
    return g;
  }();
  template <index_t... Counts>
  static constexpr std::array<index_t, count> sums_before() {
    const index_t counts[] = {Counts...};
    std::array<index_t, count> r{};
    for (std::size_t i = 1; i < count; ++i) r[i] = r[i - 1] + counts[i - 1];
    return r;
  }
  static constexpr auto parameter_at = sums_before<L::parameters...>(), statistic_at = sums_before<L::statistics...>(),
                        site_at = sums_before<L::sites...>(), penalty_at = sums_before<L::penalties...>(),
                        packed_at = sums_before<detail::in_memory_grains(L::packed)...>();

  /// The call of layer I.
  template <std::size_t I, class Call>
  static auto inside(const Call& c) {
    auto own = call_of<std::tuple_element_t<I, std::tuple<L...>>>(c).at(parameter_at[I], statistic_at[I], site_at[I],
                                                                        penalty_at[I]);
    if constexpr (is_packed_call<decltype(own)>) own.packed += packed_at[I];
    return own;
  }
  template <class T>
  static void pack(const T* learned, const T* running, T* to) {
    each_constant<static_cast<int>(count)>([&](auto i) {
      using part = std::tuple_element_t<i, std::tuple<L...>>;
      if constexpr (part::packed > 0)
        part::pack(learned + parameter_at[i], running + statistic_at[i], to + packed_at[i]);
    });
  }
  template <class F>
  static void each_parameter(F& f, const detail::parameter_path& path) {
    each_constant<static_cast<int>(count)>([&](auto i) {
      std::tuple_element_t<i, std::tuple<L...>>::each_parameter(f, path.inside(i, parameter_at[i], statistic_at[i]));
    });
  }
  template <class Call>
  static void conclude(const Call& c) {
    each_constant<static_cast<int>(count)>(
        [&](auto i) { std::tuple_element_t<i, std::tuple<L...>>::conclude(inside<i>(c)); });
  }

  using value_type = typename joint_types<typename L::value_type...>::type;
  static constexpr bool types_agree = joint_types<typename L::value_type...>::agree;
};

/// A layer that calls other layers. `facts` has their sums and calls.
template <sample_shape In, class Layers>
struct composed_layer : layer_base<In> {
  using facts = layer_tuple<Layers>;
  using value_type = typename facts::value_type;
  static constexpr index_t parameters = facts::parameters, statistics = facts::statistics, sites = facts::sites,
                           penalties = facts::penalties, grain = facts::grain, packed = facts::packed,
                           thread_workspace = facts::thread_workspace, multiply_adds = facts::multiply_adds;
  static constexpr bool whole_batch = facts::whole_batch, independent = facts::independent;
  static constexpr declare::sentence no_backward = facts::no_backward;

  template <class F>
  static void each_parameter(F& f, const detail::parameter_path& path) {
    facts::each_parameter(f, path);
  }
  template <class T>
  static void pack(const T* learned, const T* running, T* to) {
    facts::pack(learned, running, to);
  }
  template <class Call>
  static void conclude(const Call& c) {
    facts::conclude(c);
  }
};

}  // namespace tern::inline TERN_ISA::impl
