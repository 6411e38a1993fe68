// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers to call primitives of oneDNN: one engine and stream, memory over operands, and calls that repeat.
#pragma once

#include <dnnl.hpp>

#include <unordered_map>

#include "bench/peers/peer.hpp"

namespace tern::bench::onednn {

using dnnl::memory;
using tag = memory::format_tag;
inline constexpr auto f32 = memory::data_type::f32;
using arguments = std::unordered_map<int, memory>;

inline dnnl::engine& engine() {
  static dnnl::engine e(dnnl::engine::kind::cpu, 0);
  return e;
}
inline dnnl::stream& stream() {
  static dnnl::stream s(engine());
  return s;
}

inline memory over(const memory::desc& d, const float* p) { return memory(d, engine(), const_cast<float*>(p)); }

/// A copy in the wanted layout, unless it has that already.
inline memory reordered(const memory& from, const memory::desc& wanted) {
  if (from.get_desc() == wanted) return from;
  memory to(wanted, engine());
  memory source = from;
  dnnl::reorder(source, to).execute(stream(), source, to);
  stream().wait();
  return to;
}

inline prepared run(const dnnl::primitive& primitive, const arguments& of_call) {
  return repeated([primitive, of_call] { primitive.execute(stream(), of_call); });
}

/// f(), or nothing if the library does not support it.
template <class F>
prepared if_offered(F f) {
  try {
    return f();
  } catch (const dnnl::error&) {
    return {};
  }
}

}  // namespace tern::bench::onednn
