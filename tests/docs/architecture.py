#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fails where docs/architecture.md names a function or file that is not there.

    architecture.py REPOSITORY
"""
import pathlib
import re
import sys


def main():
    root = pathlib.Path(sys.argv[1])
    page = (root / "docs" / "architecture.md").read_text()
    errors, walks = [], 0
    for functions, file in re.findall(r"^\| (`[^|]+`)[^|]* \| `([\w/.]+)`", page, re.MULTILINE):
        path = root / "include" / "tern" / file
        if not path.is_file():
            errors.append(f"{file} is not there")
            continue
        for function in re.findall(r"`([\w():]+)`", functions):
            walks += 1
            for name in function.split("::"):
                if not re.search(r"\b" + re.escape(name) + r"(?!\w)", path.read_text()):
                    errors.append(f"{file} has no {name}")
    for file in re.findall(r"`((?:tests|docs|kernel|family|exec|op|block|core|policy)/[\w/.]*)`", page):
        if not (root / file).exists() and not (root / "include" / "tern" / file).exists():
            errors.append(f"{file} is not there")
    if walks < 35:
        errors.append(f"only {walks} functions were found")
    print("\n".join(errors) if errors else f"{walks} functions are where the page says")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
