# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of style.py: each rule, broken once in a small tree, must be reported at its line, and nothing else.

usage: style_test.py <folder for the trees>
"""
import pathlib
import shutil
import subprocess
import sys

CHECKER = pathlib.Path(__file__).with_name("style.py")
SPDX = ("SPDX-FileCopyrightText: 2026 The tern authors", "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception")
LONG = "The call reads " + "many and " * 17 + "few."          # 38 words
MISSPELLED = "rec" + "ieve"                                    # in two parts, as this file is spell-checked, too
HEADER, PAGE, SCRIPT = "include/tern/op.hpp", "docs/page.md", "tools/tool.py"


def page(*lines):
    return "\n".join([f"<!-- {line} -->" for line in SPDX] + list(lines)) + "\n"


def header(*lines):
    return "\n".join([f"// {line}" for line in SPDX] + ["//", *lines]) + "\n"


def script(*lines):
    return "\n".join([f"# {line}" for line in SPDX] + list(lines)) + "\n"


# Trees that keep every rule: the file and its text.
SOUND = {
    "short sentences": (PAGE, page("For users.", "", "One sentence. " * 30)),
    "a question as a heading": (PAGE, page("## What there is", "", "For users.")),
    "a long table": (PAGE, page("For users.", "", f"| a | {LONG} |")),
    "a long block of code": (PAGE, page("For users.", "", "```", LONG, "```", "", f"    {LONG}")),
    "code in a sentence is a word": (PAGE, page("For users of `" + "a b " * 30 + "`.")),
    "items are sentences of their own": (PAGE, page(*["- twelve words that are no sentence but an item of a list"] * 9)),
    "a subordinate clause with a main clause": (HEADER, header("// Ops.", "/// Where x is set, y is read.")),
    "a question in a comment": (HEADER, header("// Ops.", "/// Which axis is last?")),
    "a banned name in text": (HEADER, header("// A finder.", 'const char* text = "finder";  // finder')),
    "a message of a compiler": ("tests/compile_fail/cases/a.cpp", header(f"// error: {LONG}")),
}
# What is broken: the file, its text, the line and a part of the report.
BROKEN = {
    "a long sentence in a page": (PAGE, page("For users.", "", "Short.", LONG), 6, "a sentence of 38 words"),
    "a long sentence over two lines": (PAGE, page("For users.", LONG.replace(" many and many", " many\nand many", 1)), 4,
                                       "a sentence of 38 words"),
    "a long item": (PAGE, page("- short", f"- {LONG}"), 4, "a sentence of 38 words"),
    "a long sentence in README": ("README.md", page(LONG), 3, "a sentence of 38 words"),
    "a long sentence in a head": (HEADER, header("// Ops.", f"// {LONG}"), 5, "a sentence of 38 words"),
    "a long sentence in the head of a script": (SCRIPT, script('"""Tools.', "", LONG, '"""'), 5, "a sentence of 38 words"),
    "a head without a verb": (HEADER, header("// What calls of ops have in common."), 4, "no main verb: What calls"),
    "a head without a verb, elsewhere": ("bench/a.cpp", header("// That which is timed."), 4, "no main verb"),
    "the head of a script without a verb": (SCRIPT, script('"""Whatever tools share."""'), 3, "no main verb"),
    "a comment without a verb": (HEADER, header("// Ops.", "/// Of which some are", "/// rows."), 5, "no main verb"),
    "a member without a verb": (HEADER, header("// Ops.", "int x;  ///< Whether rows", "        ///< are left."), 5,
                                "no main verb"),
    "a place without a verb": (HEADER, header("// Ops.", "/// Where rows begin."), 5, "no main verb"),
    "items of which nothing is said": (HEADER, header("// Ops.", "/// Those that are left."), 5, "no main verb"),
    "a banned name": (HEADER, header("// Ops.", "/* a", "b */ int finder = 1;"), 6, "'finder' says nothing"),
    "a template argument in braces": (HEADER, header("// Ops.", "// op<{}> in a comment", "using net = op<{.n = 3}>;"), 6,
                                      "clang 16 takes no"),
    "a source without a licence": ("src/a.cpp", "// Ops.\n", 1, "names no licence"),
    "an empty source": ("src/a.cpp", "", 1, "names no licence"),
    "a source in the root": ("a.cpp", header("// Ops."), 1, "a source in the root"),
    "a word that is spelled wrong": (PAGE, page("For users.", f"They {MISSPELLED} rows."), 4, MISSPELLED),
}


def report(root, name, text):
    """What the checker says about a tree of one page and one file: (exit status, lines that are errors)."""
    shutil.rmtree(root, ignore_errors=True)
    for path, content in {"README.md": page("For users."), name: text}.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(content)
    run = subprocess.run([sys.executable, CHECKER, root], capture_output=True, text=True)
    return run.returncode, run.stdout.splitlines()[:-1]


def main():
    root, failures = pathlib.Path(sys.argv[1]), 0
    codespell = shutil.which("codespell") is not None
    for case, (name, text) in SOUND.items():
        status, errors = report(root, name, text)
        good = status == (0 if codespell else 77) and not errors
        print(f"{'ok    ' if good else 'FAILED'} {case}: {errors}")
        failures += not good
    for case, (name, text, line, expected) in BROKEN.items():
        if "spelled" in case and not codespell:
            continue
        status, errors = report(root, name, text)
        good = status == 1 and len(errors) == 1 and f"{name}:{line}: " in errors[0] and expected in errors[0]
        print(f"{'ok    ' if good else 'FAILED'} {case}: {errors}")
        failures += not good
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
