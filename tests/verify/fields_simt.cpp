// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cases of pools and of ops that move elements under simt in the host contexts: both orders of the threads of a
// block. Compiled for each element type.
#include "tern/simt.hpp"

#include "tests/verify/fields.hpp"

namespace tern::test {
namespace {

using T = TERN_VERIFY_ELEMENT;

/// The same state for every call.
struct loops {
  simt_host how;
  template <class Call>
  simt_host operator()(const Call&) const {
    return how;
  }
};

void run(recorder& to, executor_list) {
  const loops ascending{{.reverse = false}}, descending{{.reverse = true}};
  all_fields<simt<>, T>(to, "simt", "fields, threads ascending", field_form::blocks, ascending);
  all_fields<simt<>, T>(to, "simt", "fields, threads descending", field_form::gaps, descending);
}

}  // namespace

part TERN_VERIFY_PART(isa_tag::current) { return run; }

}  // namespace tern::test
