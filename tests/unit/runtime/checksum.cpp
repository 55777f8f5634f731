#include "support/catch.hpp"

#include <etlantic/runtime/checksum.hpp>

#include <string>

using namespace etlantic;

TEST_CASE("crc32c gives the values of RFC 3720, appendix B.4") {
  std::string ascending(32, '\0');
  std::string descending(32, '\0');
  for (std::size_t i = 0; i < 32; ++i) {
    ascending[i] = static_cast<char>(i);
    descending[i] = static_cast<char>(31 - i);
  }
  CHECK(crc32c(std::string(32, '\0')) == 0x8a9136aau);
  CHECK(crc32c(std::string(32, '\xff')) == 0x62a8ab43u);
  CHECK(crc32c(ascending) == 0x46dd794eu);
  CHECK(crc32c(descending) == 0x113fdb5cu);
  CHECK(crc32c("123456789") == 0xe3069283u);
  CHECK(crc32c("") == 0u);
}

TEST_CASE("a checksum can be taken in pieces of any length") {
  const std::string text = "nothing is lost, nothing is doubled";
  for (std::size_t cut = 0; cut <= text.size(); ++cut)
    CHECK(crc32c(text.substr(cut), crc32c(text.substr(0, cut))) == crc32c(text));
}

TEST_CASE("a checksum is printed with eight digits") { CHECK(std::string_view(to_text(0x00ab01cdu)) == "00ab01cd"); }
