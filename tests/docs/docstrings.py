#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fails where a declaration of the public interface has no docstring.

    docstrings.py REPOSITORY

Public means: types, functions and constants of namespace tern in op/, policy/, device/, files/ and block/ and in the
vocabulary of core/; fields of configs; passes of kernels; public members of networks, trainers and graphs. A docstring
covers the declarations below it up to the next blank line, such as the ranks of an op.
"""
import dataclasses
import pathlib
import re
import sys

# Headers of the vocabulary; the others in core/ serve the library.
CORE = ("activation", "bfloat16", "config", "contract", "dtype", "extents", "half", "layout", "layout_channels", "part", "view",
        "workspace")
FOLDERS = ("op", "policy", "device", "files", "block")
INTERNAL = ("detail", "impl", "declare", "tile", "math")
# Their public members need docstrings, too.
CLASSES = ("network", "trainer", "graph")

TOKENS = re.compile(r'R"(\w*)\((?:.|\n)*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|//[^\n]*|/\*(?:.|\n)*?\*/'
                    r"|^[ ]*#(?:[^\n]*\\\n)*[^\n]*", re.M)


@dataclasses.dataclass
class Declaration:
    """A declaration without its body. `scope` names the namespaces and classes around it."""
    scope: tuple
    head: str
    first_line: int
    last_line: int
    public: bool
    doc: str = ""
    own_doc: bool = False  # False for a docstring that stands above a declaration before this one
    forward: bool = False

    @property
    def template(self):
        """The template's parameters, with a requires-clause; the declaration after them is `text`."""
        return self.head[: template_end(self.head)].strip()

    @property
    def text(self):
        return self.head[template_end(self.head) :].strip()

    @property
    def is_type(self):
        return bool(re.match(r"(enum|struct|class|union|concept|using)\b", self.text))

    @property
    def name(self):
        text = self.text
        if found := re.match(r"(?:enum class|enum|struct|class|union|concept|using)\s+(?:alignas\(.*?\)\s*)?(\w+)", text):
            return found[1]
        text = re.sub(r"^(?:explicit|\[\[\w+\]\])?\(.*?\)", "", text)
        if found := re.search(r"(operator\s*(?:\(\)|\[\]|[^\s\w(]+)|~?\w+)\s*(?:<[^()]*>)?\s*\(", text.split(" = ")[0]):
            return found[1]
        found = re.search(r"(\w+)\s*(?:<.*>)?\s*(?:\[[^\]]*\])?\s*$", re.split(r"[={]|,", text)[0].strip())
        return found[1] if found else text


def template_end(text):
    """The length of the template head that `text` begins with."""
    at = 0
    while match := re.compile(r"\s*template\s*<").match(text, at):
        at, depth = match.end(), 1
        while at < len(text) and depth:
            step = re.compile(r"->|[<>]=|[<>]|\(|[^<>(-]+|.", re.S).match(text, at)[0]
            if step == "(":  # comparisons need parentheses in a template head
                at = closing(text, at)
                continue
            depth += {"<": 1, ">": -1}.get(step, 0)
            at += len(step)
        if depth:
            return len(text)
        if clause := re.compile(r"\s*requires\b").match(text, at):
            at = clause.end()
            while part := re.compile(r"\s*(?:&&|\|\||!)?\s*(?:requires\s*)?(?=[({])|\s*(?:&&|\|\|)?\s*!?[\w:]+(?:<[^()\n]*>)?"
                                     r"(?:::\w+)*(?=\s*(?:&&|\|\||\n))").match(text, at):
                at = part.end()
                if text[at : at + 1] in ("(", "{"):
                    at = closing(text, at)
    return at


def closing(text, at):
    """The index after the bracket that closes the one at `at`."""
    depth = 0
    for i in range(at, len(text)):
        depth += {"(": 1, "{": 1, "[": 1, ")": -1, "}": -1, "]": -1}.get(text[i], 0)
        if depth == 0:
            return i + 1
    return len(text)


def opens_requirement(head):
    """True if a brace after `head` opens a requires-expression."""
    parameters = head[head.rfind("requires") + 8 :].strip() if "requires" in head else "none"
    return not parameters or parameters[0] == "(" and closing(parameters, 0) == len(parameters)


