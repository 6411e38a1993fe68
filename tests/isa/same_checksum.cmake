# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# cmake -DPROGRAM=... [-DEMULATOR=...] "-DISAS=best;..." -P same_checksum.cmake
#
# Runs the example once for each instruction set, and once without a wish: it must say that it used it and print the same
# checksum each time. A name that is none must give one sentence and a failure.

function(run wish used checksum)
  execute_process(COMMAND ${EMULATOR} ${PROGRAM} ${wish} OUTPUT_VARIABLE out RESULT_VARIABLE result)
  if(NOT result EQUAL 0 OR NOT out MATCHES "^([a-z0-9]+) checksum ([0-9a-f]+)\n$")
    message(FATAL_ERROR "isa_dispatch ${wish}: exit status ${result}, output '${out}'")
  endif()
  set(${used} ${CMAKE_MATCH_1} PARENT_SCOPE)
  set(${checksum} ${CMAKE_MATCH_2} PARENT_SCOPE)
endfunction()

run("" best expected)
list(GET ISAS 0 best_there_is)
if(NOT best STREQUAL best_there_is)
  message(FATAL_ERROR "isa_dispatch chose ${best}, the machine has ${best_there_is}")
endif()
foreach(isa IN LISTS ISAS)
  run(${isa} used checksum)
  message(STATUS "${isa}: used ${used}, checksum ${checksum}")
  if(NOT used STREQUAL isa OR NOT checksum STREQUAL expected)
    message(FATAL_ERROR "isa_dispatch ${isa} used ${used} with checksum ${checksum}; expected was ${expected}")
  endif()
endforeach()

execute_process(COMMAND ${EMULATOR} ${PROGRAM} mmx RESULT_VARIABLE result ERROR_VARIABLE error)
if(result EQUAL 0 OR NOT error MATCHES "at_most is \"mmx\", which is none of the instruction sets to choose from")
  message(FATAL_ERROR "isa_dispatch mmx: exit status ${result}, error '${error}'")
endif()
