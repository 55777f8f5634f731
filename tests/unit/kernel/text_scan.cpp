#include "support/catch.hpp"

#include <etlantic/kernel/text_scan.hpp>

#include <random>
#include <string>

using namespace etlantic;

namespace {

constexpr std::string_view special = "\"\\\n\x1f\x20\x7f\x80\xff\x21\x23\x5b\x5d\x01\xa2\xdc";

}  // namespace

TEST_CASE("the scan of text in words agrees with its scalar twin at every length and place") {
  std::mt19937 random(7);
  for (int i = 0; i < 200'000; ++i) {
    std::string text;
    for (auto n = random() % 50; n > 0; --n)
      text.push_back(random() % 30 == 0 ? special[random() % special.size()] : static_cast<char>('a' + random() % 26));
    const std::size_t size = text.size();
    // What stands behind the end must not matter.
    for (int k = 0; k < 8; ++k) text.push_back(special[random() % special.size()]);
    const kernel::text_end fast = kernel::scan_text(text.data(), text.data() + size);
    const kernel::text_end plain = kernel::scalar::scan_text(text.data(), text.data() + size);
    REQUIRE(fast.at == plain.at);
    REQUIRE(fast.ascii == plain.ascii);
  }
}

TEST_CASE("every byte alone ends the scan, or not, as its scalar twin says") {
  for (int byte = 0; byte < 256; ++byte) {
    std::string text(40, 'a');
    text[17] = static_cast<char>(byte);
    const kernel::text_end fast = kernel::scan_text(text.data(), text.data() + 20);
    const kernel::text_end plain = kernel::scalar::scan_text(text.data(), text.data() + 20);
    CHECK(fast.at == plain.at);
    CHECK(fast.ascii == plain.ascii);
  }
}
