#include "recovery/hand_made_pipeline.hpp"
#include "support/catch.hpp"
#include "support/data.hpp"

#include <etlantic/core/format_decimal.hpp>
#include <etlantic/etlantic.hpp>
#include <etlantic/runtime/changed_state.hpp>
#include <etlantic/runtime/checkpoint_identity.hpp>
#include <etlantic/runtime/checkpoint_rewind.hpp>
#include <etlantic/runtime/durable_file.hpp>
#include <etlantic/runtime/renamed_fields.hpp>

#include <fstream>

using namespace etlantic;
using namespace std::chrono_literals;

namespace {

struct Sale {
  std::int64_t customer;
  decimal<10, 2> amount;
  text article;
  timestamp time;
};

/// Version 1.
struct Hour {
  std::int64_t customer;
  std::int64_t sales;
  decimal<20, 2> total;
};
/// Version 2: four new aggregates, in front of the old ones too.
struct WiderHour {
  std::int64_t customer;
  std::optional<decimal<10, 2>> largest;
  std::int64_t sales;
  decimal<20, 2> total;
  std::optional<std::int64_t> since;
  std::int64_t big;
  std::optional<double> mean;
};
/// Version 3: of the aggregates only one that came with version 2.
struct ShortHour {
  std::int64_t customer;
  std::optional<decimal<10, 2>> largest;
};
/// A new aggregate that cannot begin with nothing.
struct StrictHour {
  std::int64_t customer;
  std::int64_t sales;
  decimal<20, 2> total;
  decimal<10, 2> largest;
};

const auto hours = from<Sale>("sales") | watermark<"time">(0s) | group_by<"customer"> | tumbling<"time">(1h);

template <class Out>
auto pipeline_of() {
  const auto into_hours = into<output_mode::append>("hours");
  if constexpr (std::is_same_v<Out, Hour>)
    return hours | aggregate<Hour>(named<"sales"> = count(), named<"total"> = sum(field<"amount">)) | into_hours;
  else if constexpr (std::is_same_v<Out, WiderHour>)
    return hours |
           aggregate<WiderHour>(named<"largest"> = max(field<"amount">), named<"sales"> = count(),
                                named<"total"> = sum(field<"amount">), named<"since"> = count(),
                                named<"big"> = count_if(field<"amount"> > decimal<10, 2>("4.00")),
                                named<"mean"> = avg(cast<double>(field<"amount">))) |
           into_hours;
  else if constexpr (std::is_same_v<Out, ShortHour>)
    return hours | aggregate<ShortHour>(named<"largest"> = max(field<"amount">)) | into_hours;
  else
    return hours |
           aggregate<StrictHour>(named<"sales"> = count(), named<"total"> = sum(field<"amount">),
                                 named<"largest"> = max(field<"amount">)) |
           into_hours;
}

template <class T>
std::string text_of(const T& value) {
  if constexpr (requires { value.has_value(); })
    return value ? text_of(*value) : "-";
  else if constexpr (requires { value.scaled; })
    return format_decimal(value.scaled, 2);
  else
    return std::to_string(value);
}
std::string text_of(const Hour& of) { return text_of(of.customer) + " " + text_of(of.sales) + " " + text_of(of.total); }
std::string text_of(const WiderHour& of) {
  return text_of(of.customer) + " " + text_of(of.largest) + " " + text_of(of.sales) + " " + text_of(of.total) + " " +
         text_of(of.since) + " " + text_of(of.big) + " " + text_of(of.mean);
}
std::string text_of(const ShortHour& of) { return text_of(of.customer) + " " + text_of(of.largest); }
std::string text_of(const StrictHour& of) { return text_of(of.customer); }

/// Refuses one batch, before it is committed.
template <class Out>
class refusing_sink final : public sink {
 public:
  explicit refusing_sink(std::int64_t refused) : refused_(refused) {}
  memory_sink<Out> taken;

