#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Everything about the SIMT kernels that needs a GPU, in one go. tests/simt/gpu_run.py rehearses it without one.
#
# usage: bench/gpu_run.sh [--steps "build bits races times"] [--programs "device networks ..."] [--arch 90] [folder, or
#                         build/gpu]
#   build   compiles the programs: needs nvcc 13, no CMake and no test framework; without a GPU for sm_80 and sm_90, or
#           for what --arch names
#   bits    every kernel against the reference
#   races   stray accesses, races and barriers, where compute-sanitizer is there
#   times   beside cuBLAS, cuDNN and PyTorch where they are there, with clock, power and temperature
# Programs, the log and the tables go to the folder. Exits with 0 where everything passed; the log says what did not.
#
# --rehearse FOLDER  links with the executor of the tests, from there, instead of the CUDA runtime; times are not taken
set -euo pipefail
root=$(dirname "$(dirname "$(realpath "$0")")")
die() { echo "gpu_run: $*" >&2; exit 1; }

steps="build bits races times" programs='' rehearsal='' arch='' out=''
while (($#)); do
  case $1 in
    --steps | --programs | --arch | --rehearse)
      [[ ${2-} ]] || die "$1 needs a value"
      case $1 in --steps) steps=$2 ;; --programs) programs=$2 ;; --arch) arch=$2 ;; *) rehearsal=$2 ;; esac
      shift 2
      ;;
    -*) die "takes --steps, --programs, --arch, --rehearse and a folder, not '$1'" ;;
    *) [[ -z $out ]] || die "takes one folder, not '$out' and '$1'"; out=$1; shift ;;
  esac
done
[[ $arch =~ ^[0-9]*a?$ ]] || die "an architecture is a number such as 90, not '$arch'"
out=${out:-$root/build/gpu}
if [[ $rehearsal ]]; then
  [[ -f $rehearsal/libptx_runtime.a ]] || die "there is no executor in '$rehearsal'"
  rehearsal=$(realpath "$rehearsal")
fi

# name source [define]; `times` is no check
all=(
  "device tests/simt/device_main.cu"
  "networks tests/simt/networks.cu"
  "matmul tests/simt/parity.cu TERN_PART=1"
  "conv tests/simt/parity.cu TERN_PART=2"
  "moves tests/simt/parity.cu TERN_PART=3"
  "norms tests/simt/parity.cu TERN_PART=4"
  "losses tests/simt/parity.cu TERN_PART=5"
  "optimizers tests/simt/parity.cu TERN_PART=6"
  "times bench/gpu/times.cu"
)
chosen=()
for line in "${all[@]}"; do
  [[ -n $programs && " $programs " != *" ${line%% *} "* ]] || chosen+=("$line")
done
for name in $programs; do
  [[ " ${all[*]%% *} " == *" $name "* ]] || die "there is no program '$name'"
done
for step in $steps; do
  [[ " build bits races times " == *" $step "* ]] || die "there is no step '$step'"
done
is_chosen() { local line; for line in "${chosen[@]}"; do [[ ${line%% *} != "$1" ]] || return 0; done; return 1; }

has_gpu() { [[ $rehearsal ]] || nvidia-smi -L >/dev/null 2>&1; }
[[ $steps == build ]] || has_gpu || die "there is no GPU: only --steps build can be done"

if ! mkdir -p "$out" 2>/dev/null || [[ ! -w $out ]]; then die "cannot write to the folder '$out'"; fi
out=$(realpath "$out")

status=0
failed() { echo "FAILED: $*"; status=1; }

