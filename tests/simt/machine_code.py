# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts instructions in the SASS of the kernels and compares them with checked-in counts. For check_device_code.py.

Counts are of instructions in the code, not of executed ones. SASS is not documented: the meaning of instructions is
taken from the list of names in NVIDIA's "CUDA Binary Utilities", "Instruction Set Reference".
"""
import os
import re
import subprocess
import sys

KINDS = {  # by name; what is not here is integer arithmetic, addresses and moves
    "fma": "FFMA DFMA",
    "float": "FADD FMUL FSETP FSEL FMNMX FCHK DADD DMUL DSETP DMNMX MUFU F2F F2I I2F I2FP",
    "shared": "LDS STS",
    "global": "LDG STG LD ST",
    "copy": "LDGSTS LDGDEPBAR DEPBAR",
    "barrier": "BAR",
    "shuffle": "SHFL",
    "control": "BRA BRX BREAK EXIT CALL RET BSSY BSYNC WARPSYNC NOP",
    "local": "LDL STL",
}
KIND_OF = {name: kind for kind, names in KINDS.items() for name in names.split()}
REQUESTS = {"LDG": "read", "STG": "written", "LDS": "shared_read", "STS": "shared_written", "LDGSTS": "copied"}
WIDTHS = {"U8": 1, "S8": 1, "U16": 2, "S16": 2, "64": 8, "128": 16}

# What is compared: column, how far it may be off as a share of the number, and in any case.
# Accesses to memory have no tolerance: one that is lost, split or narrower is another kernel.
COLUMNS = [("registers", 0.05, 4), ("instructions", 0.03, 8), ("fma", 0, 0), ("float", 0.03, 4), ("integer", 0.05, 8),
           ("shared", 0, 0), ("global", 0, 0), ("copy", 0, 0), ("barrier", 0, 0), ("slab_fma", 0, 0),
           ("slab_least", 0.02, 2), ("slab_most", 0.02, 2)] + [(f"bytes_{r}", 0, 0) for r in REQUESTS.values()]


def readable(names):
    """Kernel classes with their template arguments, without the library's namespaces."""
    try:
        text = subprocess.run(["c++filt"], input="\n".join(names), capture_output=True, text=True, check=True).stdout
    except FileNotFoundError:
        sys.exit("there is no c++filt on PATH: it comes with binutils")
    result = {}
    for mangled, name in zip(names, text.splitlines()):
        name = re.sub(r"tern::|impl::|isa_\w+::|tile::|\(anonymous namespace\)::", "", name)
        start = name.find("simt_entry<") + len("simt_entry<")
        depth = end = 0
        for end in range(start, len(name)):
            depth += {"<": 1, "{": 1, "(": 1, ">": -1, "}": -1, ")": -1}.get(name[end], 0)
            if depth < 0 or (depth == 0 and name[end] == ","):
                break
        result[mangled] = name[start:end] if start > len("simt_entry<") else name
    return result


def functions(text):
    """Instructions of every function, and where labels are: {name: ([instruction], {label: index})}."""
    found, instructions, labels = {}, None, None
    for line in text.splitlines():
        if match := re.match(r"\.text\.(\S+):$", line):
            instructions, labels = [], {}
            found[match.group(1)] = instructions, labels
        elif line.startswith("//-"):
            instructions = None
        elif instructions is None:
            continue
        elif match := re.match(r"(\.L_x_\d+):", line):
            labels[match.group(1)] = len(instructions)
        elif match := re.match(r"\s+/\*[0-9a-f]+\*/\s+(.*?)\s*;", line):
            instructions.append(match.group(1))
    for instructions, _ in found.values():  # the end is a loop that nobody reaches, and filling
        while instructions and re.match(r"NOP|BRA `", instructions[-1]):
            instructions.pop()
    return found


def name_of(instruction):
    return re.sub(r"^@\S+\s+", "", instruction).split()[0]


