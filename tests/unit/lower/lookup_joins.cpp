#include "support/catch.hpp"

#include <etlantic/etlantic.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

// Lookup joins from their text to their results: which rows meet which version of a reference, when it is read again,
// and what is wrong with it.

using namespace etlantic;
using namespace std::chrono_literals;

namespace {

struct Order {
  std::int64_t id;
  std::optional<std::int64_t> customer;
  std::int64_t amount;
};
struct Customer {
  std::optional<std::int64_t> customer;
  text name;
  checked<std::int64_t, ge<0>> limit;
};
struct Named {
  std::int64_t id;
  std::optional<text> name;
  friend bool operator==(const Named&, const Named&) = default;
};

struct NameAll {
  input<Order> orders;
  reference<Customer> customers;
  output<Named> result;
};
constexpr auto implement(const NameAll& t) {
  return left_lookup_join(t.orders, t.customers, on<"customer">) | select<Named>();
}
struct NameFound {
  input<Order> orders;
  reference<Customer> customers;
  output<Named> result;
};
constexpr auto implement(const NameFound& t) {
  return lookup_join(t.orders, t.customers, on<"customer">) | select<Named>();
}

template <class Step>
struct Naming {
  extract<Order, "orders"> orders;
  extract<Customer, "customers"> customers;
  step<Step, "orders.valid", "customers.valid"> naming;
  load<Named, "named", "naming.result"> named;
};
template <class Step>
struct NamingWithInvalid {
  extract<Order, "orders"> orders;
  extract<Customer, "customers"> customers;
  step<Step, "orders.valid", "customers.valid"> naming;
  load<Named, "named", "naming.result"> named;
  load<rejected<Customer>, "wrong", "customers.invalid"> wrong;
};

struct naming_run {
  std::shared_ptr<memory_source<Order>> orders = std::make_shared<memory_source<Order>>();
  std::shared_ptr<memory_source<Customer>> customers = std::make_shared<memory_source<Customer>>();
  std::shared_ptr<memory_sink<Named>> named = std::make_shared<memory_sink<Named>>();
  std::shared_ptr<memory_sink<rejected<Customer>>> wrong = std::make_shared<memory_sink<rejected<Customer>>>();
  profile where;

  naming_run() {
    where.trigger.kind = trigger_kind::available_now;
    where.assets["orders"].made_source = orders;
    where.assets["customers"].made_source = customers;
    where.assets["named"].made_sink = named;
    where.assets["wrong"].made_sink = wrong;
  }
};

Named of(std::int64_t id, const char* name) {
  return {id, name == nullptr ? std::optional<text>() : std::optional<text>(text(name))};
}

/// Runs a pipeline batch by batch in one query: what is to happen before each batch is done in its listener.
struct batches {
  std::vector<std::function<void()>> before;
  std::int64_t now = 0;

  template <class Pipeline>
  result<progress> run(const Pipeline& pipeline, profile where) {
    before.at(0)();
    query_environment environment;
    environment.now = [this] { return timestamp{now}; };
    std::size_t next = 1;
    const auto on_batch = [&](const progress&) {
      if (next < before.size()) before[next++]();
    };
    where.trigger.kind = trigger_kind::available_now;
    result<query> running = start_program(*lower(pipeline), where, on_batch, environment);
    if (!running) return running.error();
    running->await();
    if (result<void> outcome = running->outcome(); !outcome) return outcome.error();
    return running->totals();
  }
};

class written_files {
 public:
  written_files() { std::filesystem::create_directories(directory_); }
  ~written_files() { std::filesystem::remove_all(directory_); }
  std::string path(const std::string& name) const { return (directory_ / name).string(); }
  /// As a writer should: elsewhere, and then renamed into place.
  void write(const std::string& name, const std::string& content) const {
    std::ofstream(directory_ / (".new_" + name)) << content;
    std::filesystem::rename(directory_ / (".new_" + name), directory_ / name);
  }

 private:
  std::filesystem::path directory_ =
      std::filesystem::temp_directory_path() / ("etlantic_lookup_" + std::to_string(std::random_device{}()));
};

}  // namespace

