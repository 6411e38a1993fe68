// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a view of a temporary
// error: view: the container is a temporary: its elements would be gone before the view is used
#include <vector>

#include "tern/reference.hpp"

const tern::view v(std::vector<float>(12), tern::extents{3, 4});
