// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Common parts of the operators of XNNPACK.
#pragma once

#include <pthreadpool.h>
#include <xnnpack.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>

#include "bench/peers/peer.hpp"

namespace tern::bench {

/// The threads of the cases that are prepared now; null: the calling one. Defined in xnnpack.cpp.
pthreadpool_t& pool();

inline constexpr float infinity = std::numeric_limits<float>::infinity();

inline void expect(xnn_status s) {
  if (s != xnn_status_success) throw s;
}

/// f(), or nothing if the library does not support it.
template <class F>
prepared if_offered(F f) {
  try {
    return f();
  } catch (xnn_status) {
    return {};
  }
}

inline std::uint32_t u(index_t x) { return static_cast<std::uint32_t>(x); }
inline std::size_t z(index_t x) { return static_cast<std::size_t>(x); }

inline std::shared_ptr<xnn_operator> owned(xnn_operator_t op) {
  return {op, [](xnn_operator_t o) { xnn_delete_operator(o); }};
}

inline prepared run(std::shared_ptr<xnn_operator> op, std::shared_ptr<buffer> memory, index_t bytes) {
  return repeated([op, memory] { xnn_run_operator(op.get(), pool()); }, bytes);
}

}  // namespace tern::bench
