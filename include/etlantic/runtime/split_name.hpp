#pragma once
#include <compare>
#include <string>

namespace etlantic {

/// A split of an extract, by name. An extract that is followed as a whole beside others that are followed split by
/// split counts as one whose name is empty.
struct split_name {
  std::string node;
  std::string split;

  friend auto operator<=>(const split_name&, const split_name&) = default;
};

}  // namespace etlantic
