# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fails where the headers leave their floors. Needs nothing beyond Python's standard library.

usage: check_floors.py <repository>

Includes go down only: never up, never sideways between op and device, families or execution models. Every file starts
with the two SPDX lines; headers have at most 500 lines; only exec/ may include xsimd, threads or CUDA.

files/ may include core/, nlohmann-json and libzip. Only the entry tern/files.hpp may include it, except
named_tensor.hpp, which needs core/ only. The attribute [[no_unique_address]] is for views and layouts only, which no
kernel takes: in device code of nvcc 13.0, arrays of a struct with such a member have another stride than in host code.
"""
import pathlib
import re
import sys

# Floor of each folder under include/tern, and which folders of the same floor it may see besides itself.
FLOORS = {
    "core": 0, "op": 1, "device": 1, "files": 1, "policy": 2, "exec/cpu": 3, "exec/mimd": 3, "exec/simt": 3, "family": 4,
    "kernel": 5, "block": 6, "": 7,
}
SIDEWAYS = {
    "exec/mimd": {"exec/cpu"},   # the tiles of a host machine are its cores: they use lanes and executors
    "": {""},
}
# A family is a house of its own: problems at the bottom, vector code of cores above, the models at the top. A model is a
# file or a folder.
FAMILIES = ("contraction", "window", "reduction", "map", "index")
MODELS = {"reference": set(), "simd": {"exec/cpu"}, "mimd": {"exec/cpu", "exec/mimd"}, "simt": {"exec/simt"}}
for family in FAMILIES:
    FLOORS |= {f"family/{family}": 4.1, f"family/{family}/cpu": 4.2, **{f"family/{family}/{m}": 4.3 for m in MODELS}}
# Which machines and vector code a room may use; others may use all.
MACHINES = {f"family/{family}{room}": machines
            for family in FAMILIES
            for room, machines in {"": set(), "/cpu": {"exec/cpu"}, **{f"/{m}": MODELS[m] for m in MODELS}}.items()}
USES_CPU = ("cpu", "simd", "mimd")
# What a family may see of another one.
COMPOSES = {("family/reduction/mimd", "family/map/mimd")}   # norms end in a map
MACHINE = re.compile(r"cpuid|xsimd|immintrin|arm_neon|thread|atomic|barrier|mutex|pthread|sched|cuda|omp\.h|tbb")
PARAMETER_FILES = re.compile(r"nlohmann|^zip\.h")
SPDX = ["SPDX-FileCopyrightText: 2026 The tern authors",
        "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"]


def folder_of(path):
    """The longest known folder that holds the header `path`, relative to include/tern, or the model that it is."""
    folder = path.with_suffix("").as_posix()
    while folder not in FLOORS:
        folder = folder.rpartition("/")[0]
    return folder


def check_header(root, path, errors):
    relative = path.relative_to(root / "include" / "tern")
    here = folder_of(relative)
    lines = path.read_text().splitlines()
    if len(lines) > 500:
        errors.append(f"{path}: {len(lines)} lines; at most 500 are allowed")
    for number, line in enumerate(lines, 1):
        if "no_unique_address" in line and here != "core":
            errors.append(f"{path}:{number}: [[no_unique_address]] outside core/: device code of nvcc 13.0 gives such a "
                          f"struct another size")
        match = re.match(r'\s*#\s*include\s*(<|")([^>"]+)', line)
        if not match:
            continue
        name = match.group(2)
        if name.startswith("tern/"):
            target = pathlib.PurePosixPath(name[len("tern/"):])
            if not (root / "include" / name).exists():
                errors.append(f"{path}:{number}: {name} does not exist")
            there = folder_of(target)
            if here != there and there not in SIDEWAYS.get(here, set()) and FLOORS[there] >= FLOORS[here] and (here, there) not in COMPOSES:
                errors.append(f"{path}:{number}: {here or 'entry'} (floor {FLOORS[here]}) includes {name} "
                              f"(floor {FLOORS[there]}): includes go down only")
            if (there == "files" and here != "files" and relative.as_posix() != "files.hpp"
                    and name != "tern/files/named_tensor.hpp"):
                errors.append(f"{path}:{number}: {name} is for tern/files.hpp only: the rest needs no other library")
            if there.startswith("exec/") and here in MACHINES and there not in MACHINES[here]:
                errors.append(f"{path}:{number}: {here} includes {name}: a model uses its own machine only")
            if here.startswith("family/") and there.startswith("family/"):
                if there.endswith("/cpu") and here.rpartition("/")[2] in MODELS and here.rpartition("/")[2] not in USES_CPU:
                    errors.append(f"{path}:{number}: {here} includes {name}: vector code is for cpu, simd and mimd")
                elif here.split("/")[1] != there.split("/")[1] and (here, there) not in COMPOSES:
                    errors.append(f"{path}:{number}: {here} includes {name}: a family sees no other")
            if here == "kernel" and there.startswith("family/") and there.count("/") > 1:
                errors.append(f"{path}:{number}: {here} includes {name}: calls see problems, and no model")
        elif match.group(1) == "<" and MACHINE.search(name) and not here.startswith("exec/"):
            errors.append(f"{path}:{number}: <{name}> belongs to exec/")
        elif match.group(1) == "<" and PARAMETER_FILES.search(name) and here != "files":
            errors.append(f"{path}:{number}: <{name}> belongs to files/")


def check_head(path, errors):
    head = path.read_text().splitlines()[:4]
    if not all(any(spdx in line for line in head) for spdx in SPDX):
        errors.append(f"{path}: the two SPDX lines are missing at the top")


def main():
    root = pathlib.Path(sys.argv[1])
    errors = []
    headers = [p for p in sorted((root / "include").rglob("*")) if p.suffix in (".hpp", ".cuh")]
    for path in headers:
        check_header(root, path, errors)
    sources = [p for folder in ("include", "tests", "bench", "examples", "cmake") for p in (root / folder).rglob("*")
               if p.suffix in (".hpp", ".cuh", ".cpp", ".cu", ".cmake", ".py", ".sh", ".txt") and p.is_file()
               and not ("data" in p.parts and p.suffix == ".txt")]
    sources += [p for name in ("CMakeLists.txt", "dev", ".ci/run") if (p := root / name).exists()]
    for path in sources:
        check_head(path, errors)
    for error in errors:
        print(error)
    print(f"{len(headers)} headers, {len(sources)} files: {len(errors)} errors")
    return 1 if errors or not headers else 0


if __name__ == "__main__":
    sys.exit(main())
