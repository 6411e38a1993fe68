# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# tern_enable_cuda() looks for CUDA, enables the language and says in TERN_CUDA_FOUND whether it is there. A macro,
# because languages are enabled for the directory that asks. Needs nvcc 13; machines without it lose only what runs on
# GPUs.

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
    set(TERN_CUDA_FOUND ${CUDAToolkit_FOUND})
    tern_use_cuda(tern_simt)
  endif()
endmacro()