  result<void> open(const schema& contract, output_mode mode, const publisher& who) override {
    return taken.open(contract, mode, who);
  }
  result<void> prepare(const publication& what) override {
    if (what.batch == refused_) return failure{failure_class::sink_rejected, "TEST", "refused", "hours", ""};
    return taken.prepare(what);
  }
  result<void> commit(std::int64_t batch) override { return taken.commit(batch); }
  void abort() override { taken.abort(); }
  std::string describe() const override { return "refusing"; }

 private:
  std::int64_t refused_;
};

using sale_batches = std::vector<std::vector<Sale>>;

/// What a run leaves.
struct ran {
  result<void> outcome;
  std::vector<std::string> rows;  ///< sorted
  std::vector<std::string> warnings;
};

struct how_to_run {
  std::string checkpoint;
  std::int64_t refused = -1;
  duration snapshot_interval{0};
};

template <class Out, class Row, class Chain>
ran run_chain(const how_to_run& how, const std::vector<std::vector<Row>>& batches, const Chain& chain) {
  const auto sales = std::make_shared<memory_source<Row>>();
  for (const auto& each : batches) sales->add(each);
  const auto hours_sink = std::make_shared<refusing_sink<Out>>(how.refused);
  profile where;
  where.trigger.kind = trigger_kind::available_now;
  where.checkpoint = how.checkpoint;
  where.snapshot_interval = how.snapshot_interval;
  where.no_data_batches = false;
  where.assets["sales"].made_source = sales;
  where.assets["hours"].made_sink = hours_sink;
  result<query> started = start_program(*lower(chain), where);
  if (!started) return {started.error(), {}, {}};
  started->await();
  ran done{started->outcome(), {}, started->totals().warnings};
  for (const Out& each : hours_sink->taken.rows()) done.rows.push_back(text_of(each));
  std::sort(done.rows.begin(), done.rows.end());
  return done;
}

template <class Out>
ran run_version(const how_to_run& how, const sale_batches& batches) {
  return run_chain<Out>(how, batches, pipeline_of<Out>());
}

Sale sale(std::int64_t customer, const char* amount, std::int64_t seconds) {
  return {customer, decimal<10, 2>(amount), "a", timestamp{seconds * test::second}};
}

const std::vector<Sale> first_sales{sale(1, "12.50", 60), sale(1, "1.00", 60), sale(2, "0.07", 60)};
const std::vector<Sale> second_sales{sale(1, "5.00", 120), sale(1, "3.00", 120), sale(3, "9.00", 120)};
const std::vector<Sale> next_hour{sale(9, "1.00", 7200)};
const std::vector<Sale> end{sale(9, "1.00", 14400)};

/// Customer 1: 12.50 + 1.00 before the change, 5.00 + 3.00 after it. 2: only before. 3: only after.
const std::vector<std::string> as_calculated{"1 5.00 4 21.50 2 1 4.000000", "2 - 1 0.07 0 0 -",
                                             "3 9.00 1 9.00 1 1 9.000000"};
const std::vector<std::string> as_version_1{"1 4 21.50", "2 1 0.07", "3 1 9.00"};

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
checkpoint_identity identity_in(const std::string& checkpoint) {
  const std::string path = checkpoint_layout{checkpoint}.identity();
  return *read_identity_record(read_text(path), path);
}

/// From the file of a name on nothing is written, as if the process had been killed.
class kill_at : public file_fault_injector {
 public:
  explicit kill_at(std::string name) : name_(std::move(name)) { injected_file_faults = this; }
  kill_at(const kill_at&) = delete;
  kill_at& operator=(const kill_at&) = delete;
  ~kill_at() override { injected_file_faults = nullptr; }
  file_fault before(file_operation, const std::string& path) override {
    dead_ = dead_ || path.find(name_) != std::string::npos;
    return dead_ ? file_fault{EIO} : file_fault{};
  }

 private:
  std::string name_;
  bool dead_ = false;
};

}  // namespace