def target_of(instruction, labels):
    """Where a jump goes; a CALL to a label is one, too: functions have names."""
    match = re.search(r"\b(?:BRA|CALL)\b.*`\((\.L_x_\d+)\)", instruction)
    return labels.get(match.group(1)) if match else None


def slab_loop(instructions, labels):
    """First and last instruction of the outermost loop among those with a barrier and the most fmas."""
    best = None
    for last, instruction in enumerate(instructions):
        first = target_of(instruction, labels)
        if first is None or first > last:
            continue
        names = [name_of(i) for i in instructions[first:last + 1]]
        fmas = sum(KIND_OF.get(n.split(".")[0]) == "fma" for n in names)
        if any(n.startswith("BAR") for n in names) and (best is None or (fmas, last - first) > best[0]):
            best = (fmas, last - first), first, last
    return best[1:] if best else None


def walk(instructions, labels, first, last, states, most_fmas, again=True):
    """All ways from one instruction to another that go around no loop twice.

    states: {fmas so far: (fewest, most instructions so far)} before `first`. Returns the states before `last`, and
    those that leave, by the instruction they go to.
    """
    before, left = {first: states}, {}

    def arrive(at, new):
        there = (before if first < at <= last else left).setdefault(at, {})
        for fmas, (low, high) in new.items():
            old = there.get(fmas, (low, high))
            there[fmas] = min(old[0], low), max(old[1], high)

    for at in range(first, last):
        here = before.pop(at, None)
        if here is None:
            continue
        name, target = name_of(instructions[at]), target_of(instructions[at], labels)
        adds = KIND_OF.get(name.split(".")[0]) == "fma"
        after = {f + adds: (low + 1, high + 1) for f, (low, high) in here.items() if f + adds <= most_fmas}
        always = name == instructions[at].split()[0] and re.match(r"(BRA(\.\w+)* `|CALL\S* `\(\.L|EXIT|RET|BRX)", instructions[at]) and \
            "DIV" not in name
        if not always:
            arrive(at + 1, after)
        if target is not None and target > at:
            arrive(target, after)
        elif target is not None and always and again and target > first:  # a loop that ends at its top
            for exit_, states_ in walk(instructions, labels, target, at, after, most_fmas, False)[1].items():
                if exit_ > at:
                    arrive(exit_, states_)
    return before.get(last, {}), left


def slab_paths(instructions, labels, fmas):
    """Fewest and most instructions of a way through the loop over slabs that executes so many fmas, or None."""
    loop = slab_loop(instructions, labels)
    if loop is None:
        return None
    found = walk(instructions, labels, *loop, {0: (0, 0)}, fmas)[0].get(fmas)
    return (found[0] + 1, found[1] + 1) if found else None


def slab_fmas(name):
    """Fmas of a thread in a whole slab, from the tuning in a kernel's name."""
    match = re.search(r"simt_tuning\{(\d+), (\d+), (\d+), (\d+), (\d+)", name)
    if not match or not re.match(r"contraction_block|conv_sums_block|conv_gradient_block", name):
        return 0
    return int(match.group(3)) * int(match.group(4)) * int(match.group(5))


def analyse(sass, registers):
    """{kernel: {column: number}}; registers: {mangled name: number}."""
    code = functions(sass)
    names = readable(list(code))
    result = {}
    for mangled, (instructions, labels) in code.items():
        row = dict.fromkeys(["registers", "instructions", *KINDS, "integer"], 0)
        row["registers"] = registers[mangled]
        row["instructions"] = len(instructions)
        widths = {request: [] for request in REQUESTS.values()}
        for instruction in instructions:
            parts = name_of(instruction).split(".")
            row[KIND_OF.get(parts[0], "integer")] += 1
            if parts[0] in REQUESTS and not instruction.startswith("@!PT "):  # a no-op that ptxas puts before LDGSTS
                widths[REQUESTS[parts[0]]].append(next((WIDTHS[p] for p in parts[1:] if p in WIDTHS), 4))
        for request, bytes_ in widths.items():
            row[f"bytes_{request}"] = round(sum(bytes_) / len(bytes_), 2) if bytes_ else 0
        fmas = slab_fmas(names[mangled])
        paths = slab_paths(instructions, labels, fmas) if fmas else None
        row["slab_fma"] = fmas if paths else 0
        row["slab_least"], row["slab_most"] = paths or (0, 0)
        if fmas and not paths:
            row["error"] = f"no way through a loop has the {fmas} fmas of a slab"
        result[names[mangled]] = row
    return result


