#pragma once
#include <etlantic/connect/delta/json_values.hpp>
#include <etlantic/connect/delta/partition.inl.hpp>
#include <etlantic/connect/delta/statistics.hpp>
#include <etlantic/connect/delta/whole_values.hpp>
#include <etlantic/core/characters.hpp>
#include <etlantic/core/json_writer.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace etlantic::delta {

namespace detail {

inline constexpr std::size_t counted_columns = 32;
inline constexpr std::int64_t kept_characters = 32;

/// A column of one block and the structs around it.
struct leaf_piece {
  const column* values = nullptr;
  std::vector<const column*> around;
  std::size_t rows = 0;

  bool is_null(std::size_t row) const {
    for (const column* each : around)
      if (!each->is_valid(row)) return true;
    return !values->is_valid(row);
  }
};

/// JSON of the bounds of a column; empty if there are none.
struct leaf_bounds {
  std::int64_t nulls = 0;
  std::string least;
  std::string greatest;
};

inline std::string quoted(std::string_view text) {
  json_writer writer;
  writer.value(text);
  return writer.text();
}

inline std::string floor_time(std::int64_t microseconds) {
  const std::string text = format_rfc3339({microseconds});
  return quoted(text.substr(0, text.size() - 4) + 'Z');
}
inline std::string time_bound(std::int64_t microseconds, bool up) {
  if (!printable({microseconds})) return {};
  if (up && __builtin_add_overflow(microseconds, 999, &microseconds)) return {};
  if (!printable({microseconds})) return {};
  return floor_time(microseconds);
}

inline std::string text_bound(std::string_view text, bool up) {
  const std::string_view rest = skip_characters(text, kept_characters);
  if (rest.empty()) return quoted(text);
  constexpr std::string_view highest = "\xf4\x8f\xbf\xbf";  // U+10FFFF
  if (!up) return quoted(text.substr(0, text.size() - rest.size()));
  if (rest.starts_with(highest)) return {};  // nothing short is above it
  return quoted(std::string(text.substr(0, text.size() - rest.size())) + std::string(highest));
}

template <class T, class Get, class Write>
void find_bounds(std::span<const leaf_piece> pieces, leaf_bounds& into, Get get, Write write) {
  std::optional<T> least, greatest;
  bool is_bounded = true;
  for (const leaf_piece& piece : pieces)
    for (std::size_t row = 0; row < piece.rows; ++row) {
      if (piece.is_null(row)) {
        ++into.nulls;
        continue;
      }
      const T value = get(*piece.values, row);
      if constexpr (std::is_floating_point_v<T>) is_bounded = is_bounded && std::isfinite(value);
      if (!least || value < *least) least = value;
      if (!greatest || *greatest < value) greatest = value;
    }
  if (!least || !is_bounded) return;
  into.least = write(*least, false);
  into.greatest = write(*greatest, true);
  if (into.least.empty() || into.greatest.empty()) into.least = into.greatest = {};
}

/// The same for whole values, for which most of the statistics of most tables are.
template <class Write>
void find_whole_bounds(std::span<const leaf_piece> pieces, leaf_bounds& into, Write write) {
  std::int64_t least = INT64_MAX, greatest = INT64_MIN;
  for (const leaf_piece& piece : pieces) {
    if (piece.around.empty() && piece.values->validity.empty()) {
      widen(*piece.values, piece.rows, least, greatest);
      continue;
    }
    with_whole_values(*piece.values, [&](const auto* values) {
      for (std::size_t row = 0; row < piece.rows; ++row) {
        if (piece.is_null(row)) {
          ++into.nulls;
          continue;
        }
        least = std::min<std::int64_t>(least, values[row]);
        greatest = std::max<std::int64_t>(greatest, values[row]);
      }
    });
  }
  if (greatest < least) return;
  into.least = write(least, false);
  into.greatest = write(greatest, true);
  if (into.least.empty() || into.greatest.empty()) into.least = into.greatest = {};
}

template <class T>
void find_floating_bounds(std::span<const leaf_piece> pieces, leaf_bounds& into) {
  find_bounds<T>(
      pieces, into, [](const column& of, std::size_t row) { return of.value<T>(row); },
      [](T value, bool) { return format_floating(value); });
}

inline void count_nulls(std::span<const leaf_piece> pieces, leaf_bounds& into) {
  for (const leaf_piece& piece : pieces)
    for (std::size_t row = 0; row < piece.rows; ++row) into.nulls += piece.is_null(row);
}

inline leaf_bounds bounds_of(std::span<const leaf_piece> pieces, const field_description& field) {
  leaf_bounds found;
  switch (field.type) {
    case logical_type::float32: find_floating_bounds<float>(pieces, found); break;
    case logical_type::float64: find_floating_bounds<double>(pieces, found); break;
    case logical_type::text:
      find_bounds<std::string_view>(
          pieces, found, [](const column& of, std::size_t row) { return of.text_at(row); }, text_bound);
      break;
    case logical_type::timestamp:
      if (field.form == time_form::local)  // a bound without a zone is written in another way
        count_nulls(pieces, found);
      else
        find_whole_bounds(pieces, found, time_bound);
      break;
    case logical_type::date:
      find_whole_bounds(pieces, found, [](std::int64_t days, bool) {
        return days < etlantic::detail::first_printable_day || days > etlantic::detail::last_printable_day
                   ? std::string()
                   : quoted(format_date({static_cast<std::int32_t>(days)}));
      });
      break;
    case logical_type::int8:
    case logical_type::int16:
    case logical_type::int32:
    case logical_type::int64:
    case logical_type::decimal: {
      const int scale = field.type == logical_type::decimal ? field.scale : 0;
      const auto write = [scale](int128 value, bool) { return format_decimal(value, scale); };
      if (has_whole_values(field))
        find_whole_bounds(pieces, found, write);
      else
        find_bounds<int128>(
            pieces, found, [](const column& of, std::size_t row) { return integer_at(of, row); }, write);
      break;
    }
    default: count_nulls(pieces, found);
  }
  return found;
}

/// The three objects of the statistics, which nest as the columns do.
struct statistics_texts {
  std::string nulls, least, greatest;
  std::size_t leaves = 0;

