// delta_writer FOLDER QUERY FIRST_BATCH BATCHES ROWS [option=value]...
//
// Publishes batches of rows to the Delta table in FOLDER. Every value of a row follows from its key and its batch; the
// formulas stand in referees.py, too, which knows by them what a table must hold.

#include <etlantic/connect/delta/sink.hpp>
#include <etlantic/runtime/sink.hpp>

#include "support/rows.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>

using namespace etlantic;
using namespace etlantic::test;

namespace {

const std::string_view colours[] = {"red", "green", "blue"};
const field_description inner[] = {plain_field("number", logical_type::int32),
                                   nullable(plain_field("word", logical_type::text))};
const field_description element[] = {nullable(plain_field("element", logical_type::int64))};
const field_description fields[] = {keyed(plain_field("k", logical_type::int64)),
                                    plain_field("batch", logical_type::int64),
                                    nullable(decimal_field("amount", 18, 2)),
                                    nullable(decimal_field("wide", 30, 10)),
                                    plain_field("ts", logical_type::timestamp),
                                    plain_field("day", logical_type::date),
                                    plain_field("name", logical_type::text),
                                    nullable(plain_field("region", logical_type::text)),
                                    nullable(plain_field("ratio", logical_type::float64)),
                                    plain_field("small", logical_type::float32),
                                    plain_field("flag", logical_type::boolean),
                                    plain_field("tiny", logical_type::int8),
                                    plain_field("short", logical_type::uint8),
                                    plain_field("bytes", logical_type::binary),
                                    enum_field("colour", colours),
                                    nullable(nested_field("pair", logical_type::structure, inner)),
                                    nullable(nested_field("list", logical_type::list, element))};
const schema rows_contract{.id = "rows", .version = "1", .fields = fields};
const char* const regions[] = {"north west/100% =\xc3\xa9", "south", nullptr};

cell or_null(bool is_null, cell value) { return is_null ? cell(nullptr) : value; }

std::vector<cell> row_of(std::int64_t k, std::int64_t batch) {
  const char* region = regions[k % 3];
  return {k,
          batch,
          or_null(k % 10 == 3, k * 101 - 5000 + batch),
          or_null(k % 4 == 0, static_cast<int128>(k - 500) * 1'000'000'000'000'000 + k),
          std::int64_t{1'790'000'000'000'000} + k * 1'000'037 + batch,
          date{static_cast<std::int32_t>(19000 + k - 500)},
          "name \"q\" \\ \xc3\xa9 " + std::string(static_cast<std::size_t>(k % 50), 'x') + std::to_string(k),
          region == nullptr ? cell(nullptr) : cell(region),
          or_null(k % 5 == 0, static_cast<double>(k) / 7.0),
          static_cast<double>(k) * 0.5,
          k % 2 == 0,
          k % 100 - 50,
          k % 256,
          std::string(1, static_cast<char>(k % 256)) + '\0',
          k % 3,
          or_null(k % 6 == 0, std::vector<cell>{k * 2, or_null(k % 4 == 1, "word " + std::to_string(k))}),
          or_null(k % 7 == 0, std::vector<cell>(static_cast<std::size_t>(k % 4), or_null(k % 8 == 2, k)))};
}

bool done(const result<void>& what) {
  if (!what)
    std::fprintf(stderr, "%s %s @ %s\n", what.error().code.c_str(), what.error().message.c_str(),
                 what.error().where.c_str());
  return what.ok();
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 6) return 2;
  asset_binding binding{.connector = "delta", .options = {{"path", arguments[1]}}};
  for (int i = 6; i < count; ++i) {
    const std::string option = arguments[i];
    binding.options[option.substr(0, option.find('='))] = option.substr(option.find('=') + 1);
  }
  auto made = make_delta_sink(binding);
  if (!made) return done(made.error());
  sink& to = **made;
  if (!done(to.open(rows_contract, output_mode::update, {arguments[2], "rows"}))) return 1;
  const long first = std::atol(arguments[3]), batches = std::atol(arguments[4]), rows = std::atol(arguments[5]);
  for (long batch = first; batch < first + batches; ++batch) {
    std::vector<std::vector<cell>> some;
    for (long i = 0; i < rows; ++i) some.push_back(row_of((batch * 7919 + i * 31) % 1009, batch));
    publication what{batch, output_mode::update, {}};
    what.blocks.push_back(make_block(rows_contract, some));
    if (!done(to.prepare(what)) || !done(to.commit(batch))) return 1;
  }
  return 0;
}