# compile name source [define]
compile() {
  # g++ 12 takes sums of strings for overlapping copies (its bug 105651)
  local name=$1 source=$2 flags=(-std=c++20 --Werror all-warnings -Xcompiler "-Wall,-Wextra,-Wno-restrict")
  if [[ ${3-} ]]; then flags+=("-D$3"); fi
  if grep -qw avx2 /proc/cpuinfo && grep -qw fma /proc/cpuinfo; then
    flags+=(-Xcompiler -march=x86-64-v3)  # the reference runs on the host: without the instruction, its fmas are calls
  fi
  if [[ $rehearsal ]]; then
    flags+=(-O1 "-gencode=arch=compute_80,code=compute_80" --no-compress -cudart none)
  elif [[ $arch ]]; then
    flags+=(-O3 -lineinfo "-gencode=arch=compute_$arch,code=sm_$arch")
  elif has_gpu; then
    flags+=(-O3 -lineinfo -arch=native)
  else
    flags+=(-O3 -lineinfo "-gencode=arch=compute_80,code=sm_80" "-gencode=arch=compute_90,code=sm_90")
  fi
  local inputs=("$root/$source") libraries=()
  if [[ $source == tests/* ]]; then inputs+=("$root/tests/simt/managed_heap.cpp"); fi
  if [[ $name == device ]]; then inputs=("$root/$source"); fi
  if [[ $name == times ]]; then
    local library
    for library in cublas cudnn; do
      if echo "#include <$library$([[ $library != cublas ]] || echo _v2).h>" | "$nvcc" -x cu -E - >/dev/null 2>&1; then
        flags+=("-DTERN_BENCH_${library^^}=1") libraries+=("-l$library")
      fi
    done
    libraries+=(-Xlinker "-rpath,$(dirname "$(dirname "$(realpath "$nvcc")")")/lib64")
  fi
  if [[ $rehearsal ]]; then libraries+=("$rehearsal/libptx_runtime.a" "$rehearsal/libptx_executor.a"); fi
  "$nvcc" "${flags[@]}" -I"$root/include" -I"$root" "${inputs[@]}" "${libraries[@]}" -o "$out/$name" \
    >"$out/$name.build.log" 2>&1
}

build() {
  if [[ ${CUDACXX-} ]]; then
    nvcc=$(type -P "$CUDACXX") || die "CUDACXX is '$CUDACXX', which is no program"
  else
    nvcc=$(type -P nvcc || type -P /usr/local/cuda/bin/nvcc) || die "there is no nvcc on PATH or in /usr/local/cuda/bin"
  fi
  echo "== build with $("$nvcc" --version | grep -o 'release.*')"
  local line name
  for line in "${chosen[@]}"; do
    name=${line%% *}
    rm -f "$out/$name"
    while (($(jobs -rp | wc -l) >= $(nproc))); do wait -n || true; done
    # shellcheck disable=SC2086
    compile $line &
  done
  wait
  for line in "${chosen[@]}"; do
    name=${line%% *}
    [[ -x $out/$name ]] || { failed "$name was not built"; head -n 20 "$out/$name.build.log"; }
  done
}

# run program argument...: a line for its failure
run() {
  echo "-- $*"
  "$out/$1" "${@:2}" || failed "$* (exit status $?)"
}

bits() {
  echo "== bits"
  local line
  for line in "${chosen[@]}"; do
    case ${line%% *} in
      device) run device --seed "$(date +%s)" ${rehearsal:+--few} ;;
      networks) run networks ;;
      times) ;;
      *) run "${line%% *}" --few ;;
    esac
  done
}

races() {
  if ! command -v compute-sanitizer >/dev/null; then
    echo "== no compute-sanitizer: races are not looked for"
    return
  fi
  local tool
  for tool in memcheck racecheck synccheck initcheck; do
    echo "== compute-sanitizer $tool"
    for program in device networks moves norms losses optimizers; do  # device has some matmuls and convolutions
      is_chosen "$program" || continue
      compute-sanitizer --tool "$tool" --error-exitcode 9 "$out/$program" --few || failed "$tool of $program (exit status $?)"
    done
  done
}

times() {
  is_chosen times || return 0
  echo "== times"
  local fields=clocks.sm,clocks.mem,power.draw,temperature.gpu sampler=''
  nvidia-smi --query-gpu=name,driver_version,clocks.max.sm,power.limit --format=csv || echo "nvidia-smi does not tell the GPU"
  nvidia-smi --query-gpu=$fields --format=csv,noheader,nounits --loop-ms=500 >"$out/clocks.csv" 2>/dev/null &
  sampler=$!
  run times ${rehearsal:+--small} "$out/times.tsv"
  kill "$sampler" 2>/dev/null || true
  wait "$sampler" 2>/dev/null || true
  echo "-- while it ran: median (least to most)"
  local column=1 field
  for field in ${fields//,/ }; do
    cut -d, -f$column "$out/clocks.csv" | sort -n | awk -v field="$field" \
      '{ x[NR] = $1 } END { if (NR) printf "%-16s %g (%g to %g)\n", field, x[int((NR + 1) / 2)], x[1], x[NR]; else print field, "unknown" }'
    column=$((column + 1))
  done
  if [[ $rehearsal ]]; then return; fi
  "${PYTHON:-python3}" "$root/bench/gpu/torch_times.py" "$out/times.tsv" || { (($? == 77)) || failed "torch_times.py"; }
}

main() {
  echo "== $(date -u +%F), $(git -C "$root" describe --always --dirty 2>/dev/null || echo 'no commit'), $0 --steps \"$steps\""
  for step in $steps; do "$step"; done
  if ((status == 0)); then echo "== all passed"; else echo "== some FAILED"; fi
  return $status
}

main 2>&1 | tee "$out/log"