TEST_CASE("new aggregates with optional fields begin with nothing in groups that are there") {
  const test::temporary_directory kept;
  const how_to_run how{kept / "checkpoint"};
  REQUIRE(run_version<Hour>(how, {first_sales}).outcome.ok());
  const ran changed = run_version<WiderHour>(how, {first_sales, second_sales, next_hour, end});
  INFO((changed.outcome ? std::string() : changed.outcome.error().message));
  REQUIRE(changed.outcome.ok());
  CHECK(changed.rows == as_calculated);
  std::vector<std::string> told;
  for (const std::string& each : changed.warnings)
    if (each.find("begins with nothing in groups that are there") != std::string::npos) told.push_back(each);
  CHECK(told.size() == 4);
  CHECK(told[0].find("'largest' is new") != std::string::npos);
  // It is the pipeline of the checkpoint now.
  CHECK(run_version<WiderHour>(how, {first_sales, second_sales, next_hour, end}).warnings.empty());
}

TEST_CASE("aggregates that are gone are passed over, and what the others kept stays") {
  const test::temporary_directory kept;
  const how_to_run how{kept / "checkpoint"};
  REQUIRE(run_version<WiderHour>(how, {first_sales}).outcome.ok());
  SECTION("back to version 1") {
    const ran back = run_version<Hour>(how, {first_sales, second_sales, next_hour, end});
    INFO((back.outcome ? std::string() : back.outcome.error().message));
    REQUIRE(back.outcome.ok());
    CHECK(back.rows == as_version_1);
    SECTION("and again to version 2, which begins anew") {
      CHECK(run_version<WiderHour>(how, {first_sales, second_sales, next_hour, end, {sale(8, "1.00", 21600)}}).rows ==
            std::vector<std::string>{"9 - 1 1.00 0 0 -"});
    }
  }
  SECTION("on to version 3") {
    const ran changed = run_version<ShortHour>(how, {first_sales, second_sales, next_hour, end});
    REQUIRE(changed.outcome.ok());
    CHECK(changed.rows == std::vector<std::string>{"1 12.50", "2 0.07", "3 9.00"});
  }
}

TEST_CASE("a new aggregate whose field is not optional is refused before anything is written") {
  const test::temporary_directory kept;
  const how_to_run how{kept / "checkpoint"};
  REQUIRE(run_version<Hour>(how, {first_sales}).outcome.ok());
  const std::string before = read_text(checkpoint_layout{how.checkpoint}.identity());
  const ran refused = run_version<StrictHour>(how, {first_sales, second_sales});
  REQUIRE_FALSE(refused.outcome.ok());
  CHECK(refused.outcome.error().code == "PMSTREAM465");
  CHECK_THAT(refused.outcome.error().message,
             Catch::Contains("aggregate 'largest' is new, and its field is not optional"));
  CHECK_THAT(refused.outcome.error().help, Catch::Contains("aggregates with optional fields may be added"));
  CHECK(read_text(checkpoint_layout{how.checkpoint}.identity()) == before);
  CHECK(run_version<Hour>(how, {first_sales, second_sales, next_hour, end}).rows == as_version_1);
}

