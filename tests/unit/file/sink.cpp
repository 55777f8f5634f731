#include <etlantic/connect/file/sink.hpp>

#include "support/catch.hpp"
#include "support/rows.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <barrier>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

using namespace etlantic;
using namespace etlantic::test;

namespace {

const field_description place[] = {plain_field("city", logical_type::text)};
const field_description tags[] = {plain_field("tag", logical_type::text)};
const field_description fields[] = {plain_field("id", logical_type::int64), plain_field("name", logical_type::text),
                                    nullable(plain_field("note", logical_type::text)),
                                    nullable(nested_field("home", logical_type::structure, place)),
                                    nested_field("tags", logical_type::list, tags)};
const schema people{.id = "people", .version = "1", .fields = fields};
using texts = std::vector<std::string>;

struct temporary_directory {
  std::filesystem::path path;

  temporary_directory() {
    std::string name = (std::filesystem::temp_directory_path() / "etlantic_file_XXXXXX").string();
    path = ::mkdtemp(name.data());
  }
  ~temporary_directory() { std::filesystem::remove_all(path); }
  temporary_directory(const temporary_directory&) = delete;
  temporary_directory& operator=(const temporary_directory&) = delete;

  std::filesystem::path out() const { return path / "out"; }

  texts names() const {
    texts found;
    for (const auto& each : std::filesystem::directory_iterator(out())) found.push_back(each.path().filename());
    std::sort(found.begin(), found.end());
    return found;
  }

  std::string content(const std::string& name) const {
    std::ifstream file(out() / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::shared_ptr<sink> opened(const std::string& format = "ndjson", const publisher& who = {"q", "n"},
                               const schema& contract = people) const {
    auto made = make_file_sink({.connector = "file", .options = {{"path", out().string()}, {"format", format}}});
    REQUIRE(made.ok());
    const auto done = (*made)->open(contract, output_mode::append, who);
    if (!done) FAIL(done.error().message << " " << done.error().where);
    return *made;
  }
};

block person(int id, const char* name) {
  return make_block(people, {{id, name, nullptr, nullptr, std::vector<cell>{}}});
}

publication batch_of(std::int64_t batch, block rows, output_mode mode = output_mode::append) {
  publication made{batch, mode, {}};
  made.blocks.push_back(std::move(rows));
  return made;
}

void publish(sink& to, const publication& what) {
  REQUIRE(to.prepare(what).ok());
  REQUIRE(to.commit(what.batch).ok());
}

}  // namespace

TEST_CASE("KP-07: the rows of a batch are one file, named after node, query and batch") {
  const temporary_directory at;
  auto to = at.opened();
  publication two = batch_of(1, person(1, "a"));
  two.blocks.push_back(person(2, "b\n"));
  publish(*to, two);
  CHECK(at.names() == texts{"part-n-q-00000000000000000001.ndjson"});
  CHECK(at.content("part-n-q-00000000000000000001.ndjson") ==
        R"({"id":1,"name":"a","note":null,"home":null,"tags":[]})"
        "\n"
        R"({"id":2,"name":"b\n","note":null,"home":null,"tags":[]})"
        "\n");
}

TEST_CASE("KP-07: before the commit there is only a hidden file, and none after an abort") {
  const temporary_directory at;
  auto to = at.opened();
  REQUIRE(to->prepare(batch_of(1, person(1, "a"))).ok());
  CHECK(at.names() == texts{".part-n-q-00000000000000000001.ndjson.tmp"});
  to->abort();
  CHECK(at.names().empty());
  const auto refused = to->commit(1);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().code == "PMSTREAM448");
}

TEST_CASE("KP-07: a replay replaces the file by the same rows") {
  const temporary_directory at;
  publish(*at.opened(), batch_of(1, person(1, "a")));
  auto again = at.opened();
  publish(*again, batch_of(1, person(1, "a")));
  publish(*again, batch_of(1, person(1, "a")));
  publish(*again, batch_of(2, person(2, "b")));
  CHECK(at.names() == texts{"part-n-q-00000000000000000001.ndjson", "part-n-q-00000000000000000002.ndjson"});
}

TEST_CASE("file: what a crash left behind is removed at the start, and nothing else") {
  const temporary_directory at;
  std::filesystem::create_directory(at.out());
  const texts others = {".hidden",
                        ".part-n-q-00000000000000000001-00000000000000000001.ndjson.tmp",
                        ".part-n-q-00000000000000000001.csv.tmp",
                        ".part-n-q-b-00000000000000000001.ndjson.tmp",
                        ".part-n-r-00000000000000000001.ndjson.tmp",
                        "part-n-q-00000000000000000001.ndjson"};
  for (const std::string& each : others) std::ofstream(at.out() / each) << "x";
  for (const char* each : {".part-n-q-00000000000000000001.ndjson.tmp", ".n.ndjson.tmp"})
    std::ofstream(at.out() / each) << "half a li";
  at.opened();
  CHECK(at.names() == others);
}

TEST_CASE("OM-09: a batch without rows makes no file and is committed") {
  const temporary_directory at;
  auto to = at.opened();
  publish(*to, publication{1, output_mode::append, {}});
  publish(*to, batch_of(2, block(people), output_mode::update));
  CHECK(at.names().empty());
}

TEST_CASE("OM-10: a complete result replaces the one before it, also by nothing") {
  const temporary_directory at;
  auto to = at.opened("csv");
  publish(*to, batch_of(1, person(1, "a"), output_mode::complete));
  publish(*to, batch_of(2, person(2, "b"), output_mode::complete));
  CHECK(at.names() == texts{"n.csv"});
  CHECK(at.content("n.csv") == "id,name,note,home_city,tags\n2,b,,,[]\n");
  publish(*to, publication{3, output_mode::complete, {}});
  CHECK(at.content("n.csv") == "id,name,note,home_city,tags\n");
}

TEST_CASE("file: CSV quotes what it must and tells null from empty text") {
  const temporary_directory at;
  auto to = at.opened("csv");
  publish(*to, batch_of(1, make_block(people, {{1, "a,b", "", std::vector<cell>{"Köln"}, std::vector<cell>{"x", "y"}},
                                               {2, "say \"hi\"", nullptr, nullptr, std::vector<cell>{}},
                                               {3, "two\nlines\r", " ", std::vector<cell>{""}, std::vector<cell>{}}})));
  CHECK(at.content("part-n-q-00000000000000000001.csv") ==
        "id,name,note,home_city,tags\n"
        "1,\"a,b\",\"\",Köln,\"[\"\"x\"\",\"\"y\"\"]\"\n"
        "2,\"say \"\"hi\"\"\",,,[]\n"
        "3,\"two\nlines\r\",\" \",\"\",[]\n");
}

TEST_CASE("file: CSV of one nullable column is refused, because a null would be a blank line") {
  const temporary_directory at;
  const field_description one[] = {nullable(plain_field("a", logical_type::text))};
  const schema single{.id = "single", .version = "1", .fields = one};
  auto made = make_file_sink({.connector = "file", .options = {{"path", at.out().string()}, {"format", "csv"}}});
  const auto refused = (*made)->open(single, output_mode::append, {"q", "n"});
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().kind == failure_class::contract);
}

