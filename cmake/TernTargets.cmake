# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# tern::tern  the headers, no dependency
# tern::simd  tern::tern and xsimd, whatever its major version; without xsimd the headers fall back to scalar lanes

include(${CMAKE_CURRENT_LIST_DIR}/TernXsimd.cmake)

add_library(tern INTERFACE)
add_library(tern::tern ALIAS tern)
target_compile_features(tern INTERFACE cxx_std_20)
target_include_directories(tern INTERFACE $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include>
                                          $<INSTALL_INTERFACE:include>)

add_library(tern_simd INTERFACE)
add_library(tern::simd ALIAS tern_simd)
set_target_properties(tern_simd PROPERTIES EXPORT_NAME simd)
target_link_libraries(tern_simd INTERFACE tern)
tern_use_xsimd(tern_simd)
