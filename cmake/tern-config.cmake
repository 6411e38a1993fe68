# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# find_package(tern [COMPONENTS simd simt files])
#
# Targets tern::tern, tern::simd, tern::simt and tern::compiled (TernCompiled.cmake), function tern_add_isas. The component
# simd is always there (without xsimd it is scalar code); simt is found where the project has enabled CUDA; files, and with
# it the target tern::files, where nlohmann-json and libzip are found.

if(CMAKE_VERSION VERSION_LESS 3.25)
  set(tern_FOUND FALSE)
  set(tern_NOT_FOUND_MESSAGE "tern needs CMake 3.25 or newer")
  return()
endif()

include(${CMAKE_CURRENT_LIST_DIR}/tern-targets.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/TernDependencies.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/TernIsas.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/TernCompiled.cmake)
tern_use_xsimd(tern::simd)
tern_use_cuda(tern::simt)
if(NOT TARGET tern::compiled)
  tern_add_compiled(${CMAKE_CURRENT_LIST_DIR}/../../tern/src)
endif()

tern_find_files(tern_files_FOUND)
if(tern_files_FOUND AND NOT TARGET tern::files)
  add_library(tern::files INTERFACE IMPORTED)
  tern_use_files(tern::files)
endif()

set(tern_simd_FOUND TRUE)
if(CMAKE_CUDA_COMPILER)
  set(tern_simt_FOUND TRUE)
else()
  set(tern_simt_FOUND FALSE)
endif()
foreach(_component IN LISTS tern_FIND_COMPONENTS)
  if(tern_FIND_REQUIRED_${_component} AND NOT tern_${_component}_FOUND)
    set(tern_FOUND FALSE)
    set(tern_NOT_FOUND_MESSAGE "there is no component '${_component}': there are simd, simt where the project has enabled CUDA, and files where nlohmann-json and libzip are found")
  endif()
endforeach()
