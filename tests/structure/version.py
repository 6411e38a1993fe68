# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fails if a file names another version than include/tern/version.hpp.

    version.py REPOSITORY

CMake and pkg-config read the header. Pages, the changelog and the package of tern-import name the version themselves.
"""
import pathlib
import re
import sys

# (files, pattern of the version, whether it has a patch number)
PLACES = (
    ("CHANGELOG.md", r"^## ([\d.]+) - \d{4}-\d\d-\d\d$", True),
    ("tools/*/pyproject.toml", r'^version = "(.*)"$', True),
    ("README.md", r"This is version ([\d.]+)\. ", False),
    ("README.md", r"find_package\(tern ([\d.]+)", False),
    ("docs/install.md", r"find_package\(tern ([\d.]+)", False),
    ("docs/files.md", r"find_package\(tern ([\d.]+)", False),
)


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    header = (root / "include/tern/version.hpp").read_text()
    version = ".".join(re.findall(r"^#define TERN_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", header, re.M))
    errors = []
    for files, pattern, patch in PLACES:
        expected = version if patch else version.rpartition(".")[0]
        paths = sorted(root.glob(files))
        if not paths:
            errors.append(f"{files}: there is no such file")
        for path in paths:
            match = re.search(pattern, path.read_text(), re.M)
            found = match[1] if match else "none"
            if found != expected:
                errors.append(f"{path.relative_to(root)}: the version is {found}, that of version.hpp is {expected}")
    print("\n".join(errors) if errors else f"{len(PLACES)} places name version {version}")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