TEST_CASE("JN-13: the static side changes between batches, and each batch meets the newest version") {
  naming_run run;
  // All orders are there at the start, so that both batches are of one query; the reference changes in between.
  run.orders->add({{1, 1, 0}});
  run.orders->add({{2, 1, 0}});
  batches each{
      {[&] { run.customers->replace({{1, text("a"), 0}}); }, [&] { run.customers->replace({{1, text("b"), 0}}); }}};
  const auto done = each.run(Naming<NameFound>{}, run.where);
  INFO((done ? "" : done.error().message));
  REQUIRE(done.ok());
  CHECK(run.named->rows() == std::vector<Named>{of(1, "a"), of(2, "b")});
}

TEST_CASE("JN-13: the static side is a file that is replaced, whatever reads the stream") {
  const auto workers = GENERATE(std::size_t{1}, std::size_t{3});
  const written_files files;
  naming_run run;
  run.where.workers = workers;
  run.where.assets["customers"] = {.connector = "file", .options = {{"path", files.path("customers.json")}}};
  run.orders->add({{1, 1, 0}});
  run.orders->add({{2, 1, 0}, {3, 2, 0}});
  run.orders->add({{4, 1, 0}});
  batches each{{[&] { files.write("customers.json", R"({"customer":1,"name":"a","limit":1})"); },
                [&] {
                  files.write("customers.json", R"({"customer":1,"name":"b","limit":1})"
                                                "\n"
                                                R"({"customer":2,"name":"c","limit":1})"
                                                "\n");
                },
                [&] { files.write("customers.json", R"({"customer":1,"name":"d","limit":1})"); }}};
  const auto done = each.run(Naming<NameAll>{}, run.where);
  INFO((done ? "" : done.error().message));
  REQUIRE(done.ok());
  CHECK(run.named->rows() == std::vector<Named>{of(1, "a"), of(2, "b"), of(3, "c"), of(4, "d")});
}

TEST_CASE("null keys never match, several rows of a key are several results, and rows without any are counted") {
  naming_run run;
  run.customers->replace({{1, text("one"), 0}, {{}, text("nobody"), 0}, {2, text("two"), 0}, {1, text("uno"), 0}});
  run.orders->add({{1, 1, 0}, {2, {}, 0}, {3, 3, 0}, {4, 2, 0}});
  SECTION("they come out alone where the join keeps them") {
    const auto done = etlantic::run(Naming<NameAll>{}, run.where);
    REQUIRE(done.ok());
    CHECK(run.named->rows() ==
          std::vector<Named>{of(1, "one"), of(1, "uno"), of(2, nullptr), of(3, nullptr), of(4, "two")});
    CHECK(done->steps.at(0).counts.kept == 4);
    CHECK(done->steps.at(0).counts.filtered == 0);
    CHECK(done->extracts.at(1).read == 4);
  }
  SECTION("and are filtered where it does not") {
    const auto done = etlantic::run(Naming<NameFound>{}, run.where);
    REQUIRE(done.ok());
    CHECK(run.named->rows() == std::vector<Named>{of(1, "one"), of(1, "uno"), of(4, "two")});
    CHECK(done->steps.at(0).counts.kept == 2);
    CHECK(done->steps.at(0).counts.filtered == 2);
    CHECK(done->steps.at(0).counts.emitted == 3);
  }
}

TEST_CASE("an empty reference matches nothing, and one that is not there is a failure") {
  naming_run run;
  run.orders->add({{1, 1, 0}});
  SECTION("empty") {
    REQUIRE(etlantic::run(Naming<NameAll>{}, run.where).ok());
    CHECK(run.named->rows() == std::vector<Named>{of(1, nullptr)});
  }
  SECTION("not there") {
    run.where.assets["customers"] = {.connector = "file", .options = {{"path", "/nowhere/customers.json"}}};
    const auto done = etlantic::run(Naming<NameAll>{}, run.where);
    REQUIRE_FALSE(done.ok());
    INFO(done.error().message);
    CHECK(done.error().where.find("/nowhere") != std::string::npos);
  }
}

// ---- when it is read again ------------------------------------------------------------------------------------------

namespace {

template <class Step>
std::vector<Named> names_by_rule(refresh_rule rule) {
  naming_run run;
  for (std::int64_t i = 0; i < 4; ++i) run.orders->add({{i, 1, 0}});
  batches each;
  for (const char* name : {"a", "b", "c", "d"})
    each.before.push_back([&run, &each, name] {
      run.customers->replace({{1, text(name), 0}});
      each.now += 10'000'000;
    });
  Naming<Step> pipeline;
  pipeline.naming.with.customers.refresh = rule;
  const auto done = each.run(pipeline, run.where);
  REQUIRE(done.ok());
  return run.named->rows();
}

}  // namespace

