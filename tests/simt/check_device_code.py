# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles every kind of kernel for GPUs and checks the machine code. Needs nvcc 13 or newer and no GPU.

usage: check_device_code.py <repository> [--seeded-spill | --table | --pin]

Fails on any warning of nvcc, the host compiler or ptxas, and on stack frames, spills and local memory. Fails on `.ftz`,
approximate arithmetic, atomics, and products that ptxas may fuse with a sum. Fails if a kernel lacks the instructions
it is made of: fma, and with tiles wide loads from shared memory, and cp.async of 16 bytes and of single elements. PTX
for sm_80 and sm_90 must be the same, since the tests execute one of them. If nvdisasm is found, SASS is compared with
machine_code.tsv, provided that it is of the same version of nvcc.

The option --seeded-spill instead compiles a kernel that must spill, and fails if no spill is found. The option --table
prints counts of the SASS of every kernel; --pin writes machine_code.tsv. Exits with 77 ("skipped") without nvcc. Looks
for it in $CUDACXX, $PATH, /usr/local/cuda/bin and build/cuda, where
`./dev test --cuda` installs nvcc and nvdisasm.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import machine_code

ARCHITECTURES = ["80", "90", "90a"]
SKIPPED = 77
TILED = ["contraction_block", "conv_sums_block", "conv_gradient_block"]
UNTILED = ["narrow_sums_block", "sample_sums_block", "batch_norm_block", "norm_block", "row_program_block",
           "loss_block"]
WITHOUT_FMA = ["row_block"]
NEEDED = {  # of the PTX of a kernel with tiles, by element type
    "f32": [r"fma\.rn\.f32", r"ld\.shared\.v4\.f32", r"cp\.async\.cg\.shared\.global \[%\w+\], \[%\w+\], 16,",
            r"cp\.async\.ca\.shared\.global \[%\w+\], \[%\w+\], 4,", r"cp\.async\.commit_group",
            r"cp\.async\.wait_group [1-9]", r"bar\.sync"],
    "f64": [r"fma\.rn\.f64", r"ld\.shared\.v2\.f64", r"cp\.async\.cg\.shared\.global \[%\w+\], \[%\w+\], 16,",
            r"cp\.async\.ca\.shared\.global \[%\w+\], \[%\w+\], 8,", r"cp\.async\.commit_group",
            r"cp\.async\.wait_group [1-9]", r"bar\.sync"],
}
FORBIDDEN = [r"\.ftz", r"\.approx", r"\.full\.", r"\.local", r"\b(atom|red)\."]


PINNED = ["80", "90"]


def find_program(name, root):
    """A program of the CUDA toolkit, in the order in which CMake and ./dev look."""
    named = beside = None
    if wanted := os.environ.get("CUDACXX"):
        named = shutil.which(wanted)
        if named is None:
            sys.exit(f"CUDACXX is '{wanted}', which is no program")
        beside = pathlib.Path(os.path.realpath(named)).parent / name
    installed = sorted(root.glob(f"build/cuda/lib/python3*/site-packages/nvidia/cu13/bin/{name}"))
    for candidate in (named if name == "nvcc" else beside, shutil.which(name), f"/usr/local/cuda/bin/{name}", *installed):
        if candidate and pathlib.Path(candidate).is_file():
            return str(candidate)
    return None