TEST_CASE("until the new version commits a batch, the old one can be started again") {
  const test::temporary_directory kept;
  for (const duration interval : {duration{0}, duration{24h}}) {
    const how_to_run how{kept / ("checkpoint" + std::to_string(interval.count())), -1, interval};
    REQUIRE(run_version<Hour>(how, {first_sales}).outcome.ok());
    how_to_run crashing = how;
    SECTION("a batch is planned and not published" + std::to_string(interval.count())) {
      crashing.refused = 1;
      CHECK_FALSE(run_version<WiderHour>(crashing, {first_sales, second_sales, next_hour, end}).outcome.ok());
      CHECK(identity_in(how.checkpoint).earlier.empty());
    }
    SECTION("its commit record is not written" + std::to_string(interval.count())) {
      const kill_at commit(checkpoint_layout::file_name(1, ".commit"));
      CHECK_FALSE(run_version<WiderHour>(crashing, {first_sales, second_sales, next_hour, end}).outcome.ok());
      CHECK(identity_in(how.checkpoint).earlier.size() == 1);
    }
    SECTION("the identity is not written" + std::to_string(interval.count())) {
      const kill_at identity("identity.json");
      CHECK_FALSE(run_version<WiderHour>(crashing, {first_sales, second_sales, next_hour, end}).outcome.ok());
    }
    SECTION("nothing was there to read" + std::to_string(interval.count())) {
      CHECK(run_version<WiderHour>(crashing, {first_sales}).outcome.ok());
    }
    const std::string copy = how.checkpoint + "-copy";
    std::filesystem::copy(how.checkpoint, copy, std::filesystem::copy_options::recursive);
    const ran back = run_version<Hour>(how, {first_sales, second_sales, next_hour, end});
    INFO((back.outcome ? std::string() : back.outcome.error().message));
    CHECK(back.rows == as_version_1);
    CHECK(run_version<WiderHour>({copy, -1, interval}, {first_sales, second_sales, next_hour, end}).rows ==
          as_calculated);
  }
}

TEST_CASE("a crash behind the first commit of the new version finds the old snapshot and goes on") {
  const test::temporary_directory kept;
  const how_to_run how{kept / "checkpoint", -1, 24h};
  REQUIRE(run_version<Hour>(how, {first_sales}).outcome.ok());
  how_to_run crashing = how;
  crashing.refused = 2;
  REQUIRE_FALSE(run_version<WiderHour>(crashing, {first_sales, second_sales, next_hour, end}).outcome.ok());
  const checkpoint_identity now = identity_in(how.checkpoint);
  REQUIRE(now.earlier.size() == 1);
  CHECK(now.earlier[0].last_batch == 0);
  CHECK(now.earlier[0].state_schema.find(
            "aggregate sales = count() int64; aggregate total = sum(amount) decimal(20,2)") != std::string::npos);
  CHECK(run_version<Hour>(how, {first_sales, second_sales, next_hour, end}).outcome.error().code == "PMSTREAM468");
  CHECK(run_version<WiderHour>(how, {first_sales, second_sales, next_hour, end}).rows == as_calculated);
}

TEST_CASE("a checkpoint that is set back to before a change is read as it was then") {
  const test::temporary_directory kept;
  const how_to_run how{kept / "checkpoint"};
  REQUIRE(run_version<Hour>(how, {first_sales}).outcome.ok());
  REQUIRE(run_version<WiderHour>(how, {first_sales, second_sales}).outcome.ok());
  REQUIRE(run_version<ShortHour>(how, {first_sales, second_sales, next_hour, end}).outcome.ok());
  CHECK(identity_in(how.checkpoint).earlier.size() == 2);
  REQUIRE(rewind_checkpoint(how.checkpoint, 0).ok());
  // Of batch 0 only version 1 knew anything, and that is nothing of what version 3 keeps.
  const ran again = run_version<ShortHour>(how, {first_sales, second_sales, next_hour, end});
  INFO((again.outcome ? std::string() : again.outcome.error().message));
  CHECK(again.rows == std::vector<std::string>{"1 5.00", "2 -", "3 9.00"});
}

TEST_CASE("an identity of version 2 has the bytes of the golden file") {
  const std::string path = (test::golden_folder() / "checkpoint" / "identity-version-2.json").string();
  const result<checkpoint_identity> read = read_identity_record(read_text(path), path);
  REQUIRE(read.ok());
  CHECK(read->earlier == std::vector<earlier_state>{{4, "hours", "key customer int64; aggregate n = count() int64"},
                                                    {7, "days", "aggregate n = count() int64"}});
  CHECK(to_record(*read) == read_text(path));
  CHECK(state_schema_at(*read, "hours", 4) == "key customer int64; aggregate n = count() int64");
  CHECK(state_schema_at(*read, "hours", 5) ==
        "key customer int64; aggregate n = count() int64; "
        "aggregate m = max(x) int64 optional");
  CHECK(state_schema_at(*read, "elsewhere", 5).empty());
}

