#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/column/format_json.hpp>
#include <etlantic/column/gather.hpp>
#include <etlantic/connect/delta/schema_match.hpp>
#include <etlantic/runtime/source.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace etlantic::delta {

/// Hands rows of a table over as rows of a contract.
class row_handover {
 public:
  explicit row_handover(const schema& contract) : contract_(contract) {}

  /// Rows [begin, end) of a block whose first row is row `first` of the file. What the contract cannot hold goes on as
  /// JSON, one row at a time, and is rejected with what is wrong about it.
  result<void> hand_over(const block& rows, const std::string& split, std::int64_t first, std::int64_t begin,
                         std::int64_t end, intake& into) const {
    std::vector<row_place> places;
    for (std::int64_t row = begin; row < end; ++row) places.push_back({&rows, static_cast<std::uint32_t>(row)});
    if (auto typed = typed_rows(rows, places, split, first)) return into.rows(*typed);
    const auto members = json_members_of(rows.contract->fields);
    std::vector<row_place> good;
    for (const row_place& each : places) {
      if (fits(rows, each)) {
        good.push_back(each);
        continue;
      }
      if (auto done = hand_over_typed(rows, good, split, first, into); !done) return done;
      good.clear();
      std::string line;
      append_json_row(line, members, rows.columns, each.row);
      line.reserve(line.size() + 64);
      if (auto done = into.lines(split, first + each.row, line); !done) return done;
    }
    return hand_over_typed(rows, good, split, first, into);
  }

 private:
  bool fits(const block& rows, const row_place& row) const {
    block one(*rows.contract);
    for (std::size_t i = 0; i < one.columns.size(); ++i) gather(one.columns[i], std::span(&row, 1), i);
    one.rows = 1;
    return converted(one, contract_).ok();
  }

  result<void> hand_over_typed(const block& rows, std::span<const row_place> places, const std::string& split,
                               std::int64_t first, intake& into) const {
    if (places.empty()) return {};
    auto typed = typed_rows(rows, places, split, first);
    if (!typed) return typed.error();
    return into.rows(*typed);
  }

  /// Some rows as the contract has them; a failure if one of them does not fit.
  result<block> typed_rows(const block& rows, std::span<const row_place> places, const std::string& split,
                           std::int64_t first) const {
    block some;
    const block* chosen = &rows;
    if (places.size() != rows.rows) {
      some = block(*rows.contract);
      for (std::size_t i = 0; i < some.columns.size(); ++i) gather(some.columns[i], places, i);
      some.rows = places.size();
      chosen = &some;
    }
    auto typed = converted(*chosen, contract_);
    if (!typed) return typed.error();
    typed->split = split;
    for (const row_place& each : places) typed->positions.push_back(first + each.row);
    return typed;
  }

  const schema& contract_;
};

}  // namespace etlantic::delta
