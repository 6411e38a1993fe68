# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Instruction sets by name: avx512, avx2, scalar (x86-64) and neon64 (AArch64).

# Compile options of an instruction set, as a list.
function(tern_isa_options isa out)
  if(isa STREQUAL "avx512")
    set(options -march=x86-64-v4)
  elseif(isa STREQUAL "avx2")
    set(options -march=x86-64-v3)
  elseif(isa STREQUAL "neon64")
    set(options -march=armv8-a)
  elseif(isa STREQUAL "scalar")
    set(options -DTERN_SCALAR=1)
  else()
    message(FATAL_ERROR "tern: unknown instruction set '${isa}'; known are avx512, avx2, neon64 and scalar")
  endif()
  set(${out} "${options}" PARENT_SCOPE)
endfunction()

# The instruction sets this machine runs, best first. Looks at /proc/cpuinfo; where there is none, only scalar counts.
function(tern_host_isas out)
  set(isas scalar)
  if(EXISTS /proc/cpuinfo AND NOT CMAKE_CROSSCOMPILING)
    file(READ /proc/cpuinfo cpuinfo)
    if(cpuinfo MATCHES "[ \t]avx2[ \t]" AND cpuinfo MATCHES "[ \t]fma[ \t]")
      list(PREPEND isas avx2)
      if(cpuinfo MATCHES "[ \t]avx512bw[ \t]" AND cpuinfo MATCHES "[ \t]avx512vl[ \t]" AND cpuinfo MATCHES "[ \t]avx512dq[ \t]")
        list(PREPEND isas avx512)
      endif()
    endif()
  endif()
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
    list(PREPEND isas neon64)
  endif()
  set(${out} "${isas}" PARENT_SCOPE)
endfunction()
