# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# cmake -DSOURCE=<repository> -DHEADER=<file> -P revision.cmake: writes the commit into a header, on every build.
cmake_minimum_required(VERSION 3.25)
execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=10 OUTPUT_VARIABLE revision
                OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE status)
if(DEFINED ENV{TERN_BENCH_REVISION})  # where there is no git
  set(revision $ENV{TERN_BENCH_REVISION})
elseif(NOT status STREQUAL "0")
  set(revision unknown)
endif()
file(CONFIGURE OUTPUT ${HEADER} CONTENT "#define TERN_BENCH_REVISION \"@revision@\"\n" @ONLY)
