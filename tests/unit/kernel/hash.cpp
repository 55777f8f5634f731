#include "support/catch.hpp"

#include <etlantic/kernel/hash.hpp>

#include <set>
#include <string>

using namespace etlantic::kernel;

TEST_CASE("texts are the same only if all their bytes are, at every length") {
  for (std::size_t size = 0; size <= 40; ++size) {
    const std::string text(size, 'a');
    CHECK(same_text(text, std::string(text)));
    CHECK_FALSE(same_text(text, text + 'a'));
    std::set<std::uint64_t> hashes{hash_text(text, hash_seed)};
    for (std::size_t place = 0; place < size; ++place) {
      std::string other = text;
      other[place] = 'b';
      INFO(size << " bytes, another at " << place);
      CHECK_FALSE(same_text(text, other));
      CHECK_FALSE(same_text(other, text));
      hashes.insert(hash_text(other, hash_seed));
    }
    CHECK(hashes.size() == size + 1);
  }
}
