#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Prints the address of the Debian mirror to download from: $DEBIAN_MIRROR, else the one that this machine's apt uses.
set -euo pipefail

if [[ ${DEBIAN_MIRROR-} ]]; then
  echo "${DEBIAN_MIRROR%/}"
  exit
fi
# shellcheck disable=SC2016  # apt's own variables
targets=$(apt-get indextargets --format '$(ORIGIN) $(SUITE) $(REPO_URI)' 'Created-By: Packages' 2>/dev/null || true)
while read -r origin suite address; do
  [[ $origin == Debian && $suite != *-security ]] || continue
  echo "${address%/}"
  exit
done <<<"$targets"
echo "debian_mirror.sh: apt uses no Debian mirror on this machine: set DEBIAN_MIRROR to the address of one" >&2
exit 1
