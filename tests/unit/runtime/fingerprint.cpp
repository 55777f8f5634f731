#include "support/catch.hpp"

#include <etlantic/runtime/fingerprint.hpp>

using namespace etlantic;

// Expected values: FNV-1a with 128 bits, computed from its definition in Python over "3:foo3:bar" and "6:foobar".
TEST_CASE("a fingerprint is FNV-1a over the parts with their lengths") {
  CHECK(fingerprint().text() == "6c62272e07bb014262b821756295c58d");
  CHECK(fingerprint().add("foo").add("bar").text() == "7f020ba2bb15621ef3efac4de8e5937e");
  CHECK(fingerprint().add("foobar").text() == "0ed910ef35659a4dca508f346263a8e4");
}
