# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# tern::simt  tern::tern and the CUDA runtime, for targets that include tern/simt.cuh; exists where CUDA was found
#
# tern_enable_cuda() looks for CUDA and says in TERN_CUDA_FOUND whether it is there. A macro, because languages are
# enabled for the directory that asks. Needs nvcc 13; machines without it lose nothing but tern::simt.

macro(tern_enable_cuda)
  set(TERN_CUDA_FOUND FALSE)
  include(CheckLanguage)
  # The architectures are those of the kernels' own check; name others in CMAKE_CUDA_ARCHITECTURES.
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 80 90)
  endif()
  if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX} AND EXISTS /usr/local/cuda/bin/nvcc)
    set(CMAKE_CUDA_COMPILER /usr/local/cuda/bin/nvcc)  # where NVIDIA's packages put it, on no PATH
  endif()
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    find_package(CUDAToolkit QUIET)
    if(CUDAToolkit_FOUND AND NOT TARGET tern::simt)
      set(TERN_CUDA_FOUND TRUE)
      add_library(tern_simt INTERFACE)
      add_library(tern::simt ALIAS tern_simt)
      set_target_properties(tern_simt PROPERTIES EXPORT_NAME simt)
      target_link_libraries(tern_simt INTERFACE tern::tern CUDA::cudart)
      # CMake 3.25 does not know cuda_std_20 of nvcc.
      target_compile_options(tern_simt INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20>)
    endif()
  endif()
endmacro()
