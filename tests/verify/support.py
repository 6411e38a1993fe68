#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares docs/support.md with reports of tern_verify, or writes it.

    support.py [--write] DOCUMENT REPORT...

A cell names the element types for which a policy had results, all of them equal to the checked-in checksums.
"""
import re
import sys

from matrix import read

POLICIES = ["reference", "simd", "mimd", "simt"]
PASSES = ["forward", "indices", "statistics", "step", "inverse", "to_stream", "from_stream", "sum", "backward_data",
          "backward_weights", "backward_bias", "backward_scale", "backward_slope"]
OTHER_WORDS = {"gradients": "backward_data", "total": "sum"}
OPTIMISERS = {"adam", "rmsprop", "sgd"}
SHORT = {"float32": "f32", "float64": "f64"}

HEAD = """<!-- SPDX-FileCopyrightText: 2026 The tern authors -->
<!-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception -->

# What runs where

For those who ask whether a pass runs under a policy. A cell lists the element types with checked results: f32 is float32, f64 is
float64. Passes with the same cells share a row. `tests/verify/support.py --write` writes this page from the reports of
`tern_verify`, and a test compares it with them.

simt means its kernels in loops on the host; [simt.md](simt.md) lists the kernels that ran on a GPU. Other tests cover element types of
ops that only move elements (all), streams of convolutions, parts of batch norms, and blocks.
"""


def key_of(name):
    """The op, pass and element type of a result; None for elementary functions."""
    match = re.match(r"(\w+) (\w+ )?(float\d\d)\b:? ?(.*)", name)
    if not match:
        return None
    op, before, element, rest = match.groups()
    words = re.findall(r"[a-z_]+", f"{before or ''} {rest}")
    known = [OTHER_WORDS.get(word, word) for word in words if word in PASSES or word in OTHER_WORDS]
    return op, known[0] if known else "step" if op in OPTIMISERS else "forward", element


def rows(reports):
    """{op: {passes with equal cells: cells}}"""
    found, wrong = {}, []
    for path in reports:
        for equal, _, policy, _, name in read(path)[1]:
            key = key_of(name)
            if not key or policy not in POLICIES or key[0] == "network":
                continue
            if not equal:
                wrong.append(f"{policy}: {name}")
            found.setdefault(key[0], {}).setdefault(key[1], {}).setdefault(policy, set()).add(SHORT[key[2]])
    if wrong:
        sys.exit("support.py: not the checked-in bits: " + "; ".join(wrong[:5]))
    table = {}
    for op, passes in sorted(found.items()):
        for name in sorted(passes, key=PASSES.index):
            cells = tuple(" ".join(sorted(passes[name].get(policy, []))) or "no" for policy in POLICIES)
            table.setdefault(op, {}).setdefault(cells, []).append(name)
    return table


def document(reports):
    lines = [HEAD, "| op | passes | " + " | ".join(POLICIES) + " |", "|---" * (2 + len(POLICIES)) + "|"]
    for op, by_cells in rows(reports).items():
        for cells, passes in by_cells.items():
            lines.append(f"| {op} | {', '.join(passes)} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def main():
    arguments = sys.argv[1:]
    write = arguments[:1] == ["--write"]
    arguments = arguments[write:]
    if len(arguments) < 2:
        sys.exit(__doc__)
    path, text = arguments[0], document(arguments[1:])
    if write:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return
    with open(path, encoding="utf-8") as file:
        old = file.read()
    if old != text:
        there, here = old.splitlines(), text.splitlines()
        for line in here:
            if line not in there:
                print("missing:", line)
        for line in there:
            if line not in here:
                print("not so: ", line)
        sys.exit(f"{path} differs: write it with tests/verify/support.py --write")


if __name__ == "__main__":
    main()