TEST_CASE("which states can be read as others") {
  const auto reason = [](std::string_view old, std::string_view now) {
    const detail::state_change change = detail::change_of_state(old, now);
    return change.readable ? "" : change.reason.empty() ? "no" : change.reason;
  };
  const std::string n = "key k text; aggregate n = count() int64";
  CHECK(reason(n, n).empty());
  CHECK_FALSE(detail::change_of_state(n, n).rearranged);
  CHECK(reason(n, n + "; aggregate m = max(x) int64 optional").empty());
  CHECK(reason(n, n + "; aggregate d = count_distinct(x) int64 of text").empty());
  CHECK(reason(n, n + "; aggregate m = max(x) int64") ==
        "aggregate 'm' is new, and its field is not optional: groups that are there have nothing to begin it with");
  CHECK(reason(n, "key other text; aggregate n = count() int64; aggregate m = max(x) int64 optional") == "no");
  CHECK(reason(n, "key k text; tumbling t 1h offset 0us; aggregate n = count() int64") == "no");
  CHECK(reason(n, "key k text; aggregate n = count(x) int64") == "aggregate 'n' is another one");
  CHECK(reason(n + " optional", n) ==
        "the field of aggregate 'n' is not optional any more, and groups that are there may hold nothing for it");
  CHECK(reason(n, n + " optional").empty());
  // Sessions keep their groups in another way, and several states of one step are not told apart.
  const std::string session = "key k text; session t gap 5min duration; aggregate n = count() int64";
  CHECK(reason(session, session + "; aggregate m = max(x) int64 optional") != "");
  CHECK(reason(n + " | " + n, n + " | " + n + "; aggregate m = max(x) int64 optional") != "");
  CHECK(reason(n + " | " + session, n + " | " + session).empty());
  CHECK(reason(n + " | " + session, n + " optional | " + session).empty());
  CHECK(reason(n + " | " + n, n) != "");
  CHECK(reason(n, n + " | " + n) != "");
  // Means of before, of which only new checkpoints say of what.
  CHECK(reason("aggregate m = avg(x) float64", "aggregate m = avg(x) float64 of int64").empty());
  CHECK_FALSE(reason("aggregate m = avg(x) float64 of float64", "aggregate m = avg(x) float64 of int64").empty());

  const auto bytes = [](const std::string& gone) -> std::string {
    const detail::state_change change = detail::change_of_state(
        "aggregate a = " + gone + "; aggregate n = count() int64", "aggregate n = count() int64");
    if (!change.readable) return "no";
    return std::to_string(change.parts[0].bytes) + (change.parts[0].has_text ? "+" : "");
  };
  CHECK(bytes("count() int64") == "8");
  CHECK(bytes("count_if(a > b) int64") == "8");
  CHECK(bytes("sum((a + b) * c) int64") == "18");
  CHECK(bytes("sum(x) float64") == "9");
  CHECK(bytes("avg(x) float64 of float32") == "17");
  CHECK(bytes("avg(x) float64 of int32 optional") == "26");
  CHECK(bytes("avg(x) decimal(14,6)") == "26");
  CHECK(bytes("avg(x) float64") == "no");
  CHECK(bytes("min(x) bool") == "2");
  CHECK(bytes("max(x) decimal(18,2)") == "9");
  CHECK(bytes("max(x) decimal(19,2) optional") == "17");
  CHECK(bytes("max(x) date") == "5");
  CHECK(bytes("max(x) text") == "1+");
  CHECK(bytes("max(x) enum") == "no");
  CHECK(bytes("variance(x) float64") == "24");
  CHECK(bytes("count_distinct(x) int64 of text") == "no");
  CHECK(bytes("min") == "no");
  CHECK(bytes("") == "no");
}

