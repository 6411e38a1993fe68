# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fails where object files for different instruction sets share a weak symbol: the linker would keep one of the bodies.

usage: symbols.py <nm> [--own] <isa>=<object>[;<object>...]...

Every weak symbol must carry the name of its instruction set's inline namespace, one and the same in the whole object and
another in those of every other. With --own only those of tern: without optimisation the standard library leaves some, too.
"""
import re
import subprocess
import sys

# Weak symbols that may be the same everywhere, and why. Types are those of nm: V and u are data, W is code.
SHARED = [
    ("V", r"DW\.ref\.__gxx_personality_v0", "a pointer to a function of the C++ run-time library"),
    ("W", r"__clang_call_terminate", "what clang calls at the end of noexcept: two calls and nothing else"),
    ("Vu", r"_ZN4tern(9unchecked|10accumulate|18accumulate_weights)E", "an empty constant"),
    ("Vu", r"_ZN4tern7devices\d+[a-z0-9_]+E", "the catalogue: constants that are the same in every compilation"),
    ("V", r"_ZTAX.*", "a template argument: a constant whose name spells its value"),
]


def namespaces_in(name):
    """The inline namespaces that a mangled name mentions: 10isa_avx512 gives isa_avx512."""
    return {name[m.end(1):m.end(1) + int(m.group(1))] for m in re.finditer(r"(\d+)(?=isa_)", name)}


def weak_symbols(nm, path):
    lines = subprocess.run([nm, "-P", path], check=True, capture_output=True, text=True).stdout.splitlines()
    fields = [line.split() for line in lines]
    return [(f[1], f[0]) for f in fields if f[1] in "WVu"]


def main():
    nm, errors, seen = sys.argv[1], [], {}
    own = "--own" in sys.argv
    for argument in sys.argv[3 if own else 2:]:
        isa, _, path = argument.partition("=")
        symbols = [symbol for one in path.split(";") for symbol in weak_symbols(nm, one)]
        if own:
            symbols = [(kind, name) for kind, name in symbols if re.match(r"_Z(NK?|TAX.*)4tern", name)]
        here = set()
        for kind, name in symbols:
            found = namespaces_in(name)
            here |= found
            if not found and not any(kind in kinds and re.fullmatch(rule, name) for kinds, rule, _ in SHARED):
                plain = subprocess.run(["c++filt", name], capture_output=True, text=True).stdout.strip()
                errors.append(f"{isa}: {plain} ({kind}) lies outside the namespace of the instruction set")
        if len(here) != 1:
            errors.append(f"{isa}: {len(here)} namespaces of instruction sets instead of one: {sorted(here)}")
        for name in here:
            if name in seen:
                errors.append(f"{isa} and {seen[name]} share the namespace {name}")
            seen[name] = isa
        print(f"{isa}: {len(symbols)} weak symbols, namespace {', '.join(sorted(here))}")
    for error in errors:
        print(error)
    return 1 if errors or not seen else 0


if __name__ == "__main__":
    sys.exit(main())
