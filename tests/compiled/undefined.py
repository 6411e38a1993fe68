# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fails where files that link the compiled part call none of its kernels of some kind: they would compile them.

usage: undefined.py <nm> <object>[;<object>...]
"""
import subprocess
import sys

# Classes of the kernels that src/*.cpp defines.
KERNELS = ["contraction_core", "conv_parts", "index_parts", "loss_parts", "map_parts", "norm_parts", "place_sums_parts", "pool_parts",
           "row_parts"]


def main():
    nm, objects = sys.argv[1], sys.argv[2].split(";")
    names = subprocess.run([nm, "-u", *objects], check=True, capture_output=True, text=True).stdout
    missing = [kernel for kernel in KERNELS if f"{len(kernel)}{kernel}I" not in names]
    for kernel in missing:
        print(f"no kernel of {kernel} is called: its list in family/*/simd/compiled*.hpp names other types")
    print(f"{len(KERNELS) - len(missing)} of {len(KERNELS)} kinds of kernels are called")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