TEST_CASE("what an operator means is compared without its aggregates") {
  const std::string schema = "key k text; aggregate a = sum(x) int64; aggregate b = max(y) decimal(8,2) optional";
  CHECK(detail::without_aggregates("in.valid | group_by(k=k) | aggregate(a=sum(x), b=max(y)) | event time t", schema) ==
        "in.valid | group_by(k=k) | aggregate | event time t");
  CHECK(detail::without_aggregates("aggregate(a=sum(x), c=max(y))", schema) == "aggregate(a=sum(x), c=max(y))");
  CHECK(detail::without_aggregates("aggregate(a=sum(x)", schema) == "aggregate(a=sum(x)");
  CHECK(detail::without_aggregates("aggregate(a=sum(x))", "") == "aggregate(a=sum(x))");
  CHECK(detail::without_aggregates("aggregate(a=sum(x + f(y, b=1)))", "aggregate a = sum(x + f(y, b=1)) int64") ==
        "aggregate");
}

namespace {

/// One of each aggregate that can be left out.
struct Everything {
  std::int64_t customer;
  std::int64_t n;
  std::int64_t some;
  decimal<20, 2> total;
  double real;
  decimal<14, 6> mean;
  double real_mean;
  std::optional<double> spread;
  text article;
  timestamp latest;
  decimal<10, 2> least;
};
struct OnlyLeast {
  std::int64_t customer;
  decimal<10, 2> least;
};

template <class Out>
result<std::string> least_of(const std::string& checkpoint, const sale_batches& batches) {
  const auto sales = std::make_shared<memory_source<Sale>>();
  for (const auto& each : batches) sales->add(each);
  const auto published = std::make_shared<memory_sink<Out>>();
  profile where;
  where.trigger.kind = trigger_kind::available_now;
  where.checkpoint = checkpoint;
  where.assets["sales"].made_source = sales;
  where.assets["hours"].made_sink = published;
  const auto groups = from<Sale>("sales") | watermark<"time">(0s) | group_by<"customer"> | tumbling<"time">(1h);
  const auto amount = field<"amount">;
  const auto what = [&] {
    if constexpr (std::is_same_v<Out, Everything>)
      return groups |
             aggregate<Everything>(named<"n"> = count(), named<"some"> = count_if(amount > decimal<10, 2>("4.00")),
                                   named<"total"> = sum(amount), named<"real"> = sum(cast<double>(amount)),
                                   named<"mean"> = avg(amount), named<"real_mean"> = avg(cast<double>(amount)),
                                   named<"spread"> = variance(amount), named<"article"> = max(field<"article">),
                                   named<"latest"> = max(field<"time">), named<"least"> = min(amount));
    else
      return groups | aggregate<OnlyLeast>(named<"least"> = min(amount));
  }();
  result<query> started = start_program(*lower(what | into<output_mode::append>("hours")), where);
  if (!started) return started.error();
  started->await();
  if (const result<void> done = started->outcome(); !done) return done.error();
  std::string text;
  for (const Out& each : published->rows()) text += text_of(each.customer) + " " + text_of(each.least) + "\n";
  return text;
}

}  // namespace

TEST_CASE("every aggregate of which it is said can be left out") {
  const test::temporary_directory kept;
  std::vector<Sale> rows = first_sales;
  rows[0].article = std::string(300, 'z');
  REQUIRE(least_of<Everything>(kept / "checkpoint", {rows}).ok());
  const result<std::string> least =
      least_of<OnlyLeast>(kept / "checkpoint", {rows, {sale(1, "7.00", 60)}, next_hour, end});
  INFO((least ? *least : least.error().message));
  REQUIRE(least.ok());
  CHECK(*least == "2 0.07\n1 1.00\n9 1.00\n");
}

// ---- fields with other names ----------------------------------------------------------------------------------------

