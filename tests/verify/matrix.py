#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the tables of docs/determinism.md from reports of tern_verify.

    matrix.py DOCUMENT REPORT...

The text of the document stays; what lies between its two markers is replaced.
"""
import re
import sys

BEGIN, END = "<!-- written by tests/verify/matrix.py -->", "<!-- end -->"
POLICIES = ["reference", "simd", "mimd", "simt", "functions"]
ISAS = ["avx512", "avx2", "scalar", "neon64", "emulated"]


class Cells:
    """Counts of (equal, all) by row and column."""

    def __init__(self):
        self.counts = {}

    def add(self, row, column, equal):
        cell = self.counts.setdefault(row, {}).setdefault(column, [0, 0])
        cell[0] += equal
        cell[1] += 1

    def table(self, head, columns, key=None):
        lines = ["| " + " | ".join(head + columns) + " |", "|" + "---|" * (len(head) + len(columns))]
        for row in sorted(self.counts, key=key) if key else self.counts:
            cells = [self.counts[row].get(column) for column in columns]
            texts = ["" if cell is None else f"{cell[0]} of {cell[1]}" for cell in cells]
            lines.append("| " + " | ".join(list(row) + texts) + " |")
        return lines


def read(path):
    """The head of a report as a dict, and its results as tuples."""
    head, results = {}, []
    with open(path, encoding="utf-8") as file:
        for line in file:
            fields = line.rstrip("\n").split("\t")
            if len(fields) == 2:
                head[fields[0]] = fields[1]
            else:
                results.append((fields[0] == "equal", *fields[1:]))
    return head, results


def short_compiler(text):
    """'g++ 12.2.0' of 'g++ 12.2.0 20220819 ...'."""
    return re.match(r"\S+ [0-9.]*[0-9]", text).group()


def short_flags(text):
    """Flags without those that name the instruction set, which has its own column."""
    named = re.compile("march|TERN_SCALAR|XSIMD_WITH_EMULATED")
    return " ".join(f"`{flag}`" for flag in text.split() if not named.search(flag))


def problem(name):
    """Operation, epilogue and element type of a case: its name without sizes and kinds of numbers."""
    words = re.sub(r"(:.*| \d+x[0-9x]+( wide| special)?)$", "", name).split()
    if len(words) == 2:  # an elementary function
        return (words[0], "-", words[1])
    return (f"{words[0]} {words[2]}", " ".join(words[3:]) or "-", words[1])


def main():
    document, paths = sys.argv[1], sys.argv[2:]
    builds, ways, problems = Cells(), Cells(), Cells()
    equal = total = 0
    for path in paths:
        head, results = read(path)
        for same, isa, policy, way, name in results:
            build = (short_compiler(head["compiler"]), short_flags(head["flags"]), head["processor"], isa, head["xsimd"])
            builds.add(build, policy, same)
            ways.add((policy, way), "checksums", same)
            problems.add(problem(name), policy, same)
            equal, total = equal + same, total + 1
    lines = [BEGIN, "", f"**{equal} of {total} checksums are equal**, from {len(builds.counts)} combinations of "
             "compiler, flags and instruction set.", "", "### Compilers, flags, instruction sets", ""]
    lines += builds.table(["compiler", "flags", "processor", "instruction set", "xsimd"], POLICIES,
                          lambda row: (row[2] == "aarch64", row[0], row[1], row[4], ISAS.index(row[3])))
    lines += ["", "### Ways to run a case, all of the above together", ""]
    lines += ways.table(["policy", "way"], ["checksums"], lambda row: POLICIES.index(row[0]))
    lines += ["", "### Operation, epilogue and element type under each policy, all of the above together", ""]
    lines += problems.table(["operation", "epilogue", "elements"], POLICIES)
    with open(document, encoding="utf-8") as file:
        text = file.read()
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    with open(document, "w", encoding="utf-8") as file:
        file.write(before + "\n".join(lines) + "\n\n" + END + after)
    print(f"{document}: {equal} of {total} checksums are equal")
    return 0 if equal == total else 1


if __name__ == "__main__":
    sys.exit(main())
