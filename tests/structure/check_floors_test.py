# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of check_floors.py: each rule, broken once in a small tree of headers, must be reported, and nothing else.

usage: check_floors_test.py <folder for the trees>
"""
import pathlib
import shutil
import subprocess
import sys

CHECKER = pathlib.Path(__file__).with_name("check_floors.py")
HEAD = ("// SPDX-FileCopyrightText: 2026 The tern authors\n"
        "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n")
# A tree that keeps every rule.
SOUND = {
    "core/config.hpp": "#include <cstddef>",
    "op/matmul.hpp": '#include "tern/core/config.hpp"',
    "device/device.hpp": '#include "tern/core/config.hpp"',
    "policy/simd.hpp": '#include "tern/device/device.hpp"',
    "exec/cpu/arch.hpp": "#include <xsimd/xsimd.hpp>",
    "exec/simt/block.hpp": '#include "tern/core/config.hpp"',
    "family/kernels.hpp": '#include "tern/core/config.hpp"',
    "family/contraction/contraction.hpp": '#include "tern/family/kernels.hpp"',
    "family/contraction/cpu/macro_kernel.hpp": '#include "tern/op/matmul.hpp"\n#include "tern/family/contraction/contraction.hpp"',
    "family/map/mimd.hpp": '#include "tern/core/config.hpp"',
    "family/reduction/mimd/norm.hpp": '#include "tern/family/map/mimd.hpp"',
    "kernel/kernel.hpp": '#include "tern/policy/simd.hpp"\n#include "tern/family/contraction/contraction.hpp"',
    "family/contraction/simd.hpp":
        '#include "tern/exec/cpu/arch.hpp"\n#include "tern/family/contraction/cpu/macro_kernel.hpp"',
    "family/contraction/simt/contraction.hpp": '#include "tern/exec/simt/block.hpp"',
    "files/npz.hpp": '#include <zip.h>\n#include "tern/core/config.hpp"',
    "simd.hpp": '#include "tern/family/contraction/simd.hpp"',
    "files.hpp": '#include "tern/files/npz.hpp"',
}
# What is broken: the header, what it includes instead, a part of the report.
BROKEN = {
    "an include that goes up": ("family/contraction/cpu/macro_kernel.hpp", '#include "tern/kernel/kernel.hpp"',
                                "includes go down only"),
    "an include of an entry": ("kernel/kernel.hpp", '#include "tern/simd.hpp"', "includes go down only"),
    "op looks at device": ("op/matmul.hpp", '#include "tern/device/device.hpp"', "includes go down only"),
    "a model looks at another": ("family/contraction/simd.hpp",
                                 '#include "tern/family/contraction/simt/contraction.hpp"', "includes go down only"),
    "a problem looks at vector code": ("family/contraction/contraction.hpp",
                                       '#include "tern/family/contraction/cpu/macro_kernel.hpp"', "includes go down only"),
    "a GPU runs vector code": ("family/contraction/simt/contraction.hpp",
                               '#include "tern/family/contraction/cpu/macro_kernel.hpp"', "vector code is for cpu, simd and mimd"),
    "a family looks at another": ("family/map/mimd.hpp", '#include "tern/family/contraction/contraction.hpp"',
                                  "a family sees no other"),
    "a call looks at a model": ("kernel/kernel.hpp", '#include "tern/family/contraction/simd.hpp"',
                                "calls see problems, and no model"),
    "a model uses another's machine": ("family/contraction/simd.hpp", '#include "tern/exec/simt/block.hpp"',
                                       "a model uses its own machine only"),
    "xsimd outside exec": ("family/contraction/cpu/macro_kernel.hpp", "#include <xsimd/xsimd.hpp>",
                           "<xsimd/xsimd.hpp> belongs to exec/"),
    "threads outside exec": ("kernel/kernel.hpp", "  # include <thread>", "<thread> belongs to exec/"),
    "files look at ops": ("files/npz.hpp", '#include "tern/op/matmul.hpp"', "includes go down only"),
    "kernels bring files": ("kernel/kernel.hpp", '#include "tern/files/npz.hpp"', "for tern/files.hpp only"),
    "another entry brings files": ("simd.hpp", '#include "tern/files/npz.hpp"', "for tern/files.hpp only"),
    "JSON outside files": ("kernel/kernel.hpp", "#include <nlohmann/json.hpp>", "belongs to files/"),
    "a header that is not there": ("op/matmul.hpp", '#include "tern/core/nothing.hpp"', "does not exist"),
    "a layout that devices see differently": ("family/contraction/cpu/macro_kernel.hpp",
                                              "struct a { [[no_unique_address]] struct {} b; };", "outside core/"),
    "too many lines": ("op/matmul.hpp", "\n" * 500, "at most 500 are allowed"),
    "no licence": ("op/matmul.hpp", None, "the two SPDX lines are missing"),
}


def report(root, headers):
    """What the checker says about a tree of headers: (exit status, lines that are errors)."""
    shutil.rmtree(root, ignore_errors=True)
    for name, text in headers.items():
        path = root / "include" / "tern" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("no head\n" if text is None else HEAD + text + "\n")
    (root / "CMakeLists.txt").write_text(HEAD.replace("//", "#"))
    run = subprocess.run([sys.executable, CHECKER, root], capture_output=True, text=True)
    return run.returncode, run.stdout.splitlines()[:-1]


def main():
    root, failures = pathlib.Path(sys.argv[1]), 0
    for name, (header, text, expected) in {"nothing": (None, None, None), **BROKEN}.items():
        status, errors = report(root, {**SOUND, **({header: text} if header else {})})
        good = (status == 0 and not errors) if header is None else \
            (status != 0 and len(errors) == 1 and header in errors[0] and expected in errors[0])
        print(f"{'ok    ' if good else 'FAILED'} {name}: {errors}")
        failures += not good
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
