# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes ONNX models as C++ networks of tern: see docs/onnx.md."""
