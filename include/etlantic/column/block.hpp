#pragma once
#include <etlantic/column/column.hpp>
#include <etlantic/column/row_origin.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace etlantic {

/// Some thousand rows of one contract as columns: the unit in which data moves between stages.
struct block {
  const schema* contract = nullptr;
  std::vector<column> columns;
  std::size_t rows = 0;
  // Where each row came from: `split` (a file, a Kafka partition) and the place in it (byte offset, message offset).
  // Empty for rows that were computed.
  std::string split;
  std::vector<std::int64_t> positions;
  std::vector<row_origin> origins;  // of rejected rows, where a sink asks for them; else empty

  block() = default;
  explicit block(const schema& described) : contract(&described) {
    for (const field_description& field : described.fields) columns.emplace_back(field);
  }

  void resize(std::size_t count) {
    for (column& each : columns) each.resize(count);
    rows = count;
  }

  void clear() {
    resize(0);
    positions.clear();
    origins.clear();
  }

  /// Adds a copy of one row of a block of the same contract.
  void append(const block& source, std::size_t row) {
    for (std::size_t i = 0; i < columns.size(); ++i) columns[i].append(source.columns[i], row);
    ++rows;
  }
};

}  // namespace etlantic
