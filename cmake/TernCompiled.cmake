# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# tern::compiled        tern's compiled part, for the instructions of the project's own flags
# tern::compiled_<isa>  the same for one instruction set of TernIsas.cmake with vectors; what links it is compiled for it
#
# Each is a static library that the project builds with its own compiler and flags when a target links it, and the
# definition TERN_COMPILED. Kernels are optimised in builds of every type.

# tern_add_compiled(sources): the folder with the sources.
function(tern_add_compiled sources)
  set(isas "")
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    set(isas avx2 avx512)
  elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
    set(isas neon64)
  endif()
  set(files checks contraction index map norm reduction sums window)
  list(TRANSFORM files REPLACE "(.+)" "${sources}/\\1.cpp")
  foreach(isa IN LISTS isas ITEMS "")
    set(options "")
    set(name compiled)
    if(isa)
      set(name compiled_${isa})
      tern_isa_options(${isa} options)
    endif()
    add_library(tern_${name} STATIC EXCLUDE_FROM_ALL ${files})
    add_library(tern::${name} ALIAS tern_${name})
    target_link_libraries(tern_${name} PUBLIC tern::tern)
    target_compile_definitions(tern_${name} PUBLIC TERN_COMPILED)
    target_compile_options(tern_${name} PUBLIC ${options} PRIVATE $<$<CONFIG:Debug,>:-O2>)
    set_target_properties(tern_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  endforeach()
endfunction()
