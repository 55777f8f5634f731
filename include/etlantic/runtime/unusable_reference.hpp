#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/core/result.hpp>

#include <string_view>

namespace etlantic {

/// A row of a reference that breaks its contract: the first of a block of rejected rows. A reference with a hole in it
/// would give results that nobody can tell from right ones. `line` says which line of its file it is, if that is known.
failure unusable_reference(std::string_view who, const block& rejected, std::string_view line);

}  // namespace etlantic
