# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Dependencies that tern's targets take from the machine they are used on. Runs in tern's build and in find_package.

# Gives an interface target the headers of xsimd, whatever its major version, as system headers; sets TERN_XSIMD_FOUND.
# - No version in find_package: xsimd's packages accept only their own major (https://github.com/microsoft/vcpkg/issues/33045).
# - The header is looked for first: Debian's packages insist on xtl, which tern does not use and which may be absent.
# - The directory is not part of an installed tern: its package looks for xsimd again.
function(tern_use_xsimd target)
  set(TERN_XSIMD_FOUND FALSE PARENT_SCOPE)
  find_path(TERN_XSIMD_INCLUDE_DIR xsimd/xsimd.hpp)
  mark_as_advanced(TERN_XSIMD_INCLUDE_DIR)
  set(include ${TERN_XSIMD_INCLUDE_DIR})
  if(NOT include)
    find_package(xsimd CONFIG QUIET)
  endif()
  if(TARGET xsimd)
    get_target_property(include xsimd INTERFACE_INCLUDE_DIRECTORIES)
  endif()
  if(include)
    set(TERN_XSIMD_FOUND TRUE PARENT_SCOPE)
    target_include_directories(${target} SYSTEM INTERFACE "$<BUILD_INTERFACE:${include}>")
  else()
    message(STATUS "tern: xsimd was not found: tern::simd uses scalar code")
  endif()
endfunction()

# tern_find_files(out): whether what tern::files needs is there; TERN_FILES_MISSING names what is not.
# - Targets that the project has already win: nlohmann_json::nlohmann_json and libzip::zip.
# - libzip's own package is not asked: Debian 12's stops the configuration where libzip's programs are not installed.
function(tern_find_files out)
  set(missing)
  find_path(TERN_JSON_INCLUDE_DIR nlohmann/json.hpp)
  find_path(TERN_LIBZIP_INCLUDE_DIR zip.h)
  find_library(TERN_LIBZIP_LIBRARY zip)
  mark_as_advanced(TERN_JSON_INCLUDE_DIR TERN_LIBZIP_INCLUDE_DIR TERN_LIBZIP_LIBRARY)
  if(NOT TARGET nlohmann_json::nlohmann_json AND NOT TERN_JSON_INCLUDE_DIR)
    list(APPEND missing "nlohmann-json (nlohmann-json3-dev)")
  endif()
  if(NOT TARGET libzip::zip AND NOT (TERN_LIBZIP_INCLUDE_DIR AND TERN_LIBZIP_LIBRARY))
    list(APPEND missing "libzip (libzip-dev)")
  endif()
  list(JOIN missing " and " text)
  set(TERN_FILES_MISSING "${text}" PARENT_SCOPE)
  if(missing)
    set(${out} FALSE PARENT_SCOPE)
  else()
    set(${out} TRUE PARENT_SCOPE)
  endif()
endfunction()

# Gives an interface target tern::tern and what tern_find_files has found.
function(tern_use_files target)
  target_link_libraries(${target} INTERFACE tern::tern)
  if(TARGET nlohmann_json::nlohmann_json)
    target_link_libraries(${target} INTERFACE nlohmann_json::nlohmann_json)
  else()
    target_include_directories(${target} SYSTEM INTERFACE ${TERN_JSON_INCLUDE_DIR})
  endif()
  if(TARGET libzip::zip)
    target_link_libraries(${target} INTERFACE libzip::zip)
  else()
    target_include_directories(${target} SYSTEM INTERFACE ${TERN_LIBZIP_INCLUDE_DIR})
    target_link_libraries(${target} INTERFACE ${TERN_LIBZIP_LIBRARY})
  endif()
endfunction()

# Asks for C++20 in CUDA sources, where the project has CUDA. CMake 3.25 does not know that nvcc has it.
function(tern_use_cuda target)
  if(cuda_std_20 IN_LIST CMAKE_CUDA_COMPILE_FEATURES)
    target_compile_features(${target} INTERFACE cuda_std_20)
  elseif(CMAKE_CUDA_COMPILER)
    target_compile_options(${target} INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20>)
  endif()
endfunction()
