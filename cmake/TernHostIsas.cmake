# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# tern_host_isas(out): the instruction sets that the tests can run on this machine, best first.
function(tern_host_isas out)
  set(isas scalar)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
    list(PREPEND isas neon64)
  elseif(EXISTS /proc/cpuinfo AND NOT CMAKE_CROSSCOMPILING)
    file(STRINGS /proc/cpuinfo flags REGEX "^flags" LIMIT_COUNT 1)
    string(REGEX MATCHALL "[a-z0-9_]+" flags "${flags}")
    set(needed_avx2 avx2 fma bmi1 bmi2 f16c abm movbe)
    set(needed_avx512 ${needed_avx2} avx512f avx512bw avx512cd avx512dq avx512vl)
    foreach(isa avx2 avx512)
      set(missing ${needed_${isa}})
      list(REMOVE_ITEM missing ${flags})
      if(NOT missing)
        list(PREPEND isas ${isa})
      endif()
    endforeach()
  endif()
  set(${out} "${isas}" PARENT_SCOPE)
endfunction()
