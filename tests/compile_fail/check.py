# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that a file does not compile, and that the compiler says one sentence about it, in few lines.

usage: check.py <file> <compiler> [argument]...
       check.py --count <folder>    there are at least 70 mistakes of a first day

The file says in comments:
    // error: <sentence>     the text of the only error; a second such line continues it
    // clang: <sentence>     the same where clang has another one, of what compilers refuse themselves; optional
    // flags: <arguments>    further arguments for the compiler, optional
    // errors: <number>      errors, the sentence among the first three; optional, for what compilers refuse themselves
    // lines: <number>, <reason>   lines that clang says, where they must be more than 20; optional
    // also: <regular expression>  what the message must hold besides, optional
    // mistake: <what it is>       a mistake of somebody's first day with the library: these are counted

Lines are those of all that the compiler says with default settings and no terminal, notes and quoted source included.
"""
import pathlib
import re
import subprocess
import sys

MOST_LINES, LEAST_MISTAKES = 20, 70


def announced(source, key):
    return " ".join(re.findall(rf"^// {key}: (.*)$", source, re.MULTILINE))


def joined(line):
    """An error whose sentence is a template argument, in pieces that are filled with blanks where words end."""
    if "wrong_" not in line:
        return line
    return re.sub(r" {2,}", " ", re.sub(r'(?<! )", "', "", re.sub(r' +", "', " ", line)))


def count(folder):
    mistakes = [announced(path.read_text(encoding="utf-8"), "mistake") for path in pathlib.Path(folder).rglob("*.cpp")]
    different = {m for m in mistakes if m}
    print(f"{len(different)} different mistakes of a first day")
    if len(different) < LEAST_MISTAKES:
        print(f"there must be at least {LEAST_MISTAKES}")
        return 1
    return 0


def main():
    if sys.argv[1] == "--count":
        return count(sys.argv[2])
    path, compiler = sys.argv[1], sys.argv[2:]
    with open(path, encoding="utf-8") as file:
        source = file.read()
    sentence = announced(source, "error")
    if not sentence:
        print(f"{path}: says no '// error: <sentence>'")
        return 1
    if "clang" in compiler[0] and announced(source, "clang"):
        sentence = announced(source, "clang")
    command = compiler + announced(source, "flags").split() + ["-fsyntax-only", path]
    run = subprocess.run(command, capture_output=True, text=True, env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"})
    lines = run.stderr.splitlines()
    errors = [joined(line) for line in lines if re.search(r"\berror: ", line)]
    if run.returncode == 0:
        print(f"{path}: compiles, but should fail with: {sentence}")
        return 1
    most_errors = int(announced(source, "errors") or 1)
    if not any(sentence in error for error in errors[: min(3, most_errors)]):
        print(f"{path}: the first error should be: {sentence}")
        print("but it is:", *[line[:400] for line in errors[:5]] or [run.stderr[:2000]], sep="\n  ")
        return 1
    most = MOST_LINES
    if "clang" in compiler[0] and announced(source, "lines"):
        most = int(announced(source, "lines").split(",")[0])
    if any(argument.endswith("/precompiled") for argument in compiler) and not announced(source, "flags"):
        most -= 1  # CMakeLists.txt says why
    if len(errors) > most_errors or len(lines) > most:
        print(f"{path}: {len(errors)} errors and {len(lines)} lines, but at most {most_errors} and {most} are allowed:")
        print(run.stderr[:4000])
        return 1
    also = announced(source, "also")
    if also and not re.search(also, run.stderr):
        print(f"{path}: the message does not hold: {also}")
        print(run.stderr[:2000])
        return 1
    print(f"{errors[0]}\n{len(errors)} errors, {len(lines)} lines")
    return 0


if __name__ == "__main__":
    sys.exit(main())
