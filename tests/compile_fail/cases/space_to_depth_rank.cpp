// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: space_to_depth: there are one, two or three spatial axes
#include "tern/reference.hpp"

template struct tern::space_to_depth<4, tern::space_to_depth_config<4>{}>;
