#pragma once
#include <etlantic/runtime/durable_file.hpp>
#include <etlantic/tool/run_document.hpp>
#include <etlantic/tool/yaml_tree.hpp>

#include <cstdlib>

namespace etlantic {

[[gnu::used]] inline result<run_document> run_document::read(const std::string& path, std::string_view format) {
  result<std::string> bytes = read_file(path);
  if (!bytes) return bytes.error();
  // JSON is YAML, and these files are small.
  report mistakes;
  run_document made;
  made.root_ = read_yaml(*bytes, path, mistakes);
  if (made.root_ == nullptr)
    return failure{failure_class::checkpoint, "PMSTREAM492", "the file is damaged: it is not JSON", path,
                   "Remove it; nothing depends on it."};
  if (made.text("format") != format)
    return failure{
        failure_class::checkpoint, "PMSTREAM492",
        "the file has the format '" + made.text("format") + "', and this program reads '" + std::string(format) + "'",
        path, "Read it with the version of the program that wrote it."};
  made.bytes_ = std::move(*bytes);
  return made;
}

[[gnu::used]] inline const yaml_tree* run_document::find(std::string_view member) const {
  const yaml_tree* at = root_.get();
  while (at != nullptr && !member.empty()) {
    const std::string_view name = member.substr(0, member.find('.'));
    member.remove_prefix(std::min(member.size(), name.size() + 1));
    const yaml_tree* next = nullptr;
    for (const yaml_tree::entry& each : at->entries)
      if (each.key == name) next = each.value.get();
    at = next;
  }
  return at;
}

[[gnu::used]] inline bool run_document::has(std::string_view member) const { return find(member) != nullptr; }

[[gnu::used]] inline std::string run_document::text(std::string_view member) const {
  const yaml_tree* found = find(member);
  return found == nullptr ? "" : found->scalar;
}

[[gnu::used]] inline std::int64_t run_document::integer(std::string_view member) const {
  return std::strtoll(text(member).c_str(), nullptr, 10);
}

[[gnu::used]] inline double run_document::number(std::string_view member) const {
  return std::strtod(text(member).c_str(), nullptr);
}

[[gnu::used]] inline run_document run_document::inside(std::string_view member) const {
  run_document part;
  part.root_ = std::shared_ptr<const yaml_tree>(root_, find(member));
  return part;
}

[[gnu::used]] inline std::vector<run_document> run_document::items(std::string_view member) const {
  std::vector<run_document> found;
  const yaml_tree* list = find(member);
  if (list == nullptr) return found;
  for (const std::shared_ptr<const yaml_tree>& each : list->items) found.emplace_back().root_ = each;
  return found;
}

[[gnu::used]] inline std::vector<std::string> run_document::texts(std::string_view member) const {
  std::vector<std::string> found;
  for (const run_document& each : items(member)) found.push_back(each.text(""));
  return found;
}

}  // namespace etlantic
