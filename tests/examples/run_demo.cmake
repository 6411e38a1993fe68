# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# cmake -DPROGRAM=... -DEMULATOR=... -DISAS=... -DARGUMENTS=... -DSENTENCE=... -P run_demo.cmake
get_filename_component(NAME ${PROGRAM} NAME)
if(SENTENCE)
  execute_process(COMMAND ${EMULATOR} ${PROGRAM} ${ARGUMENTS} OUTPUT_QUIET ERROR_VARIABLE said RESULT_VARIABLE status)
  if(NOT status EQUAL 1 OR NOT said STREQUAL "${NAME}: ${SENTENCE}\n")
    message(FATAL_ERROR "exit with 1 and '${NAME}: ${SENTENCE}' were expected, it was ${status} and '${said}'")
  endif()
  return()
endif()

list(REMOVE_ITEM ISAS scalar)  # takes a minute
if(NOT ISAS)
  set(ISAS scalar)
endif()
foreach(isa IN LISTS ISAS)
  execute_process(COMMAND ${EMULATOR} ${PROGRAM} --at-most ${isa} ${ARGUMENTS} OUTPUT_VARIABLE output ERROR_VARIABLE said
                  RESULT_VARIABLE status)
  if(NOT status EQUAL 0 OR NOT said STREQUAL "" OR NOT output MATCHES "instruction set ${isa},")
    message(FATAL_ERROR "${NAME} --at-most ${isa} exits with ${status} and says '${said}':\n${output}")
  endif()
  string(REGEX MATCHALL "[0-9a-f]+\n" sums "${output}")
  list(FILTER sums INCLUDE REGEX "^................\n$")
  list(APPEND checksums ${sums})
  list(LENGTH sums rows)
  if(NOT rows EQUAL 5)
    message(FATAL_ERROR "a table of 5 rows was expected:\n${output}")
  endif()
endforeach()
list(REMOVE_DUPLICATES checksums)
list(LENGTH checksums different)
if(NOT different EQUAL 1)
  message(FATAL_ERROR "instruction sets differ: ${checksums}")
endif()
message(STATUS "${ISAS}: ${checksums}")
