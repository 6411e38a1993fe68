# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Gives an interface target the headers of xsimd, whatever its major version, as system headers; sets TERN_XSIMD_FOUND.
# - No version in find_package: xsimd's packages accept only their own major (https://github.com/microsoft/vcpkg/issues/33045).
# - Only the include directory is taken: Debian's packages also link xtl, which tern does not use and which may be
#   absent.
function(tern_use_xsimd target)
  set(TERN_XSIMD_FOUND FALSE)
  find_package(xsimd CONFIG QUIET)
  if(TARGET xsimd)
    get_target_property(include xsimd INTERFACE_INCLUDE_DIRECTORIES)
  else()
    find_path(TERN_XSIMD_INCLUDE_DIR xsimd/xsimd.hpp)
    mark_as_advanced(TERN_XSIMD_INCLUDE_DIR)
    set(include ${TERN_XSIMD_INCLUDE_DIR})
  endif()
  if(include)
    set(TERN_XSIMD_FOUND TRUE)
    target_include_directories(${target} SYSTEM INTERFACE ${include})
  endif()
  set(TERN_XSIMD_FOUND ${TERN_XSIMD_FOUND} PARENT_SCOPE)
endfunction()
