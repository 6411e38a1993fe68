#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# `./dev verify` finds its program among many targets, and says so in one line where there is none. A stand-in for cmake
# lists the program first, and then more than a pipe holds. `./dev bench` builds the parts that its index names, and
# nothing where that answers. Wrong arguments are refused in one line.
#
# usage: dev_test.sh <repository> <folder to work in>
set -euo pipefail
repository=$1 folder=$2
rm -rf "$folder"
mkdir -p "$folder/bin"
cp "$repository/dev" "$folder/dev"
mkdir "$folder/bench"
cp "$repository/bench/run.sh" "$folder/bench/run.sh"

cat >"$folder/bin/cmake" <<'STANDIN'
#!/usr/bin/env bash
case "$*" in
  --version) echo "cmake version 3.25.1" ;;
  --build*"--target help")
    echo "all: phony"
    [[ ! ${PROGRAM-} ]] || echo "$PROGRAM: phony"
    for ((i = 0; i < 5000; ++i)); do echo "tests/some/folder/CMakeFiles/some_target_$i.dir/all: phony"; done || exit 1
    ;;
  --build*"--target tern_bench_index")
    mkdir -p build/bench/bench
    cat >build/bench/bench/tern_bench_index <<'INDEX'
#!/bin/sh
case "$1" in
  --help) echo usage ;;
  --filter=gemm_8) echo "parts: simd_forward;static_0" ;;
  *) echo "tern_bench: nothing to measure" >&2; exit 2 ;;
esac
INDEX
    chmod +x build/bench/bench/tern_bench_index
    ;;
  -DTERN_BENCH_ONLY=*) echo "$1" >build/bench/only ;;
  --build*"--target tern_bench_parts")
    printf '#!/bin/sh\necho "$(cat build/bench/only): ran with $*"\n' >build/bench/bench/tern_bench_parts
    chmod +x build/bench/bench/tern_bench_parts
    ;;
  --build*"--target "*)
    mkdir -p build/release
    printf '#!/bin/sh\necho "ran with $*"\n' >"build/release/${!#}"
    chmod +x "build/release/${!#}"
    ;;
esac
STANDIN
chmod +x "$folder/bin/cmake"
# Packages are what is not tested here.
sed -i 's/^need() {$/need() { return 0/' "$folder/dev"

export PATH=$folder/bin:$PATH
for _ in 1 2 3 4 5; do
  output=$(PROGRAM=tern_verify "$folder/dev" verify --verbose 2>&1) || { echo "failed: $output"; exit 1; }
  [[ $output == *"ran with --verbose"* ]] || { echo "did not run: $output"; exit 1; }
done

if output=$(PROGRAM='' "$folder/dev" verify 2>&1); then echo "a missing program was found: $output"; exit 1; fi
[[ $output == *"dev: there is no program 'tern_verify' yet" ]] || { echo "another sentence: $output"; exit 1; }
echo "found among 5000 targets"

cd "$folder"
last_line_of() { output=$("$folder/dev" bench "$@" 2>&1) && status=0 || status=$?; last=${output##*$'\n'}; }
last_line_of --help
[[ $status == 0 && $last == usage && ! -e build/bench/bench/tern_bench_parts ]] || { echo "bench --help: $output"; exit 1; }
last_line_of --filter=nonsense
[[ $status == 2 && $last == "tern_bench: nothing to measure" && ! -e build/bench/bench/tern_bench_parts ]] ||
  { echo "bench, an unknown filter: $output"; exit 1; }
last_line_of --filter=gemm_8 --rounds=1
[[ $status == 0 && $last == "-DTERN_BENCH_ONLY=simd_forward;static_0: ran with --filter=gemm_8 --rounds=1" ]] ||
  { echo "bench, a filter: $output"; exit 1; }
echo "builds what the arguments need"

# refuses ARGUMENT... SENTENCE: one line, and nothing is built.
refuses() {
  local sentence=${!#}
  if output=$("$folder/dev" "${@:1:$#-1}" 2>&1); then echo "accepted: ${*:1:$#-1}: $output"; exit 1; fi
  [[ $output == "dev: $sentence" ]] || { echo "another sentence: ${*:1:$#-1}: $output"; exit 1; }
}
refuses test --all nonsense "no row of the matrix has 'nonsense' in its name"
refuses test --all --nonsense "test --all takes --rest and a part of a row's name, not '--nonsense'"
refuses test --all --rest a b "test --all takes --rest and a part of a row's name, not 'a b'"
refuses bench --report nonsense.json "bench --report: there is no file 'nonsense.json' that can be read"
refuses doctor nonsense "doctor takes nothing, not 'nonsense'"
refuses help nonsense "help takes nothing, not 'nonsense'"
echo "refuses wrong arguments"
