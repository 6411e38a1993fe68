# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A page per op: docstring, config, calls, canonical order, policies, figures and tests, from the sources of docs/calls.md."""
import pathlib
import re
import sys

import reference

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests/docs"))
import calls  # noqa: E402
import docstrings  # noqa: E402
import links  # noqa: E402

# By section of docs/calls.md: the sections of docs/numerics.md and docs/performance.md.
ORDER = {
    "matmul": "matmul, pass by pass", "conv": "Convolutions, pass by pass", "pool": "Pools, pass by pass",
    "elementwise": "Elementwise ops", "glu": "Gated linear units", "binary": "Functions of two tensors",
    "map_of": "Rule 3: elementwise functions", "coupling": "Couplings", "norm": "Norms", "norm_parts": "Norms",
    "softmax": "Softmax", "l2_normalize": "L2 normalisation", "argmax": "Pools, pass by pass", "cross_entropy": "Losses",
    "loss": "Losses", "multivariate_gaussian_nll": "Losses", "dropout": "Dropout", "normal_sample": "Dropout",
    "optimizer": "Optimisers", "rearrange": "Ops that move elements",
}
NORMS = "Norms, softmax, pools and maps"
FIGURES = {"matmul": "Matmuls", "conv": "Convolutions", "norm": NORMS, "softmax": NORMS, "pool": NORMS,
           "elementwise": NORMS}
TESTS = {"driver": "parity", "kernel": "kernels", "block": "networks", "simt": "GPUs", "verify": "checksums",
         "compile_fail/cases": "messages of wrong configs and calls"}


def pages(root):
    """The pages by their names, in the order of docs/calls.md."""
    declared = {}
    base = root / "include/tern"
    for path in [*(base / f"kernel/{header}.hpp" for header, _ in calls.HEADERS), *sorted((base / "op").glob("*.hpp"))]:
        for d in docstrings.declarations(path.read_text(encoding="utf-8")):
            if d.scope == ("tern",) and d.is_type and d.name != "operations":
                declared[d.name] = (path, d)
    headers = {}
    for header, _ in calls.HEADERS:
        for op in calls.ops(header):
            headers.setdefault(op, []).append(header)
    return {f"docs/ops/{op}.md": page(root, op, of, declared, list(headers)) for op, of in headers.items()}


def chain(name, declared):
    """The op and the templates that it is made of."""
    while name in declared:
        yield name
        base = re.search(r"(?:[^:]:|=) (\w+)<", declared[name][1].text)
        name = base[1] if base else ""


