#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times two versions of tern_bench in turn, and says by how much the second one is faster. Plain Python.

usage: versions.py BEFORE NOW [--filter REGEX] [--rounds 3] [--repeats 2]

BEFORE and NOW are programs. Cases that both have are compared by the least median of all runs; the order of the two
changes from run to run. Cases of the reference and plain loops are left out, as are those that only one program has:
their memory would count for the others of their row.
"""
import argparse
import collections
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # nothing beside the sources
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "support"))
from progress import Progress  # noqa: E402

OWN = r"(?!.*:(reference|plain_loop\w*):)"  # cases of tern that are judged


def output(command):
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"versions.py: {' '.join(command)} failed: {run.stderr.strip()}")
    return run.stdout


def cases(program, expression):
    lines = output([program, "--list", "--no-peers", f"--filter={expression}"]).splitlines()
    return {tuple(line.split()) for line in lines if len(line.split()) == 2}


def measured(program, expression, rounds):
    """Medians in ns by row and case."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        output([program, "--no-peers", f"--filter={expression}", f"--rounds={rounds}", f"--json={file.name}"])
        with open(file.name, encoding="utf-8") as results:
            return {(b["row"], b["run_name"]): b["real_time"] for b in json.load(results)["benchmarks"]}


def main():
    parser = argparse.ArgumentParser(description="Times two versions of tern_bench in turn.")
    parser.add_argument("before")
    parser.add_argument("now")
    parser.add_argument("--filter", default="", help="of tern_bench: what to compare")
    parser.add_argument("--rounds", type=int, default=3, help="of tern_bench (3)")
    parser.add_argument("--repeats", type=int, default=2, help="runs of each (2)")
    arguments = parser.parse_args()
    if arguments.repeats < 1:
        parser.error("--repeats must be at least 1")
    programs = arguments.before, arguments.now
    wanted = f"^{OWN}(?=.*({arguments.filter}))"
    both = cases(programs[0], wanted) & cases(programs[1], wanted)
    if not both:
        parser.error("the programs have no such case in common")
    only = "|".join(sorted({re.escape(case) for p in programs for _, case in cases(p, wanted) - both}))
    if only:
        wanted += f"(?!.*({only})$)"
    times = collections.defaultdict(lambda: ([], []))
    with Progress("versions.py") as said:
        for repeat in range(arguments.repeats):
            for which in (0, 1) if repeat % 2 == 0 else (1, 0):
                said(f"{len(both)} cases, run {repeat + 1} of {arguments.repeats} of {programs[which]}")
                for case, time in measured(programs[which], wanted, arguments.rounds).items():
                    times[case][which].append(time)
    ratios = sorted((min(a) / min(b), min(a), min(b), case) for case, (a, b) in times.items() if a and b)
    print("before/now     before, us        now, us  row, case")
    for ratio, before, now, (row, case) in ratios:
        print(f"{ratio:10.2f} {before / 1e3:14.3f} {now / 1e3:14.3f}  {row} {case}")
    mean = math.exp(sum(math.log(r[0]) for r in ratios) / len(ratios))
    print(f"{len(ratios)} cases, geometric mean {mean:.3f}, {sum(r[0] < 0.95 for r in ratios)} under 0.95")


if __name__ == "__main__":
    main()