TEST_CASE("file: hostile names of queries and nodes stay in the directory and apart") {
  const temporary_directory at;
  publish(*at.opened("ndjson", {"../../etc/passwd", "../x"}), batch_of(1, person(1, "a")));
  publish(*at.opened("ndjson", {"b-c", "a"}), batch_of(1, person(1, "a")));
  publish(*at.opened("ndjson", {"c", "a-b"}), batch_of(1, person(1, "a")));
  CHECK(at.names() == texts{"part-%2E%2E%2Fx-..%2F..%2Fetc%2Fpasswd-00000000000000000001.ndjson",
                            "part-a%2Db-c-00000000000000000001.ndjson", "part-a-b-c-00000000000000000001.ndjson"});
}

TEST_CASE("file: more rows than the write buffer holds arrive whole") {
  const temporary_directory at;
  auto to = at.opened();
  block many(people);
  const block row = person(7, std::string(500, 'x').c_str());
  for (int i = 0; i < 2000; ++i) many.append(row, 0);
  publish(*to, batch_of(1, many));
  const std::string line =
      R"({"id":7,"name":")" + std::string(500, 'x') + R"(","note":null,"home":null,"tags":[]})" + "\n";
  std::string expected;
  for (int i = 0; i < 2000; ++i) expected += line;
  CHECK(at.content("part-n-q-00000000000000000001.ndjson") == expected);
}

TEST_CASE("file: a full disk is reported, and nothing of the batch stays") {
  const temporary_directory at;
  const ::pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    // The limit on the size of a file stands for a full disk.
    std::signal(SIGXFSZ, SIG_IGN);
    const ::rlimit limit{100'000, 100'000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    auto made = make_file_sink({.connector = "file", .options = {{"path", at.out().string()}}});
    block many(people);
    const block row = person(7, std::string(500, 'x').c_str());
    for (int i = 0; i < 1000; ++i) many.append(row, 0);
    if (!(*made)->open(people, output_mode::append, {"q", "n"})) std::_Exit(10);
    const auto full = (*made)->prepare(batch_of(1, many));
    if (full || full.error().kind != failure_class::resource_exhausted) std::_Exit(11);
    std::_Exit((*made)->prepare(batch_of(1, row)) && (*made)->commit(1) ? 0 : 12);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  CHECK(at.names() == texts{"part-n-q-00000000000000000001.ndjson"});
}

TEST_CASE("file: options are checked, and the failure names the option and what is valid") {
  const auto missing = make_file_sink({.connector = "file", .options = {}});
  REQUIRE_FALSE(missing.ok());
  CHECK(missing.error().message == "option path is missing");
  const auto wrong = make_file_sink({.connector = "file", .options = {{"path", "x"}, {"format", "parquet"}}});
  REQUIRE_FALSE(wrong.ok());
  CHECK(wrong.error().message + "; " + wrong.error().help ==
        "option format of the file sink is `parquet`; valid: ndjson, csv");
}

TEST_CASE("file: a file in place of the directory is a matter of configuration") {
  const temporary_directory at;
  std::ofstream(at.out()) << "x";
  auto made = make_file_sink({.connector = "file", .options = {{"path", at.out().string()}}});
  const auto refused = (*made)->open(people, output_mode::append, {"q", "n"});
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().kind == failure_class::configuration);
  CHECK(refused.error().message == "the path is not a directory");
}

TEST_CASE("file: queries that share a directory create it at the same time") {
  const temporary_directory at;
  for (int round = 0; round < 300; ++round) {
    const std::string shared = (at.out() / std::to_string(round)).string();
    std::barrier together(4);
    std::array<std::string, 4> failures;
    std::vector<std::thread> queries;
    for (std::size_t number = 0; number < failures.size(); ++number)
      queries.emplace_back([&, number] {
        auto made = make_file_sink({.connector = "file", .options = {{"path", shared}}});
        together.arrive_and_wait();
        const auto opened = (*made)->open(people, output_mode::append, {"q" + std::to_string(number), "n"});
        if (!opened) failures[number] = opened.error().message;
      });
    for (std::thread& each : queries) each.join();
    REQUIRE(failures == std::array<std::string, 4>{});
  }
}
