# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pages of the public headers: declarations and docstrings, a page for each folder of include/tern."""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests/docs"))
import docstrings  # noqa: E402

FOLDERS = {
    "core": "views, layouts, element types, options of calls",
    "op": "configs and ops",
    "policy": "policies, numerics, plans, choices by device",
    "device": "devices as numbers",
    "block": "networks of blocks and their training",
    "files": "tensors in files",
}


def markdown(doc, up):
    """A docstring as Markdown. `up` leads from the page to the root of the site."""
    parts, code = [], []
    for line in [*doc.split("\n"), ""]:
        if line.startswith("    ") and (code or not parts or not parts[-1]):
            code.append(line[4:])
            continue
        if code and not line:
            code.append("")
            continue
        if code:
            parts += ["```cpp", *"\n".join(code).rstrip().split("\n"), "```", ""]
            code = []
        if match := re.match(r"\\t?param\s+((?:\w+, )*\w+)\s+(.*)", line):
            if parts and parts[-1] and not parts[-1].startswith(("- ", "  ")):
                parts.append("")
            parts.append(f"- `{match[1]}`: {prose(match[2], up)}")
        elif re.match(r"\s{2,}\S", line) and parts and parts[-1].startswith(("- ", "  ")):
            parts.append("  " + prose(line.strip(), up))
        else:
            if line and parts and parts[-1].startswith(("- ", "  ")):
                parts.append("")
            parts.append(prose(line, up))
    if code:
        parts += ["```cpp", *"\n".join(code).rstrip().split("\n"), "```"]
    return "\n".join(parts).strip()


def prose(line, up):
    """Text in which Markdown takes no character for markup, but for code in backticks; pages become links."""
    pieces = re.split(r"(`[^`]*`)", line)
    for i in range(0, len(pieces), 2):
        pieces[i] = re.sub(r"([<>*_\[\]|\\])", r"\\\1", pieces[i]) if i % 2 == 0 else pieces[i]
        pieces[i] = re.sub(r"\bdocs/([\w-]+)\.md", rf"[\1]({up}docs/\1.md)", pieces[i])
    return "".join(pieces)


def head(declaration):
    """A declaration on as few lines as it has, without a body."""
    text = re.sub(r"\s*///<.*|\s*//.*", "", declaration.head)
    if declaration.text.startswith("enum"):
        return re.sub(r"\s+", " ", text) + ";"
    if not declaration.is_type:
        text = re.sub(r"\{.*|(?<= )= \[.*|\s*(?<!:):(?!:)\s*\w+\(.*", "", text, flags=re.S) if "(" in text else text
    return re.sub(r"\b(TERN_FN|TERN_INLINE) ", "", text.strip()) + ";"


def pages(root):
    return {f"docs/reference/{name}.md": page(root, name, what) for name, what in FOLDERS.items()}


def page(root, name, what):
    base = root / "include/tern"
    parts = [f"# {name}: {what}\n", f"For those who look up a declaration. The page is written from the docstrings of "
                                    f"`include/tern/{name}/`.\n"]
    for path in docstrings.headers(root):
        if path.parent != base / name:
            continue
        declared = docstrings.declarations(path.read_text(encoding="utf-8"))
        found = [d for d in declared if d.public and docstrings.is_interface(d)]
        groups = grouped(d for d in found if len(d.scope) == 1)
        if not groups:
            continue
        parts.append(f"## {path.name}\n\n[`#include <tern/{name}/{path.name}>`](../../include/tern/{name}/{path.name})\n")
        for group in groups:
            names = list(dict.fromkeys(d.name for d in group))
            shown = ", ".join(f"`{n}`" for n in names[:4]) + (", ..." if len(names) > 4 else "")
            parts.append(f"### {shown}\n")
            parts.append("```cpp\n" + "\n".join(head(d) for d in group) + "\n```\n")
            parts.append(markdown(group[0].doc, "../../") + "\n")
            parts += members(found, group[0])
    return "\n".join(parts)


def grouped(declared):
    """Runs of declarations that share a docstring."""
    groups = []
    for d in declared:
        if d.own_doc:
            groups.append([])
        if d.doc and groups:
            groups[-1].append(d)
    return groups


def members(found, declaration):
    """The documented public members of a class."""
    inside = (*declaration.scope, declaration.name)
    if not re.match(r"struct|class", declaration.text):
        return
    for group in grouped(d for d in found if d.scope == inside and not d.text.endswith("Args&&...)")):  # they only fail
        terms = "\n".join("`" + re.sub(r"\s+", " ", head(d)).rstrip(";") + "`" for d in group)
        doc = markdown(group[0].doc, "../../").replace("\n", "\n    ")
        yield f"{terms}\n:   {doc}\n"
