# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# cmake -DBUILD=... -DPREFIX=... -DPYTHON=... -P install.cmake
#
# Installs into an empty prefix and moves it: nothing installed may name the place where it was.
file(REMOVE_RECURSE ${PREFIX} ${PREFIX}.first)
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${PREFIX}.first OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(RENAME ${PREFIX}.first ${PREFIX})
file(GLOB_RECURSE files LIST_DIRECTORIES false RELATIVE ${PREFIX} ${PREFIX}/*)
foreach(file IN LISTS files)
  if(NOT file MATCHES "^(include/tern/.*\\.(hpp|cuh)|share/tern/src/.*\\.cpp|share/cmake/tern/.*\\.cmake|share/pkgconfig/tern\\.pc)$")
    message(FATAL_ERROR "${file} was installed; only headers, package files and src/ should be")
  endif()
  file(READ ${PREFIX}/${file} text)
  string(FIND "${text}" "${PREFIX}" found)
  if(NOT found EQUAL -1)
    message(FATAL_ERROR "${file} names the prefix it was installed to")
  endif()
endforeach()
list(LENGTH files count)
message(STATUS "${count} files installed")
