#include "unit/kafka/group_support.hpp"

#include <etlantic/runtime/group_rules.hpp>

using namespace etlantic;
using namespace etlantic::test;
using namespace std::chrono_literals;

// Which pipelines several processes may run that share a topic.

namespace {

struct Visit {
  text visitor;
  text page;
  timestamp time;
};
struct Pages {
  text visitor;
  text page;
  std::int64_t visits;
};
struct Visitors {
  text page;
  std::int64_t visits;
};

/// The codes of all that is wrong; `extract` is "visits".
template <class Chain>
std::vector<std::string> codes_of(const Chain& chain, std::vector<std::string> keys) {
  const auto lowered = lower(chain);
  REQUIRE(lowered.ok());
  profile where;
  where.checkpoint = "/shared";
  where.assets["visits"].intake = intake_mode::group;
  where.assets["visits"].partitioned_by = std::move(keys);
  std::vector<std::string> codes;
  for (const group_problem& each : problems_of_group(*lowered, where)) {
    codes.emplace_back(each.code);
    CHECK_FALSE(each.help.empty());
    CHECK(each.path.starts_with("assets.visits"));
  }
  return codes;
}

using codes = std::vector<std::string>;

}  // namespace

TEST_CASE("state is kept by the fields that say in which partition a row is, and by others besides") {
  const auto visits = from<Visit>("visits");
  const auto pages = visits | where(field<"page"> != text("/")) | group_by<"page", "visitor"> |
                     aggregate<Pages>(named<"visits"> = count()) | into<output_mode::update>("pages");
  CHECK(codes_of(pages, {"visitor"}).empty());
  CHECK(codes_of(pages, {"page", "visitor"}).empty());
  CHECK(codes_of(pages, {}) == codes{"PMPLAN212"});
  CHECK(codes_of(pages, {"time"}) == codes{"PMPLAN212"});
  CHECK(codes_of(pages, {"customer"}) == codes{"PMPLAN212"});
  const auto visitors = visits | group_by<"page"> | aggregate<Visitors>(named<"visits"> = count()) |
                        into<output_mode::update>("visitors");
  CHECK(codes_of(visitors, {"visitor"}) == codes{"PMPLAN212"});
  CHECK(codes_of(visitors, {"page"}).empty());
}

TEST_CASE("rows that are remembered by a key are like rows that are grouped by it") {
  const auto once = from<Visit>("visits") | watermark<"time">(1min) | deduplicate<"visitor", "time"> | into("once");
  CHECK(codes_of(once, {"visitor"}).empty());
  CHECK(codes_of(once, {"page"}) == codes{"PMPLAN212"});
}

TEST_CASE("a field that is made anew is no key any more") {
  const auto selected = from<Visit>("visits") | select<Visit>(named<"visitor"> = field<"page">) | group_by<"visitor"> |
                        aggregate<Visitors>(named<"page"> = max(field<"page">), named<"visits"> = count());
  CHECK(codes_of(selected | into<output_mode::update>("pages"), {"visitor"}) == codes{"PMPLAN212"});
  const auto derived = from<Visit>("visits") | derive<"host">(field<"page">) | group_by<"visitor"> |
                       aggregate<Visitors>(named<"page"> = max(field<"host">), named<"visits"> = count());
  CHECK(codes_of(derived | into<output_mode::update>("pages"), {"visitor"}).empty());
}

TEST_CASE("without state no keys are needed") {
  CHECK(codes_of(from<Visit>("visits") | where(field<"page"> != text("/")) | into("kept"), {}).empty());
}

TEST_CASE("what a group has no place for is refused, whatever the keys are") {
  group_of_clicks of;
  const auto lowered = lower(UserTotals{});
  REQUIRE(lowered.ok());
  const auto codes_with = [&](auto change) {
    profile where = of.settings(trigger_kind::continuous);
    program what = *lowered;
    change(what, where);
    std::vector<std::string> found;
    for (const group_problem& each : problems_of_group(what, where)) found.emplace_back(each.code);
    return found;
  };
  CHECK(codes_with([](program&, profile&) {}).empty());
  CHECK(codes_with([](program&, profile& where) { where.assets["clicks"].intake = intake_mode::planned; }).empty());
  CHECK(codes_with([](program&, profile& where) { where.checkpoint.clear(); }) == codes{"PMPLAN211"});
  CHECK(codes_with([](program& what, profile&) {
          for (program_node& each : what.nodes)
            if (each.asset == "totals") each.mode = output_mode::complete;
        }) == codes{"PMPLAN211"});
  CHECK(codes_with([](program&, profile& where) {
          where.assets["totals"].made_sink = std::make_shared<memory_sink<UserTotal>>();
        }) == codes{"PMPLAN211"});
  CHECK(codes_with([](program& what, profile&) {
          program_node other = *what.find("clicks");
          other.name = other.asset = "other_clicks";
          what.nodes.push_back(std::move(other));
        }) == codes{"PMPLAN211"});
}
