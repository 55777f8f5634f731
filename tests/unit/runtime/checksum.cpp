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

TEST_CASE("long bytes have the checksum that they have in short parts, whatever instructions there are") {
  std::string bytes;
  for (std::uint32_t at = 0; at < 5'003; ++at) bytes += static_cast<char>((at * 2'654'435'761u) >> 24);
  for (const std::size_t size : {std::size_t{63}, std::size_t{64}, std::size_t{65}, std::size_t{1'000}, bytes.size()}) {
    const std::string_view all = std::string_view(bytes).substr(0, size);
    std::uint32_t in_parts = 0;
    for (std::size_t at = 0; at < size; at += 17) in_parts = crc32c(all.substr(at, 17), in_parts);  // always by tables
    CHECK(crc32c(all) == in_parts);
    CHECK(crc32c(all.substr(20), crc32c(all.substr(0, 20))) == in_parts);
  }
}
