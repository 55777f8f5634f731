#pragma once
#include <etlantic/connect/delta/features.hpp>
#include <etlantic/connect/delta/file_reader.hpp>
#include <etlantic/connect/delta/log_store.hpp>
#include <etlantic/connect/delta/sink.hpp>
#include <etlantic/connect/delta/snapshot.hpp>
#include <etlantic/core/format_decimal.hpp>
#include <etlantic/runtime/source.hpp>

#include "support/catch.hpp"
#include "support/data.hpp"
#include "support/rows.hpp"
#include "support/temporary_directory.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace etlantic::test {

using texts = std::vector<std::string>;

inline void succeed(const result<void>& done) {
  if (!done) FAIL(done.error().code << " " << done.error().message << " @ " << done.error().where);
}

template <class T>
T value_of(result<T> given) {
  if (!given) FAIL(given.error().code << " " << given.error().message << " @ " << given.error().where);
  return std::move(*given);
}

inline std::string contents_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// A value for people: enough to compare rows by.
inline std::string cell_text(const column& of, std::size_t row) {
  if (!of.is_valid(row)) return "null";
  switch (of.field->type) {
    case logical_type::boolean: return of.is_true(row) ? "true" : "false";
    case logical_type::int8: return std::to_string(of.value<std::int8_t>(row));
    case logical_type::int16: return std::to_string(of.value<std::int16_t>(row));
    case logical_type::int32:
    case logical_type::date: return std::to_string(of.value<std::int32_t>(row));
    case logical_type::int64:
    case logical_type::timestamp: return std::to_string(of.value<std::int64_t>(row));
    case logical_type::float32: return std::to_string(of.value<float>(row));
    case logical_type::float64: return std::to_string(of.value<double>(row));
    case logical_type::decimal:
      return format_decimal(value_width(*of.field) == 8 ? int128{of.value<std::int64_t>(row)} : of.value<int128>(row),
                            of.field->scale);
    case logical_type::text:
    case logical_type::binary: return std::string(of.text_at(row));
    case logical_type::structure: {
      std::string all = "{";
      for (const column& each : of.children) all += (all.size() > 1 ? "," : "") + cell_text(each, row);
      return all + '}';
    }
    case logical_type::list: {
      std::string all = "[";
      for (auto i = of.list_begin(row); i < of.list_end(row); ++i)
        all += (all.size() > 1 ? "," : "") + cell_text(of.children[0], static_cast<std::size_t>(i));
      return all + ']';
    }
    default: return "?";
  }
}

/// With `|` between the columns.
inline std::string row_text(const block& rows, std::size_t row) {
  std::string text;
  for (const column& of : rows.columns) text += (text.empty() ? "" : "|") + cell_text(of, row);
  return text;
}

/// A table in a folder that is there for one test.
struct table_folder {
  temporary_directory folder;

  std::string path() const { return folder / "table"; }
  delta::folder_store store() const { return delta::folder_store(path()); }
  std::string log(std::int64_t version) const { return path() + '/' + delta::commit_name(version); }

  std::shared_ptr<sink> sink_for(std::map<std::string, std::string> options = {}) const {
    options.insert({"path", path()});
    return value_of(make_delta_sink({.connector = "delta", .options = std::move(options)}));
  }
  std::shared_ptr<sink> opened(const schema& contract, output_mode mode = output_mode::update,
                               publisher who = {"q", "n"}, std::map<std::string, std::string> options = {}) const {
    auto made = sink_for(std::move(options));
    succeed(made->open(contract, mode, who));
    return made;
  }

  delta::table_state state() const { return value_of(delta::load_table(store())); }
  std::int64_t version() const { return state().version; }

  /// The rows of the newest version, `|` between the columns, sorted.
  texts rows() const {
    const delta::table_state table = state();
    succeed(delta::check_readable(table, path()));
    const auto layout = value_of(delta::layout_of(*table.metadata, path()));
    texts found;
    for (const auto& [key, file] : table.files)
      for (const block& each : value_of(delta::read_file_rows(store(), layout, file)))
        for (std::size_t row = 0; row < each.rows; ++row) found.push_back(row_text(each, row));
    std::sort(found.begin(), found.end());
    return found;
  }

  std::size_t data_files() const {
    std::size_t count = 0;
    for (const auto& each : std::filesystem::directory_iterator(path())) count += each.path().extension() == ".parquet";
    return count;
  }
};

/// Takes rows as texts, and lines as they are: rows that the contract cannot hold.
struct row_collector : intake {
  texts found;
  texts wrong;

  result<void> rows(const block& typed) override {
    for (std::size_t row = 0; row < typed.rows; ++row) found.push_back(row_text(typed, row));
    return {};
  }
  result<void> lines(std::string_view, std::int64_t, std::string_view bytes) override {
    wrong.emplace_back(bytes);
    return {};
  }
};

inline publication batch_of(std::int64_t batch, output_mode mode, block rows) {
  publication made{batch, mode, {}};
  made.blocks.push_back(std::move(rows));
  return made;
}

inline void publish(sink& to, const publication& what) {
  succeed(to.prepare(what));
  succeed(to.commit(what.batch));
}

}  // namespace etlantic::test