TEST_CASE("a reference is read again as its rule says") {
  CHECK(names_by_rule<NameAll>(refreshed_each_batch()) ==
        std::vector<Named>{of(0, "a"), of(1, "b"), of(2, "c"), of(3, "d")});
  CHECK(names_by_rule<NameAll>(refreshed_once()) == std::vector<Named>{of(0, "a"), of(1, "a"), of(2, "a"), of(3, "a")});
  CHECK(names_by_rule<NameAll>(refreshed_every(20s)) ==
        std::vector<Named>{of(0, "a"), of(1, "a"), of(2, "c"), of(3, "c")});
  CHECK(names_by_rule<NameAll>(refreshed_every(10s)) ==
        std::vector<Named>{of(0, "a"), of(1, "b"), of(2, "c"), of(3, "d")});
}

TEST_CASE("a plan names the reference and when it is read again") {
  Naming<NameFound> pipeline;
  pipeline.naming.with.customers.refresh = refreshed_every(1h);
  const program shown = *lower(pipeline);
  const program_node& step = *shown.find("naming");
  CHECK(step.state_schema.empty());
  REQUIRE(step.operators.size() == 2);
  CHECK(step.operators[0].name == "lookup_join");
  std::string settings;
  for (const setting& each : step.operators[0].settings) settings += each.name + "=" + each.value + "; ";
  CHECK(settings == "kind=inner; stream=orders; reference=customers; keys=customer; ");
  REQUIRE(step.parameters.size() == 1);
  CHECK(step.parameters[0].name == "customers");
  CHECK(step.parameters[0].value == "reference, read again every 1h");
  for (const std::string& each : shown.warnings) CHECK(each.find("customers") == std::string::npos);
}

namespace {

struct TwoRules {
  extract<Order, "orders"> orders;
  extract<Customer, "customers"> customers;
  step<NameAll, "orders.valid", "customers.valid"> all;
  step<NameFound, "orders.valid", "customers.valid"> found;
  load<Named, "named", "all.result"> named;
  load<Named, "found_names", "found.result"> found_names;
};

}  // namespace

TEST_CASE("steps that share a reference share its rule") {
  naming_run run;
  auto found_names = std::make_shared<memory_sink<Named>>();
  run.where.assets["found_names"].made_sink = found_names;
  run.orders->add({{1, 1, 0}, {2, 2, 0}});
  run.customers->replace({{1, text("a"), 0}});
  TwoRules pipeline;
  pipeline.all.with.customers.refresh = refreshed_once();
  const auto refused = etlantic::run(pipeline, run.where);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().code == "PMPLAN204");
  pipeline.all.with.customers.refresh = {};
  REQUIRE(etlantic::run(pipeline, run.where).ok());
  CHECK(run.named->rows() == std::vector<Named>{of(1, "a"), of(2, nullptr)});
  CHECK(found_names->rows() == std::vector<Named>{of(1, "a")});
}

// ---- rows that break the contract -----------------------------------------------------------------------------------

