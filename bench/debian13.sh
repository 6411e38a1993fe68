#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Builds and runs tern_bench, or tern_networks, with the compiler and the peers of Debian 13 on any Debian or Ubuntu machine.
#
# usage: bench/debian13.sh [--root FOLDER] [--primitives | --training] [argument...]
#   --root FOLDER   an installed Debian 13 to work in; missing packages are added to it. Without it, one is made in
#                   build/debian13 (debootstrap, about 1.5 GB) and kept.
#   --training      runs bench/pytorch/steps.py instead, with the PyTorch and oneDNN of Debian 13 and the zoo programs of
#                   build/demo
#
# Files that tern_bench writes land in the folder where this is called, if it is inside the repository, else at its root.
# Needs to be root: it changes the root folder. Mounts are private to it and gone when it ends.
set -euo pipefail

die() { echo "debian13.sh: $*" >&2; exit 1; }

repository=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
root=$repository/build/debian13 made_here=yes
if [[ ${1-} == --root ]]; then
  [[ ${2-} ]] || die "--root needs a folder"
  [[ -d $2 ]] || die "--root: there is no folder '$2'"
  root=$(readlink -f "$2") made_here=no
  shift 2
fi
((EUID == 0)) || die "needs to be root, because it works in a chroot: sudo $0 $*"

if [[ $made_here == yes && ! -d $root ]]; then
  command -v debootstrap >/dev/null || die "debootstrap is missing: apt-get install debootstrap"
  mirror=$("$repository/tools/debian_mirror.sh") || exit 1
  echo "== making a Debian 13 in $root"
  mkdir -p "$repository/build"
  trap 'rm -rf "$root.part"' EXIT
  debootstrap --variant=minbase trixie "$root.part" "$mirror" >"$repository/build/debian13.log" ||
    die "debootstrap failed, see build/debian13.log"
  mv "$root.part" "$root"
fi
grep -q '^VERSION_CODENAME=trixie' "$root/etc/os-release" 2>/dev/null || die "$root is not a Debian 13"

where=.
[[ $PWD/ == "$repository"/* ]] && where=${PWD#"$repository"} where=${where#/}
revision=$(git -C "$repository" describe --always --dirty --abbrev=10 2>/dev/null || echo unknown)

# Runs inside the chroot, with the repository at /tern.
inside() {
  set -euo pipefail
  export DEBIAN_FRONTEND=noninteractive LC_ALL=C
  local packages=(g++ cmake ninja-build libxsimd-dev libtbb-dev libopenblas-openmp-dev libblis-openmp-dev libdnnl-dev
                  libeigen3-dev libxsmm-dev libxnnpack-dev libpthreadpool-dev) missing=() package
  [[ ${2-} != --training ]] ||
    packages=(g++ libdnnl-dev python3-torch python3-onnx python3-numpy python3-safetensors libopenblas0-pthread)
  for package in "${packages[@]}"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q '^install ok' || missing+=("$package")
  done
  if ((${#missing[@]})); then
    echo "== installing ${missing[*]}"
    apt-get update -qq && apt-get install --yes --no-install-recommends -qq "${missing[@]}" >/dev/null
  fi
  if [[ ${2-} == --training ]]; then
    local onednn=/tern/build/debian13-bench/onednn_steps
    mkdir -p "${onednn%/*}"
    g++ -std=c++20 -O2 -march=native -fopenmp -Wall -Wextra -Wconversion -Wshadow /tern/bench/pytorch/onednn_steps.cpp \
      -ldnnl -o "$onednn"
    cd "/tern/$1"
    exec env PYTHONDONTWRITEBYTECODE=1 python3 /tern/bench/pytorch/steps.py /tern/build/demo/examples/zoo "${@:3}" \
      --onednn "$onednn"
  fi
  echo "== building"
  local build=/tern/build/debian13-bench
  cmake --preset release -S /tern -B "$build" -DTERN_BUILD_TESTS=OFF -DTERN_BUILD_EXAMPLES=OFF >/dev/null
  cd "/tern/$1"
  if [[ ${2-} == --primitives ]]; then
    cmake --build "$build" --parallel "${JOBS:-$(nproc)}" --target tern_networks
    exec "$build/bench/tern_networks" "${@:3}"
  fi
  exec /tern/bench/run.sh "$build" "${@:2}"
}

# shellcheck disable=SC2016
exec unshare --mount --propagation private bash -c '
  set -euo pipefail
  root=$1 repository=$2
  mkdir -p "$root/tern"
  mount --bind "$repository" "$root/tern"
  mount -t proc proc "$root/proc"
  mount --rbind /sys "$root/sys"
  mount --rbind /dev "$root/dev"
  cp -L /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null || true
  exec chroot "$root" env -u TMPDIR TERN_BENCH_REVISION="$3" PATH=/usr/sbin:/usr/bin:/sbin:/bin bash -c "$4; inside \"\$@\"" inside "${@:5}"
' debian13.sh "$root" "$repository" "$revision" "$(declare -f inside)" "$where" "$@"
