#include "recovery/hand_made_pipeline.hpp"
#include "support/catch.hpp"

#include <etlantic/etlantic.hpp>
#include <etlantic/runtime/checkpoint_layout.hpp>

#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <vector>

// Whatever happens between two starts, a batch meets the version of a reference that it was planned with.

using namespace etlantic;
using namespace etlantic::test;
namespace fs = std::filesystem;

namespace {

struct Order {
  std::int64_t id;
  std::int64_t customer;
};
struct Customer {
  std::int64_t customer;
  checked<text, max_length<20>> name;
};
struct OtherCustomer {
  std::int64_t customer;
  checked<text, max_length<20>> name;
  std::optional<std::int64_t> age;
};
struct Named {
  std::int64_t id;
  std::optional<text> name;
  friend bool operator==(const Named&, const Named&) = default;
};
template <class C>
struct NameAll {
  input<Order> orders;
  reference<C> customers;
  output<Named> result;
};
template <class C>
constexpr auto implement(const NameAll<C>& t) {
  return left_lookup_join(t.orders, t.customers, on<"customer">) | select<Named>();
}
template <class C>
struct Naming {
  extract<Order, "orders"> orders;
  extract<C, "customers"> customers;
  step<NameAll<C>, "orders.valid", "customers.valid"> naming;
  load<Named, "named", "naming.result"> named;
  load<rejected<C>, "wrong", "customers.invalid"> wrong;
};

/// What outlives a process: the sources, and what was published.
struct world {
  temporary_directory kept;
  std::shared_ptr<memory_source<Order>> orders = std::make_shared<memory_source<Order>>();
  std::shared_ptr<memory_sink<Named>> named = std::make_shared<memory_sink<Named>>();
  std::shared_ptr<memory_sink<rejected<Customer>>> wrong = std::make_shared<memory_sink<rejected<Customer>>>();
  profile where;

  world() {
    where.trigger.kind = trigger_kind::once;
    where.checkpoint = kept / "checkpoint";
    where.assets["orders"].made_source = orders;
    where.assets["customers"] = {.connector = "file", .options = {{"path", kept / "customers.json"}}};
    forget();
  }
  /// The targets as they were before anything was published, so that a replay shows.
  void forget() {
    named = std::make_shared<memory_sink<Named>>();
    wrong = std::make_shared<memory_sink<rejected<Customer>>>();
    where.assets["named"].made_sink = named;
    where.assets["wrong"].made_sink = wrong;
  }
  void write(const std::string& lines) const {
    std::ofstream(kept / "new") << lines;
    fs::rename(kept / "new", kept / "customers.json");
  }
  void name(const std::string& name) const { write(R"({"customer":1,"name":")" + name + "\"}\n"); }

  result<progress> run(const refresh_rule& rule = {}) const {
    Naming<Customer> pipeline;
    pipeline.naming.with.customers.refresh = rule;
    return etlantic::run(pipeline, where);
  }
  checkpoint_layout layout() const { return {where.checkpoint}; }
  std::size_t versions() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(layout().references()), {}));
  }
};

std::vector<Named> one(std::int64_t id, const char* name) { return {{id, text(name)}}; }

}  // namespace

TEST_CASE("JN-13: a replay of a batch meets the version that it was planned with") {
  world all;
  all.orders->add({{1, 1}});
  all.orders->add({{2, 1}});
  all.orders->add({{3, 1}});
  all.name("a");
  REQUIRE(all.run().ok());
  all.name("b");
  REQUIRE(all.run().ok());
  CHECK(all.named->rows() == std::vector<Named>{{1, text("a")}, {2, text("b")}});

  // The process died behind the plan of the second batch, and the reference has changed since.
  REQUIRE(fs::remove(all.layout().commit(1)));
  REQUIRE(fs::remove(all.layout().snapshot(1)));
  all.forget();
  SECTION("whatever it has become") { all.name("c"); }
  SECTION("also if it is gone") { fs::remove(all.kept / "customers.json"); }
  SECTION("also if it is broken") { all.write("no JSON\n"); }
  const auto replayed = all.run();
  INFO((replayed ? "" : replayed.error().message));
  REQUIRE(replayed.ok());
  CHECK(replayed->replayed);
  CHECK(all.named->rows() == one(2, "b"));
  all.name("d");
  REQUIRE(all.run().ok());
  CHECK(all.named->rows() == std::vector<Named>{{2, text("b")}, {3, text("d")}});
}

TEST_CASE("invalid rows of a version come out again when its first batch is replayed, and only then") {
  world all;
  for (std::int64_t i = 1; i < 4; ++i) all.orders->add({{i, 1}});
  all.write("{\"customer\":1,\"name\":\"a\"}\n{\"customer\":2}\n");
  REQUIRE(all.run().ok());
  REQUIRE(all.wrong->rows().size() == 1);
  const std::int64_t observed = all.wrong->rows()[0].observed_time.microseconds;
  fs::remove(all.layout().commit(0));
  fs::remove(all.layout().snapshot(0));
  all.forget();
  all.name("b");
  REQUIRE(all.run().ok());
  REQUIRE(all.wrong->rows().size() == 1);
  CHECK(all.wrong->rows()[0].observed_time.microseconds == observed);
  CHECK(all.named->rows() == one(1, "a"));
  all.write("{\"customer\":1,\"name\":\"a\"}\n{\"customer\":2}\n");  // the same once more, written anew
  REQUIRE(all.run().ok());
  CHECK(all.wrong->rows().size() == 1);
}

