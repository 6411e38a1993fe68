// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels under the policy tern::simt, launched into a CUDA stream: k(tern::simt_stream{stream}, a, b, c).
#pragma once
#if !defined(__CUDACC__)
#error "tern/simt.cuh needs a CUDA compiler; the host contexts are in tern/simt.hpp"
#endif

#include "tern/exec/simt/stream.cuh"
#include "tern/simt.hpp"
