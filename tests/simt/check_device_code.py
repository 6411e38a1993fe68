# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles every kind of kernel for GPUs and looks at what came out. Needs nvcc 13 or newer and no GPU.

usage: check_device_code.py <repository> [--seeded-spill]

Fails on any warning of nvcc, the host compiler or ptxas; on stack frames, spills and local memory; on `.ftz`,
approximate arithmetic and atomics; and where a kernel lacks the instructions it is made of: fma, and with tiles wide
loads from shared memory, and cp.async of 16 bytes and of single elements.
--seeded-spill compiles a kernel that must spill instead, and fails where that goes unnoticed.
Exits with 77 ("skipped") where there is no nvcc. Looks at $CUDACXX, $PATH and /usr/local/cuda/bin.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ARCHITECTURES = ["80", "90", "90a"]
SKIPPED = 77
TILED = ["contraction_block", "conv_sums_block", "conv_gradient_block"]
UNTILED = ["narrow_sums_block", "sample_sums_block", "batch_norm_block", "norm_block", "softmax_block", "loss_block"]
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


def find_nvcc():
    for candidate in (os.environ.get("CUDACXX"), shutil.which("nvcc"), "/usr/local/cuda/bin/nvcc"):
        if candidate and pathlib.Path(candidate).is_file():
            return candidate
    return None


def check_resources(report, errors):
    """Reads what ptxas -v says of every kernel; returns how many there were."""
    blocks = re.split(r"Compiling entry function", report)[1:]
    for block in blocks:
        name = re.search(r"'([^']*)'", block).group(1)
        frame = re.search(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads", block)
        registers = re.search(r"Used (\d+) registers", block)
        if not frame or not registers:
            errors.append(f"{name}: ptxas reported no resources")
            continue
        if any(int(n) for n in frame.groups()):
            errors.append(f"{name}: {frame.group(0)}")
    return len(blocks)


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


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    seeded = "--seeded-spill" in sys.argv
    nvcc = find_nvcc()
    if nvcc is None:
        print("skipped: no nvcc in $CUDACXX, $PATH or /usr/local/cuda/bin, so no device code was compiled")
        return SKIPPED
    failures = 0
    for arch in ARCHITECTURES[:1] if seeded else ARCHITECTURES:
        with tempfile.TemporaryDirectory() as folder:
            command = [nvcc, "-std=c++20", "-O3", f"-I{root}/include", f"-I{root}",
                       f"-gencode=arch=compute_{arch},code=sm_{arch}", "--Werror", "all-warnings",
                       "-Xcompiler", "-Wall,-Wextra", "-Xptxas", "-v,-warn-spills,-warn-lmem-usage", "--keep",
                       "--keep-dir", folder, "-c", f"{root}/tests/simt/device_kernels.cu", "-o", f"{folder}/kernels.o"]
            if seeded:
                command.insert(1, "-DTERN_SEEDED_SPILL=1")
            run = subprocess.run(command, capture_output=True, text=True, cwd=folder)
            report = run.stdout + run.stderr
            errors = [line for line in report.splitlines() if re.search(r"error|warning", line)]
            if run.returncode != 0 and not errors:
                errors = report.splitlines()[-20:]
            kernels = check_resources(report, errors)
            ptx = pathlib.Path(folder, "device_kernels.ptx")
            counts = check_ptx(ptx.read_text() if ptx.exists() else "", errors)
            missing = [kind for kind in TILED + UNTILED + WITHOUT_FMA if counts[kind] == 0 and not seeded]
            if kernels == 0 or kernels != sum(counts.values()) or missing:
                errors.append(f"{kernels} kernels were assembled, the PTX has {counts}")
        registers = [int(n) for n in re.findall(r"Used (\d+) registers", report)]
        if seeded:
            found = any("spill" in error for error in errors)
            print("the seeded spill was", "found" if found else "NOT found: " + report[-2000:])
            return 0 if found else 1
        for error in errors[:20]:
            print(f"sm_{arch}: {error[:300]}")
        kinds = ", ".join(f"{count} {kind}" for kind, count in counts.items())
        print(f"sm_{arch}: {kinds}; at most {max(registers, default=0)} registers, {len(errors)} errors")
        failures += len(errors)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
