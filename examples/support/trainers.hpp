// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interface between a demo and its code for one instruction set: plain data and functions compiled elsewhere.
#pragma once

namespace demo {

/// The time and operations of the kernels of a run.
struct cost {
  double seconds = 0;
  double flops = 0;  ///< two per multiply-add
};

/// The trainers of one instruction set, one for each policy.
template <class Trainer>
struct trainers {
  const char* isa;
  double (*measured_peak)(double milliseconds);  ///< float32 operations per second of one core
  struct {
    const char* policy;
    const char* where;
    Trainer* train;
  } policies[5];
};

/// Steady time in seconds.
double now();

}  // namespace demo
