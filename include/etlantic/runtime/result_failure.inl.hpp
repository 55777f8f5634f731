#pragma once
#include <etlantic/column/format.hpp>
#include <etlantic/runtime/result_failure.hpp>

#include <string>

namespace etlantic {

namespace detail {

/// The key and the window of a result, for people: `customer_id=7, window_start=...`.
inline std::string identify_result(const block& results, std::size_t row) {
  std::string text;
  for (const column& each : results.columns) {
    const std::string_view name = each.field->name;
    if (each.field->key_position < 0 && name != "window_start" && name != "window_end") continue;
    if (!text.empty()) text += ", ";
    text += std::string(name) + "=";
    if (!each.is_valid(row))
      text += "null";
    else if (value_width(*each.field) == sizeof(text_view))
      text += each.text_at(row);
    else {
      char characters[scalar_text_size];
      text.append(characters, write_scalar(characters, each, row));
    }
  }
  return text.empty() ? "the only group" : text;
}

}  // namespace detail

[[gnu::used]] inline failure cannot_be_computed(std::string_view step, const block& rows, std::size_t row,
                                                std::string_view reason) {
  const std::string place =
      row < rows.positions.size() ? " (" + rows.split + " at " + std::to_string(rows.positions[row]) + ")" : "";
  constexpr std::string_view cast = "cast_to_";
  if (reason.starts_with(cast))
    return {failure_class::source_data, "PMSTREAM480",
            std::string("a value of a row cannot be cast to ").append(reason.substr(cast.size())) + place,
            std::string(step), "mend the data, or use try_cast, which gives null there"};
  return {failure_class::source_data, "PMSTREAM480", "arithmetic on a row gives a value outside its type" + place,
          std::string(step), "bound the fields by constraints in the contract, or use a wider type"};
}

[[gnu::used]] inline failure result_overflow(std::string_view step, const block& results, std::size_t row,
                                             std::size_t field) {
  return {failure_class::contract, "PMSTREAM481",
          "the value of " + std::string(results.columns[field].field->name) + " does not fit its type for " +
              detail::identify_result(results, row),
          std::string(step), "give the field of the output contract a wider type"};
}

[[gnu::used]] inline failure result_breaks_contract(std::string_view step, const block& results, std::size_t row,
                                                    const violation& first) {
  return {failure_class::contract, "PMSTREAM482",
          "a result breaks its contract: " + first.field + " (" + std::string(name_of(first.reason)) + ") for " +
              detail::identify_result(results, row),
          std::string(step), "mend the aggregation, or the constraint in the output contract"};
}

}  // namespace etlantic
