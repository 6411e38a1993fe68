# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that a file does not compile, and that the compiler's first error is the sentence which the file announces.

usage: check.py <file> <compiler> [argument]...

The file says in comments:
    // error: <sentence>     the text of the first error, and the only one where a call is declared; a second such line continues it
    // flags: <arguments>    further arguments for the compiler, optional
    // lines: 20             no more lines, as of every declared call, optional
    // also: <regular expression>  what the message must hold besides, optional
"""
import re
import subprocess
import sys


def announced(source, key):
    return " ".join(re.findall(rf"^// {key}: (.*)$", source, re.MULTILINE))


def joined(line):
    """An error whose sentence is a template argument, in pieces that are filled with blanks."""
    return re.sub(r" {2,}", " ", re.sub(r' *", "', " ", line)) if "wrong_" in line else line


def main():
    path, compiler = sys.argv[1], sys.argv[2:]
    with open(path, encoding="utf-8") as file:
        source = file.read()
    sentence = announced(source, "error")
    if not sentence:
        print(f"{path}: says no '// error: <sentence>'")
        return 1
    command = compiler + announced(source, "flags").split() + ["-fsyntax-only", path]
    run = subprocess.run(command, capture_output=True, text=True, env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"})
    errors = [joined(line) for line in run.stderr.splitlines() if re.search(r"\berror: ", line)]
    if run.returncode == 0:
        print(f"{path}: compiles, but should fail with: {sentence}")
        return 1
    if not errors or sentence not in errors[0]:
        print(f"{path}: the first error should be: {sentence}")
        print("but it is:", *[line[:400] for line in errors[:5]] or [run.stderr[:2000]], sep="\n  ")
        return 1
    direct = "wrong_call" in errors[0] and "tern/blocks.hpp" not in source
    most = 19 if any(argument.endswith("/precompiled") for argument in compiler) else 20  # CMakeLists.txt says why
    if (direct or announced(source, "lines")) and (len(errors) > 1 or len(run.stderr.splitlines()) > most):
        print(f"{path}: a wrong call should be one error of at most 20 lines, but it is:\n{run.stderr[:4000]}")
        return 1
    also = announced(source, "also")
    if also and not re.search(also, run.stderr):
        print(f"{path}: the message does not hold: {also}")
        print(run.stderr[:2000])
        return 1
    print(f"{errors[0]}\n{len(errors)} errors, {len(run.stderr.splitlines())} lines")
    return 0


if __name__ == "__main__":
    sys.exit(main())
