#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Builds the program tern_bench_parts from what the arguments measure, and runs it here. --help, --list and wrong
# arguments are answered before, by tern_bench_index.
#
# usage: bench/run.sh FOLDER [argument of tern_bench...], where FOLDER is a configured build; JOBS=n says how many
# compilers run at a time
set -euo pipefail

folder=$1
shift
compile() { cmake --build "$folder" --parallel "${JOBS:-$(nproc)}" --target "$1"; }

compile tern_bench_index
answer=$("$folder/bench/tern_bench_index" "$@")
if [[ $answer != parts:* ]]; then
  printf '%s\n' "$answer"
  exit
fi
cmake "-DTERN_BENCH_ONLY=${answer#parts: }" "$folder" >/dev/null
compile tern_bench_parts
exec "$folder/bench/tern_bench_parts" "$@"
