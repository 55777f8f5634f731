#pragma once
#include <etlantic/column/block.hpp>

namespace etlantic {

/// Adds all rows of a column to one of the same type; like column::append for each of them, but by whole columns where
/// the layout allows it. Text is owned by `into` then.
void append_all(column& into, const column& from);

/// A copy of a block that nobody else needs to keep alive: where the rows came from goes with them.
block owned_copy(const block& of);

}  // namespace etlantic
