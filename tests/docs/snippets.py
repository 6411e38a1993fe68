#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a program of the C++ blocks of a page, and compares what it prints with what the page says.

    snippets.py extract page.md program.cpp      one program: a block with main, or all blocks, those marked c++ at file
                                                 scope, those marked cpp one after the other in main
    snippets.py check page.md program...         runs the program; a block without language, which follows a C++ block,
                                                 is what that one prints

The compiler's messages name the lines of the page.
"""
import pathlib
import re
import subprocess
import sys

MARK = "-- end of a block --"


def blocks(page):
    """(language, line of the first line, text) of each fenced block."""
    text = pathlib.Path(page).read_text(encoding="utf-8")
    for fence in re.finditer(r"^```([^\n]*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield fence[1], text.count("\n", 0, fence.start(2)) + 1, fence[2]


def extract(page):
    code = [b for b in blocks(page) if b[0] in ("cpp", "c++")]
    whole = [(line, text) for _, line, text in code if re.search(r"^int main\(", text, re.MULTILINE)]
    if whole and len(code) > 1 or not code:
        sys.exit(f"{page} has {len(code)} C++ blocks, {len(whole)} of them with main")
    if whole:
        return f'#line {whole[0][0]} "{page}"\n{whole[0][1]}'
    includes, outside, inside = ["#include <cstdio>\n", "#include <iostream>\n"], [], []
    for language, line, text in code:
        lines = text.splitlines(keepends=True)
        includes += [l for l in lines if l.startswith("#include")]
        rest = f'#line {line} "{page}"\n' + "".join("\n" if l.startswith("#include") else l for l in lines)
        if language == "c++":
            outside.append(rest)
        else:
            inside.append(rest + f'std::cout << std::flush, std::puts("{MARK}"), std::fflush(stdout);\n')
    return "".join(includes + outside) + "int main() {\n" + "".join(inside) + "}\n"


def check(page, program):
    run = subprocess.run(program, stdout=subprocess.PIPE, text=True, check=False)
    if run.returncode != 0:
        sys.exit(f"the program of {page} exits with {run.returncode}:\n{run.stdout}")
    printed = run.stdout.split(MARK + "\n")
    compared, at, before = 0, -1, ""
    for language, line, text in blocks(page):
        if language == "cpp":
            at += 1
        elif language == "" and before == "cpp":
            compared += 1
            if printed[at] != text:
                sys.exit(f"{page}:{line} says\n{text}and the program prints\n{printed[at]}")
        before = language
    print(f"{page}: {at + 1} blocks ran, the output of {compared} was compared")


if __name__ == "__main__":
    if sys.argv[1] == "extract":
        pathlib.Path(sys.argv[3]).write_text(extract(sys.argv[2]), encoding="utf-8")
    else:
        check(sys.argv[2], sys.argv[3:])