def page(root, op, headers, declared, all_ops):
    names = [name for name in (op, *(f"{op}{axes}d" for axes in (1, 2, 3))) if name in declared]
    if len(names) > 1 and op in names:  # pad is the template of pad1d, pad2d and pad3d
        names.remove(op)
    if not names:
        sys.exit(f"ops.py: no header declares {op}")
    made_of = list(dict.fromkeys(base for name in names for base in chain(name, declared)))
    path = declared[names[0]][0]
    parts = [f"# {', '.join(names)}\n"]

    docs = list(dict.fromkeys(declared[name][1].doc for name in made_of))
    if not any(docs):
        sys.exit(f"ops.py: {op} has no docstring in {path.name}")
    parts += [reference.markdown(doc, "../../") + "\n" for doc in docs if doc]
    parts.append("```cpp\n" + "\n".join(reference.head(declared[name][1]) for name in names) + "\n```\n")

    templates = " ".join(declared[name][1].template for name in names)
    configs = {re.sub(r"\dd_config", "_config", name) for name in re.findall(r"\w+_config", templates)}
    listed = [(name, fields) for name, fields in calls.configs(root, headers[0]) if name in configs]
    if listed:
        parts.append("## Config\n")
        parts += [f"`{name}`:\n\n```cpp\n{unindented(fields)}\n```\n" for name, fields in listed]

    parts.append("## Calls\n\n`k` is a `tern::kernel` of the op under a policy. An argument in `[...]` is optional, or required "
                 "exactly if the config asks for it. `state` is that of the policy ([the tour](../tour.md#state)).\n")
    others = set(all_ops) - set(made_of) - {op}
    shown = [found for header in headers for owner, *found in calls.calls(root / f"include/tern/kernel/{header}.hpp")
             if owner not in others]
    for what, call, arguments in shown:
        parts.append(f"{reference.prose(what, '../../')}\n\n```cpp\n{unindented(call)}\n```\n")
        parts += [reference.prose(line, "../../") + ("\n" if line == arguments[-1] else "") for line in arguments]
    options = dict.fromkeys(re.findall(r"tern::(\w+)\{", " ".join(call for _, call, _ in shown)))
    for option in options:
        if option in declared:
            at, d = declared[option]
            fields = re.search(rf"^struct {option} \{{\n(.*?)^(?:\}}|$)", at.read_text(encoding="utf-8"), re.M | re.S)
            parts.append(f"`tern::{option}`: {reference.prose(' '.join(d.doc.split()), '../../')}\n\n"
                         f"```cpp\n{unindented(fields[1]).replace('///< ', '// ')}\n```\n")

    parts.append(f"## Canonical order\n\n{heading_link(root, 'numerics', ORDER[headers[0]])} defines the bits of the result.\n")
    parts += ["## Policies\n", policies(root, op, made_of)]
    if headers[0] in FIGURES:
        parts += ["## Figures\n", figures(root, FIGURES[headers[0]])]
    parts += ["## Sources and tests\n", sources(root, path, headers, made_of)]
    return "\n".join(parts)


def unindented(text):
    lines = text.replace("///< ", "// ").rstrip().split("\n")
    indent = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
    return "\n".join(line[indent:] for line in lines)


def heading_link(root, page, heading):
    text = (root / f"docs/{page}.md").read_text(encoding="utf-8")
    if not re.search(rf"^## {re.escape(heading)}$", text, re.M):
        sys.exit(f"ops.py: docs/{page}.md has no heading '{heading}'")
    return f"[{heading}](../{page}.md#{next(iter(links.anchors(f'## {heading}')))})"


def policies(root, op, made_of):
    text = (root / "docs/support.md").read_text(encoding="utf-8")
    rows = [row for name in (op, *made_of)
            for row in re.findall(rf"^\| (?:log_)?{re.sub(r'[1-3]d$', '', name)}(?:\dd)? \|.*\n", text, re.M)]
    rows = list(dict.fromkeys(rows))
    if not rows:
        return "The op has no row of its own in [support](../support.md). The tests below compare its results.\n"
    head = re.search(r"^\| op \|.*\n\|.*\n", text, re.M)[0]
    return f"{head}{''.join(rows)}\nf32 is float32, f64 is float64. [All ops](../support.md).\n"


def figures(root, heading):
    text = (root / "docs/performance.md").read_text(encoding="utf-8")
    body = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    if not body:
        sys.exit(f"ops.py: docs/performance.md has no heading '{heading}'")
    return re.sub(r"\]\((?!http)", "](../", body[1].strip()) + f"\n\nFrom [where tern stands](../performance.md).\n"


def sources(root, path, headers, made_of):
    lines = [f"- the op: {file_link(root, path)}"]
    lines += [f"- its kernel: {file_link(root, root / f'include/tern/kernel/{header}.hpp')}" for header in headers]
    name = re.compile(rf"\b({'|'.join(made_of)})\b")
    for folder, what in TESTS.items():
        files = sorted((root / "tests" / folder).glob("*.[ch]pp"))
        found = [file for file in files if name.search(file.read_text(encoding="utf-8"))]
        if found:
            lines.append(f"- {what}: {', '.join(file_link(root, file, file.name) for file in found)}")
    return "\n".join(lines) + "\n"


def file_link(root, file, text=None):
    path = file.relative_to(root).as_posix()
    return f"[`{text or path}`](../../{path})"
