// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: upsample: there are one, two or three spatial axes
#include "tern/reference.hpp"

template struct tern::upsample<4, tern::upsample_config<4>{}>;
