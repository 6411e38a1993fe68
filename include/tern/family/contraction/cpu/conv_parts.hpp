// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The partition of a convolution over cores with a common memory: by rows of the result, panels of its channels, or
// taps. Sums are never cut. Depthwise convolutions have their own core.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/epilogue.hpp"
#include "tern/family/contraction/convolution.hpp"
#include "tern/family/contraction/cpu/conv_core.hpp"
#include "tern/family/contraction/cpu/conv_gradient_core.hpp"
#include "tern/family/contraction/cpu/depthwise.hpp"
#include "tern/family/contraction/cpu/depthwise_gradient.hpp"
#include "tern/policy/tuning.hpp"

namespace tern::tile::inline TERN_ISA {

/// \tparam V       vectors
/// \tparam Tuning  numbers that change speed and never bits
/// \tparam Cache   bytes of one core's private cache
/// \tparam Paths   the kernels that calls may need
template <class V, contraction_tuning Tuning, index_t Cache, conv_paths Paths = conv_paths{}>
struct conv_parts {
  using T = typename V::value_type;
  using core = conv_core<V, Tuning, Paths>;
  using gradient_core = conv_gradient_core<V, Tuning>;
  using depthwise = depthwise_core<V, Tuning.memory_bytes>;
  using depthwise_gradient = depthwise_gradient_core<V, Tuning>;

  /// Elements of weights packed for a pass; other passes accept them, too.
  static constexpr index_t packed_size(const conv_shape& s, conv_pass p) {
    return depthwise::is_one(s) ? depthwise::packed_size(s) : core::packed_size(s, p);
  }
  static filters<const T> packed(const T* from, const conv_shape& s, conv_pass p) {
    return depthwise::is_one(s) ? depthwise::packed(from, s) : core::packed(from, s, p);
  }
  static void pack(const conv_shape& s, const filters<const T>& w, T* to, conv_pass p) {
    if (depthwise::is_one(s))
      depthwise::pack(s, w, to);
    else
      core::pack(s, w, to, p);
  }

  /// Part t of `tasks` of a call.
  template <conv_pass P, epilogue E>
  static void run(const conv_sums<T, P, E>& q, index_t t, index_t tasks);
  template <bool Accumulate>
  static void run(const conv_gradient<T, Accumulate>& q, index_t t, index_t tasks);

  /// Number of panels for `channels` channels.
  static constexpr index_t panels_of(index_t channels) { return (channels + core::width - 1) / core::width; }
  /// True if the call is cut by panels, false if by rows. By panels, each core reads its own part of weights that
  /// exceed its cache.
  static constexpr bool by_panels(const conv_shape& s, index_t rows, index_t panels, index_t parts) {
    const index_t weights_bytes = s.groups * s.taps() * s.in * s.out * static_cast<index_t>(sizeof(T));
    return panels >= parts && (rows < parts || weights_bytes > Cache);
  }
};

// Outside of the class, so that they are not inline: files that link the compiled part only declare them.
template <class V, contraction_tuning Tuning, index_t Cache, conv_paths Paths>
template <conv_pass P, epilogue E>
void conv_parts<V, Tuning, Cache, Paths>::run(const conv_sums<T, P, E>& q, index_t t, index_t tasks) {
  const index_t rows = q.shape.batch * q.extent(0) * q.extent(1), panels = panels_of(q.results());
  if constexpr (Paths.depthwise)
    if (depthwise::is_one(q.shape) && depthwise::is_contiguous(q.w))
      return depthwise::rows(q, rows * t / tasks, rows * (t + 1) / tasks, 0, q.shape.groups);
  if (by_panels(q.shape, rows, panels, tasks))
    core::rows(q, 0, rows, panels * t / tasks, panels * (t + 1) / tasks);
  else
    core::rows(q, rows * t / tasks, rows * (t + 1) / tasks, 0, panels);
}
template <class V, contraction_tuning Tuning, index_t Cache, conv_paths Paths>
template <bool Accumulate>
void conv_parts<V, Tuning, Cache, Paths>::run(const conv_gradient<T, Accumulate>& q, index_t t, index_t tasks) {
  const conv_shape& s = q.shape;
  if constexpr (Paths.depthwise)
    if (depthwise::is_one(s)) {
      const index_t vectors = (s.groups + V::size - 1) / V::size, end = vectors * (t + 1) / tasks * V::size;
      return depthwise_gradient::gradient(q, vectors * t / tasks * V::size, end < s.groups ? end : s.groups);
    }
  const index_t units = s.groups * s.taps(), panels = panels_of(s.out);
  if (panels >= tasks && units % tasks != 0) {
    const index_t end = panels * (t + 1) / tasks * core::width;
    gradient_core::gradient(q, 0, units, panels * t / tasks * core::width, end < s.out ? end : s.out);
  } else {
    gradient_core::gradient(q, units * t / tasks, units * (t + 1) / tasks, 0, s.out);
  }
}

}  // namespace tern::tile::inline TERN_ISA
