# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Recognises what exporters write as several nodes: activations and norms."""


def recognise(model):
    pass
