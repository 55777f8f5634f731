#pragma once
#include <etlantic/tool/diagnostic.hpp>
#include <etlantic/tool/diagnostic_code.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace etlantic {

/// A YAML document as it stands in its file: every key and value with its place, keys in order, twins kept. (The
/// parser's own tree forgets where keys stand and that one appears twice.)
struct yaml_tree {
  enum class kind : std::uint8_t { null, scalar, sequence, mapping };
  struct entry;

  kind what = kind::null;
  std::string scalar;
  bool quoted = false;
  std::vector<std::shared_ptr<const yaml_tree>> items;  // of a sequence
  std::vector<entry> entries;                           // of a mapping
  int line = 0;                                         // counted from 1
  int column = 0;
};

struct yaml_tree::entry {
  std::string key;
  int line = 0;
  int column = 0;
  // shared, because an alias is a second way to a value: a document that multiplies itself by aliases stays small
  std::shared_ptr<const yaml_tree> value;
};

/// Nothing a person writes comes near these.
inline constexpr std::size_t profile_bytes_at_most = std::size_t{1} << 20;
inline constexpr std::size_t profile_depth_at_most = 16;
inline constexpr std::size_t profile_values_at_most = 20'000;

/// Reads one document; null and a diagnostic if it is none. Twin keys are diagnostics and the first one counts.
std::shared_ptr<const yaml_tree> read_yaml(const std::string& text, const std::string& file, report& into);

}  // namespace etlantic
