# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# tern_link_trainings(target runner isa): adds the trainings of trainings.hpp, which are compiled once for all programs
# that have them. isa is an instruction set, or "" for the one that the flags name. Those of one program: the least
# demanding instruction set first (TernIsas.cmake says why).
function(tern_link_trainings target runner isa)
  set(sources ${PROJECT_SOURCE_DIR}/tests/block/train_${runner}.cpp)
  # Of simd with the compiled part, unless everything is compiled for every instruction set.
  set(tern tern::simd)
  if(runner STREQUAL "simd" AND TARGET tern::compiled_${isa} AND NOT TERN_TEST_THOROUGH AND NOT TERN_VERIFY_EVERY_ISA
     AND NOT CMAKE_CXX_FLAGS MATCHES "TERN_NO_XSIMD")
    set(tern tern::compiled_${isa})
    target_link_libraries(${target} PRIVATE $<TARGET_FILE:tern::compiled_${isa}>)
    add_dependencies(${target} tern_compiled_${isa})
  endif()
  foreach(part 0 1 2)
    string(JOIN "_" objects tern_train ${runner} ${isa} ${part})
    if(NOT TARGET ${objects})
      add_library(${objects} OBJECT ${sources})
      target_link_libraries(${objects} PRIVATE ${tern})
      target_include_directories(${objects} PRIVATE ${PROJECT_SOURCE_DIR})
      target_compile_definitions(${objects} PRIVATE TERN_TRAINING_PART=${part})
      if(isa)
        tern_isa_options(${isa} isa_options)
        target_compile_options(${objects} PRIVATE ${isa_options})
      endif()
      target_compile_options(${objects} PRIVATE ${TERN_WARNINGS})
      if(NOT CMAKE_CXX_FLAGS MATCHES "-O[0-3]")  # as tern_verify
        if(NOT tern STREQUAL "tern::simd" OR runner MATCHES "cores|tiles|simt")  # few steps, which take long to compile
          target_compile_options(${objects} PRIVATE ${TERN_TEST_CONTRACT})
        else()
          target_compile_options(${objects} PRIVATE $<$<CONFIG:Release>:-O2> ${TERN_TEST_HOST})
        endif()
      endif()
      tern_precompile(${objects})
    endif()
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${objects}>)
  endforeach()
endfunction()
