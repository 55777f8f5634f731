#include "support.hpp"

#include <etlantic/connect/delta/file_pruning.hpp>
#include <etlantic/connect/delta/source.hpp>
#include <etlantic/runtime/source.hpp>

#include <cmath>
#include <functional>
#include <limits>
#include <random>

using namespace etlantic;
using namespace etlantic::test;

namespace {

using enum comparison;

const field_description reading_fields[] = {nullable(plain_field("n", logical_type::int64)),
                                            nullable(plain_field("t", logical_type::text)),
                                            nullable(plain_field("x", logical_type::float64)),
                                            nullable(plain_field("at", logical_type::timestamp)),
                                            nullable(decimal_field("d", 9, 2)),
                                            nullable(plain_field("day", logical_type::date)),
                                            nullable(plain_field("part", logical_type::text)),
                                            plain_field("id", logical_type::int64)};
const schema readings{.id = "readings", .version = "1", .fields = reading_fields};

std::string statistics(const std::string& least, const std::string& greatest, int rows, int nulls) {
  return R"({"numRecords":)" + std::to_string(rows) + R"(,"minValues":{"v":)" + least + R"(},"maxValues":{"v":)" +
         greatest + R"(},"nullCount":{"v":)" + std::to_string(nulls) + "}}";
}

/// Whether a file with such statistics of its column may have rows for a condition.
bool may(const std::string& statistics, logical_type type, comparison op, decltype(row_condition::value) value,
         int precision = 0, int scale = 0) {
  field_description column =
      nullable(type == logical_type::decimal ? decimal_field("v", precision, scale) : plain_field("v", type));
  const field_description fields[] = {column};
  auto made = std::make_shared<delta::table_schema>();
  made->described.fields = fields;
  const delta::table_layout layout{made, made, {}, {}};
  delta::add_file file;
  file.statistics = statistics;
  const delta::json_document document(file.statistics);
  return delta::may_keep({"v", op, std::move(value)}, column, delta::facts_of(file, document, layout, column));
}
exact_number whole(std::int64_t units, int scale = 0) { return {units, scale}; }

/// Where a row stands to a constant, by the text of the documentation: nothing for null, NaN above all.
using test_value = std::variant<std::nullptr_t, std::int64_t, double, std::string>;
bool holds(const test_value& left, comparison op, const test_value& right) {
  if (left.index() == 0) return false;
  int order = 0;
  if (const auto* real = std::get_if<double>(&left)) {
    const double other = std::get<double>(right);
    order = std::isnan(*real) ? 1 : *real < other ? -1 : *real > other ? 1 : 0;
  } else if (const auto* text = std::get_if<std::string>(&left)) {
    order = text->compare(std::get<std::string>(right));
  } else {
    const auto number = std::get<std::int64_t>(left), other = std::get<std::int64_t>(right);
    order = number < other ? -1 : number > other ? 1 : 0;
  }
  switch (op) {
    case equal: return order == 0;
    case not_equal: return order != 0;
    case less: return order < 0;
    case less_equal: return order <= 0;
    case greater: return order > 0;
    default: return order >= 0;
  }
}

struct id_collector : intake {
  std::vector<std::int64_t> ids;
  result<void> rows(const block& typed) override {
    for (std::size_t row = 0; row < typed.rows; ++row) ids.push_back(typed.columns.back().value<std::int64_t>(row));
    return {};
  }
  result<void> lines(std::string_view, std::int64_t, std::string_view bytes) override {
    FAIL(bytes);
    return {};
  }
};

std::vector<std::int64_t> ids_of(source& from) {
  id_collector into;
  for (const split_range& each : value_of(from.plan({}))) succeed(from.read(each, into));
  std::sort(into.ids.begin(), into.ids.end());
  return into.ids;
}

}  // namespace

TEST_CASE("delta: a file is left out only if no value between its bounds keeps the condition") {
  const std::string tens = statistics("10", "20", 5, 1), one = statistics("7", "7", 3, 0);
  struct expected {
    comparison op;
    std::int64_t value;
    bool kept;
  };
  for (const auto& [op, value, kept] : std::vector<expected>{{equal, 9, false},
                                                             {equal, 10, true},
                                                             {equal, 20, true},
                                                             {equal, 21, false},
                                                             {not_equal, 10, true},
                                                             {less, 10, false},
                                                             {less, 11, true},
                                                             {less_equal, 9, false},
                                                             {less_equal, 10, true},
                                                             {greater, 20, false},
                                                             {greater, 19, true},
                                                             {greater_equal, 21, false},
                                                             {greater_equal, 20, true}})
    for (const logical_type type :
         {logical_type::int8, logical_type::int16, logical_type::int32, logical_type::int64}) {
      INFO(static_cast<int>(op) << ' ' << value);
      CHECK(may(tens, type, op, whole(value)) == kept);
    }
  CHECK_FALSE(may(one, logical_type::int64, not_equal, whole(7)));
  CHECK(may(one, logical_type::int64, not_equal, whole(8)));
  CHECK_FALSE(may(statistics("null", "null", 4, 4), logical_type::int64, not_equal, whole(8)));
  CHECK(may(statistics("null", "null", 4, 3), logical_type::int64, equal, whole(8)));
}

