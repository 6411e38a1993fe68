// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes per sample of a training step, by the tensors kept from the forward to the backward pass.
#pragma once

#include <type_traits>

#include "tern/blocks.hpp"

namespace zoo {

struct strategies {
  tern::index_t stored;      ///< everything
  tern::index_t recomputed;  ///< the inputs of blocks, which are recomputed; 0 if that is no less
  tern::index_t reversible;  ///< the results of couplings, from which their inputs are computed; 0 without couplings
};
/// Adds a row to those that the program prints.
bool add_row(const char* system, const strategies& s);

inline namespace TERN_ISA {

/// A graph whose named parts are recomputed in the backward pass.
template <class System>
struct recomputed : System {
  template <class... Values>
  static constexpr auto define(tern::graph& g, const Values&... x) -> decltype(System::define(g, x...)) {
    g.checkpoint_scopes();
    return System::define(g, x...);
  }
};
/// Bytes of the variants that a system names, or of itself and of its graph with checkpoints.
template <class System>
constexpr strategies strategies_of() {
  constexpr auto in = System::full;
  const auto bytes_of = []<class Block>(std::type_identity<Block>) {
    using net = tern::network<Block, in, tern::reference>;
    return net::training_memory.elements(1) * static_cast<tern::index_t>(sizeof(typename net::value_type));
  };
  const tern::index_t own = bytes_of(std::type_identity<System>());
  strategies s{own, 0, 0};
  if constexpr (requires { typename System::stored; })
    s.stored = bytes_of(std::type_identity<typename System::stored>());
  if constexpr (requires { typename System::recomputed; })
    s.recomputed = bytes_of(std::type_identity<typename System::recomputed>());
  else if constexpr (requires { &System::define; })
    s.recomputed = bytes_of(std::type_identity<recomputed<System>>());
  if (s.recomputed >= s.stored) s.recomputed = 0;
  if constexpr (requires { System::is_reversible; }) s.reversible = own;
  return s;
}

}  // namespace TERN_ISA
}  // namespace zoo
