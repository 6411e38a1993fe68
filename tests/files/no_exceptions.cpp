// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Built with -fno-exceptions -fno-rtti: files are saved and loaded, and a bad one prints its sentence and aborts.
//
//     files_no_exceptions          saves and loads
//     files_no_exceptions damaged  loads a file that is none
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tern/files.hpp"
#include "tests/files/samples.hpp"

#if defined(__cpp_exceptions) || defined(__cpp_rtti)
#error "to be compiled with -fno-exceptions -fno-rtti"
#endif

int main(int argc, char**) {
  using namespace tern::test;
  if (argc > 1) {
    const memory_file file;
    file.write("{}");
    std::signal(SIGABRT, [](int) { std::_Exit(EXIT_SUCCESS); });
    tern::load_safetensors(file.path(), small_model().tensors());
    std::puts("the call returned");
    return EXIT_FAILURE;
  }
  const folder place;
  small_model saved, one = small_model::other(), other = small_model::other();
  tern::save_safetensors(place / "x", saved.tensors(), {{"by", "tern"}});
  const bool metadata = tern::load_safetensors(place / "x", one.tensors()).metadata.at("by") == "tern";
  tern::save_npz(place / "x", saved.tensors());
  tern::load_npz(place / "x", other.tensors());
  const bool equal = metadata && one == saved && other == saved;
  std::puts(equal ? "equal" : "different");
  return equal ? EXIT_SUCCESS : EXIT_FAILURE;
}
