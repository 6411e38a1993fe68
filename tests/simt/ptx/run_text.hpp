// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels written as PTX, for the tests of the executor itself.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "tests/simt/ptx/block.hpp"

namespace tern::test {

/// The global memory and the launch of a kernel.
struct ptx_launch {
  ptx::dimensions blocks = {}, threads = {32};
  std::uint32_t dynamic_shared = 0;
  ptx::thread_order order = ptx::thread_order::forward;
  ptx::copy_time copies = ptx::copy_time::late;
  std::uint32_t seed = 1;
  std::uint64_t most_steps = 1u << 28;
};

/// Runs the one kernel of a text with the addresses of arrays as its parameters. Returns the message of its fault, or
/// nothing.
template <class... T>
std::string run_ptx(const std::string& text, const ptx_launch& how, std::vector<T>&... arrays) {
  const ptx::program p = ptx::parse(text);
  ptx::global_memory memory;
  ptx::grid g{.k = p.kernels.at(0),
              .blocks = how.blocks,
              .threads = how.threads,
              .dynamic_shared = how.dynamic_shared,
              .params = {},
              .order = how.order,
              .copies = how.copies,
              .seed = how.seed,
              .most_steps = how.most_steps};
  const auto pass = [&](void* address, std::size_t bytes) {
    memory.add(address, bytes, true);
    const auto value = reinterpret_cast<std::uint64_t>(address);
    g.params.insert(g.params.end(), reinterpret_cast<const std::uint8_t*>(&value),
                    reinterpret_cast<const std::uint8_t*>(&value) + sizeof value);
  };
  (pass(arrays.data(), arrays.size() * sizeof(T)), ...);
  try {
    ptx::run(g, memory);
  } catch (const ptx::fault& f) {
    return f.what();
  }
  return {};
}

/// A kernel around a body, with so many parameters p0, p1, ... that are addresses. The body finds the first four as
/// %rd0 to %rd3, its thread in %r0 and four bytes times that in %rd4, and has registers from 10 on.
inline std::string ptx_kernel(int parameters, const std::string& body, const std::string& shared = "") {
  std::string text = ".version 9.0\n.target sm_80\n.address_size 64\n" + shared + "\n.visible .entry k(";
  for (int i = 0; i < parameters; ++i) text += (i ? ",\n.param .u64 p" : "\n.param .u64 p") + std::to_string(i);
  text +=
      ")\n.maxntid 1024, 1, 1\n{\n.reg .pred %p<32>;\n.reg .b16 %rs<32>;\n.reg .b32 %r<64>;\n.reg .f32 %f<32>;\n"
      ".reg .b64 %rd<32>;\n.reg .f64 %fd<32>;\n";
  for (int i = 0; i < parameters && i < 4; ++i)
    text += "ld.param.u64 %rd" + std::to_string(i) + ", [p" + std::to_string(i) + "];\n";
  return text + "mov.u32 %r0, %tid.x;\nmul.wide.u32 %rd4, %r0, 4;\n" + body + "\nret;\n}\n";
}

}  // namespace tern::test
