#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the site from README.md, docs/ and the docstrings, and checks it. Needs mkdocs and mkdocs-material.

    build.py REPOSITORY FOLDER      the site in FOLDER, the pages that it is made of in FOLDER-pages

Fails at a warning of mkdocs, a link that leads nowhere, a missing file of the tree, an op without docstring.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
import check
import pages


def main():
    root, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    stage = folder.with_name(folder.name + "-pages")
    for old in (stage, folder):
        shutil.rmtree(old, ignore_errors=True)
    nav = pages.write(root, stage / "pages")
    here = pathlib.Path(__file__).parent
    for name in ("site.css", "iframe-worker.js"):
        shutil.copy(here / name, stage / "pages")
    settings = (here / "mkdocs.yml").read_text(encoding="utf-8")
    (stage / "mkdocs.yml").write_text(f"{settings}nav: {json.dumps(nav)}\n", encoding="utf-8")
    # Material announces what it thinks of MkDocs 2 otherwise.
    run = subprocess.run([sys.executable, "-m", "mkdocs", "build", "--strict", "--config-file", stage / "mkdocs.yml",
                          "--site-dir", folder], env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, check=False,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if run.returncode:
        sys.exit("\n".join(line for line in run.stdout.splitlines() if not line.startswith("INFO")))
    errors = check.errors(folder)
    if errors:
        sys.exit("\n".join([*errors[:50], f"build.py: {len(errors)} errors"]))
    print(f"{len(list(folder.rglob('*.html')))} pages, all links lead somewhere: {folder / 'index.html'}")


if __name__ == "__main__":
    main()