namespace {

struct RenamedSale {
  checked<std::int64_t, renamed_from<"customer">> client;
  checked<decimal<10, 2>, renamed_from<"amount">> price;
  text article;
  checked<timestamp, renamed_from<"time">> at;
};
struct RenamedHour {
  checked<std::int64_t, renamed_from<"customer">> client;
  std::int64_t sales;
  checked<decimal<20, 2>, renamed_from<"total">> turnover;
};
/// A version later, in which nobody remembers the old names.
struct LaterSale {
  std::int64_t client;
  decimal<10, 2> price;
  text article;
  timestamp at;
};
struct LaterHour {
  std::int64_t client;
  std::int64_t sales;
  decimal<20, 2> turnover;
};
struct RenamedAndWider {
  std::optional<decimal<10, 2>> largest;
  checked<std::int64_t, renamed_from<"customer">> client;
  std::int64_t sales;
  std::optional<checked<decimal<22, 2>, renamed_from<"total">>> turnover;
};
std::string text_of(const RenamedHour& of) {
  return text_of(of.client.value) + " " + text_of(of.sales) + " " + text_of(of.turnover.value);
}
std::string text_of(const LaterHour& of) {
  return text_of(of.client) + " " + text_of(of.sales) + " " + text_of(of.turnover);
}
std::string text_of(const RenamedAndWider& of) {
  return text_of(of.client.value) + " " + text_of(of.sales) + " " + text_of(of.turnover->value) + " " +
         text_of(of.largest);
}

template <class Row, class Out>
ran run_renamed(const how_to_run& how, const sale_batches& batches) {
  std::vector<std::vector<Row>> renamed;
  for (const std::vector<Sale>& batch : batches) {
    renamed.emplace_back();
    for (const Sale& each : batch) renamed.back().push_back({each.customer, each.amount, each.article, each.time});
  }
  const auto groups = from<Row>("sales") | watermark<"at">(0s) | group_by<"client"> | tumbling<"at">(1h);
  const auto into_hours = into<output_mode::append>("hours");
  if constexpr (std::is_same_v<Out, RenamedAndWider>)
    return run_chain<Out>(how, renamed,
                          groups |
                              aggregate<Out>(named<"largest"> = max(field<"price">), named<"sales"> = count(),
                                             named<"turnover"> = sum(field<"price">)) |
                              into_hours);
  else
    return run_chain<Out>(
        how, renamed,
        groups | aggregate<Out>(named<"sales"> = count(), named<"turnover"> = sum(field<"price">)) | into_hours);
}

}  // namespace

TEST_CASE("fields that say how they were called go on under their new names") {
  const test::temporary_directory kept;
  const how_to_run how{kept / "checkpoint"};
  REQUIRE(run_version<Hour>(how, {first_sales}).outcome.ok());
  const ran renamed = run_renamed<RenamedSale, RenamedHour>(how, {first_sales, second_sales});
  INFO((renamed.outcome ? std::string() : renamed.outcome.error().message));
  REQUIRE(renamed.outcome.ok());
  std::vector<std::string> told;
  for (const std::string& each : renamed.warnings)
    if (const std::size_t at = each.find(": field '"); at != std::string::npos) told.push_back(each.substr(at + 2));
  CHECK(told == std::vector<std::string>{"field 'customer' is called 'client' now",
                                         "field 'amount' is called 'price' now", "field 'time' is called 'at' now",
                                         "field 'total' is called 'turnover' now"});
  SECTION("and need not say so once a batch is committed") {
    CHECK(run_renamed<LaterSale, LaterHour>(how, {first_sales, second_sales, next_hour, end}).rows == as_version_1);
  }
  SECTION("and may say so as long as they like") {
    const ran again = run_renamed<RenamedSale, RenamedHour>(how, {first_sales, second_sales, next_hour, end});
    CHECK(again.rows == as_version_1);
    CHECK(again.warnings.empty());
  }
  SECTION("but not under the old ones again") {
    const ran refused = run_version<Hour>(how, {first_sales, second_sales, next_hour});
    REQUIRE_FALSE(refused.outcome.ok());
    CHECK(refused.outcome.error().code == "PMSTREAM465");
    CHECK_THAT(refused.outcome.error().help, Catch::Contains("renamed_from"));
  }
}

