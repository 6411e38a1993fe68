# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Instruction sets by name: avx512, avx2 and scalar (x86-64), neon64 and scalar (AArch64). Installed with the package.

# tern_isa_options(isa out): the compile options of an instruction set, as a list.
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

# tern_add_isas(target [COMPILED] [ISAS isa...] SOURCES source...)
#
# Compiles the sources once for each instruction set and links all results into the target, which chooses at run time
# with tern::dispatch (tern/exec/cpu/dispatch.hpp has an example). The sources see what the target sees: its include
# directories, definitions, options and features, and tern::simd. Without ISAS: avx512 avx2 scalar on x86-64,
# neon64 scalar on AArch64, scalar elsewhere; tern::dispatch has the same default. A second call for the same target adds
# its sources to the first one's. COMPILED: links the compiled part of every instruction set that has one
# (TernCompiled.cmake), so that the sources compile no kernels.
function(tern_add_isas target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "COMPILED" "" "ISAS;SOURCES")
  if(NOT TARGET ${target})
    message(FATAL_ERROR "tern_add_isas: there is no target '${target}'")
  endif()
  get_target_property(aliased ${target} ALIASED_TARGET)
  if(aliased)
    message(FATAL_ERROR "tern_add_isas: '${target}' is an alias: name '${aliased}', the target itself")
  endif()
  if(NOT arg_SOURCES OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tern_add_isas: the call is tern_add_isas(target [COMPILED] [ISAS isa...] SOURCES source...)")
  endif()
  if(NOT arg_ISAS)
    set(arg_ISAS scalar)
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
      list(PREPEND arg_ISAS avx512 avx2)
    elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
      list(PREPEND arg_ISAS neon64)
    endif()
  endif()
  list(REMOVE_DUPLICATES arg_ISAS)
  set(added)
  foreach(isa IN LISTS arg_ISAS)
    tern_isa_options(${isa} options)
    set(objects ${target}_${isa})
    if(TARGET ${objects})
      target_sources(${objects} PRIVATE ${arg_SOURCES})
      continue()
    endif()
    list(APPEND added ${isa})
    add_library(${objects} OBJECT ${arg_SOURCES})
    if(arg_COMPILED AND TARGET tern::compiled_${isa})
      target_link_libraries(${objects} PRIVATE tern::compiled_${isa})
    else()
      target_link_libraries(${objects} PRIVATE tern::simd)
    endif()
    foreach(property INCLUDE_DIRECTORIES COMPILE_DEFINITIONS COMPILE_OPTIONS COMPILE_FEATURES)
      set_property(TARGET ${objects} APPEND PROPERTY ${property} $<TARGET_PROPERTY:${target},${property}>)
    endforeach()
    target_compile_options(${objects} PRIVATE ${options})
    get_target_property(type ${target} TYPE)
    get_target_property(position_independent ${target} POSITION_INDEPENDENT_CODE)
    if(type MATCHES "SHARED_LIBRARY|MODULE_LIBRARY" OR position_independent)
      set_target_properties(${objects} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    endif()
  endforeach()
  # The least demanding first: where the linker finds one name in several objects it takes the first body, which then
  # runs everywhere. tern's own names never meet, but those of other libraries may.
  foreach(isa scalar neon64 avx2 avx512)
    if(isa IN_LIST added)
      target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_${isa}>)
    endif()
    if(isa IN_LIST added AND arg_COMPILED AND TARGET tern::compiled_${isa})  # the file: the target has flags of its own
      target_link_libraries(${target} PRIVATE $<TARGET_FILE:tern::compiled_${isa}>)
      add_dependencies(${target} tern_compiled_${isa})
    endif()
  endforeach()
endfunction()
