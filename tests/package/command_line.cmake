# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# cmake -DHOW=... -DPREFIX=... -DVERSION=... "-DCOMPILE=compiler flags" -DSOURCE=... -DPROGRAM=... -P command_line.cmake
#
# Compiles one file without CMake and runs it. HOW is a -I flag, or the program pkg-config, which is asked for the flags.
if(HOW MATCHES "^-I")
  set(flags ${HOW})
else()
  set(ENV{PKG_CONFIG_PATH} ${PREFIX}/share/pkgconfig)
  execute_process(COMMAND ${HOW} --cflags tern OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE
                  COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${HOW} --modversion tern OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT version STREQUAL VERSION)
    message(FATAL_ERROR "pkg-config says version '${version}', expected was ${VERSION}")
  endif()
endif()
separate_arguments(command UNIX_COMMAND "${COMPILE} ${flags}")
execute_process(COMMAND ${command} ${SOURCE} -o ${PROGRAM} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${PROGRAM} COMMAND_ERROR_IS_FATAL ANY)