def declarations(text):
    """The declarations of a header at the scopes of namespaces and classes, in order."""
    lines = text.splitlines()
    code = TOKENS.sub(lambda m: re.sub(r"[^\n\"]" if m[0][0] in "R\"" else r"[^\n]", " ", m[0]), text)
    found, at = [], 0
    scopes = [("", "namespace", True, True)]  # name, kind, whether its members are public now, whether it is public itself

    def add(begin, end):
        head = text[begin:end]
        head = re.sub(r"^ *//.*\n| *//.*", "", head, flags=re.M).strip()
        first = code.count("\n", 0, begin) + 1
        last = code.count("\n", 0, end) + 1
        scope = tuple(s[0] for s in scopes[1:] if s[0])
        made = Declaration(scope, head, first, last, all(s[2] and s[3] for s in scopes))
        above = first - 1
        doc = []
        while above > 0 and re.match(r"\s*///(?!<)", lines[above - 1]):
            doc.insert(0, re.sub(r"^\s*/// ?", "", lines[above - 1]))
            above -= 1
        behind = last
        while behind <= len(lines) and (trailing := re.search(r"///< ?(.*)", lines[behind - 1])):
            if behind > last and lines[behind - 1][: trailing.start()].strip():
                break
            doc.append(trailing[1])
            behind += 1
        made.doc, made.own_doc = "\n".join(doc), bool(doc)
        if not doc and (previous := next((d for d in reversed(found) if d.scope == scope), None)):
            if all(re.match(r"\s*(//|static_assert|[^\s/].*;$)", line) for line in lines[previous.last_line : first - 1]):
                made.doc = previous.doc
        found.append(made)
        return made

    while True:
        # The next declaration ends at ; or at a brace that opens a body.
        while at < len(code) and code[at].isspace():
            at += 1
        if at >= len(code):
            return found
        if code[at] == "}":
            scopes.pop()
            at += 1
            if code[at : at + 1] == ";":
                at += 1
            continue
        if access := re.compile(r"(public|private|protected):").match(code, at):
            scopes[-1] = (*scopes[-1][:2], access[1] == "public", scopes[-1][3])
            at = access.end()
            continue
        begin, is_value = at, False
        while code[at] != ";":
            if code[at] in "([":
                at = closing(code, at)
                continue
            if code[at] == "{":
                head = code[begin:at]
                behind = head[template_end(head) :].strip()
                in_base = behind.startswith(("struct", "class")) and behind.count("<") > behind.count(">")
                if is_value or in_base or not behind or opens_requirement(head):
                    at = closing(code, at)  # a value or a requirement
                    continue
                break
            if code[at] == "=" and code[at - 1] not in "=<>!+-*/" and code[at + 1] != "=" \
                    and code[begin:at][template_end(code[begin:at]) :].strip() and "operator" not in code[begin:at].split()[-1]:
                is_value = True
            at += 1
        head = code[begin:at]
        behind = head[template_end(head) :].strip()
        if code[at] == ";":
            at += 1
            if behind:
                add(begin, at - 1).forward = True
            continue
        if match := re.match(r"(?:inline\s+)?namespace\s*([\w: ]*)$", behind):
            name = re.sub(r"(::)?\s*inline TERN_ISA", "", match[1]).strip()
            public = not any(part in INTERNAL for part in name.split("::"))
            scopes.append((name, "namespace", True, public))
            at += 1
        elif match := re.match(r"(struct|class|union)\b", behind):
            made = add(begin, at)
            scopes.append((made.name, match[1], match[1] != "class", made.public))
            at += 1
        else:
            made = add(begin, at)
            if made.is_type and behind.startswith("enum"):
                made.head = text[begin : closing(code, at)]
            end = closing(code, at)
            # A member with a default in braces, or a function.
            made.last_line = code.count("\n", 0, end) + 1
            at = end
            if code[at : at + 1] == ";":
                at += 1
            if (trailing := re.search(r"///< ?(.*)", lines[made.last_line - 1])) and not made.own_doc:
                made.doc, made.own_doc = trailing[1], True


def is_interface(d):
    """False for what the declarations beside it explain: forward declarations, specialisations, deduction guides, defaults."""
    return not (re.match(r"friend|static_assert|extern|using namespace|using [\w:]+::\w+$|\w+\(.*\)\s*->", d.text, re.S)
                or re.match(r"(struct|class) \w+$", d.text) and d.forward
                or re.match(r".*\bis_\w+<", d.text) or d.template == "template <>"
                or "operator==" in d.text or re.search(r"= (default|delete)$", d.text))


def needed(path, text):
    """The declarations of a header that must have docstrings."""
    for d in declarations(text):
        if not d.public or not is_interface(d):
            continue
        inside = d.scope[1:]
        if path.parent.name == "kernel":
            if inside and re.match(r"operations|\w+_operations", inside[-1]) and "Args&&..." in d.text:
                yield d
            elif not inside and d.is_type and d.name != "operations":
                yield d
        elif not inside:
            yield d
        elif len(inside) == 1 and not d.text.startswith("using ") and d.name != "rank":
            if inside[0].endswith("_config") or inside[0] in CLASSES and path.stem in CLASSES:
                yield d


def headers(root):
    base = root / "include/tern"
    for folder in FOLDERS:
        yield from sorted((base / folder).glob("*.hpp"))
    yield from (base / "core" / f"{name}.hpp" for name in CORE)
    yield from sorted((base / "kernel").glob("*.hpp"))


def main():
    root = pathlib.Path(sys.argv[1])
    errors, count = [], 0
    for path in headers(root):
        for d in needed(path, path.read_text(encoding="utf-8")):
            count += 1
            if not d.doc:
                errors.append(f"{path.relative_to(root)}:{d.first_line}: {d.name} has no docstring")
    if count < 300:
        errors.append(f"only {count} declarations were found")
    print("\n".join(errors) if errors else f"{count} declarations have docstrings")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
