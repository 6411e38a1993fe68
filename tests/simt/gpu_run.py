# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rehearses bench/gpu_run.sh without a GPU: programs run on the executor, and stand-ins take the place of nvidia-smi and
compute-sanitizer. All of it is gone through but the times.

usage: gpu_run.py <repository> <folder with the executor's libraries> [<program>...]

Exits with 77 where CUDACXX names no nvcc.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

NVIDIA_SMI = """#!/bin/sh
case "$*" in
  *--loop-ms*) while :; do echo "1980, 2619, 650.5, 44"; sleep 0.1; done ;;
  *) echo "name, driver_version, clocks.max.sm, power.limit"; echo "stand-in, 1, 1980, 700" ;;
esac
"""
SANITIZER = """#!/bin/sh
echo "sanitizer: $*"
test "$1 $3 $4" = "--tool --error-exitcode 9" || exit 2
if [ "$2" = "$BAD_TOOL" ]; then exit 9; fi
shift 4
exec "$@"
"""


def main():
    if len(sys.argv) < 3:
        sys.exit("usage: gpu_run.py <repository> <folder with the executor's libraries> [<program>...]")
    root, libraries, programs = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
    if not os.environ.get("CUDACXX"):
        print("skipped: no nvcc")
        return 77
    wrong = []

    def run(what, *arguments, wanted=(), status=0, **environment):
        result = subprocess.run([root / "bench/gpu_run.sh", *arguments], env={**os.environ, **environment}, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        missing = [text for text in wanted if text not in result.stdout]
        if missing or (result.returncode == 0) != (status == 0):
            wrong.append(what)
            print(f"{what}: exit status {result.returncode}, missing {missing}, in\n{result.stdout}")
        return result.stdout

    with tempfile.TemporaryDirectory() as folder:
        stand_ins, out = pathlib.Path(folder, "bin"), pathlib.Path(folder, "out")
        stand_ins.mkdir()
        for name, text in (("nvidia-smi", NVIDIA_SMI), ("compute-sanitizer", SANITIZER)):
            (stand_ins / name).write_text(text)
            (stand_ins / name).chmod(0o755)
        path = f"{stand_ins}:{os.environ['PATH']}"
        rehearse = ["--rehearse", libraries] + (["--programs", " ".join(programs)] if programs else [])
        tools = ["memcheck", "racecheck", "synccheck", "initcheck"]
        run("a rehearsal", *rehearse, out, PATH=path, wanted=[
            "== build", "checks passed", "== all passed", "matmul float32", ": rehearsed",
            "clocks.sm        1980 (1980 to 1980)", "power.draw       650.5", *(f"sanitizer: --tool {t}" for t in tools)])
        rows = (out / "times.tsv").read_text().splitlines()
        if len(rows) < 30 or any(len(line.split("\t")) != 3 for line in rows):
            wrong.append(f"times.tsv has {len(rows)} rows")
        log = (out / "log").read_text()
        if "== all passed" not in log:
            wrong.append("the log is not whole")
        # What fails shows, and nothing after it is left out.
        text = run("a race", *rehearse, "--steps", "races", out, PATH=path, BAD_TOOL="racecheck", status=1,
                   wanted=["FAILED: racecheck of optimizers (exit status 9)", "== some FAILED"])
        if "== compute-sanitizer initcheck" not in text:
            wrong.append("a race ended the run")
        (out / "optimizers").write_text("#!/bin/sh\nexit 3\n")
        run("wrong bits", "--rehearse", libraries, "--programs", "optimizers", "--steps", "bits", out, PATH=path, status=1,
            wanted=["FAILED: optimizers --few (exit status 3)", "== some FAILED"])
        bad = pathlib.Path(folder, "nvcc")
        bad.write_text("#!/bin/sh\ncase $1 in --version) echo release 0 ;; *) echo out of order; exit 1 ;; esac\n")
        bad.chmod(0o755)
        run("a build that fails", "--rehearse", libraries, "--programs", "optimizers", "--steps", "build", out, PATH=path,
            CUDACXX=str(bad), status=1, wanted=["FAILED: optimizers was not built", "out of order"])
        run("no nvcc", "--steps", "build", out, PATH=path, CUDACXX="no-such-nvcc", status=1,
            wanted=["gpu_run: CUDACXX is 'no-such-nvcc', which is no program"])
        run("no executor", "--rehearse", folder, out, status=1, wanted=[f"gpu_run: there is no executor in '{folder}'"])
        run("no folder", *rehearse, stand_ins / "nvidia-smi" / "out", status=1, wanted=["gpu_run: cannot write to the folder"])
        run("a wrong option", "--nothing", status=1, wanted=["gpu_run: takes --steps"])
        run("a wrong step", "--steps", "fly", out, status=1, wanted=["gpu_run: there is no step 'fly'"])
        run("a wrong program", "--programs", "times ice", out, status=1, wanted=["gpu_run: there is no program 'ice'"])
        link = pathlib.Path(folder, "link")
        link.symlink_to(root / "bench/gpu_run.sh")
        linked = subprocess.run([link, "--rehearse", libraries, "--programs", "optimizers", "--steps", "build", out],
                                env={**os.environ, "PATH": f"{os.path.dirname(os.environ['CUDACXX'])}:{path}", "CUDACXX": "nvcc"},
                                text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if linked.returncode != 0:
            wrong.append("a symbolic link, and nvcc on PATH")
            print(linked.stdout)
        smi = stand_ins / "nvidia-smi"
        smi.write_text("#!/bin/sh\nexit 9\n")
        run("no GPU", "--steps", "bits", out, PATH=path, status=1, wanted=["gpu_run: there is no GPU"])
    for what in wrong:
        print(f"WRONG: {what}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
