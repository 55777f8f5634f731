#pragma once
#include <etlantic/connect/delta/statistics.inl.hpp>
#include <etlantic/connect/delta/statistics_check.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace etlantic::delta {

namespace detail {

class statistics_checker {
 public:
  statistics_checker(const json_token& statistics, const add_file& file)
      : deleted_(file.deleted ? file.deleted->rows : 0),
        nulls_are_exact_(deleted_ == 0 && member_of(statistics, "tightBounds").text != "false") {}

  std::vector<std::string> found;

  void check_rows(const json_token& statistics, std::int64_t rows) {
    const auto said = integer_of(member_of(statistics, "numRecords"));
    if (said && *said != rows + deleted_)
      found.push_back("it has " + std::to_string(rows + deleted_) + " rows, and its statistics say " +
                      std::to_string(*said));
  }

  void check_field(const field_description& field, const std::vector<leaf_piece>& pieces, const json_token& nulls,
                   const json_token& least, const json_token& greatest, const std::string& prefix) {
    const std::string name(field.data_name);
    const json_token null_count = member_of(nulls, name), low = member_of(least, name),
                     high = member_of(greatest, name);
    if (field.type == logical_type::structure) {
      const auto children = statistics_texts::children_of(pieces);
      for (std::size_t i = 0; i < field.children.size() && i < children.size(); ++i)
        check_field(field.children[i], children[i], null_count, low, high, prefix + name + '.');
      return;
    }
    check_nulls(prefix + name, pieces, null_count);
    check_bounds(field, prefix + name, pieces, low, high);
  }

 private:
  void check_nulls(const std::string& name, const std::vector<leaf_piece>& pieces, const json_token& said) {
    const auto count = integer_of(said);
    if (!count) return;
    std::int64_t nulls = 0;
    for (const leaf_piece& piece : pieces)
      for (std::size_t row = 0; row < piece.rows; ++row) nulls += piece.is_null(row);
    if (nulls_are_exact_ ? *count != nulls : *count < nulls)
      found.push_back("column `" + name + "` has " + std::to_string(nulls) + " nulls, and the statistics say " +
                      std::to_string(*count));
  }

  void check_bounds(const field_description& field, const std::string& name, const std::vector<leaf_piece>& pieces,
                    const json_token& low, const json_token& high) {
    const auto least = bound_of(low, field);
    auto greatest = bound_of(high, field);
    // Others cut times to milliseconds, the greatest too.
    if (greatest && field.type == logical_type::timestamp) std::get<int128>(*greatest) += 999;
    bool is_below = false, is_above = false;
    for (const leaf_piece& piece : pieces)
      for (std::size_t row = 0; row < piece.rows; ++row) {
        if (piece.is_null(row)) continue;
        const auto value = value_at(*piece.values, row);
        if (!value) continue;
        is_below = is_below || (least && *value < *least);
        is_above = is_above || (greatest && *greatest < *value);
      }
    if (is_below)
      found.push_back("column `" + name + "` has a value below the least one of the statistics, " + text_of(low));
    if (is_above)
      found.push_back("column `" + name + "` has a value above the greatest one of the statistics, " + text_of(high));
  }

  std::int64_t deleted_;
  bool nulls_are_exact_;
};

}  // namespace detail

[[gnu::used]] inline std::vector<std::string> wrong_statistics(const add_file& file, const table_layout& layout,
                                                               std::span<const block> rows) {
  const json_document document(file.statistics);
  if (file.statistics.empty()) return {};
  if (!document.value()) return {"its statistics are not JSON"};
  const json_token& said = *document.value();
  detail::statistics_checker checker(said, file);
  std::int64_t count = 0;
  for (const block& each : rows) count += static_cast<std::int64_t>(each.rows);
  checker.check_rows(said, count);
  const auto fields = layout.whole->described.fields;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const auto& parts = layout.partition_indices;
    if (std::find(parts.begin(), parts.end(), i) != parts.end()) continue;
    std::vector<detail::leaf_piece> pieces;
    for (const block& each : rows) pieces.push_back({&each.columns[i], {}, each.rows});
    checker.check_field(fields[i], pieces, member_of(said, "nullCount"), member_of(said, "minValues"),
                        member_of(said, "maxValues"), "");
  }
  return std::move(checker.found);
}

}  // namespace etlantic::delta
