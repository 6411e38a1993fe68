# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fails if text or names break the house style of CONTRIBUTING.md. Needs codespell for the spelling, and only then.

usage: style.py <repository>

Reads pages (README.md, CONTRIBUTING.md, CHANGELOG.md, docs/*.md), heads of files (the comment behind the SPDX lines),
documentation comments under include/, and identifiers and template arguments of the C++ sources. A source names its
licence and lies in one of the folders. Exits with 77 if all passes but codespell is missing.
"""
import pathlib
import re
import shutil
import subprocess
import sys

MOST_WORDS = 35
PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
FOLDERS = ("include", "src", "tests", "bench", "examples", "cmake", "tools")
CPP = (".hpp", ".cpp", ".cuh", ".cu")
COMMENTED = (*CPP, ".py", ".sh", ".cmake")

# Names that say nothing, and the names that replaced them.
BANNED = {
    "far": "out_of_cache",
    "finder": "attention_net",
    "imaginer": "autoencoder",
    "likeness": "similarity",
    "many": "the limit, as in wide_unroll",
    "past": "non_temporal, or history",
    "several": "the number, as in unroll, or is_split",
    "some": "what it counts, as in valid lanes",
}

# Words of the field that codespell takes for mistakes.
SPELLED_RIGHT = {
    "inout": "an operand that a step of a tile program reads and writes",
}

# A clause without a main clause. "Where" and "How" are fine in "Where x is set, y is read" and in questions.
HEADLESS = re.compile(r"(What|Whatever|Whoever|Whichever|Whose|Which|Whether|That which|Of (?:which|what|those)"
                      r"|Those (?:that|which|who|whose|of|in|with|for)|(?:As|So|How) (?:many|much)|How|Where)\b")
MAIN_CLAUSE_MAY_FOLLOW = ("Where", "How")
SENTENCE_END = re.compile(r"""[.!?]["')\]]*\s+(?=["'(\[*`]*[A-Z0-9`])""")
# A list item, a term and its explanation two spaces apart, a tag in brackets, or a label such as "usage:".
ITEM = re.compile(r"\s*(?:[-*] |\d+\. |\S(?: ?\S){0,50}?  (?=\s*\S)|\[[A-Z0-9]+\] |[a-z]+: )\s*")
# Messages that compilers must give, quoted by the cases of tests/compile_fail.
QUOTED = ("error: ", "clang: ")
STRINGS_AND_COMMENTS = re.compile(r'R"(\w*)\((?:.|\n)*?\)\1"|"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*(?:.|\n)*?\*/')


def sentences(text):
    """Pairs (line within the text, sentence) of a paragraph; inline code counts as one word."""
    text = re.sub(r"(`+)(?:.|\n)+?\1", lambda code: "`code`" + "\n" * code[0].count("\n"), text)
    text = re.sub(r"!?\[((?:[^\]])*)\]\([^)]*\)", r"\1", text)
    begin = 0
    for end in [*(match.end() for match in SENTENCE_END.finditer(text)), len(text)]:
        yield text[:begin].count("\n"), text[begin:end].strip()
        begin = end


def words(sentence):
    return sum(bool(re.search(r"\w", word)) for word in sentence.split())


def paragraphs(lines):
    """Pairs (index of the first line, text) of Markdown or of a comment, without headings, tables and code."""
    begin, text, fenced, in_list = 0, [], False, False
    for index, line in enumerate([*lines, ""]):
        fence = line.lstrip().startswith(("```", "~~~"))
        item = ITEM.match(line)
        indented = line.startswith("    ") and not text and not in_list
        skipped = fenced or fence or indented or not line.strip() or line.lstrip().startswith(("|", "#", "<!--", "\\", *QUOTED))
        if (skipped or item) and text:
            yield begin, "\n".join(text)
            text = []
        fenced ^= fence
        if not skipped:
            if not text:
                begin = index
            text.append(line[item.end():] if item else line.strip())
            in_list = bool(item) or in_list
        elif line.strip() and not line.startswith(" "):
            in_list = False


def comment_head(path):
    """(line number, lines) of the comment after the SPDX lines of a file; nothing if there is none."""
    lines = path.read_text(errors="replace").splitlines()
    spdx = [i for i, line in enumerate(lines[:4]) if "SPDX-License-Identifier" in line]
    if not spdx:
        return 0, []
    begin = spdx[0] + 1
    if path.suffix == ".py":
        rest = "\n".join(lines[begin:])
        doc = re.match(r'\s*"""(.*?)"""', rest, re.DOTALL)
        return (begin + rest[:doc.start(1)].count("\n") + 1, doc[1].splitlines()) if doc else (0, [])
    mark = "//" if path.suffix in CPP else "#"
    head = []
    for line in lines[begin:]:
        if not line.startswith(mark) or line.startswith("///"):
            break
        head.append(line[len(mark):].removeprefix(" "))
    return begin + 1, head


def doc_comments(path):
    """Pairs (line number, text) of the /// and ///< comments of a file."""
    begin, text, trailing = 0, [], False
    for number, line in enumerate([*path.read_text().splitlines(), ""], 1):
        match = re.search(r"///(<?)( ?)(.*)", line)
        alone = match and not line[:match.start()].strip()
        continues = alone and text and bool(match[1]) == trailing
        if text and not continues:
            yield begin, "\n".join(text)
            text = []
        if match:
            if not text:
                begin, trailing = number, bool(match[1])
            text.append(match[3].strip())


def headless(text):
    """The clause that opens a text and has no main clause; None where the text opens well."""
    sentence = next(sentences(text))[1]
    match = HEADLESS.match(sentence)
    if not match or sentence.endswith("?"):
        return None
    if match[1] in MAIN_CLAUSE_MAY_FOLLOW and re.search(r"[,:]", sentence):
        return None
    return " ".join(sentence.split()[:6])


def check_sentences(where, first_line, lines, errors):
    for index, text in paragraphs(lines):
        for line, sentence in sentences(text):
            if (count := words(sentence)) > MOST_WORDS:
                errors.append(f"{where}:{first_line + index + line}: a sentence of {count} words, at most {MOST_WORDS} are "
                              f"allowed: {' '.join(sentence.split()[:6])} ...")


def check_opening(where, line, text, errors):
    if opening := headless(text):
        errors.append(f"{where}:{line}: opens with a clause that has no main verb: {opening} ...")


def check_names(where, text, errors):
    code = STRINGS_AND_COMMENTS.sub(lambda match: "\n" * match[0].count("\n"), text)
    for number, line in enumerate(code.splitlines(), 1):
        for name in re.findall(r"[A-Za-z_]\w*", line):
            if name in BANNED:
                errors.append(f"{where}:{number}: '{name}' says nothing; write {BANNED[name]}")
        if re.search(r"\w<\s*\{", line):
            errors.append(f"{where}:{number}: clang 16 takes no template argument in braces: write the name of the config")


def check_licence(where, path, errors):
    if not any("SPDX-License-Identifier" in line for line in path.read_text(errors="replace").splitlines()[:4]):
        errors.append(f"{where}:1: names no licence")


def check_spelling(root, files, errors):
    command = ["codespell", "--quiet-level=3", f"--ignore-words-list={','.join(SPELLED_RIGHT)}", *files]
    run = subprocess.run(command, cwd=root, capture_output=True, text=True)
    errors.extend(f"spelling: {line}" for line in run.stdout.splitlines())
    if run.returncode and not run.stdout:
        errors.append(f"codespell failed: {run.stderr.strip()}")


def main():
    root, errors = pathlib.Path(sys.argv[1]).resolve(), []
    pages = [p for name in PAGES if (p := root / name).exists()] + sorted((root / "docs").glob("*.md"))
    sources = [p for folder in FOLDERS for p in sorted((root / folder).rglob("*"))
               if p.is_file() and (p.suffix in COMMENTED or p.name == "CMakeLists.txt")]
    sources += [p for name in ("CMakeLists.txt", "dev") if (p := root / name).exists()]
    for page in pages:
        check_sentences(page.relative_to(root), 1, page.read_text().splitlines(), errors)
    for path in sorted(root.glob("*")):
        if path.suffix in COMMENTED:
            errors.append(f"{path.name}:1: a source in the root of the tree; move it into one of {', '.join(FOLDERS)}")
    for path in sources:
        where = path.relative_to(root)
        check_licence(where, path, errors)
        line, head = comment_head(path)
        check_sentences(where, line, head, errors)
        if first := next(paragraphs(head), None):
            check_opening(where, line + first[0], first[1], errors)
        if path.suffix in CPP:
            check_names(where, path.read_text(), errors)
            if where.parts[0] == "include":
                for number, text in doc_comments(path):
                    check_opening(where, number, text, errors)
    spelled = shutil.which("codespell") is not None
    if spelled:
        check_spelling(root, [str(p.relative_to(root)) for p in [*pages, *sources]], errors)
    for error in errors:
        print(error)
    print(f"{len(pages)} pages, {len(sources)} files: {len(errors)} errors" + ("" if spelled else "; skipped: no codespell"))
    return 1 if errors or not pages else 0 if spelled else 77


if __name__ == "__main__":
    sys.exit(main())
