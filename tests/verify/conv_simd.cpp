// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cases of convolutions under simd: every layout on the calling thread, and every executor. Compiled for each
// element type.
#include "tern/simd.hpp"

#include "tests/verify/convs.hpp"

namespace tern::test {
namespace {

void run(recorder& to, executor_list executors) {
  using T = TERN_VERIFY_ELEMENT;
  serial caller;
  const on_executor on_caller{any_executor::of("serial", caller)};
  const struct {
    conv_form f;
    const char* way;
  } forms[] = {{conv_form::last, "convolution, serial, channels last"},
               {conv_form::gaps, "convolution, serial, strided"},
               {conv_form::blocks, "convolution, serial, channels in blocks"},
               {conv_form::packed, "convolution, serial, packed weights"},
               {conv_form::cut, "convolution, serial, batch cut"}};
  for (const auto& [f, way] : forms) all_convs<simd<>, T>(to, "simd", way, f, on_caller);
  for (int e = 0; e < executors.count; ++e)
    all_convs<simd<>, T>(to, "simd", (std::string("convolution, ") + executors.first[e].name).c_str(),
                         static_cast<conv_form>(e % 5), on_executor{executors.first[e]}, true);
}

}  // namespace

part TERN_VERIFY_PART(isa_tag::current) { return run; }

}  // namespace tern::test
