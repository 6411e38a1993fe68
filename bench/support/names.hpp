// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "tern/device/catalog.hpp"
#include "tern/device/device.hpp"

namespace tern::bench {

/// The name of a policy in tables and descriptors: "reference", "simd<native,exact>", "simd<avx2,relaxed>", then the
/// name of the tuning if it has one.
template <class Policy>
std::string policy_name() {
  std::string s = Policy::name;
  if constexpr (requires { Policy::machine; }) {
    (s += "<") += &Policy::machine == &devices::native ? "native" : Policy::machine.name;
    (s += ",") += Policy::numerics_type::name;
    if constexpr (requires { Policy::tuning_type::name; }) (s += ",") += Policy::tuning_type::name;
    s += ">";
  }
  return s;
}

}  // namespace tern::bench
