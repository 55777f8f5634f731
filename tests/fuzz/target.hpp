#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

// A fuzz target is a function from bytes to nothing that ends the process when a promise is broken. Linked with
// libFuzzer it searches by itself; linked with run_corpus.cpp it goes through the files of its corpus and mutates them.

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace etlantic::test {

/// What holds for every input.
inline void promise(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", what);
  std::abort();
}

}  // namespace etlantic::test
