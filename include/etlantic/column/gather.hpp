#pragma once
#include <etlantic/column/block.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace etlantic {

/// A row of some block; no row at all where `rows` is nullptr.
struct row_place {
  const block* rows = nullptr;
  std::uint32_t row = 0;
};

/// Appends column `index` of the places' blocks to a column of the same type, null where there is no row. The type is
/// looked at once for all of them.
void gather(column& into, std::span<const row_place> places, std::size_t index);
/// The same for rows of one column.
void gather(column& into, const column& from, std::span<const std::uint32_t> rows);

/// Puts column `index` of the places' blocks over some rows of a column of the same type, which has no children. Each
/// place is a row.
void overwrite(column& into, std::span<const std::uint32_t> rows, std::span<const row_place> places, std::size_t index);

}  // namespace etlantic
