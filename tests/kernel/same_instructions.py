# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fails where the second call of a kernel executes other instructions than the first: nothing is made on demand or kept.

usage: same_instructions.py <program>      exits with 77 where there is no valgrind

callgrind counts inside measured_call only and writes one file each time it returns. Symbols are bound before main,
since binding them on first use is not the kernel's doing.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile


def main():
    valgrind = shutil.which("valgrind")
    if not valgrind:
        print("there is no valgrind")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        command = [valgrind, "--tool=callgrind", "--toggle-collect=measured_call", "--dump-after=measured_call",
                   f"--callgrind-out-file={folder}/out", sys.argv[1]]
        result = subprocess.run(command, capture_output=True, text=True, check=False,
                                env=os.environ | {"LD_BIND_NOW": "1"})
        if result.returncode:
            print(result.stdout, result.stderr)
            return 1
        counts = []
        while (file := pathlib.Path(folder) / f"out.{len(counts) + 1}").exists():
            counts.append(int(re.search(r"^(?:summary|totals): (\d+)", file.read_text(), re.M).group(1)))
    names = result.stdout.splitlines()
    failures = 0
    for name, first, second in zip(names, counts[::2], counts[1::2]):
        good = first > 0 and (first == second) != (name.endswith("a call that does more each time"))
        failures += not good
        print(f"{name:36} {first:9} {second:9} {'' if good else 'WRONG'}")
    if len(counts) < 2 * len(names) or not names:
        print(f"callgrind counted {len(counts)} calls of {2 * len(names)}")
        return 1
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