def check_resources(report, errors):
    """Reads what ptxas -v says of every kernel; returns their registers."""
    used = {}
    blocks = re.split(r"Compiling entry function", report)[1:]
    for block in blocks:
        name = re.search(r"'([^']*)'", block).group(1)
        frame = re.search(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads", block)
        registers = re.search(r"Used (\d+) registers", block)
        if not frame or not registers:
            errors.append(f"{name}: ptxas reported no resources")
            continue
        used[name] = int(registers.group(1))
        if any(int(n) for n in frame.groups()):
            errors.append(f"{name}: {frame.group(0)}")
    return used


def fusible(entry):
    """Registers of products without `.rn` that come to a sum without `.rn`: ptxas may make one fma of the two."""
    products = set(re.findall(r"\bmul\.f(?:32|64)\s+(%\w+),", entry))
    moves = re.findall(r"\b(?:mov|neg)\.[bf](?:32|64)\s+(%\w+), (%\w+);", entry)
    size = -1
    while size != len(products):
        size = len(products)
        products |= {to for to, from_ in moves if from_ in products}
    sums = re.findall(r"\b(?:add|sub)\.f(?:32|64)\s+%\w+, (%\w+), (%\w+);", entry)
    return sorted({register for pair in sums for register in pair if register in products})


def check_ptx(text, errors):
    """Reads the PTX; returns how many kernels of each kind it has."""
    counts = dict.fromkeys(TILED + UNTILED + WITHOUT_FMA + ["other"], 0)
    for entry in re.split(r"\.visible \.entry |\.entry ", text)[1:]:
        name = entry.split("(", 1)[0].strip()
        threads = re.search(r"\.maxntid (\d+)", entry)
        if not threads:
            errors.append(f"{name}: has no launch bounds")
        for pattern in FORBIDDEN:
            if re.search(pattern, entry):
                errors.append(f"{name}: has {pattern} in its PTX")
        for register in fusible(entry):
            errors.append(f"{name}: the product {register} has no .rn, and neither has a sum of it")
        kind = next((k for k in TILED + UNTILED + WITHOUT_FMA if k in name), "other")
        counts[kind] += 1
        needed = []
        if kind in TILED:
            needed = NEEDED["f64" if kind + "Id" in name else "f32"]
        elif kind in UNTILED and "bias_terms" not in name:  # these only add
            needed = [r"fma\.rn\.f(32|64)"]
        for pattern in needed:
            if not re.search(pattern, entry):
                errors.append(f"{name}: has no {pattern} in its PTX")
    return counts


def check_machine_code(path, compiler, rows, errors):
    """Compares with the checked-in numbers; returns what can be said of that in one line."""
    pinned_compiler, pinned = machine_code.read(path)
    if pinned_compiler != compiler:
        return f"SASS is not compared: machine_code.tsv is of {pinned_compiler}, and this is {compiler}"
    for architecture, kernels in rows.items():
        for line in machine_code.differences(pinned.get(architecture, {}), kernels):
            errors.append(f"sm_{architecture}: {line}; --pin writes the new numbers")
    return f"SASS of {sum(map(len, rows.values()))} kernels is compared with machine_code.tsv"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("repository", type=pathlib.Path)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--seeded-spill", action="store_true", help="compile a kernel that spills, to see it found")
    what.add_argument("--table", action="store_true", help="print what the SASS of every kernel has")
    what.add_argument("--pin", action="store_true", help="write machine_code.tsv")
    arguments = parser.parse_args()
    root = arguments.repository.resolve()
    seeded = arguments.seeded_spill
    nvcc = find_program("nvcc", root)
    if nvcc is None:
        print("skipped: no nvcc in $CUDACXX, $PATH, /usr/local/cuda/bin or build/cuda, so no device code was compiled")
        return SKIPPED
    nvdisasm = find_program("nvdisasm", root)
    if nvdisasm is None and (arguments.table or arguments.pin):
        print("no nvdisasm beside nvcc, in $PATH, /usr/local/cuda/bin or build/cuda: ./dev test --cuda installs it")
        return 1
    try:
        version = subprocess.run([nvcc, "--version"], capture_output=True, text=True).stdout
    except OSError as error:
        version = error.strerror
    release = re.search(r"release [\d.]+, V([\d.]+)", version)
    if release is None:
        print(f"{nvcc} is no nvcc: {version.strip()[:100]}")
        return 1
    compiler = "nvcc " + release.group(1)
    failures = 0
    texts, rows = {}, {}
    for arch in ARCHITECTURES[:1] if seeded else ARCHITECTURES:
        with tempfile.TemporaryDirectory() as folder:
            # The host code is compiled once: it takes as long as the kernels, and its warnings are the same.
            host = ["-c", "-o", f"{folder}/kernels.o"] if arch == ARCHITECTURES[0] else ["-cubin"]
            command = [nvcc, "-std=c++20", "-O3", f"-I{root}/include", f"-I{root}",
                       f"-gencode=arch=compute_{arch},code=sm_{arch}", "--Werror", "all-warnings",
                       "-Xcompiler", "-Wall,-Wextra", "-Xptxas", "-v,-warn-spills,-warn-lmem-usage", "--keep",
                       "--keep-dir", folder, *host, f"{root}/tests/simt/device_kernels.cu"]
            if seeded:
                command.insert(1, "-DTERN_SEEDED_SPILL=1")
            run = subprocess.run(command, capture_output=True, text=True, cwd=folder)
            report = run.stdout + run.stderr
            errors = [line for line in report.splitlines() if re.search(r"error|warning", line)]
            if run.returncode != 0 and not errors:
                errors = report.splitlines()[-20:]
            registers = check_resources(report, errors)
            ptx = pathlib.Path(folder, "device_kernels.ptx")
            texts[arch] = ptx.read_text() if ptx.exists() else ""
            counts = check_ptx(texts[arch], errors)
            missing = [kind for kind in TILED + UNTILED + WITHOUT_FMA if counts[kind] == 0 and not seeded]
            if not registers or len(registers) != sum(counts.values()) or missing:
                errors.append(f"{len(registers)} kernels were assembled, the PTX has {counts}")
            if nvdisasm and arch in PINNED and run.returncode == 0 and not seeded:
                sass = subprocess.run([nvdisasm, "-c", f"{folder}/device_kernels.cubin"], capture_output=True, text=True)
                if sass.returncode != 0:
                    errors.append(f"nvdisasm: {sass.stderr.strip()[:300]}")
                else:
                    rows[arch] = machine_code.analyse(sass.stdout, registers)
                    errors += [f"{name}: {row['error']}" for name, row in rows[arch].items() if "error" in row]
        if seeded:
            found = any("spill" in error for error in errors)
            print("the seeded spill was", "found" if found else "NOT found: " + report[-2000:])
            return 0 if found else 1
        for error in errors[:20]:
            print(f"sm_{arch}: {error[:300]}")
        kinds = ", ".join(f"{count} {kind}" for kind, count in counts.items())
        print(f"sm_{arch}: {kinds}; at most {max(registers.values(), default=0)} registers, {len(errors)} errors")
        failures += len(errors)
    errors = []
    without_target = {re.sub(r"\.target \w+", "", text) for arch, text in texts.items() if arch in PINNED}
    if len(without_target) != 1:
        errors.append("the PTX for " + " and ".join(f"sm_{a}" for a in PINNED) + " differs in more than its target")
    pins = root / "tests/simt/machine_code.tsv"
    if arguments.table:
        for arch, kernels in rows.items():
            print("\n".join(machine_code.table(arch, kernels)))
    elif arguments.pin and failures == 0 and not errors:
        machine_code.write(pins, compiler, rows)
        print(f"{pins} is written")
    elif nvdisasm is None:
        print("SASS is not compared: no nvdisasm beside nvcc, in $PATH, /usr/local/cuda/bin or build/cuda")
    else:
        print(check_machine_code(pins, compiler, rows, errors))
    for error in errors[:20]:
        print(error)
    return 1 if failures or errors else 0


if __name__ == "__main__":
    sys.exit(main())