TEST_CASE("a field of another name that does not say how it was called is refused") {
  const test::temporary_directory kept;
  const how_to_run how{kept / "checkpoint"};
  REQUIRE(run_version<Hour>(how, {first_sales}).outcome.ok());
  CHECK(run_renamed<LaterSale, LaterHour>(how, {first_sales}).outcome.error().code == "PMSTREAM465");
  CHECK(run_renamed<RenamedSale, LaterHour>(how, {first_sales}).outcome.error().code == "PMSTREAM465");
  CHECK(run_version<Hour>(how, {first_sales, second_sales, next_hour, end}).rows == as_version_1);
}

TEST_CASE("new names and new aggregates may come at once") {
  const test::temporary_directory kept;
  const how_to_run how{kept / "checkpoint", -1, 24h};
  REQUIRE(run_version<Hour>(how, {first_sales}).outcome.ok());
  how_to_run crashing = how;
  crashing.refused = 2;
  REQUIRE_FALSE(
      run_renamed<RenamedSale, RenamedAndWider>(crashing, {first_sales, second_sales, next_hour, end}).outcome.ok());
  CHECK(run_renamed<RenamedSale, RenamedAndWider>(how, {first_sales, second_sales, next_hour, end}).rows ==
        std::vector<std::string>{"1 4 21.50 5.00", "2 1 0.07 -", "3 1 9.00 9.00"});
}

TEST_CASE("batches that have to be computed again are so by the pipeline as it was") {
  const test::temporary_directory kept;
  const how_to_run how{kept / "checkpoint", -1, 24h};
  REQUIRE(run_version<Hour>(how, {first_sales}).outcome.ok());
  how_to_run crashing = how;
  crashing.refused = 2;
  REQUIRE_FALSE(run_version<Hour>(crashing, {first_sales, second_sales, next_hour, end}).outcome.ok());
  CHECK(run_renamed<RenamedSale, RenamedHour>(how, {first_sales, second_sales, next_hour, end}).outcome.error().code ==
        "PMSTREAM468");
  CHECK(run_version<WiderHour>(how, {first_sales, second_sales, next_hour, end}).outcome.error().code == "PMSTREAM468");
  CHECK(run_version<Hour>(how, {first_sales, second_sales, next_hour, end}).rows == as_version_1);
}

TEST_CASE("a word is a new name where the pipeline of now has it") {
  const std::vector<renamed_field> renames{{"s", "time", "at"}, {"s", "count", "n"}, {"s", "qty", "quantity"}};
  const auto named = [&](std::string_view old, std::string_view now) {
    return detail::with_new_names(old, now, "s", renames);
  };
  CHECK(named("event time time", "event time at") == "event time at");
  CHECK(named("sum((qty + qty2) * time)", "sum((quantity + qty2) * at)") == "sum((quantity + qty2) * at)");
  CHECK(named("sum(qty) decimal(20,2)", "sum(quantity) decimal(30,2)") == "sum(quantity) decimal(20,2)");
  CHECK(named("a | qty", "a, qty") == "a | qty");
  CHECK(named("qty", "other") == "qty");
  CHECK(named("qty", "") == "qty");
  CHECK(detail::with_new_names("qty", "quantity", "elsewhere", renames) == "qty");
  CHECK(detail::state_with_new_names("key time date; aggregate count = count() int64; aggregate gone = sum(qty) int64",
                                     "key at date; aggregate x = min(at) date; aggregate n = count() int64 optional",
                                     "s", renames) ==
        "key at date; aggregate n = count() int64; aggregate gone = sum(qty) int64");
}
