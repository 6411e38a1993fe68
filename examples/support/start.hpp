// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Initial weights of trainings.
#pragma once

#include <cstddef>
#include <span>

#include "tern/block/parameters.hpp"

namespace demo {

/// Multiplies the last weights of a network, so that its first results are near its last biases.
template <class Net>
void shrink_last_weights(std::span<typename Net::value_type> parameters, double factor) {
  tern::parameter last;
  Net::each_parameter([&](const tern::parameter& p) {
    if (p.start == tern::parameter::random) last = p;
  });
  for (auto& w : parameters.subspan(static_cast<std::size_t>(last.offset), static_cast<std::size_t>(last.size())))
    w *= static_cast<typename Net::value_type>(factor);
}

}  // namespace demo
