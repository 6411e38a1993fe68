#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures what including tern costs a compiler, and says whether it stays within the budget. Plain Python.

usage: compile_time.py [--compiler g++-12] [--repeats 5] [--xsimd FOLDER]

Times are those of the processor (user and system) of one compiler run, the median of several. Budget: <tern/tern.hpp>
below 1 s; a file with one matmul under simd at most 1.5 times what xsimd alone takes, plus 1 s. Exits with 1 above it.
"""
import argparse
import pathlib
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent
FILES = {
    "nothing": "",
    "xsimd alone": "#include <xsimd/xsimd.hpp>\n",
    "tern/tern.hpp": "#include <tern/tern.hpp>\n",
    "tern/reference.hpp": "#include <tern/reference.hpp>\n",
    "tern/simd.hpp": "#include <tern/simd.hpp>\n",
    "tern/simd.hpp, one matmul": """#include <tern/simd.hpp>
void multiply(const float* a, const float* b, float* c, tern::index_t m, tern::index_t n, tern::index_t k) {
  using tern::dims;
  const tern::kernel<tern::matmul<>, tern::simd<>> product;
  product(tern::view<const float, dims<2>>(a, dims<2>(m, k)), tern::view<const float, dims<2>>(b, dims<2>(k, n)),
          tern::view<float, dims<2>>(c, dims<2>(m, n)));
}
""",
}


def seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if result.returncode:
        sys.exit(f"compile_time.py: {' '.join(command)} failed:\n{result.stderr[:2000]}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description="Measures what including tern costs a compiler.")
    parser.add_argument("--compiler", default="g++-12" if shutil.which("g++-12") else "g++")
    parser.add_argument("--repeats", type=int, default=5, help="runs per file (5)")
    parser.add_argument("--xsimd", help="folder with xsimd/xsimd.hpp, where it is not the system's")
    arguments = parser.parse_args()
    if not shutil.which(arguments.compiler):
        parser.error(f"there is no compiler {arguments.compiler}")
    if arguments.repeats < 1:
        parser.error("--repeats must be at least 1")
    flags = ["-std=c++20", "-O2", "-march=x86-64-v3", f"-I{REPOSITORY / 'include'}"]
    if arguments.xsimd:
        flags += ["-isystem", arguments.xsimd]
    version = subprocess.run([arguments.compiler, "--version"], capture_output=True, text=True, check=True)
    print(f"{version.stdout.splitlines()[0]}, {' '.join(flags[:3])}, median of {arguments.repeats} runs")
    median = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, text in FILES.items():
            source = pathlib.Path(folder) / "file.cpp"
            source.write_text(text)
            command = [arguments.compiler, *flags, "-c", str(source), "-o", str(source.with_suffix(".o"))]
            runs = sorted(seconds(command) for _ in range(arguments.repeats))
            median[name] = statistics.median(runs)
            print(f"  {name:28} {median[name]:5.2f} s   ({runs[0]:.2f} to {runs[-1]:.2f})", flush=True)
    within = True
    for name, budget in (("tern/tern.hpp", 1.0),
                         ("tern/simd.hpp, one matmul", 1.5 * median["xsimd alone"] + 1.0)):
        good = median[name] <= budget
        within = within and good
        print(f"{name}: {median[name]:.2f} s of {budget:.2f} s: {'within the budget' if good else 'ABOVE THE BUDGET'}")
    return 0 if within else 1


if __name__ == "__main__":
    sys.exit(main())
