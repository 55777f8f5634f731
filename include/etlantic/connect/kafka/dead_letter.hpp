#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/connect/kafka/outgoing_record.hpp>
#include <etlantic/core/rfc3339.hpp>
#include <etlantic/runtime/sink.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace etlantic::kafka {

/// Headers of ours begin with this.
inline constexpr std::string_view own_header_prefix = "etlantic-";

/// Makes records of rejected rows: the payload as it came, the key and headers that its record had, and behind them
/// headers that say what is wrong with it and where it came from.
class dead_letter_writer {
 public:
  /// Whether rows of a contract are rejected ones.
  static bool fits(const schema& given) {
    return std::all_of(names.begin(), names.end(),
                       [&](std::string_view name) { return place_of(given, name) < given.fields.size(); });
  }

  explicit dead_letter_writer(const schema& of) {
    for (std::size_t i = 0; i < names.size(); ++i) places_[i] = place_of(of, names[i]);
  }

  outgoing_record letter_of(const block& rows, std::size_t row) const {
    const row_origin* origin = rows.origins.empty() ? nullptr : &rows.origins[row];
    outgoing_record made;
    if (origin == nullptr || origin->has_value) made.value = text(rows, payload, row);
    if (origin != nullptr) {
      made.key = origin->key;
      for (const auto& [name, value] : origin->headers)  // those of an earlier rejection would pile up
        if (!name.starts_with(own_header_prefix)) made.headers.push_back({name, value});
    }
    for (const auto& [name, place] : told_if_any)
      if (std::string value = text(rows, place, row); !value.empty()) made.headers.push_back({name, std::move(value)});
    const auto at = rows.columns[places_[position]].value<std::int64_t>(row);
    made.headers.push_back({"etlantic-split", text(rows, split, row)});
    made.headers.push_back({"etlantic-position", std::to_string(at)});
    if (origin != nullptr) {
      made.headers.push_back({"etlantic-topic", origin->topic});
      made.headers.push_back({"etlantic-partition", std::to_string(origin->partition)});
      made.headers.push_back({"etlantic-offset", std::to_string(at)});
      made.headers.push_back({"etlantic-timestamp", std::to_string(origin->milliseconds)});
    }
    const timestamp seen{rows.columns[places_[observed_time]].value<std::int64_t>(row)};
    made.headers.push_back({"etlantic-observed-time", format_rfc3339(seen)});
    return made;
  }

 private:
  enum column_name : std::size_t {
    split,
    position,
    code,
    field,
    reason,
    violations,
    payload,
    observed_time,
    pipeline,
    contract
  };
  static constexpr std::array<std::string_view, 10> names{
      "split", "position", "code", "field", "reason", "violations", "payload", "observed_time", "pipeline", "contract"};
  struct told {
    const char* header;
    column_name field;
  };
  static constexpr told told_if_any[] = {{"etlantic-pipeline", pipeline}, {"etlantic-contract", contract},
                                         {"etlantic-code", code},         {"etlantic-reason", reason},
                                         {"etlantic-field", field},       {"etlantic-violations", violations}};

  static std::size_t place_of(const schema& contract, std::string_view name) {
    std::size_t i = 0;
    while (i < contract.fields.size() && contract.fields[i].name != name) ++i;
    return i;
  }

  std::string text(const block& rows, column_name name, std::size_t row) const {
    return std::string(rows.columns[places_[name]].text_at(row));
  }

  std::array<std::size_t, 10> places_{};
};

}  // namespace etlantic::kafka
