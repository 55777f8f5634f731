#include "support/files.hpp"
#include "support/temporary_directory.hpp"
#include "unit/kafka/fake_cluster.hpp"
#include "unit/kafka/group_support.hpp"

#include <etlantic/runtime/group_folder.hpp>
#include <etlantic/runtime/group_rules.hpp>

using namespace etlantic;
using namespace etlantic::test;

// Processes that share a topic: who runs which partition, and what they hand over.

namespace {

using texts = std::vector<std::string>;

std::string click(const std::string& user, int amount) {
  return R"({"user":")" + user + R"(","amount":)" + std::to_string(amount) + "}";
}

}  // namespace

TEST_CASE("each partition is a query of its own, and all of them together are the answer") {
  group_of_clicks of;
  for (int i = 1; i <= 3; ++i) of.add(0, click("a", i)), of.add(1, click("b", 10 * i));
  of.group->give({"clicks/0", "clicks/1"});
  auto query = of.start(trigger_kind::available_now);
  query.await();
  REQUIRE(query.outcome().ok());
  CHECK(query.totals().rows_read() == 6);
  CHECK(of.newest_totals() == std::map<std::string, std::int64_t>{{"a", 6}, {"b", 60}});
  CHECK(of.group->shown_offsets() == std::map<std::string, std::int64_t>{{"clicks/0", 3}, {"clicks/1", 3}});
  CHECK(of.group->has_left());
}

TEST_CASE("a partition that is taken away lets go of its checkpoint before the group is told") {
  group_of_clicks of;
  of.add(0, click("a", 1));
  of.add(1, click("b", 2));
  of.group->give({"clicks/0", "clicks/1"});
  auto query = of.start(trigger_kind::continuous);
  of.log->await("running clicks/0");
  of.log->await("running clicks/1");
  CHECK(holder_of_checkpoint(of.folder_of("clicks/1"))->held);
  of.group->on_settled = [&](const split_change& change) {
    if (change.taken_away) CHECK_FALSE(holder_of_checkpoint(of.folder_of("clicks/1"))->held);
  };
  of.group->take_away({"clicks/1"});
  of.group->await_settled(2);
  CHECK(holder_of_checkpoint(of.folder_of("clicks/0"))->held);
  // It comes back, and goes on where it was.
  of.add(1, click("b", 5));
  of.group->give({"clicks/1"});
  of.log->await("running clicks/1", 2);
  REQUIRE(query.stop(stop_policy::drain).ok());
  CHECK(of.newest_totals() == std::map<std::string, std::int64_t>{{"a", 1}, {"b", 7}});
}

TEST_CASE("a partition that another process still works on is waited for") {
  group_of_clicks of;
  of.make_folder();
  of.add(0, click("a", 1));
  std::filesystem::create_directories(of.folder_of("clicks/0"));
  std::optional<checkpoint_lock> held(std::move(*checkpoint_lock::take(of.folder_of("clicks/0"))));
  of.group->give({"clicks/0"});
  auto query = of.start(trigger_kind::available_now);
  of.log->await("waiting clicks/0");
  CHECK(query.totals().rows_read() == 0);
  held.reset();
  query.await();
  REQUIRE(query.outcome().ok());
  CHECK(query.totals().rows_read() == 1);
}

TEST_CASE("a stop while a partition is waited for ends the wait") {
  group_of_clicks of;
  of.make_folder();
  std::filesystem::create_directories(of.folder_of("clicks/0"));
  const auto held = checkpoint_lock::take(of.folder_of("clicks/0"));
  of.group->give({"clicks/0"});
  auto query = of.start(trigger_kind::continuous);
  of.log->await("waiting clicks/0");
  CHECK(query.stop().ok());
}

TEST_CASE("a failure of one partition ends the process, and the others end their batch") {
  group_of_clicks of;
  of.add(0, click("a", 1));
  of.group->give({"clicks/0", "clicks/7"});  // there is no partition 7
  auto query = of.start(trigger_kind::continuous);
  query.await();
  REQUIRE_FALSE(query.outcome().ok());
  CHECK_FALSE(holder_of_checkpoint(of.folder_of("clicks/0"))->held);
  CHECK(of.group->has_left());
}