TEST_CASE("delta: what statistics do not say, or others say inexactly, leaves no file out") {
  const logical_type n = logical_type::int64;
  for (const char* unsaid : {"", "{}", "nonsense", R"({"numRecords":3})", R"({"minValues":{"v":1}})",
                             R"({"minValues":{"v":"a"},"maxValues":{"v":"b"}})"})
    CHECK(may(unsaid, n, equal, whole(99)));
  CHECK(may(statistics("1", "2", 2, 0), n, equal, whole(995, 1)));  // 99.5 is no integer: not judged
  CHECK_FALSE(may(statistics("1", "2", 2, 0), n, equal, whole(9900, 2)));
  CHECK(may(statistics("1", "2", 2, 0), n, equal, std::string("99")));
  // Texts may be cut: the bounds are no values. Times are cut to milliseconds, the greatest too.
  CHECK(may(statistics("\"a\"", "\"a\"", 2, 0), logical_type::text, not_equal, std::string("a")));
  CHECK_FALSE(may(statistics("\"b\"", "\"c\"", 2, 0), logical_type::text, less, std::string("b")));
  const std::string time = statistics("\"1970-01-01T00:00:00.001Z\"", "\"1970-01-01T00:00:00.001Z\"", 2, 0);
  CHECK(may(time, logical_type::timestamp, equal, whole(1999)));
  CHECK_FALSE(may(time, logical_type::timestamp, equal, whole(2000)));
  CHECK_FALSE(may(time, logical_type::timestamp, less, whole(1000)));
  CHECK(may(time, logical_type::timestamp, not_equal, whole(1000)));
  CHECK_FALSE(may(statistics("\"1970-01-02\"", "\"1970-01-03\"", 2, 0), logical_type::date, greater, whole(2)));
  // NaN is above all numbers, and bounds of others may pass over it.
  const std::string real = statistics("1.5", "2.5", 2, 0);
  CHECK_FALSE(may(real, logical_type::float64, less, 1.5));
  CHECK_FALSE(may(real, logical_type::float64, equal, 3.0));
  CHECK_FALSE(may(real, logical_type::float64, equal, whole(3)));
  CHECK(may(real, logical_type::float64, greater, 3.0));
  CHECK(may(real, logical_type::float64, greater_equal, 3.0));
  CHECK(may(statistics("1.5", "1.5", 2, 0), logical_type::float64, not_equal, 1.5));
  CHECK(may(real, logical_type::float32, less, 1.0));
  // Bounds of long decimals may have gone through a double.
  CHECK_FALSE(may(statistics("1.10", "2.20", 2, 0), logical_type::decimal, equal, whole(23, 1), 15, 2));
  CHECK(may(statistics("1.10", "2.20", 2, 0), logical_type::decimal, equal, whole(23, 1), 16, 2));
  CHECK(may(statistics("1.10", "2.20", 2, 0), logical_type::decimal, equal, whole(2201, 3), 15, 2));
}