  static void append(std::string& to, const std::string& name, const std::string& value) {
    if (value.empty() || value == "{}") return;
    to += (to.empty() ? "" : ",") + name + ':' + value;
  }

  void take(std::span<const field_description> fields, const std::vector<std::vector<leaf_piece>>& pieces) {
    for (std::size_t i = 0; i < fields.size() && leaves < counted_columns; ++i) {
      const std::string name = quoted(fields[i].data_name);
      if (fields[i].type == logical_type::structure) {
        statistics_texts inner;
        inner.leaves = leaves;
        inner.take(fields[i].children, children_of(pieces[i]));
        leaves = inner.leaves;
        append(nulls, name, '{' + inner.nulls + '}');
        append(least, name, '{' + inner.least + '}');
        append(greatest, name, '{' + inner.greatest + '}');
        continue;
      }
      ++leaves;
      const leaf_bounds found = bounds_of(pieces[i], fields[i]);
      append(nulls, name, std::to_string(found.nulls));
      append(least, name, found.least);
      append(greatest, name, found.greatest);
    }
  }

  static std::vector<std::vector<leaf_piece>> children_of(const std::vector<leaf_piece>& structs) {
    std::vector<std::vector<leaf_piece>> found;
    for (const leaf_piece& each : structs)
      for (std::size_t i = 0; i < each.values->children.size(); ++i) {
        if (found.size() <= i) found.emplace_back();
        leaf_piece child{&each.values->children[i], each.around, each.rows};
        if (!each.values->validity.empty()) child.around.push_back(each.values);
        found[i].push_back(std::move(child));
      }
    return found;
  }
};

inline std::optional<range_end> bound_of(const json_token& token, const field_description& field) {
  if (token.kind == json_kind::nothing || token.kind == json_kind::null) return {};
  switch (field.type) {
    case logical_type::text:
      return token.kind == json_kind::string ? std::optional<range_end>(text_of(token)) : std::nullopt;
    case logical_type::date: {
      const auto parsed = parse_date(text_of(token));
      return parsed ? std::optional<range_end>(int128{parsed->days}) : std::nullopt;
    }
    case logical_type::timestamp: {
      const auto parsed = time_of(text_of(token));
      return parsed ? std::optional<range_end>(int128{*parsed}) : std::nullopt;
    }
    case logical_type::float32: {  // as the nearest float, which the values are
      const auto parsed = parse_floating<float>(token.text);
      return token.kind == json_kind::number && parsed.ok() ? std::optional<range_end>(double{parsed.value})
                                                            : std::nullopt;
    }
    case logical_type::float64: {
      const auto parsed = parse_floating<double>(token.text);
      return token.kind == json_kind::number && parsed.ok() ? std::optional<range_end>(parsed.value) : std::nullopt;
    }
    case logical_type::int8:
    case logical_type::int16:
    case logical_type::int32:
    case logical_type::int64:
    case logical_type::decimal: {
      const auto parsed = parse_decimal(token.text, 38, field.type == logical_type::decimal ? field.scale : 0);
      return token.kind == json_kind::number && parsed.ok() ? std::optional<range_end>(parsed.value) : std::nullopt;
    }
    default: return {};
  }
}

inline std::optional<range_end> value_at(const column& of, std::size_t row) {
  switch (of.field->type) {
    case logical_type::text: return std::string(of.text_at(row));
    case logical_type::float32: {
      const double value = of.value<float>(row);
      return std::isnan(value) ? std::nullopt : std::optional<range_end>(value);
    }
    case logical_type::float64: {
      const auto value = of.value<double>(row);
      return std::isnan(value) ? std::nullopt : std::optional<range_end>(value);
    }
    case logical_type::boolean:
    case logical_type::binary:
    case logical_type::structure:
    case logical_type::list: return {};
    default: return integer_at(of, row);
  }
}

}  // namespace detail

