// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interface between the parts of tern_verify. They are compiled for different instruction sets, so only plain data and
// function pointers pass between them.
#pragma once

#include <cstdint>

#include "tern/isa.hpp"
#include "tests/support/any_executor.hpp"

namespace tern::test {

/// Takes the checksum of one case as one way of running it gave it.
/// policy: the policy's name. way: how it ran, within the policy. name: the case; its bits are the same in every way.
struct recorder {
  void (*add)(recorder& self, const char* policy, const char* way, const char* name, std::uint64_t sum);
};

/// The executors of this build: teams of 1 to 4 threads, OpenMP and oneTBB where they are there, a caller's callable.
struct executor_list {
  const any_executor* first;
  int count;
};

/// Gives every call one executor. It has one type for all, so that kernels are compiled once.
struct on_executor {
  any_executor executor;
  template <class... Call>
  any_executor operator()(const Call&...) const {
    return executor;
  }
};

/// One policy (or a part of it, to keep files small), compiled for one instruction set.
using part = void (*)(recorder&, executor_list);

/// The parts of an instruction set.
struct parts {
  const char* isa;  ///< the inline namespace of that compilation
  const part* first;
  int count;
};

parts parts_of(isa_tag::avx512);
parts parts_of(isa_tag::avx2);
parts parts_of(isa_tag::neon64);
parts parts_of(isa_tag::scalar);

}  // namespace tern::test
