#include <etlantic/connect/console/sink.hpp>

#include "support/catch.hpp"
#include "support/rows.hpp"

#include <cstdio>
#include <string>

using namespace etlantic;
using namespace etlantic::test;

namespace {

const field_description fields[] = {plain_field("id", logical_type::int64), decimal_field("total", 18, 2),
                                    nullable(plain_field("name", logical_type::text))};
const schema orders{.id = "orders", .version = "1", .fields = fields};

struct printed {
  std::FILE* file = std::tmpfile();
  std::shared_ptr<sink> to;

  explicit printed(std::size_t rows = 20) : to(make_console_sink(console_settings{file, rows})) {
    REQUIRE(to->open(orders, output_mode::append, {"q", "curated"}).ok());
  }
  ~printed() { std::fclose(file); }
  printed(const printed&) = delete;
  printed& operator=(const printed&) = delete;

  void publish(std::int64_t batch, const std::vector<std::vector<cell>>& rows, output_mode mode = output_mode::append) {
    publication what{batch, mode, {}};
    what.blocks.push_back(make_block(orders, rows));
    REQUIRE(to->prepare(what).ok());
    REQUIRE(to->commit(batch).ok());
  }

  std::string text() {
    std::rewind(file);
    std::string all;
    for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) all += static_cast<char>(c);
    return all;
  }
};

}  // namespace

TEST_CASE("console: a batch is a small table with numbers to the right") {
  printed out;
  out.publish(3, {{1, 1230, "Zoë"}, {20000, -5, nullptr}});
  CHECK(out.text() ==
        "curated  batch 3  append  2 rows\n"
        "   id  total  name\n"
        "-----  -----  ----\n"
        "    1  12.30  Zoë\n"
        "20000  -0.05  null\n"
        "\n");
}

TEST_CASE("console: rows beyond the limit are counted") {
  printed out(1);
  out.publish(1, {{1, 100, "a"}, {2, 200, "b"}, {3, 300, "c"}});
  CHECK(out.text() ==
        "curated  batch 1  append  3 rows\n"
        "id  total  name\n"
        "--  -----  ----\n"
        " 1   1.00  a\n"
        "... and 2 more\n"
        "\n");
}

TEST_CASE("console: hostile text cannot drive the terminal") {
  printed out;
  out.publish(1, {{1, 100, "\x1b[2J\x07\n\r\\"},
                  {2, 100,
                   "a\xc2\x9b"
                   "b\xff"},
                  {3, 100,
                   "\xe2\x80\xae"
                   "exe.txt"}});
  CHECK(out.text() ==
        "curated  batch 1  append  3 rows\n"
        "id  total  name\n"
        "--  -----  -------------------------\n"
        " 1   1.00  \\u{1b}[2J\\u{07}\\n\\u{0d}\\\\\n"
        " 2   1.00  a\\u{9b}b\\xff\n"
        " 3   1.00  \\u{202e}exe.txt\n"
        "\n");
}

TEST_CASE("console: long text is cut") {
  printed out;
  out.publish(1, {{1, 100, std::string(61, 'x')}});
  CHECK(out.text().find(" " + std::string(60, 'x') + "...\n") != std::string::npos);
}

TEST_CASE("console: a batch without rows prints nothing, unless it replaces the result") {
  printed out;
  out.publish(1, {});
  CHECK(out.text().empty());
  out.publish(2, {}, output_mode::complete);
  CHECK(out.text() == "curated  batch 2  complete  0 rows\n\n");
}

TEST_CASE("console: a batch is printed at its commit, once") {
  printed out;
  publication what{1, output_mode::append, {}};
  what.blocks.push_back(make_block(orders, {{1, 100, "a"}}));
  REQUIRE(out.to->prepare(what).ok());
  CHECK(out.text().empty());
  out.to->abort();
  CHECK_FALSE(out.to->commit(1).ok());
  REQUIRE(out.to->prepare(what).ok());
  REQUIRE(out.to->commit(1).ok());
  const std::string once = out.text();
  REQUIRE(out.to->prepare(what).ok());
  REQUIRE(out.to->commit(1).ok());
  CHECK(out.text() == once);
}

TEST_CASE("console: output that cannot be written is a failure") {
  std::FILE* full = std::fopen("/dev/full", "w");
  if (full == nullptr) return;
  auto to = make_console_sink(console_settings{full, 20});
  REQUIRE(to->open(orders, output_mode::append, {"q", "n"}).ok());
  publication what{1, output_mode::append, {}};
  what.blocks.push_back(make_block(orders, {{1, 100, "a"}}));
  REQUIRE(to->prepare(what).ok());
  const auto refused = to->commit(1);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().kind == failure_class::resource_exhausted);
  std::fclose(full);
}

TEST_CASE("console: the option rows is checked") {
  const auto wrong = make_console_sink(asset_binding{.connector = "console", .options = {{"rows", "-1"}}});
  REQUIRE_FALSE(wrong.ok());
  CHECK(wrong.error().message == "option rows of the console sink is `-1`");
  CHECK(make_console_sink(asset_binding{.connector = "console", .options = {{"rows", "5"}}}).ok());
}
