#include "support.hpp"

#include <etlantic/connect/delta/json_values.hpp>
#include <etlantic/core/rfc3339.hpp>

#include <cmath>
#include <set>

// Tables that other implementations wrote, with what they hold; see tests/data/delta/ORIGIN.md.

using namespace etlantic;
using namespace etlantic::test;

namespace {

std::filesystem::path folder() { return data_folder() / "delta"; }

delta::folder_store store_of(const std::string& name) {
  return delta::folder_store((folder() / name / "table").string());
}

/// Why we refuse a table that has an expected content.
const std::map<std::string, std::string> refused_features = {
    {"data-reader-timestamp_ntz-id-mode", "columnMapping (by id)"},
    {"table-with-columnmapping-mode-id", "columnMapping (by id)"},
    {"v2-checkpoint-json", "v2Checkpoint"},
    {"v2-checkpoint-parquet", "v2Checkpoint"},
};
const std::map<std::string, std::string> refused_tables = {
    {"deltalog-invalid-protocol-version", "version 99"},
    {"deltalog-state-reconstruction-without-metadata", "no metaData"},
    {"deltalog-state-reconstruction-without-protocol", "no protocol"},
    {"versions-not-contiguous", "version 1 is missing"},
};

/// What the expected rows have otherwise than we do, and why we are right.
struct replacement {
  const char* table;
  const char* expected;
  const char* ours;
};
const replacement replacements[] = {
    // Theirs come from an engine whose nanoseconds wrap around; the statistics of the log have our values.
    {"edge-timestamps", "1816-03-28T05:56:08.066278Z", "9999-12-30T00:00:00.000000Z"},
    {"edge-timestamps", "1816-03-29T05:56:08.066278Z", "9999-12-31T00:00:00.000000Z"},
    // A partition value without a zone: theirs took it in the zone of the machine that wrote it, which no log tells.
    {"data-reader-partition-values", "2021-09-08T18:11:11", "2021-09-08T11:11:11"},
};

using delta::json_kind;
using delta::json_token;

bool is_value(const json_token& expected, const column& of, std::size_t row);

std::string hexadecimal(std::string_view bytes) {
  std::string text = "hex:";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15u];
  }
  return text;
}

bool is_list(const json_token& expected, const column& of, std::size_t row) {
  auto at = static_cast<std::size_t>(of.list_begin(row));
  const auto end = static_cast<std::size_t>(of.list_end(row));
  bool same = expected.kind == json_kind::array;
  const column& elements = of.children[0];
  delta::for_each_element(expected, [&](const json_token& each) {
    if (at >= end) {
      same = false;
      return;
    }
    if (elements.field->name == "entries") {  // a map: pairs
      std::size_t part = 0;
      delta::for_each_element(each, [&](const json_token& value) {
        same = same && part < 2 && is_value(value, elements.children[part++], at);
      });
    } else {
      same = same && is_value(each, elements, at);
    }
    ++at;
  });
  return same && at == end;
}

bool is_value(const json_token& expected, const column& of, std::size_t row) {
  if (expected.kind == json_kind::null || !of.is_valid(row))
    return expected.kind == json_kind::null && !of.is_valid(row);
  const std::string text = delta::text_of(expected);
  switch (of.field->type) {
    case logical_type::boolean: return expected.text == (of.is_true(row) ? "true" : "false");
    case logical_type::float32: return std::stof(text) == of.value<float>(row);
    case logical_type::float64: return std::stod(text) == of.value<double>(row);
    case logical_type::text: return text == of.text_at(row);
    case logical_type::binary: return text == hexadecimal(of.text_at(row));
    case logical_type::date: return text == format_date({of.value<std::int32_t>(row)});
    case logical_type::timestamp: {
      std::string ours = format_rfc3339({of.value<std::int64_t>(row)});
      if (of.field->form == time_form::local) ours.pop_back();
      return text == ours;
    }
    case logical_type::structure: {
      bool same = expected.kind == json_kind::object;
      std::size_t i = 0;
      delta::for_each_member(expected, [&](const std::string& name, const json_token& value) {
        same = same && i < of.children.size() && of.children[i].field->name == name &&
               is_value(value, of.children[i], row);
        ++i;
      });
      return same && i == of.children.size();
    }
    case logical_type::list: return is_list(expected, of, row);
    default: return text == cell_text(of, row);
  }
}

