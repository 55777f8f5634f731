#include <etlantic/tool/nearest.hpp>

#include "support/catch.hpp"

using namespace etlantic;

TEST_CASE("the distance counts insertions, removals, changes and swaps") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("path", "path") == 0);
  CHECK(edit_distance("pth", "path") == 1);
  CHECK(edit_distance("paths", "path") == 1);
  CHECK(edit_distance("pash", "path") == 1);
  CHECK(edit_distance("apth", "path") == 1);
  CHECK(edit_distance("PATH", "path") == 0);
  CHECK(edit_distance("kitten", "sitting") == 3);
}

TEST_CASE("the nearest word is offered, and none when all are far") {
  const std::vector<std::string> known{"connector", "resource", "path"};
  CHECK(nearest("conector", known) == "connector");
  CHECK(nearest("ressource", known) == "resource");
  CHECK(nearest("kafka", known) == std::nullopt);
  CHECK(nearest("x", known) == std::nullopt);
  CHECK(nearest(std::string(100'000, 'x'), known) == std::nullopt);
  CHECK(suggestion("kafka", known) == "it can be connector, resource or path");
}
