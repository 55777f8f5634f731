#pragma once
#include <etlantic/connect/delta/json_values.hpp>
#include <etlantic/connect/delta/state_comparison.hpp>
#include <etlantic/core/parse_double.hpp>

#include <map>

namespace etlantic::delta {

namespace detail {

/// JSON in a form in which what means the same looks the same: others write checkpoints with members in another order.
inline std::string canonical(const json_token& value) {
  std::string text;
  switch (value.kind) {
    case json_kind::object: {
      std::map<std::string, std::string> members;
      for_each_member(value, [&](const std::string& name, const json_token& each) { members[name] = canonical(each); });
      for (const auto& [name, each] : members) text += name + ':' + each + ',';
      return '{' + text + '}';
    }
    case json_kind::array:
      for_each_element(value, [&](const json_token& each) { text += canonical(each) + ','; });
      return '[' + text + ']';
    case json_kind::number: {
      const auto number = parse_floating<double>(value.text);
      return number.ok() ? std::to_string(number.value) : std::string(value.text);
    }
    default: return text_of(value);
  }
}

inline bool same_json(const std::string& left, const std::string& right) {
  if (left == right) return true;
  const json_document a(left), b(right);
  return a.value() && b.value() && canonical(*a.value()) == canonical(*b.value());
}

inline std::string difference_of(const add_file& checkpoint, const add_file& replayed) {
  if (checkpoint.size != replayed.size) return "another size";
  if (checkpoint.partition != replayed.partition) return "another partition";
  if (checkpoint.modified != replayed.modified) return "another time of modification";
  // A checkpoint may be without statistics, or have them in columns of its own only.
  if (!checkpoint.statistics.empty() && !same_json(checkpoint.statistics, replayed.statistics))
    return "other statistics";
  return {};
}

}  // namespace detail

[[gnu::used]] inline std::vector<std::string> state_differences(const table_state& checkpoint,
                                                                const table_state& replayed) {
  constexpr std::size_t most = 10;
  std::vector<std::string> found;
  const auto tell = [&](std::string what) {
    if (found.size() < most) found.push_back(std::move(what));
  };
  if (!checkpoint.protocol || !replayed.protocol || checkpoint.protocol->reader != replayed.protocol->reader ||
      checkpoint.protocol->writer != replayed.protocol->writer)
    tell("the protocol");
  const auto& meta = checkpoint.metadata;
  const auto& meant = replayed.metadata;
  if (!meta || !meant || meta->id != meant->id || meta->configuration != meant->configuration ||
      meta->partition_columns != meant->partition_columns || !detail::same_json(meta->schema, meant->schema))
    tell("the metadata");
  for (const auto& [application, each] : replayed.transactions)
    if (checkpoint.newest_of(application) != each.version)
      tell("the publisher `" + application + "`, which has batch " + std::to_string(each.version));
  for (const auto& [key, each] : replayed.files) {
    const auto there = checkpoint.files.find(key);
    if (there == checkpoint.files.end())
      tell("the file " + each.path + ", which it lacks");
    else if (const std::string difference = detail::difference_of(there->second, each); !difference.empty())
      tell("the file " + each.path + ", which has " + difference);
  }
  for (const auto& [key, each] : checkpoint.files)
    if (!replayed.files.contains(key)) tell("the file " + each.path + ", which the commits do not have");
  for (const auto& [key, each] : checkpoint.removed)
    if (!replayed.removed.contains(key)) tell("the file " + each.path + ", which the commits have not removed");
  return found;
}

}  // namespace etlantic::delta
