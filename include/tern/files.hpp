// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Model parameters in files of other libraries. An optional part: tern/files/safetensors.hpp needs nlohmann-json,
// tern/files/npz.hpp needs libzip (CMake target tern::files); nothing else in tern does.
#pragma once

#include "tern/files/named_tensor.hpp"
#include "tern/files/names.hpp"
#include "tern/files/npz.hpp"
#include "tern/files/safetensors.hpp"
