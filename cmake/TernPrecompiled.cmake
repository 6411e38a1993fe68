# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A precompiled header takes two seconds from the compilation of a source. Targets of equal options share one. Only for
# g++: other compilers want equal definitions, too. Sources still include what they use, for builds without it.

option(TERN_PRECOMPILED "Tests and benchmarks of equal options share a precompiled header" ON)
set(CMAKE_PCH_PROLOGUE "")  # not a system header, whose warnings are not shown

# tern_precompile(target): the target takes part.
function(tern_precompile target)
  if(TERN_PRECOMPILED AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    set_property(GLOBAL APPEND PROPERTY TERN_PRECOMPILED_TARGETS ${target})
  endif()
endfunction()

# Called when all targets are complete: options with a few sources get their header.
function(tern_precompile_all)
  get_property(targets GLOBAL PROPERTY TERN_PRECOMPILED_TARGETS)
  set(keys "")
  foreach(target IN LISTS targets)
    get_target_property(options ${target} COMPILE_OPTIONS)
    get_target_property(libraries ${target} LINK_LIBRARIES)
    if(options MATCHES "-fsanitize" OR libraries MATCHES "OpenMP")  # each has options of its own
      continue()
    endif()
    set(tern tern::simd)
    if(libraries MATCHES "tern::compiled[a-z0-9_]*")
      set(tern ${CMAKE_MATCH_0})
    endif()
    set(catch "")
    if("tern_catch" IN_LIST libraries)
      set(catch tern_catch)
    endif()
    string(SHA1 key "${options} ${tern} ${catch}")
    string(SUBSTRING ${key} 0 8 key)
    list(APPEND keys ${key})
    list(APPEND targets_${key} ${target})
    set(options_${key} "${options}")
    set(catch_${key} "${catch}")
    set(tern_${key} ${tern})
    get_target_property(sources ${target} SOURCES)
    list(APPEND sources_${key} ${sources})
  endforeach()
  list(REMOVE_DUPLICATES keys)
  set(empty ${PROJECT_BINARY_DIR}/precompiled.cpp)
  file(CONFIGURE OUTPUT ${empty} CONTENT "")
  foreach(key IN LISTS keys)
    list(LENGTH sources_${key} number)
    if(number LESS 4)
      continue()
    endif()
    set(owner tern_precompiled_${key})
    add_library(${owner} OBJECT EXCLUDE_FROM_ALL ${empty})
    target_link_libraries(${owner} PRIVATE ${tern_${key}} ${catch_${key}})
    target_include_directories(${owner} PRIVATE ${PROJECT_SOURCE_DIR})
    target_compile_options(${owner} PRIVATE ${options_${key}})
    target_precompile_headers(${owner} PRIVATE <tern/mimd.hpp> <tern/reference.hpp> <tern/simd.hpp> <tern/simt.hpp>)
    if(catch_${key})
      target_precompile_headers(${owner} PRIVATE <tests/support/catch.hpp>)
    endif()
    foreach(target IN LISTS targets_${key})
      target_precompile_headers(${target} REUSE_FROM ${owner})
      # g++ 12 warns of sums of std::string without a reason, but only with a precompiled header.
      target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow
                             -Wno-stringop-overread)
    endforeach()
  endforeach()
endfunction()
