// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part that needs only the standard library: views, ops, devices, policies and the reference kernels. Kernels of
// the other policies are in tern/simd.hpp, tern/mimd.hpp and tern/simt.hpp.
#pragma once

#include "tern/device/system.hpp"
#include "tern/policy/fits.hpp"
#include "tern/policy/layout_for.hpp"
#include "tern/policy/training_batch_for.hpp"
#include "tern/reference.hpp"
#include "tern/version.hpp"
