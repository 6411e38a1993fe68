#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The scripts of the repository pass shellcheck, and none of them names the host of a package registry.
#
# usage: check_scripts.sh <repository>. Exits with 77 ("skipped") where there is no shellcheck.
set -euo pipefail
cd "$1"

mapfile -t scripts < <(find . \( -name build -o -name .git \) -prune -o -type f -print0 |
  xargs -0 grep -lE -m 1 '^#!.*\b(ba)?sh$' | sort)
((${#scripts[@]} >= 5)) || { echo "only ${#scripts[@]} scripts were found"; exit 1; }

status=0
if hosts=$(grep -nE 'https?://[a-z0-9.-]*(debian|ubuntu|pypi|pythonhosted)\.(org|com)' "${scripts[@]}"); then
  printf 'the host of a package registry; take the mirror that apt or pip is set up with:\n%s\n' "$hosts"
  status=1
fi
if ! command -v shellcheck >/dev/null; then
  ((status == 0)) || exit "$status"
  echo "skipped: no shellcheck"
  exit 77
fi
# SC2317: functions that are handed over by name look unreachable.
shellcheck --exclude=SC2317 "${scripts[@]}" || status=1
((status)) || echo "${#scripts[@]} scripts"
exit "$status"