[[gnu::used]] inline std::string statistics_of(const schema& contract, std::span<const block> rows) {
  std::size_t count = 0;
  std::vector<std::vector<detail::leaf_piece>> pieces(contract.fields.size());
  for (const block& each : rows) {
    count += each.rows;
    for (std::size_t i = 0; i < each.columns.size(); ++i) pieces[i].push_back({&each.columns[i], {}, each.rows});
  }
  detail::statistics_texts texts;
  if (count > 0) texts.take(contract.fields, pieces);
  return "{\"numRecords\":" + std::to_string(count) + ",\"minValues\":{" + texts.least + "},\"maxValues\":{" +
         texts.greatest + "},\"nullCount\":{" + texts.nulls + "}}";
}

[[gnu::used]] inline void file_statistics::find_bounds() {
  if (!document_.value()) return;
  least_ = member_of(*document_.value(), "minValues");
  greatest_ = member_of(*document_.value(), "maxValues");
}

[[gnu::used]] inline std::optional<value_range> file_statistics::range(const field_description& field) const {
  auto least = detail::bound_of(member_of(least_, field.data_name), field);
  auto greatest = detail::bound_of(member_of(greatest_, field.data_name), field);
  if (!least || !greatest) return {};
  // Others cut times to milliseconds, the greatest too.
  if (field.type == logical_type::timestamp) std::get<int128>(*greatest) += 999;
  return value_range{std::move(*least), std::move(*greatest)};
}

[[gnu::used]] inline std::optional<value_range> range_in_statistics(std::string_view statistics,
                                                                    const field_description& field) {
  return file_statistics(statistics).range(field);
}

[[gnu::used]] inline std::optional<std::int64_t> rows_in_statistics(std::string_view statistics) {
  const json_document document(statistics);
  const auto& value = document.value();
  return value ? integer_of(member_of(*value, "numRecords")) : std::nullopt;
}

[[gnu::used]] inline std::optional<value_range> range_of(std::span<const block> rows, std::size_t index) {
  std::optional<value_range> found;
  if (!rows.empty() && has_whole_values(*rows.front().columns[index].field)) {
    std::int64_t least = INT64_MAX, greatest = INT64_MIN;
    for (const block& each : rows) widen(each.columns[index], each.rows, least, greatest);
    if (least <= greatest) found = value_range{int128{least}, int128{greatest}};
    return found;
  }
  for (const block& each : rows)
    for (std::size_t row = 0; row < each.rows; ++row) {
      auto value = detail::value_at(each.columns[index], row);
      if (!value) return {};
      if (!found) found = value_range{*value, *value};
      if (*value < found->least) found->least = *value;
      if (found->greatest < *value) found->greatest = *value;
    }
  return found;
}

}  // namespace etlantic::delta
