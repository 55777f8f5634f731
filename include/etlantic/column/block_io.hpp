#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/column/state_io.hpp>

namespace etlantic {

/// Writes the values of a block for a snapshot: columns one after the other, nulls as bits. Where rows came from is not
/// kept.
void save_block(const block& rows, state_writer& into);

/// Reads what `save_block` wrote into a block of the same contract. False, and nothing that could be used, if the bytes
/// cannot be such a block; no more memory is asked for than the bytes that are there call for.
bool restore_block(state_reader& from, block& rows);

}  // namespace etlantic
