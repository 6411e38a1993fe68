#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Everything about the SIMT kernels that needs a GPU, in one go: builds, checks the bits, looks for races and stray
# accesses where compute-sanitizer is there, and prints the table of times. Needs nvcc 13 and a GPU, no CMake and no test
# framework. Has not been run on a GPU yet.
#
# usage: bench/gpu_run.sh [folder for the program and the log; default build/gpu]
# Exits with 0 where everything passed; the log says what did not.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
out=${1:-$root/build/gpu}
mkdir -p "$out"
nvcc=${CUDACXX:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}

march=
if grep -qw avx2 /proc/cpuinfo && grep -qw fma /proc/cpuinfo; then
  march="-Xcompiler -march=x86-64-v3"  # the reference runs on the host: without the instruction, its fmas are calls
fi
cublas=
if echo '#include <cublas_v2.h>' | "$nvcc" -x cu -E - >/dev/null 2>&1; then
  cublas="-DTERN_TEST_CUBLAS=1 -lcublas"
fi

echo "== build"
# shellcheck disable=SC2086
"$nvcc" -std=c++20 -O3 -arch=native --Werror all-warnings -Xcompiler -Wall,-Wextra $march -lineinfo \
  -I"$root/include" -I"$root" "$root/tests/simt/device_main.cu" $cublas -o "$out/simt_device"

{
  status=0
  echo "== GPU"
  nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.max.sm,power.limit --format=csv || true
  echo "== bits, then times"
  "$out/simt_device" --seed "$(date +%s)" || status=1
  echo "== clock after the run"
  nvidia-smi --query-gpu=clocks.sm,power.draw,temperature.gpu --format=csv || true
  if command -v compute-sanitizer >/dev/null 2>&1; then
    for tool in memcheck racecheck synccheck initcheck; do
      echo "== compute-sanitizer $tool"
      compute-sanitizer --tool "$tool" --error-exitcode 9 "$out/simt_device" --check-only --few || status=1
    done
  fi
  exit $status
} 2>&1 | tee "$out/log"