TEST_CASE("a reference that is read once stays as it was over restarts; one that is read every hour waits for it") {
  world all;
  for (std::int64_t i = 1; i < 4; ++i) all.orders->add({{i, 1}});
  const refresh_rule rule = GENERATE(refreshed_once(), refreshed_every(std::chrono::hours{1}));
  all.name("a");
  REQUIRE(all.run(rule).ok());
  all.name("b");
  REQUIRE(all.run(rule).ok());
  fs::remove(all.kept / "customers.json");
  REQUIRE(all.run(rule).ok());
  CHECK(all.named->rows() == std::vector<Named>{{1, text("a")}, {2, text("a")}, {3, text("a")}});
}

TEST_CASE("versions that no plan names are dropped, and one that does not change is kept once") {
  world all;
  all.where.retained_batches = 2;
  for (std::int64_t i = 0; i < 12; ++i) all.orders->add({{i, 1}});
  for (std::int64_t i = 0; i < 6; ++i) {
    all.name("name " + std::to_string(i));
    REQUIRE(all.run().ok());
    REQUIRE(all.versions() == std::min<std::size_t>(static_cast<std::size_t>(i) + 1, 3));
  }
  for (std::int64_t i = 6; i < 12; ++i) {
    all.name("name 5");  // written anew, with the same content
    REQUIRE(all.run().ok());
  }
  CHECK(all.versions() == 1);
}

TEST_CASE("a version that is damaged or gone is named, and nothing is looked up in another one") {
  world all;
  all.orders->add({{1, 1}});
  all.name("a");
  REQUIRE(all.run().ok());
  fs::remove(all.layout().commit(0));
  fs::remove(all.layout().snapshot(0));
  all.forget();
  const std::string path = all.layout().reference({"customers", 0, {}, 0, 0, 0});
  REQUIRE(fs::exists(path));
  const auto size = fs::file_size(path);
  SECTION("gone") {
    fs::remove(path);
    const auto refused = all.run();
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().code == "PMSTREAM462");
    CHECK(refused.error().message.find(path) != std::string::npos);
  }
  SECTION("another byte, wherever it is") {
    for (std::uintmax_t place = 0; place < size; ++place) {
      std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
      file.seekg(static_cast<std::streamoff>(place));
      const char before = static_cast<char>(file.get());
      file.seekp(static_cast<std::streamoff>(place));
      file.put(static_cast<char>(before ^ 1));
      file.close();
      INFO("byte " << place);
      const auto refused = all.run();
      REQUIRE_FALSE(refused.ok());
      REQUIRE(refused.error().kind == failure_class::checkpoint);
      REQUIRE(refused.error().message.find(path) != std::string::npos);
      std::fstream again(path, std::ios::in | std::ios::out | std::ios::binary);
      again.seekp(static_cast<std::streamoff>(place));
      again.put(before);
    }
    REQUIRE(all.run().ok());
  }
  SECTION("cut") {
    fs::resize_file(path, size - 1);
    REQUIRE_FALSE(all.run().ok());
  }
  SECTION("of another contract") {
    all.where.assets["wrong"].made_sink = std::make_shared<memory_sink<rejected<OtherCustomer>>>();
    const auto refused = etlantic::run(Naming<OtherCustomer>{}, all.where);
    REQUIRE_FALSE(refused.ok());
    INFO(refused.error().message);
    CHECK(refused.error().code == "PMSTREAM465");
  }
  CHECK(all.named->rows().size() <= 1);
}

TEST_CASE("RC: a crash at any point, with a reference that changes before the restart, gives each batch one version") {
  const auto attempt = [](world& all, int strike) {
    all.where.trigger.kind = trigger_kind::available_now;
    for (std::int64_t i = 0; i < 3; ++i) all.orders->add({{10 * i, 1}, {10 * i + 1, 1}});
    all.name("before");
    int count = 0;
    bool died = false;
    {
      crash_point crash(strike);
      const auto first = all.run();
      count = crash.count();
      died = crash.struck();
      REQUIRE(first.ok() == !died);
    }
    all.name("after");
    const auto second = all.run();
    INFO((second ? "" : second.error().message));
    REQUIRE(second.ok());
    const std::vector<Named> rows = all.named->rows();
    REQUIRE(rows.size() == 6);
    bool changed = false;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      CHECK(rows[i].id == static_cast<std::int64_t>(i / 2 * 10 + i % 2));
      CHECK(rows[i].name == rows[i - i % 2].name);
      CHECK((rows[i].name == text("before") || rows[i].name == text("after")));
      CHECK_FALSE((changed && rows[i].name == text("before")));
      changed = rows[i].name == text("after");
    }
    CHECK((died || !changed));
    return count;
  };
  world whole;
  const int points = attempt(whole, -1);
  CHECK(points > 30);
  for (int point = 0; point < points; ++point) {
    INFO("point " << point);
    world all;
    attempt(all, point);
  }
}
