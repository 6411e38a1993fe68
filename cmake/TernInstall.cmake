# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Installs headers, the CMake package and the pkg-config file. Nothing depends on the architecture, and no file names
# the place it was installed to.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS tern tern_simd tern_simt EXPORT tern_targets FILE_SET HEADERS FILE_SET cuda_headers)
install(EXPORT tern_targets NAMESPACE tern:: FILE tern-targets.cmake DESTINATION ${CMAKE_INSTALL_DATADIR}/cmake/tern)

write_basic_package_version_file(${PROJECT_BINARY_DIR}/tern-config-version.cmake
                                 COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES ${PROJECT_SOURCE_DIR}/cmake/tern-config.cmake ${PROJECT_SOURCE_DIR}/cmake/TernDependencies.cmake
              ${PROJECT_SOURCE_DIR}/cmake/TernIsas.cmake
              ${PROJECT_SOURCE_DIR}/cmake/TernCompiled.cmake ${PROJECT_BINARY_DIR}/tern-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_DATADIR}/cmake/tern)
# Of the compiled part: projects build it with their own flags.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/ DESTINATION ${CMAKE_INSTALL_DATADIR}/tern/src)

file(RELATIVE_PATH TERN_INCLUDE_FROM_PC ${CMAKE_INSTALL_FULL_DATADIR}/pkgconfig ${CMAKE_INSTALL_FULL_INCLUDEDIR})
configure_file(${PROJECT_SOURCE_DIR}/cmake/tern.pc.in ${PROJECT_BINARY_DIR}/tern.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tern.pc DESTINATION ${CMAKE_INSTALL_DATADIR}/pkgconfig)
