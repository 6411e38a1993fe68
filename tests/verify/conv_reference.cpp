// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cases of convolutions under the policy that defines them. `--update` takes the checksums from here.
#include "tests/verify/convs.hpp"

namespace tern::test {
namespace {

template <class T>
void run_all(recorder& to) {
  const auto plain_loops = [](const conv_shape&) { return convolution_kernel<reference>::context{}; };
  all_convs<reference, T>(to, "reference", "convolution, plain loops", conv_form::last, plain_loops);
  all_convs<reference, T>(to, "reference", "convolution, batch cut", conv_form::cut, plain_loops);
}

}  // namespace

part TERN_VERIFY_PART(isa_tag::current) {
  return [](recorder& to, executor_list) {
    run_all<float>(to);
    run_all<double>(to);
  };
}

}  // namespace tern::test
