# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fails if an op asserts a rule of its config that networks do not know.

usage: config_rules.py <repository>

A network reports a wrong config with the name of its block, so include/tern/block states the rules again. This test compares
the sentences: each one that static_assert in include/tern/op/*.hpp gives about a field must be one of a header in block/.
"""
import pathlib
import re
import sys

OPS = ("channel_shuffle", "conv", "conv_transpose", "coupling", "elementwise", "matmul", "norm", "pad", "pool", "softmax", "space_to_depth",
       "upsample")
LEAST_RULES = 60


def literals_joined(path):
    return re.sub(r'"\s*"', "", path.read_text(encoding="utf-8"))


def main():
    include = pathlib.Path(sys.argv[1]) / "include" / "tern"
    blocks = "".join(literals_joined(path) for path in sorted((include / "block").glob("*.hpp")))
    errors, rules = [], 0
    for op in OPS:
        for sentence in re.findall(r'static_assert\([^"]*"\w+: ([^"]*)"\)', literals_joined(include / "op" / f"{op}.hpp")):
            if re.search(r"(?:^|\s)\.[a-z]", sentence):
                rules += 1
                if sentence not in blocks:
                    errors.append(f"op/{op}.hpp: networks do not know the rule '{sentence}'")
    if rules < LEAST_RULES:
        errors.append(f"only {rules} rules were found")
    print("\n".join(errors) if errors else f"networks know the {rules} rules of configs")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
