# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# tern::tern  the headers, no dependency
# tern::simd  tern::tern and xsimd, whatever its major version; without xsimd the headers fall back to scalar lanes
# tern::simt  tern::tern and the headers for CUDA compilers
# tern::files tern::tern, nlohmann-json and libzip, where both are found: parameters in files

include(${CMAKE_CURRENT_LIST_DIR}/TernDependencies.cmake)

if(PROJECT_IS_TOP_LEVEL)
  set(_watch CONFIGURE_DEPENDS)  # who works on tern adds headers, who uses it does not
endif()
file(GLOB_RECURSE _headers ${_watch} ${PROJECT_SOURCE_DIR}/include/tern/*.hpp)
file(GLOB_RECURSE _cuda_headers ${_watch} ${PROJECT_SOURCE_DIR}/include/tern/*.cuh)

add_library(tern INTERFACE)
add_library(tern::tern ALIAS tern)
target_compile_features(tern INTERFACE cxx_std_20)
target_sources(tern INTERFACE FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/include FILES ${_headers})

add_library(tern_simd INTERFACE)
add_library(tern::simd ALIAS tern_simd)
set_target_properties(tern_simd PROPERTIES EXPORT_NAME simd)
target_link_libraries(tern_simd INTERFACE tern)
tern_use_xsimd(tern_simd)

add_library(tern_simt INTERFACE)
add_library(tern::simt ALIAS tern_simt)
set_target_properties(tern_simt PROPERTIES EXPORT_NAME simt)
target_link_libraries(tern_simt INTERFACE tern)
if(_cuda_headers)
  target_sources(tern_simt INTERFACE FILE_SET cuda_headers TYPE HEADERS
                 BASE_DIRS ${PROJECT_SOURCE_DIR}/include FILES ${_cuda_headers})
endif()
tern_use_cuda(tern_simt)

# Not installed: the package looks for the libraries again.
tern_find_files(TERN_FILES_FOUND)
if(TERN_FILES_FOUND)
  add_library(tern_files INTERFACE)
  add_library(tern::files ALIAS tern_files)
  tern_use_files(tern_files)
else()
  message(STATUS "tern: tern::files and its tests are left out: there is no ${TERN_FILES_MISSING}")
endif()
