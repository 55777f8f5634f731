// delta_writer FOLDER QUERY FIRST_BATCH BATCHES ROWS [option=value]...   publishes batches of rows to a Delta table
// delta_writer --read FOLDER      key and batch of each row of a table, whose other values must be those that follow
// delta_writer --optimize FOLDER  writes small files of a table together
// delta_writer --scenarios        the tables that every referee reads: name, batches, rows, options and marks
//
// Every value of a row follows from its key and its batch; the formulas stand in written_tables.py, too, which knows by
// them what a table must hold.

#include <etlantic/column/format.hpp>
#include <etlantic/connect/delta/file_reader.hpp>
#include <etlantic/connect/delta/optimize.hpp>
#include <etlantic/connect/delta/schema_match.hpp>
#include <etlantic/connect/delta/sink.hpp>
#include <etlantic/connect/delta/snapshot.hpp>
#include <etlantic/runtime/sink.hpp>

#include "support/rows.hpp"

#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

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

// What a contract has before it grows: not the last two fields. The option `narrow` writes rows of it.
const std::span<const field_description> narrow_fields = std::span(fields).first(std::size(fields) - 2);
const schema narrow_contract{.id = "rows", .version = "1", .fields = narrow_fields};

// `short_log`: the commits before the newest checkpoint are removed. `grown`: the first half of the batches has the
// narrow contract. `optimized`: small files are written together in the end.
constexpr const char* scenarios[] = {
    "appended 3 80 mode=append",
    "merged 6 80 rows_per_file=60",
    "partitioned 4 80 partition_by=region,flag rows_per_file=40",
    "checkpointed 12 40 checkpoint_interval=5 short_log",
    "snappy 2 40 compression=snappy",
    "grown 6 40 schema_evolution=add_nullable_fields grown",
    "optimized 4 40 mode=append partition_by=region optimized",
};

bool is_same(const column& one, std::size_t row, const column& other, std::size_t other_row) {
  if (one.is_valid(row) != other.is_valid(other_row)) return false;
  if (!one.is_valid(row)) return true;
  switch (one.field->type) {
    case logical_type::text:
    case logical_type::binary: return one.text_at(row) == other.text_at(other_row);
    case logical_type::structure:
      for (std::size_t i = 0; i < one.children.size(); ++i)
        if (!is_same(one.children[i], row, other.children[i], other_row)) return false;
      return true;
    case logical_type::list: {
      const auto begin = one.list_begin(row), other_begin = other.list_begin(other_row);
      const auto size = one.list_end(row) - begin;
      if (size != other.list_end(other_row) - other_begin) return false;
      for (std::int32_t i = 0; i < size; ++i)
        if (!is_same(one.children[0], static_cast<std::size_t>(begin + i), other.children[0],
                     static_cast<std::size_t>(other_begin + i)))
          return false;
      return true;
    }
    default: {
      char text[64], wanted[64];
      return std::string_view(text, static_cast<std::size_t>(write_scalar(text, one, row) - text)) ==
             std::string_view(wanted, static_cast<std::size_t>(write_scalar(wanted, other, other_row) - wanted));
    }
  }
}

int read_table(const std::string& folder) {
  const delta::folder_store store(folder);
  auto table = delta::load_table(store);
  if (!table) return !done(table.error());
  auto layout = delta::layout_of(*table->metadata, folder);
  if (!layout) return !done(layout.error());
  for (const auto& [identity, file] : table->files) {
    auto blocks = delta::read_file_rows(store, *layout, file);
    if (!blocks) return !done(blocks.error());
    for (const block& each : *blocks)
      for (std::size_t row = 0; row < each.rows; ++row) {
        const auto key = each.columns[0].value<std::int64_t>(row), batch = each.columns[1].value<std::int64_t>(row);
        auto wanted = delta::converted(make_block(rows_contract, {row_of(key, batch)}), layout->whole->described);
        if (!wanted) return !done(wanted.error());
        for (std::size_t i = 0; i < each.columns.size(); ++i)
          if (!is_same(each.columns[i], row, wanted->columns[i], 0) &&
              !(i >= narrow_fields.size() && !each.columns[i].is_valid(row))) {  // of before it has grown
            std::fprintf(stderr, "key %lld has a wrong `%s`\n", static_cast<long long>(key),
                         std::string(each.columns[i].field->name).c_str());
            return 1;
          }
        std::printf("%lld %lld\n", static_cast<long long>(key), static_cast<long long>(batch));
      }
  }
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  const std::string_view first_word = count > 1 ? arguments[1] : "";
  if (first_word == "--scenarios") {
    for (const char* each : scenarios) std::puts(each);
    return 0;
  }
  if (first_word == "--read" && count == 3) return read_table(arguments[2]);
  if (first_word == "--optimize" && count == 3) {
    const auto optimized = delta::optimize(delta::folder_store(arguments[2]), {});
    return optimized && optimized->version >= 0 ? 0 : 1;
  }
  if (count < 6) return 2;
  asset_binding binding{.connector = "delta", .options = {{"path", arguments[1]}}};
  for (int i = 6; i < count; ++i) {
    const std::string option = arguments[i];
    binding.options[option.substr(0, option.find('='))] = option.substr(option.find('=') + 1);
  }
  const schema& contract = binding.options.erase("narrow") > 0 ? narrow_contract : rows_contract;
  auto made = make_delta_sink(binding);
  if (!made) return !done(made.error());
  sink& to = **made;
  if (!done(to.open(contract, output_mode::update, {arguments[2], "rows"}))) return 1;
  const long first = std::atol(arguments[3]), batches = std::atol(arguments[4]), rows = std::atol(arguments[5]);
  for (long batch = first; batch < first + batches; ++batch) {
    std::vector<std::vector<cell>> some;
    for (long i = 0; i < rows; ++i) {
      some.push_back(row_of((batch * 7919 + i * 31) % 1009, batch));
      some.back().resize(contract.fields.size(), nullptr);
    }
    publication what{batch, output_mode::update, {}};
    what.blocks.push_back(make_block(contract, some));
    if (!done(to.prepare(what)) || !done(to.commit(batch))) return 1;
  }
  return 0;
}