def share(row):
    """FMA share of a whole slab, as text."""
    if not row["slab_fma"]:
        return "-"
    return f"{100 * row['slab_fma'] / row['slab_most']:.0f} to {100 * row['slab_fma'] / row['slab_least']:.0f} %"


def table(architecture, rows):
    """Lines for people."""
    kinds = [*KINDS, "integer"]
    head = "registers instructions " + " ".join(kinds) + " | fmas of a slab | bytes per thread and request: global " \
        "read, written; shared read, written; copied | kernel"
    lines = [f"sm_{architecture}", head]
    for name, row in sorted(rows.items()):
        counts = f"{row['registers']:4d} {row['instructions']:6d} " + " ".join(f"{row[k]:5d}" for k in kinds)
        requests = " ".join(f"{row['bytes_' + r]:4.1f}" for r in REQUESTS.values())
        lines.append(f"{counts} | {share(row):>11} | {requests} | {name}")
    return lines


def replace(path, text):
    """The file has the text, or after an error what it had."""
    part = f"{path}.part"
    try:
        with open(part, "w", encoding="utf-8") as out:
            out.write(text)
        os.replace(part, path)
    except OSError as error:
        if os.path.exists(part):
            os.remove(part)
        sys.exit(f"{path} cannot be written: {error.strerror}")


def write(path, compiler, all_rows):
    """all_rows: {architecture: {kernel: row}}."""
    columns = [c for c, _, _ in COLUMNS]
    lines = [f"# {compiler}: what ptxas makes of every kernel; check_device_code.py --pin writes this",
             "\t".join(["sm", *columns, "kernel"])]
    for architecture, rows in all_rows.items():
        for name, row in sorted(rows.items()):
            lines.append("\t".join([architecture, *(f"{row[c]:g}" for c in columns), name]))
    replace(path, "\n".join(lines) + "\n")


def read(path):
    """The compiler's name, and what write got."""
    rows = {}
    try:
        with open(path, encoding="utf-8") as lines:
            compiler = lines.readline()[2:].split(":")[0]
            columns = lines.readline().rstrip("\n").split("\t")
            for line in lines:
                cells = line.rstrip("\n").split("\t")
                numbers = [float(cell) for cell in cells[1:-1]]
                if len(cells) != len(columns):
                    raise ValueError
                rows.setdefault(cells[0], {})[cells[-1]] = dict(zip(columns[1:-1], numbers))
        if columns != ["sm", *(c for c, _, _ in COLUMNS), "kernel"] or not rows:
            raise ValueError
    except OSError as error:
        sys.exit(f"{path} cannot be read: {error.strerror}")
    except ValueError:
        sys.exit(f"{path} is damaged: check_device_code.py --pin writes it")
    return compiler, rows


def differences(pinned, rows):
    """Lines about kernels whose numbers are not the pinned ones."""
    lines = [f"{name}: is not pinned" for name in sorted(rows.keys() - pinned.keys())]
    lines += [f"{name}: is pinned and was not compiled" for name in sorted(pinned.keys() - rows.keys())]
    for name in sorted(rows.keys() & pinned.keys()):
        for column, relative, absolute in COLUMNS:
            was, now = pinned[name][column], rows[name][column]
            if abs(now - was) > max(relative * was, absolute):
                lines.append(f"{name}: {column} {now:g}, pinned {was:g}")
    return lines
