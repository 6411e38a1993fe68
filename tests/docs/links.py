#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fails where a relative link or an anchor of the pages leads nowhere.

    links.py REPOSITORY

The pages are README.md, CHANGELOG.md, CONTRIBUTING.md and docs/. Anchors are those that GitHub gives to headings.
"""
import pathlib
import re
import sys
import urllib.parse

LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
EXTERNAL = re.compile(r"[a-z][a-z0-9+.-]*:")


def pages(root):
    return [*(root / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")), *sorted((root / "docs").rglob("*.md"))]


def prose(text):
    """The text with blanks in place of code and comments, so that lines and columns stay."""
    code = r"^(`{3,}|~{3,})[^\n]*\n(?:.*?\n)?\1`*[ ]*$|^(?:    [^\n]*\n)+(?<=\n)|(`+)(?!`)(?:(?!\n\n).)+?(?<!`)\2(?!`)|<!--.*?-->"
    return re.sub(code, lambda m: re.sub(r"[^\n]", " ", m[0]), text, flags=re.M | re.S)


def links(text):
    """(line, target, span of the target) of each link outside of code."""
    for match in LINK.finditer(prose(text)):
        yield text.count("\n", 0, match.start()) + 1, match[1], match.span(1)


def anchors(text):
    """The anchors of a page's headings and of its HTML elements."""
    found, seen = set(re.findall(r"<[^>]+ (?:id|name)=\"([^\"]+)\"", text)), {}
    fenced = re.sub(r"^(`{3,}|~{3,}).*?^\1`*[ ]*$", "", text, flags=re.M | re.S)
    for heading in re.findall(r"^#{1,6} +(.*?)(?: +#+)?$", fenced, re.M):
        title = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-")
        count = seen.get(slug, -1) + 1
        seen[slug] = count
        found.add(f"{slug}-{count}" if count else slug)
    return found


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    errors, count, known = [], 0, {}
    for page in pages(root):
        text = page.read_text(encoding="utf-8")
        for line, target, _ in links(text):
            if EXTERNAL.match(target):
                continue
            count += 1
            path, _, anchor = urllib.parse.unquote(target).partition("#")
            goal = (page.parent / path).resolve() if path else page
            where = f"{page.relative_to(root)}:{line}"
            if path.startswith("/") or not goal.exists() or not goal.is_relative_to(root):
                errors.append(f"{where}: {target}: there is no such file")
            elif anchor and goal.suffix != ".md":
                errors.append(f"{where}: {target}: only pages have anchors")
            elif anchor and anchor not in known.setdefault(goal, anchors(goal.read_text(encoding="utf-8"))):
                errors.append(f"{where}: {target}: the page has no such heading")
    if count < 100:
        errors.append(f"only {count} links were found")
    print("\n".join(errors) if errors else f"{count} links lead somewhere")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
