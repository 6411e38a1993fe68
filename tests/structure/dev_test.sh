#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# `./dev verify` finds its program among many targets, and says so in one line where there is none. A stand-in for cmake
# lists the program first, and then more than a pipe holds.
#
# usage: dev_test.sh <repository> <folder to work in>
set -euo pipefail
repository=$1 folder=$2
rm -rf "$folder"
mkdir -p "$folder/bin"
cp "$repository/dev" "$folder/dev"

cat >"$folder/bin/cmake" <<'STANDIN'
#!/usr/bin/env bash
case "$*" in
  --version) echo "cmake version 3.25.1" ;;
  --build*"--target help")
    echo "all: phony"
    [[ ! ${PROGRAM-} ]] || echo "$PROGRAM: phony"
    for ((i = 0; i < 5000; ++i)); do echo "tests/some/folder/CMakeFiles/some_target_$i.dir/all: phony"; done || exit 1
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
