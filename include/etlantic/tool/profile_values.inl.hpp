#pragma once
#include <etlantic/tool/diagnostic_code.hpp>
#include <etlantic/tool/nearest.hpp>
#include <etlantic/tool/profile_file.hpp>
#include <etlantic/tool/quantity.hpp>
#include <etlantic/tool/yaml_tree.hpp>

#include <filesystem>
#include <optional>

namespace etlantic::detail {

// What all parts of the profile parser need: the reading so far, values with their checks, and mistakes with their
// place.
class profile_values {
 protected:
  using tree = yaml_tree;
  using entry = yaml_tree::entry;

  profile_reading out_;
  std::filesystem::path folder_;

  explicit profile_values(const std::string& file) : folder_(std::filesystem::path(file).parent_path()) {
    out_.file = file;
  }

  void complain(std::string_view code, std::string message, const std::string& path, std::string help, int line,
                int column, severity weight = severity::error) {
    out_.found.add({std::string(code), weight, std::move(message), path, std::move(help), {out_.file, line, column}});
  }
  void complain_at_key(const entry& at, std::string_view code, std::string message, const std::string& path,
                       std::string help) {
    complain(code, std::move(message), path, std::move(help), at.line, at.column);
  }
  void complain_at_value(const entry& at, std::string_view code, std::string message, const std::string& path,
                         std::string help) {
    complain(code, std::move(message), path, std::move(help), at.value->line, at.value->column);
  }

  void refuse_empty() {
    complain(code::profile_unreadable, "the profile is empty", {}, "docs/profile.md shows a full example", 0, 0);
  }

  void unknown_key(const entry& at, const std::string& path, std::string_view owner,
                   const std::vector<std::string>& known) {
    complain_at_key(at, code::unknown_key, "\"" + at.key + "\" is not a key of " + std::string(owner), path,
                    suggestion(at.key, known));
  }

  static std::string_view kind_text(const tree& value) {
    switch (value.what) {
      case tree::kind::null: return "nothing";
      case tree::kind::scalar: return "a single value";
      case tree::kind::sequence: return "a list";
      case tree::kind::mapping: return "a mapping";
    }
    return "";
  }

  bool is_mapping(const entry& at, const std::string& path, const std::string& help) {
    if (at.value->what == tree::kind::mapping) return true;
    const bool missing = at.value->what == tree::kind::null;
    complain(code::wrong_kind, "\"" + at.key + "\" must be a mapping, but is " + std::string(kind_text(*at.value)),
             path, help, missing ? at.line : at.value->line, missing ? at.column : at.value->column);
    return false;
  }

  std::optional<std::string> scalar(const entry& at, const std::string& path, const std::string& help) {
    if (at.value->what == tree::kind::scalar && !at.value->scalar.empty()) return at.value->scalar;
    if (at.value->what == tree::kind::null || at.value->what == tree::kind::scalar)
      complain_at_key(at, code::wrong_kind, "\"" + at.key + "\" has no value", path, help);
    else
      complain_at_value(at, code::wrong_kind,
                        "\"" + at.key + "\" must be a single value, but is " + std::string(kind_text(*at.value)), path,
                        help);
    return std::nullopt;
  }

  void remember(const std::string& path, const entry& at) {
    out_.origins[path] = {path, {out_.file, at.line, at.column}};
  }

  // Relative paths start from the profile's folder, so that a profile means the same wherever it is used from.
  std::string from_folder(const std::string& path) const {
    const bool special = path.empty() || path.front() == ':' || path.find("://") != std::string::npos;
    if (special || folder_.empty() || std::filesystem::path(path).is_absolute()) return path;
    return (folder_ / path).lexically_normal().string();
  }

  std::optional<std::int64_t> positive(const entry& at, const std::string& path,
                                       std::optional<std::int64_t> (*read)(std::string_view), std::string_view help) {
    const auto text = scalar(at, path, std::string(help));
    if (!text) return std::nullopt;
    const auto number = read(*text);
    if (number && *number > 0) return number;
    complain_at_value(at, code::invalid_value,
                      number ? "\"" + at.key + "\" must be greater than 0"
                             : "\"" + *text + "\" is not a number that \"" + at.key + "\" can be",
                      path, std::string(help));
    return std::nullopt;
  }
};

}  // namespace etlantic::detail
