#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The site builds without warnings, has a page per op and a search index; its checker finds seeded mistakes.

    site_test.py REPOSITORY FOLDER      builds in FOLDER

Takes mkdocs from build/mkdocs, where ./dev docs puts it, or from this interpreter. Exits with 77 ("skipped") without one.
"""
import json
import pathlib
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
import calls

BROKEN = """<a href="none.html">1</a> <a href="#none">2</a> <a href="other.html#none">3</a> <script src="https://host/x.js"></script>
vector<float> <img src="none.png"> <a href="other.html#here">fine</a> <a href="https://host/">fine</a>"""


def has_mkdocs(python):
    return subprocess.run([python, "-c", "import material, mkdocs"], capture_output=True, check=False).returncode == 0


def main():
    root, folder = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    pythons = [str(root / "build/mkdocs/bin/python"), sys.executable]
    found = [python for python in pythons if shutil.which(python) and has_mkdocs(python)]
    if not found:
        print("skipped: no mkdocs; ./dev docs installs it in build/mkdocs")
        return 77
    site = folder / "site"
    subprocess.run([found[0], "-B", root / "tools/site/build.py", root, site], check=True)
    ops = {op for header, _ in calls.HEADERS for op in calls.ops(header)}
    errors = [f"no page of {op}" for op in sorted(ops) if not (site / f"docs/ops/{op}.html").is_file()]
    index = json.loads((site / "search/search_index.json").read_text(encoding="utf-8"))["docs"]
    searched = {entry["location"] for entry in index}
    errors += [f"{page} cannot be searched" for page in ("index.html", "docs/tour.html", "docs/ops/swiglu.html") if page not in searched]
    if not (site / "search/search_index.js").is_file():
        errors.append("no search index for pages opened from files")

    sys.path.insert(0, str(root / "tools/site"))
    import check
    broken = folder / "broken"
    broken.mkdir(exist_ok=True)
    (broken / "index.html").write_text(BROKEN, encoding="utf-8")
    (broken / "other.html").write_text('<p id="here">', encoding="utf-8")
    if len(check.errors(broken)) != 6:
        errors.append(f"of 6 seeded mistakes the checker finds {check.errors(broken)}")
    print("\n".join(errors) if errors else f"{len(ops)} ops have pages, {len(searched)} places can be searched")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
