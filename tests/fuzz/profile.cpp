#include "fuzz/target.hpp"

#include <etlantic/tool/profile_file.hpp>

// Any bytes as a profile: it is read, or refused with diagnostics that say where and what.

using namespace etlantic;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const profile_reading reading = parse_profile(text, "fuzz.yaml");
  test::promise(reading.usable || !reading.found.valid(), "what is not usable has an error");
  for (const diagnostic& each : reading.found.found)
    test::promise(!each.code.empty() && !each.message.empty(), "a diagnostic has a code and a sentence");
  test::promise(to_text(reading.found).size() < 64 * (text.size() + 1024), "diagnostics stay in proportion");
  return 0;
}
