#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures what including tern costs a compiler, and says whether it stays within the budget. Plain Python.

usage: compile_time.py [--compiler g++-12] [--repeats 5] [--march x86-64-v3] [--xsimd FOLDER] [--include FOLDER] [probe...]

Probes are includes and the files of bench/compile, all by default. Times are those of the processor (user and system)
of one compiler run, the median of several; memory is the compiler's at its peak, text what it makes. --include compares
with another version of tern. Budget: <tern/tern.hpp> below 1 s; a file with one matmul under simd at most 1.5 times what
xsimd alone takes, plus 1 s. Exits with 1 above it.
"""
import argparse
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True  # nothing beside the sources
sys.path.insert(0, str(REPOSITORY / "bench" / "support"))
from progress import Progress  # noqa: E402

PROBES = REPOSITORY / "bench" / "compile"
INCLUDES = {
    "nothing": "",
    "xsimd alone": "#include <xsimd/xsimd.hpp>\n",
    "tern/tern.hpp": "#include <tern/tern.hpp>\n",
    "tern/reference.hpp": "#include <tern/reference.hpp>\n",
    "tern/simd.hpp": "#include <tern/simd.hpp>\n",
}


def compiled(command):
    """Processor seconds and MB of one run of the compiler."""
    pid = os.posix_spawnp(command[0], command, os.environ)
    _, status, usage = os.wait4(pid, 0)
    if status != 0:
        sys.exit(f"compile_time.py: {' '.join(command)} failed")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description="Measures what including tern costs a compiler.")
    parser.add_argument("probes", nargs="*", metavar="probe", help="by default all")
    parser.add_argument("--compiler", default="g++-12" if shutil.which("g++-12") else "g++")
    parser.add_argument("--march", default="x86-64-v3", help="instruction set (x86-64-v3)")
    parser.add_argument("--repeats", type=int, default=5, help="runs per file (5)")
    parser.add_argument("--xsimd", help="folder with xsimd/xsimd.hpp, where it is not the system's")
    parser.add_argument("--include", type=pathlib.Path, default=REPOSITORY / "include", help="another version of tern")
    arguments = parser.parse_args()
    if not shutil.which(arguments.compiler):
        parser.error(f"there is no compiler {arguments.compiler}")
    if arguments.repeats < 1:
        parser.error("--repeats must be at least 1")
    if not (arguments.include / "tern" / "tern.hpp").is_file():
        parser.error(f"{arguments.include} has no tern/tern.hpp")
    flags = ["-std=c++20", "-O2", f"-march={arguments.march}", f"-I{arguments.include}"]
    if arguments.xsimd:
        flags += ["-isystem", arguments.xsimd]
    files = {f.stem: ([], f) for f in sorted(PROBES.glob("*.cpp"))}
    files["resnet50, trained"] = (["-DTERN_TRAINED"], PROBES / "resnet50.cpp")
    unknown = [p for p in arguments.probes if p not in INCLUDES and p not in files]
    if unknown:
        parser.error(f"there is no probe {unknown[0]}: " + ", ".join([*INCLUDES, *files]))
    version = subprocess.run([arguments.compiler, "--version"], capture_output=True, text=True, check=True)
    print(f"{version.stdout.splitlines()[0]}, {' '.join(flags[:3])}, median of {arguments.repeats} runs")
    median = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, text in INCLUDES.items():
            files[name] = ([], pathlib.Path(folder) / (name.replace("/", "_") + ".cpp"))
            files[name][1].write_text(text)
        result = pathlib.Path(folder) / "file.o"
        for name in arguments.probes or files:
            defines, source = files[name]
            command = [arguments.compiler, *flags, *defines, "-c", str(source), "-o", str(result)]
            runs = []
            with Progress("compile_time.py") as said:
                for repeat in range(arguments.repeats):
                    said(f"{name}, run {repeat + 1} of {arguments.repeats}")
                    runs.append(compiled(command))
            runs.sort()
            median[name] = statistics.median(seconds for seconds, _ in runs)
            size = subprocess.run(["size", str(result)], capture_output=True, text=True, check=True).stdout
            print(f"  {name:20} {median[name]:6.2f} s ({runs[0][0]:.2f} to {runs[-1][0]:.2f})  {runs[0][1]:5.0f} MB  "
                  f"{int(size.splitlines()[1].split()[0]) / 1024:6.0f} KB of text", flush=True)
    within = True
    for name, budget in (("tern/tern.hpp", 1.0), ("matmul", 1.5 * median.get("xsimd alone", 0) + 1.0)):
        if name not in median or "xsimd alone" not in median:
            continue
        good = median[name] <= budget
        within = within and good
        print(f"{name}: {median[name]:.2f} s of {budget:.2f} s: {'within the budget' if good else 'ABOVE THE BUDGET'}")
    return 0 if within else 1


if __name__ == "__main__":
    sys.exit(main())
