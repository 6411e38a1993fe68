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
    for function, file in re.findall(r"^\| `([\w()]+)` \| `([\w/.]+)` \|", page, re.MULTILINE):
        walks += 1
        path = root / "include" / "tern" / file
        if not path.is_file():
            errors.append(f"{file} is not there")
        elif not re.search(r"\b" + re.escape(function) + r"(?!\w)", path.read_text()):
            errors.append(f"{file} has no {function}")
    for file in re.findall(r"`((?:tests|docs|kernel|family|exec|op|block|core|policy)/[\w/.]*)`", page):
        if not (root / file).exists() and not (root / "include" / "tern" / file).exists():
            errors.append(f"{file} is not there")
    if walks < 10:
        errors.append(f"only {walks} rows of the walks were found")
    print("\n".join(errors) if errors else f"{walks} functions are where the page says")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
