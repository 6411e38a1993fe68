# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lists the kernels that the executor has run: the table of docs/simt.md, and statistics for people.

usage: executed.py table <docs/simt.md> <machine_code.tsv> <report>... [--write [--on-gpu <text>]]
       executed.py statistics <report>...

Programs on the executor write reports to the file in TERN_PTX_REPORT, named after the tests.

`table` fails if a kernel of machine_code.tsv was not executed, or the page does not have the table; --write puts it
there. The last column names the runs on a GPU and is kept; --on-gpu fills it for every kernel, after bench/gpu_run.sh
ran the same programs on one. Without reports, for lack of nvcc, `table` is skipped (77).

`statistics` prints the work of each kernel: counts of threads, and requests of warps.
"""
import argparse
import pathlib
import re
import sys

import machine_code

BEGIN, END = "<!-- written by tests/simt/executed.py -->\n", "<!-- end -->\n"
WRAPPERS = {"rows_of_places", "mapping", "drawing", "element_sums", "place_terms", "true", "false"}
TYPES = {"float": "f32", "double": "f64", "bfloat16": "bf16", "half": "f16", "signed char": "i8", "int": "i32"}


def read(path):
    """{mangled name: {column: number}}"""
    try:
        lines = pathlib.Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        sys.exit(f"executed.py: {path} cannot be read: {getattr(error, 'strerror', None) or error}")
    columns = lines[0].split("\t")[:-1] if lines else []
    if "launches" not in columns or any(line.count("\t") != len(columns) for line in lines):
        sys.exit(f"executed.py: {path} is no report of the executor")
    try:
        return {cells[-1]: dict(zip(columns, map(int, cells[:-1]))) for cells in (line.split("\t") for line in lines[1:])}
    except ValueError:
        sys.exit(f"executed.py: {path} is no report of the executor")


def family(name):
    """A kernel without what it is configured with, and its element type: ("row_block coupling_map", "f32")."""
    while re.search(r"\{[^{}]*\}", name):
        name = re.sub(r"\w*\{[^{}]*\}|\{[^{}]*\}", "", name)
    words = re.findall(r"signed char|\(\w+\)\d+|\w+", name)
    type_ = next((TYPES[w] for w in words if w in TYPES), "")
    chain = [w for w in words if w not in TYPES and w not in WRAPPERS and w[0] not in "(0123456789"]
    return " ".join(dict.fromkeys(chain)), type_


def library_kernels(names):
    """{mangled: name} of the library's own kernels."""
    return {mangled: name for mangled, name in machine_code.readable(list(names)).items()
            if "simt_entry" in mangled and "test::" not in name}


def executed(reports):
    """{family: {type: {program}}} of kernels that were launched."""
    found = {}
    for path in reports:
        program = re.sub(r"^ptx_|_(forward|reverse|random)_(early|late)_sm_\d+$", "", pathlib.Path(path).stem)
        rows = {name: row for name, row in read(path).items() if row["launches"]}
        for name in library_kernels(rows).values():
            chain, type_ = family(name)
            found.setdefault(chain, {}).setdefault(type_, set()).add(program)
    return found


def on_gpus(old):
    """{kernel: where it ran} of the table that the page has."""
    rows = (line.split(" | ") for line in old.splitlines() if line.startswith("| `"))
    return {cells[0].removeprefix("| "): cells[-1].removesuffix(" |") for cells in rows}


def table(found, on_gpu):
    """on_gpu: the last column by kernel, or the text for all of them."""
    lines = ["| kernel | executed from PTX | by the tests ptx_* | on a GPU |", "|---|---|---|---|"]
    for chain, types in sorted(found.items()):
        programs = sorted(set().union(*types.values()))
        kernel = " ".join(f"`{word}`" for word in chain.split())
        names = " ".join(t for t in TYPES.values() if t in types)
        ran = on_gpu if isinstance(on_gpu, str) else on_gpu.get(kernel, "not yet")
        lines.append(f"| {kernel} | {names} | {', '.join(programs)} | {ran} |")
    return "\n".join(lines) + "\n"


def check_table(page, pins, reports, write, on_gpu):
    missing = [r for r in reports if not r.exists()]
    if len(missing) == len(reports):
        print("skipped: no kernel was executed")
        return 77
    if missing:
        print("not written: " + ", ".join(map(str, missing)))
        return 1
    found = executed(reports)
    compiled = {family(name) for rows in machine_code.read(pins)[1].values() for name in rows
                if "test::" not in name}
    never = sorted(" ".join(f) for f in compiled if f[1] not in found.get(f[0], {}))
    for name in never:
        print(f"was compiled and not executed: {name}")
    try:
        text = page.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        sys.exit(f"executed.py: {page} cannot be read: {getattr(error, 'strerror', None) or error}")
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        print(f"{page} has no place for the table: a line {BEGIN.strip()} and a line {END.strip()}")
        return 1
    before, rest = text.split(BEGIN)
    old, after = rest.split(END)
    lines = table(found, on_gpu or on_gpus(old))
    new = before + BEGIN + lines + END + after
    if never:
        print("the table is of all tests ptx_*: run them all first")
    elif write:
        machine_code.replace(page, new)
    elif new != text:
        print(f"{page} does not say what was executed; executed.py table --write, with all reports, does:")
        print(lines)
        return 1
    print(f"{sum(map(len, found.values()))} kernels, by element type, were executed")
    return 1 if never else 0


def print_statistics(reports):
    rows = {}
    for path in reports:
        for name, row in read(path).items():
            if row["launches"]:
                total = rows.setdefault(name, dict.fromkeys(row, 0))
                for column, number in row.items():
                    total[column] += number
    names = machine_code.readable(list(rows))
    kinds = ["fma", "other floating point", "integer", "predicates", "move", "memory", "control"]
    print("launches blocks | instructions of threads, shares: " + ", ".join(kinds) + " | bytes read, written; sectors per request | "
          "shared: requests, wavefronts per request, and without conflicts | kernel")
    for mangled in sorted(rows, key=names.get):
        r = rows[mangled]
        all_ = max(1, sum(r[k] for k in kinds))
        shares = " ".join(f"{100 * r[k] / all_:3.0f}" for k in kinds)
        requests, shared = max(1, r["global requests"]), max(1, r["shared requests"])
        print(f"{r['launches']:5d} {r['blocks']:7d} | {all_:11d} {shares} % | {r['global read']:10d} {r['global written']:10d} "
              f"{r['global sectors'] / requests:5.1f} | {r['shared requests']:9d} {r['shared wavefronts'] / shared:5.2f} "
              f"{r['shared least'] / shared:5.2f} | {names[mangled]}")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    tables = commands.add_parser("table")
    tables.add_argument("page", type=pathlib.Path)
    tables.add_argument("pins", type=pathlib.Path)
    tables.add_argument("reports", type=pathlib.Path, nargs="+")
    tables.add_argument("--write", action="store_true")
    tables.add_argument("--on-gpu")
    commands.add_parser("statistics").add_argument("reports", type=pathlib.Path, nargs="+")
    a = parser.parse_args()
    if a.command == "statistics":
        return print_statistics(a.reports)
    return check_table(a.page, a.pins, a.reports, a.write, a.on_gpu)


if __name__ == "__main__":
    sys.exit(main())