bool is_row(const json_token& expected, const block& rows, std::size_t row) {
  bool same = true;
  std::size_t count = 0;
  delta::for_each_member(expected, [&](const std::string& name, const json_token& value) {
    ++count;
    const auto found = std::find_if(rows.columns.begin(), rows.columns.end(),
                                    [&](const column& each) { return each.field->name == name; });
    same = same && found != rows.columns.end() && is_value(value, *found, row);
  });
  return same && count == rows.columns.size();
}

void check_rows(const std::string& name, const std::vector<block>& blocks) {
  std::vector<std::pair<const block*, std::size_t>> left;
  for (const block& each : blocks)
    for (std::size_t row = 0; row < each.rows; ++row) left.push_back({&each, row});
  std::ifstream lines(folder() / name / "expected.ndjson");
  for (std::string line; std::getline(lines, line);) {
    for (const replacement& each : replacements)
      if (const auto at = line.find(each.expected); name == each.table && at != std::string::npos)
        line.replace(at, std::string(each.expected).size(), each.ours);
    const delta::json_document document(line);
    const auto& expected = document.value();
    REQUIRE(expected.has_value());
    const auto found = std::find_if(left.begin(), left.end(),
                                    [&](const auto& each) { return is_row(*expected, *each.first, each.second); });
    INFO(line);
    CHECK(found != left.end());
    if (found == left.end()) return;
    left.erase(found);
  }
  CHECK(left.empty());
}

result<std::vector<block>> rows_of(const std::string& name, const delta::table_state& table) {
  auto layout = delta::layout_of(*table.metadata, name);
  if (!layout) return layout.error();
  static std::vector<delta::table_layout> kept;  // the blocks point into them
  kept.push_back(*layout);
  std::vector<block> all;
  for (const auto& [key, file] : table.files) {
    auto blocks = delta::read_file_rows(store_of(name), kept.back(), file);
    if (!blocks) return blocks.error();
    for (block& each : *blocks) all.push_back(std::move(each));
  }
  return all;
}

void check_table(const std::string& name, const json_token& expected) {
  auto loaded = delta::load_table(store_of(name));
  if (loaded)
    if (auto readable = delta::check_readable(*loaded, name); !readable) loaded = readable.error();
  if (const auto reason = refused_tables.find(name); reason != refused_tables.end()) {
    REQUIRE_FALSE(loaded.ok());
    CHECK(loaded.error().message.find(reason->second) != std::string::npos);
    return;
  }
  const auto feature = refused_features.find(name);
  if (!loaded) {
    INFO(loaded.error().message);
    REQUIRE(feature != refused_features.end());
    CHECK(loaded.error().message.find(feature->second) != std::string::npos);
    return;
  }
  CHECK(loaded->version == delta::integer_of(delta::member_of(expected, "version")));
  CHECK(static_cast<std::int64_t>(loaded->files.size()) ==
        delta::integer_of(delta::member_of(expected, "active_files")));
  delta::for_each_member(delta::member_of(expected, "app_versions"),
                         [&](const std::string& application, const json_token& version) {
                           CHECK(loaded->newest_of(application) == delta::integer_of(version));
                         });
  if (!std::filesystem::exists(folder() / name / "expected.ndjson")) return;
  auto rows = rows_of(name, *loaded);
  if (!rows) {
    INFO(rows.error().message << " @ " << rows.error().where);
    REQUIRE(feature != refused_features.end());
    CHECK(rows.error().message.find(feature->second) != std::string::npos);
    return;
  }
  CHECK(feature == refused_features.end());
  check_rows(name, *rows);
}

}  // namespace

TEST_CASE("delta: the tables of others are read as they should be, or refused for the reason that is listed") {
  std::size_t tables = 0;
  for (const auto& each : std::filesystem::directory_iterator(folder())) {
    if (!each.is_directory()) continue;
    ++tables;
    const std::string name = each.path().filename().string();
    const std::string text = contents_of(each.path() / "table.json");
    const delta::json_document document(text);
    const auto& expected = document.value();
    REQUIRE(expected.has_value());
    INFO(name);
    check_table(name, *expected);
  }
  CHECK(tables == 65);
}
