# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the pages of the site as Markdown, in folders as in the repository, and returns the navigation.

Pages of the repository stay as they are. A link to a file or folder of the tree becomes one to a page that shows it.
"""
import os
import pathlib
import re
import shutil
import sys
import urllib.parse

import ops
import pictures
import reference

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests/docs"))
import links  # noqa: E402

# In the order in which one reads it.
NAV = [
    {"Home": "README.md"},
    {"Begin": ["docs/tour.md", "docs/install.md", "docs/own-ops.md"]},
    {"Networks": ["docs/blocks.md", "docs/zoo.md", "docs/pytorch.md", "docs/onnx.md", "docs/files.md"]},
    {"Machines": ["docs/devices.md", "docs/mimd.md", "docs/simt.md"]},
    {"Numerics": ["docs/numerics.md", "docs/determinism.md"]},
    {"Reference": ["docs/ops.md", "docs/calls.md", "docs/support.md", "docs/elementary-functions.md", "docs/models.md"]},
    {"Speed": ["docs/performance.md", "docs/latency.md", "docs/benchmarks.md"]},
    {"Project": ["CHANGELOG.md", "CONTRIBUTING.md", "docs/architecture.md"]},
]
# Of pages by how their paths begin: a search shows ops first, and what is history last.
SETTINGS = {
    "README.md": "---\nhide: [navigation]\n---\n",
    "docs/ops/": "---\nsearch: {boost: 3}\n---\n",
    "docs/reference/": "---\nsearch: {boost: 0.7}\n---\n",
    "docs/results/": "---\nsearch: {boost: 0.3}\n---\n",
    "CHANGELOG.md": "---\nsearch: {boost: 0.3}\n---\n",
}
NOT_SEARCHED = "---\nsearch: {exclude: true}\n---\n"
IMAGES = (".png", ".svg", ".jpg")
LANGUAGES = {".hpp": "cpp", ".cpp": "cpp", ".cu": "cpp", ".cuh": "cpp", ".py": "python", ".sh": "bash", ".cmake": "cmake"}


def section(name):
    return next(entry[name] for entry in NAV if name in entry)


def write(root, folder):
    texts = {path.relative_to(root).as_posix(): path.read_text(encoding="utf-8") for path in links.pages(root)}
    missing = set(texts) - {page for entry in NAV for pages in entry.values()
                            for page in ([pages] if isinstance(pages, str) else pages)}
    results = sorted((page for page in missing if page.startswith("docs/results/")), reverse=True)
    if missing - set(results):
        sys.exit(f"pages.py: not in the navigation: {', '.join(sorted(missing - set(results)))}")
    of_ops, of_headers = ops.pages(root), reference.pages(root)
    section("Reference").extend([{"Ops one by one": [{pathlib.Path(name).stem: name} for name in of_ops]},
                                 {"Headers": [{pathlib.Path(name).stem: name} for name in of_headers]}])
    section("Networks").append("docs/pictures.md")
    section("Speed").append({"Results": results})
    texts.update(of_ops)
    texts.update(of_headers)
    texts["docs/pictures.md"] = pictures.page(root)

    queue, done = list(texts), set()
    while queue:
        page = queue.pop()
        if page in done:
            continue
        done.add(page)
        if page not in texts:
            texts[page] = shown(root, page)
        text, linked = with_pages(root, texts, page, texts[page])
        queue += linked
        target = folder / page
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.suffix in IMAGES:
            shutil.copy(root / page, target)
        else:
            text = re.sub(r"\A(<!--.*?-->\s*)+", "", text, flags=re.S)
            target.write_text(next((how for begin, how in SETTINGS.items() if page.startswith(begin)), "") + text, encoding="utf-8")
    return NAV


def with_pages(root, known, page, text):
    """The text with links to files of the tree replaced by links to their pages, and the pages that it links."""
    linked, parts, at = [], [], 0
    for line, target, (begin, end) in links.links(text):
        if links.EXTERNAL.match(target) or target.startswith("#"):
            continue
        path, hash_, anchor = urllib.parse.unquote(target).partition("#")
        goal = os.path.normpath(os.path.join(os.path.dirname(page), path))
        if (root / goal).is_dir():
            goal = f"{goal}/README.md" if (root / goal / "README.md").exists() else f"{goal}/index.md"
        elif goal not in known and not (root / goal).is_file():
            sys.exit(f"pages.py: {page}:{line}: {target}: there is no such file")
        elif not goal.endswith((".md", *IMAGES)):
            goal += ".md"
        linked.append(goal)
        parts += [text[at:begin], os.path.relpath(goal, os.path.dirname(page) or ".") + hash_ + anchor]
        at = end
    return "".join([*parts, text[at:]]), linked


def shown(root, page):
    """A page that shows a file or folder of the tree."""
    if page.endswith(IMAGES):
        return ""
    if (root / page).is_file():
        return (root / page).read_text(encoding="utf-8")
    if page.endswith("/index.md"):
        folder = root / page.removesuffix("/index.md")
        names = sorted(p.name + "/" * p.is_dir() for p in folder.iterdir() if p.name not in ("__pycache__", "build"))
        listed = "\n".join(f"- `{name}`" for name in names)
        return f"{NOT_SEARCHED}# {folder.relative_to(root)}/\n\n{listed}\n"
    source = root / page.removesuffix(".md")
    text = source.read_text(encoding="utf-8")
    fence = "`" * max([3, *(len(run) + 1 for run in re.findall("`+", text))])
    language = LANGUAGES.get(source.suffix, "text")
    return f"{NOT_SEARCHED}# `{source.relative_to(root)}`\n\n{fence} {{.{language} linenums=\"1\"}}\n{text.rstrip()}\n{fence}\n"
