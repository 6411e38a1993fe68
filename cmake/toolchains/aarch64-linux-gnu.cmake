# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Cross-compiles for AArch64 with Debian's g++-aarch64-linux-gnu; tests run under qemu-user.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
find_program(TERN_QEMU_AARCH64 NAMES qemu-aarch64 qemu-aarch64-static)
set(CMAKE_CROSSCOMPILING_EMULATOR ${TERN_QEMU_AARCH64} -L /usr/aarch64-linux-gnu)

# Header-only libraries of the host serve the target, too, but /usr/include as a whole must stay out of sight.
foreach(library xsimd catch2)
  if(EXISTS /usr/include/${library})
    file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/header_only/include)
    file(CREATE_LINK /usr/include/${library} ${CMAKE_BINARY_DIR}/header_only/include/${library} SYMBOLIC)
  endif()
endforeach()
set(CMAKE_FIND_ROOT_PATH ${CMAKE_BINARY_DIR}/header_only /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