TEST_CASE("a row of a reference that breaks its contract ends the batch, with its line and reason") {
  const written_files files;
  naming_run run;
  run.where.assets["customers"] = {.connector = "file", .options = {{"path", files.path("customers.json")}}};
  run.orders->add({{1, 1, 0}});
  files.write("customers.json",
              "{\"customer\":1,\"name\":\"a\",\"limit\":1}\n\n{\"customer\":2,\"name\":\"b\",\"limit\":-1}\n"
              "{\"customer\":3,\"name\":\"c\",\"limit\":1}\n{broken\n");
  SECTION("unless somebody takes such rows") {
    const auto done = etlantic::run(Naming<NameAll>{}, run.where);
    REQUIRE_FALSE(done.ok());
    CHECK(done.error().code == "PMSTREAM407");
    INFO(done.error().message);
    CHECK(done.error().message.find("'customers'") != std::string::npos);
    CHECK(done.error().message.find("customers.json, line 3") != std::string::npos);
    CHECK(done.error().message.find("limit=constraint") != std::string::npos);
    CHECK(run.named->rows().empty());
  }
  SECTION("then they go there once, and the others are looked up") {
    run.orders->add({{2, 3, 0}, {3, 2, 0}});
    const auto done = etlantic::run(NamingWithInvalid<NameAll>{}, run.where);
    INFO((done ? "" : done.error().message));
    REQUIRE(done.ok());
    CHECK(run.named->rows() == std::vector<Named>{of(1, "a"), of(2, "c"), of(3, nullptr)});
    REQUIRE(run.wrong->rows().size() == 2);
    CHECK(run.wrong->rows()[0].field == text("limit"));
    CHECK(run.wrong->rows()[0].observed_time.microseconds > 1'600'000'000'000'000);
    CHECK(done->extracts.at(1).invalid == 2);
  }
}

TEST_CASE("a reference that is larger than the profile allows is refused") {
  naming_run run;
  run.where.limits.max_reference_bytes = 2'000;
  run.orders->add({{1, 1, 0}});
  run.customers->replace(std::vector<Customer>(100, {1, text("a name that takes its room"), 0}));
  const auto done = etlantic::run(Naming<NameAll>{}, run.where);
  REQUIRE_FALSE(done.ok());
  CHECK(done.error().code == "PMSTREAM477");
  CHECK(done.error().help.find("limits.max_reference_bytes") != std::string::npos);
}

// ---- against nested loops -------------------------------------------------------------------------------------------

namespace {

struct Rate {
  std::int64_t kind;
  std::int64_t from;
  std::int64_t cents;
};
struct Priced {
  std::int64_t id;
  std::int64_t cents;
};
struct Result {
  std::int64_t id;
  std::optional<std::int64_t> price;
  friend bool operator==(const Result&, const Result&) = default;
};
struct Item {
  std::int64_t id;
  std::optional<std::int64_t> kind;
  std::int64_t size;
};

template <bool KeepsAll>
struct Price {
  input<Item> items;
  reference<Rate> rates;
  output<Result> result;
};
template <bool KeepsAll>
constexpr auto implement(const Price<KeepsAll>& t) {
  const auto items = t.items | etlantic::where(field<"size"> < 90) | derive<"half">(field<"size"> - 10);
  const auto rates = t.rates | etlantic::where(field<"cents"> != 7);
  const auto keys = on<"kind">;
  const auto condition = where_matched(left<"half"> >= right<"from"> && left<"size"> != 20 && right<"cents"> < 60);
  if constexpr (KeepsAll)
    return left_lookup_join(items, rates, keys, condition) | select<Result>(named<"price"> = right<"cents">);
  else
    return lookup_join(items, rates, keys, condition) | select<Result>(named<"price"> = right<"cents">);
}

template <bool KeepsAll>
struct Pricing {
  extract<Item, "items"> items;
  extract<Rate, "rates"> rates;
  step<Price<KeepsAll>, "items.valid", "rates.valid"> price;
  load<Result, "results", "price.result"> results;
};

template <bool KeepsAll>
void compare_with_loops(unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&](std::int64_t end) { return static_cast<std::int64_t>(random() % static_cast<unsigned>(end)); };
  auto items = std::make_shared<memory_source<Item>>();
  auto rates = std::make_shared<memory_source<Rate>>();
  auto results = std::make_shared<memory_sink<Result>>();
  profile where;
  where.assets["items"].made_source = items;
  where.assets["rates"].made_source = rates;
  where.assets["results"].made_sink = results;
  const std::int64_t kinds = 1 + below(20);
  std::vector<Result> expected;
  batches each;
  const std::int64_t rounds = 1 + below(4);
  std::vector<std::vector<Rate>> versions;
  for (std::int64_t round = 0; round < rounds; ++round) {
    std::vector<Rate> rows(static_cast<std::size_t>(below(seed % 7 == 0 ? 2'000 : 60)));
    for (Rate& row : rows) row = {below(kinds), below(100), below(80)};
    std::vector<Item> given(static_cast<std::size_t>(1 + below(150)));
    for (Item& row : given)
      row = {below(1'000'000), below(9) == 0 ? std::optional<std::int64_t>() : below(kinds), below(100)};
    items->add(given);
    for (const Item& item : given) {
      if (item.size >= 90) continue;
      bool found = false;
      for (const Rate& rate : rows) {
        if (rate.cents == 7 || item.kind != rate.kind) continue;
        if (item.size - 10 < rate.from || item.size == 20 || rate.cents >= 60) continue;
        expected.push_back({item.id, rate.cents});
        found = true;
      }
      if (KeepsAll && !found) expected.push_back({item.id, {}});
    }
    versions.push_back(std::move(rows));
  }
  for (const auto& version : versions) each.before.push_back([&rates, &version] { rates->replace(version); });
  const auto done = each.run(Pricing<KeepsAll>{}, where);
  INFO((done ? "" : done.error().message));
  REQUIRE(done.ok());
  REQUIRE(results->rows() == expected);
  const stage_counts& counts = done->steps.at(0).counts;
  REQUIRE(counts.received == accounted_for(counts));
}

}  // namespace

TEST_CASE("random lookups give what nested loops give, in their order") {
  for (unsigned seed = 1; seed <= 150; ++seed) {
    INFO("seed " << seed);
    compare_with_loops<false>(seed);
    compare_with_loops<true>(seed);
  }
}

namespace {

struct result_rows final : stage_outputs {
  std::vector<Result> rows;
  result<void> emit(std::size_t port, const block& given) override {
    if (port == 0)
      for (std::size_t row = 0; row < given.rows; ++row) rows.push_back(row_at<Result>(given, row));
    return {};
  }
};

template <class Row>
std::vector<block> blocks_of(const std::vector<Row>& rows, std::size_t rows_per_block) {
  std::vector<block> made;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i % rows_per_block == 0) made.emplace_back(schema_of<Row>());
    append_row(made.back(), rows[i]);
  }
  return made;
}

}  // namespace

TEST_CASE("results and their order do not depend on how the stream and the reference are cut into blocks") {
  std::mt19937 random(11);
  std::vector<Rate> rates;
  std::vector<Item> items;
  for (std::int64_t i = 0; i < 3'000; ++i) rates.push_back({i % 3, i % 70, i % 80});
  for (std::int64_t i = 0; i < 200; ++i)
    items.push_back({i, static_cast<std::int64_t>(random() % 4), static_cast<std::int64_t>(random() % 100)});
  const auto with_blocks = [&](std::size_t of_items, std::size_t of_rates) {
    Price<true> transformation;
    const auto chain = implement(etlantic::detail::with_numbered_ports(transformation));
    auto work = etlantic::detail::lower_stream(chain, {.step = "price"});
    result_rows out;
    for (int version = 0; version < 2; ++version) {  // the second takes the place of the first
      work->begin({});
      work->begin_reference(1);
      for (const block& each : blocks_of(rates, of_rates)) REQUIRE(work->add_reference(1, each).ok());
    }
    for (const block& each : blocks_of(items, of_items)) REQUIRE(work->process(0, each, out).ok());
    REQUIRE(work->finish(out).ok());
    REQUIRE(work->counts().received == 200);
    REQUIRE(accounted_for(work->counts()) == 200);
    return out.rows;
  };
  const std::vector<Result> at_once = with_blocks(1'000, 10'000);
  CHECK(at_once.size() > 10'000);
  CHECK(with_blocks(1, 1) == at_once);
  CHECK(with_blocks(67, 129) == at_once);
}

// ---- memory ---------------------------------------------------------------------------------------------------------

TEST_CASE("a million rows of reference take their own room, however many batches and versions there are") {
  naming_run run;
  const std::int64_t count = 1'000'000;
  std::vector<Customer> rows;
  for (std::int64_t i = 0; i < count; ++i) rows.push_back({i, text("name " + std::to_string(i % 1'000)), i});
  std::int64_t greatest = 0, first = 0;
  run.orders->add({{1, 5, 0}, {2, count - 1, 0}, {3, count, 0}});
  for (std::int64_t i = 0; i < 5; ++i) run.orders->add({{10 + i, i, 0}});
  batches each;
  each.before.push_back([&] { run.customers->replace(rows); });
  each.before.push_back([&] {});
  each.before.push_back([&] { run.customers->replace(rows); });
  each.before.push_back([&] {
    rows[3].name = text("another");
    run.customers->replace(rows);
  });
  std::vector<progress> seen;
  run.where.trigger.kind = trigger_kind::available_now;
  each.before.push_back([&] {});
  const auto done = each.run(Naming<NameAll>{}, run.where);
  REQUIRE(done.ok());
  first = greatest = done->steps.at(0).state.bytes;
  CHECK(greatest < count * 250);
  CHECK(first > count * 40);
  CHECK(run.named->rows() == std::vector<Named>{of(1, "name 5"), of(2, "name 999"), of(3, nullptr), of(10, "name 0"),
                                                of(11, "name 1"), of(12, "name 2"), of(13, "another"),
                                                of(14, "name 4")});
}