TEST_CASE("a partition that the group has read elsewhere is refused") {
  group_of_clicks of;
  of.add(0, click("a", 1));
  of.group->show("clicks/0", 1);
  of.group->give({"clicks/0"});
  auto query = of.start(trigger_kind::available_now);
  query.await();
  REQUIRE_FALSE(query.outcome().ok());
  CHECK(query.outcome().error().code == "PMSTREAM488");
  CHECK_FALSE(std::filesystem::exists(of.folder_of("clicks/0")));
}

TEST_CASE("a partition that is added takes keys away, unless the profile says that it does not") {
  group_of_clicks of;
  of.add(0, click("a", 1));
  of.group->give({"clicks/0"});
  auto first = of.start(trigger_kind::available_now);
  first.await();
  REQUIRE(first.outcome().ok());
  of.add(9, click("z", 4));
  of.group->give({"clicks/9"});
  auto refused = of.start(trigger_kind::available_now);
  refused.await();
  REQUIRE_FALSE(refused.outcome().ok());
  CHECK(refused.outcome().error().code == "PMSTREAM489");

  of.on_added = added_split_policy::go_on;
  of.group->give({"clicks/9"});
  auto query = of.start(trigger_kind::available_now);
  query.await();
  REQUIRE(query.outcome().ok());
  CHECK(of.group->was_added("clicks/9"));
  CHECK(of.newest_totals() == std::map<std::string, std::int64_t>{{"a", 1}, {"z", 4}});
}

TEST_CASE("the checkpoint of a query and that of a group are not taken for each other") {
  group_of_clicks of;
  of.add(0, click("a", 1));
  profile planned = of.settings(trigger_kind::available_now);
  planned.assets["clicks"].intake = intake_mode::planned;
  planned.assets["clicks"].made_group.reset();
  kafka::source_settings reads;
  reads.topics = {"clicks"};
  planned.assets["clicks"].made_source = of.clusters.at("clicks/0").source_of(reads);
  REQUIRE(run(UserTotals{}, planned).ok());
  const auto refused = start(UserTotals{}, of.settings(trigger_kind::available_now));
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().code == "PMSTREAM487");

  group_of_clicks other;
  other.add(0, click("a", 1));
  other.group->give({"clicks/0"});
  auto query = other.start(trigger_kind::available_now);
  query.await();
  planned.checkpoint = other.settings(trigger_kind::available_now).checkpoint;
  const auto also_refused = run(UserTotals{}, planned);
  REQUIRE_FALSE(also_refused.ok());
  CHECK(also_refused.error().message.find("group of processes") != std::string::npos);
}

TEST_CASE("processes of one group have places of their own, which the next one takes") {
  const temporary_directory folder;
  const group_record wanted{"q", "P", "g", {7}, {"t/0", "t/1"}};
  const std::string path = folder.path() + "/checkpoint";
  auto first = group_folder::open(path, wanted);
  REQUIRE(first.ok());
  {
    auto second = group_folder::open(path, {"other", "P", "g", {8}, {}});
    REQUIRE(second.ok());
    CHECK(second->record() == wanted);
    CHECK(second->place() == path + "/processes/1");
  }
  CHECK(group_folder::open(path, wanted)->place() == path + "/processes/1");
  CHECK(group_folder::open(path, {"q", "Q", "g", {7}, {}}).error().code == "PMSTREAM487");
  CHECK(group_folder::open(path, {"q", "P", "h", {7}, {}}).error().code == "PMSTREAM487");
  CHECK(contents(path + "/group.json") ==
        "{\"etlantic\":\"group\",\"version\":1}\n"
        "{\"query\":\"q\",\"pipeline\":\"P\",\"group\":\"g\",\"created\":7}\n"
        "{\"split\":\"t/0\"}\n{\"split\":\"t/1\"}\n" +
            contents(path + "/group.json").substr(contents(path + "/group.json").rfind("{\"length")));
  CHECK(splits_in({path}).empty());
  CHECK(processes_in({path}) == texts{"0", "1"});
}
