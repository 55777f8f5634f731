#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

namespace etlantic::delta {

/// Sets those bits of `into` whose places are in a Roaring bitmap of 64 bits in the portable format
/// (RoaringFormatSpec): a count, and for each 2^32 values that many a high half and a bitmap of 32 bits. What is wrong
/// with its bytes, for people; empty if nothing is. `into` has its size already: a greater value is wrong, so that no
/// bytes make us take more memory than the rows of a file do.
std::string_view mark_members(std::string_view bitmap, std::vector<bool>& into, std::int64_t& count);

}  // namespace etlantic::delta
