// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cases of convolutions under simt in the host contexts: both orders of the threads of a block. Compiled for each
// element type.
#include "tern/simt.hpp"

#include "tests/verify/convs.hpp"

namespace tern::test {
namespace {

using T = TERN_VERIFY_ELEMENT;

/// The same state for every call.
struct loops {
  simt_host how;
  simt_host operator()(const conv_shape&) const { return how; }
};

void run(recorder& to, executor_list) {
  const loops ascending{{.reverse = false}}, descending{{.reverse = true, .run_ahead = 1}};
  all_convs<simt<>, T>(to, "simt", "convolution, threads ascending", conv_form::last, ascending, true);
  all_convs<simt<>, T>(to, "simt", "convolution, threads descending", conv_form::gaps, descending, true);
}

}  // namespace

part TERN_VERIFY_PART(isa_tag::current) { return run; }

}  // namespace tern::test