TEST_CASE("delta: what is read of a table with conditions is all that keeps them, of any table") {
  std::mt19937_64 random(7);
  const auto below = [&](std::int64_t most) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most));
  };
  std::int64_t left_out = 0;
  for (int round = 0; round < 30; ++round) {
    const table_folder at;
    const auto to = at.opened(readings, output_mode::append, {"q", "n"}, {{"partition_by", "part"}});
    std::vector<std::vector<test_value>> rows;
    for (int batch = 0; batch < 6; ++batch) {
      std::vector<std::vector<cell>> cells;
      const std::int64_t base = below(100);
      for (std::int64_t i = below(5); i >= 0; --i) {
        const std::int64_t n = base + below(10);
        const bool is_null = below(12) == 0;
        const double x = below(9) == 0 ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(n) / 4;
        const std::string t = std::string(static_cast<std::size_t>(30 + below(4)), 'a') + std::to_string(n);
        const std::string part = "p" + std::to_string(below(3));
        const auto id = static_cast<std::int64_t>(rows.size());
        if (is_null) {
          cells.push_back({nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, id});
          rows.push_back({nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr});
        } else {
          cells.push_back({n, t, x, n * 1001, n * 50, n - 50, part, id});
          rows.push_back({n, t, x, n * 1001, n * 50, n - 50, part});
        }
      }
      publish(*to, batch_of(batch, output_mode::append, make_block(readings, cells)));
    }
    for (int filter = 0; filter < 20; ++filter) {
      std::vector<row_condition> conditions;
      std::vector<std::pair<std::size_t, test_value>> constants;
      for (std::int64_t i = below(2); i >= 0; --i) {
        const auto field = static_cast<std::size_t>(below(7));
        const auto op = static_cast<comparison>(below(6));
        const std::int64_t n = below(110);
        test_value constant = n;
        decltype(row_condition::value) value = whole(n);
        if (field == 1) constant = std::string(static_cast<std::size_t>(30 + below(4)), 'a') + std::to_string(n);
        if (field == 2) constant = static_cast<double>(n) / 4;
        if (field == 3) constant = n * 1001, value = whole(n * 1001);
        if (field == 4) constant = n * 50, value = whole(n * 5, 1);
        if (field == 5) constant = n - 50, value = whole(n - 50);
        if (field == 6) constant = "p" + std::to_string(below(4));
        if (const auto* text = std::get_if<std::string>(&constant)) value = *text;
        if (const auto* real = std::get_if<double>(&constant)) value = *real;
        conditions.push_back({std::string(reading_fields[field].name), op, std::move(value)});
        constants.emplace_back(field, std::move(constant));
      }
      const auto from = value_of(make_delta_source({.connector = "delta", .options = {{"path", at.path()}}}));
      succeed(from->open(readings));
      from->narrow(conditions);
      const std::vector<std::int64_t> read = ids_of(*from);
      const left_out_input without = from->take_left_out();
      left_out += without.files;
      CHECK(static_cast<std::int64_t>(read.size()) + without.rows == static_cast<std::int64_t>(rows.size()));
      for (std::size_t row = 0; row < rows.size(); ++row) {
        bool kept = true;
        for (std::size_t i = 0; i < conditions.size(); ++i)
          kept = kept && holds(rows[row][constants[i].first], conditions[i].op, constants[i].second);
        INFO(conditions.front().field << ' ' << static_cast<int>(conditions.front().op));
        if (kept) CHECK(std::binary_search(read.begin(), read.end(), static_cast<std::int64_t>(row)));
      }
    }
  }
  CHECK(left_out > 1000);  // of about 7,000 files and filters: that some are left out is what this is for
}

TEST_CASE("delta: a file that may have rows which the contract rejects is read whatever the filter is") {
  const field_description open_fields[] = {nullable(plain_field("n", logical_type::int64)),
                                           plain_field("id", logical_type::int64)};
  const schema open{.id = "open", .version = "1", .fields = open_fields};
  const table_folder at;
  const auto to = at.opened(open, output_mode::append);
  publish(*to, batch_of(0, output_mode::append, make_block(open, {{1, 0}, {2, 1}})));
  publish(*to, batch_of(1, output_mode::append, make_block(open, {{3, 2}, {nullptr, 3}})));
  const std::vector<row_condition> none = {{"id", greater, whole(100)}};
  const auto files = [&](const schema& contract, const std::map<std::string, std::string>& more = {}) {
    std::map<std::string, std::string> options = more;
    options["path"] = at.path();
    const auto from = value_of(make_delta_source({.connector = "delta", .options = options}));
    succeed(from->open(contract));
    from->narrow(none);
    return value_of(from->plan({})).size();
  };
  CHECK(files(open) == 0);
  CHECK(files(open, {{"prune_files", "false"}}) == 2);
  const field_description strict_fields[] = {plain_field("n", logical_type::int64),
                                             plain_field("id", logical_type::int64)};
  CHECK(files({.id = "strict", .version = "1", .fields = strict_fields}) == 1);  // the one with a null
  const constant_description bound{.exact = 2};
  const constraint_description constraints[] = {{constraint_kind::lt, std::span(&bound, 1)}};
  field_description bounded_fields[] = {nullable(plain_field("n", logical_type::int64)),
                                        plain_field("id", logical_type::int64)};
  bounded_fields[0].constraints = constraints;
  CHECK(files({.id = "bounded", .version = "1", .fields = bounded_fields}) == 2);
}
