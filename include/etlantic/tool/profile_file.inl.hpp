#pragma once
#include <etlantic/runtime/connector.hpp>
#include <etlantic/tool/diagnostic_code.hpp>
#include <etlantic/tool/nearest.hpp>
#include <etlantic/tool/profile_file.hpp>
#include <etlantic/tool/profile_life.inl.hpp>
#include <etlantic/tool/profile_quality.inl.hpp>
#include <etlantic/tool/reference.hpp>
#include <etlantic/tool/yaml_tree.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <set>
#include <span>

namespace etlantic {
namespace detail {

class profile_parser : private profile_quality_parser {
 public:
  explicit profile_parser(const std::string& file) : profile_quality_parser(file) {}

  profile_reading parse(const std::string& text) {
    const auto root = read_yaml(text, out_.file, out_.found);
    if (root) read_root(*root);
    if (!root && out_.found.found.empty()) refuse_empty();
    out_.found.sort();
    return std::move(out_);
  }

 private:
  std::map<std::string, const tree*> resources_;
  std::set<std::string> used_resources_;

  void read_root(const tree& root) {
    if (root.what == tree::kind::null) return refuse_empty();
    if (root.what != tree::kind::mapping)
      return complain(code::wrong_kind, "a profile is a mapping, but this is " + std::string(kind_text(root)), {},
                      "docs/profile.md shows a full example", root.line, root.column);
    out_.usable = true;
    for (const entry& at : root.entries)
      if (at.key == "resources") read_resources(at);
    for (const entry& at : root.entries) read_section(at);
    for (const auto& [name, at] : resources_)
      if (!used_resources_.count(name)) report_unused(name);
  }

  void read_section(const entry& at) {
    remember(at.key, at);
    if (at.key == "name") {
      if (const auto name = scalar(at, at.key, "such as name: local")) out_.settings.name = *name;
    } else if (at.key == "assets") {
      read_assets(at);
    } else if (at.key == "trigger") {
      read_trigger(at);
    } else if (at.key == "checkpoint") {
      read_checkpoint(at);
    } else if (at.key == "limits") {
      read_limits(at);
    } else if (at.key == "workers") {
      read_workers(at);
    } else if (at.key == "no_data_batches") {
      read_no_data_batches(at);
    } else if (at.key == "on_overflow") {
      read_on_overflow(at);
    } else if (at.key == "watermark_policy") {
      read_watermark_policy(at);
    } else if (at.key == "retry") {
      read_retry(at);
    } else if (at.key == "on_stop") {
      read_on_stop(at);
    } else if (at.key == "reports") {
      read_reports(at);
    } else if (at.key == "quality") {
      read_quality(at);
    } else if (at.key != "resources") {
      unknown_key(at, at.key, "a profile",
                  {"name", "assets", "resources", "trigger", "checkpoint", "limits", "workers", "no_data_batches",
                   "on_overflow", "watermark_policy", "retry", "on_stop", "reports", "quality"});
    }
  }

  void read_resources(const entry& section) {
    if (!is_mapping(section, "resources", "such as resources: {orders_db: {connector: sqlite, path: orders.db}}"))
      return;
    for (const entry& at : section.value->entries) {
      const std::string path = "resources." + at.key;
      remember(path, at);
      if (!is_mapping(at, path, "such as " + at.key + ": {connector: sqlite, path: orders.db}")) continue;
      resources_[at.key] = at.value.get();
      for (const entry& option : at.value->entries) {
        if (option.key == "resource")
          unknown_key(option, path + ".resource", "a resource", {});
        else
          read_option(option, path + "." + option.key, [](const std::string&, const std::string&) {});
      }
    }
  }

  void report_unused(const std::string& name) {
    const profile_origin& origin = out_.origins["resources." + name];
    complain(code::unused_resource, "no asset refers to the resource \"" + name + "\"", origin.path,
             "remove it, or write resource: " + name + " in an asset", origin.place.line, origin.place.column,
             severity::warning);
  }

  void read_assets(const entry& section) {
    if (!is_mapping(section, "assets", "such as assets: {orders: {connector: file, path: orders.ndjson}}")) return;
    for (const entry& at : section.value->entries) {
      const std::string path = "assets." + at.key;
      remember(path, at);
      if (is_mapping(at, path, "such as " + at.key + ": {connector: file, path: " + at.key + ".ndjson}"))
        read_asset(at, path);
    }
  }

  void read_asset(const entry& asset, const std::string& path) {
    asset_binding binding;
    for (const entry& at : asset.value->entries)
      if (at.key == "resource") take_resource(at, path, binding);
    for (const entry& at : asset.value->entries) {
      if (at.key == "resource") continue;
      const std::string option_path = path + "." + at.key;
      remember(option_path, at);
      if (at.key == "reject_future" || at.key == "idle_after") {
        read_length(at, option_path, at.key == "idle_after" ? binding.idle_after : binding.reject_future);
        continue;
      }
      if (at.key == "watermark_per") {
        read_choice(at, option_path, binding.watermark_per, {watermark_unit::input, watermark_unit::split},
                    "what an input can have a watermark for");
        continue;
      }
      if (read_intake(at, option_path, binding)) continue;
      read_option(at, option_path,
                  [&](const std::string& key, const std::string& value) { set_option(binding, key, value); });
    }
    if (binding.connector.empty()) report_no_connector(asset, path, binding);
    out_.settings.assets[asset.key] = std::move(binding);
  }

  // Who reads an input; true if the key is about that.
  bool read_intake(const entry& at, const std::string& path, asset_binding& binding) {
    if (at.key == "intake") {
      read_choice(at, path, binding.intake, {intake_mode::planned, intake_mode::group}, "a way to take an input in");
    } else if (at.key == "partitioned_by") {
      binding.partitioned_by = names_in(at, path);
    } else if (at.key == "on_added_partition") {
      read_choice(at, path, binding.on_added_split, {added_split_policy::fail, added_split_policy::go_on},
                  "what can be done about partitions that are added");
    } else {
      return false;
    }
    return true;
  }

  std::vector<std::string> names_in(const entry& at, const std::string& path) {
    std::vector<std::string> names;
    if (at.value->what != tree::kind::sequence) {
      if (const auto one = scalar(at, path, "name a field, or a list of them")) names.push_back(*one);
      return names;
    }
    for (const auto& each : at.value->items) {
      if (each->what == tree::kind::scalar && !each->scalar.empty())
        names.push_back(each->scalar);
      else
        complain(code::wrong_kind, "\"" + at.key + "\" must be a list of names", path,
                 "such as " + at.key + ": [customer_id]", each->line, each->column);
    }
    return names;
  }

  // Most options are a single value; some have members, which become options of their own, or are a list.
  template <class Take>
  void read_option(const entry& at, const std::string& path, Take take) {
    const tree::kind what = at.value->what;
    if (what == tree::kind::mapping && is_among(nested_options, at.key)) {
      for (const entry& member : at.value->entries) {
        const std::string member_path = path + "." + member.key;
        remember(member_path, member);
        if (const auto value = scalar(member, member_path, "write " + member.key + ": and its value on one line"))
          take(at.key + "." + member.key, *value);
      }
      return;
    }
    if (what == tree::kind::sequence && is_among(listed_options, at.key)) {
      std::string joined;
      for (const auto& each : at.value->items) {
        if (each->what != tree::kind::scalar || each->scalar.empty())
          return complain(code::wrong_kind, "\"" + at.key + "\" must be a list of single values", path,
                          "such as " + at.key + ": [first, second]", each->line, each->column);
        joined += (joined.empty() ? "" : ",") + each->scalar;
      }
      if (!joined.empty()) return take(at.key, joined);
    }
    if (const auto value = scalar(at, path, "write " + at.key + ": and its value on one line")) take(at.key, *value);
  }

  static bool is_among(std::span<const std::string_view> names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  }

  void read_length(const entry& at, const std::string& path, duration& into) {
    const auto text = scalar(at, path, std::string(duration_help));
    if (!text) return;
    const auto length = parse_duration(*text);
    if (!length || length->count() == 0)
      return complain_at_value(at, code::invalid_value, "\"" + *text + "\" is not a length of time", path,
                               std::string(duration_help));
    into = *length;
  }

  void take_resource(const entry& at, const std::string& path, asset_binding& binding) {
    const auto name = scalar(at, path + ".resource", "name one of the resources");
    if (!name) return;
    const auto found = resources_.find(*name);
    if (found == resources_.end()) {
      std::vector<std::string> known;
      for (const auto& [each, unused] : resources_) known.push_back(each);
      const std::string help =
          known.empty() ? "add it: resources: {" + *name + ": {connector: ..., ...}}" : suggestion(*name, known);
      return complain_at_value(at, code::unknown_resource, "there is no resource \"" + *name + "\"", path + ".resource",
                               help);
    }
    used_resources_.insert(*name);
    for (const entry& option : found->second->entries) {
      if (option.value->what == tree::kind::scalar) set_option(binding, option.key, option.value->scalar);
      out_.origins[path + "." + option.key] = {"resources." + *name + "." + option.key,
                                               {out_.file, option.line, option.column}};
      if (option.value->what == tree::kind::mapping && is_among(nested_options, option.key))
        for (const entry& member : option.value->entries)
          out_.origins[path + "." + option.key + "." + member.key] = {
              "resources." + *name + "." + option.key + "." + member.key, {out_.file, member.line, member.column}};
      if (option.value->what == tree::kind::scalar) continue;
      const std::size_t told = out_.found.found.size();
      read_option(option, "resources." + *name + "." + option.key,
                  [&](const std::string& key, const std::string& value) { set_option(binding, key, value); });
      out_.found.found.resize(told);  // what is wrong with it is told where the resource stands
    }
  }

  void set_option(asset_binding& binding, const std::string& key, const std::string& value) const {
    if (key == "connector")
      binding.connector = value;
    else if (is_file_reference(value))
      binding.options[key] = "file:" + from_folder(value.substr(5));
    else if (key == "path" && !is_reference(value))
      binding.options[key] = from_folder(value);
    else
      binding.options[key] = value;
  }

  void report_no_connector(const entry& asset, const std::string& path, asset_binding& binding) {
    for (const entry& at : asset.value->entries) {
      const auto meant = nearest(at.key, {"connector", "resource"});
      if (!meant || at.key == *meant) continue;
      binding.options.erase(at.key);
      return unknown_key(at, path + "." + at.key, "an asset", {"connector", "resource"});
    }
    for (const entry& at : asset.value->entries)  // said already: no value, or a resource that is not there
      if (at.key == "connector" || at.key == "resource") return;
    complain_at_key(asset, code::missing_key, "the asset \"" + asset.key + "\" names no connector", path,
                    "add connector: file, or another one");
  }
};

inline profile_reading unreadable_profile(const std::string& file, std::string message, std::string help) {
  profile_reading reading;
  reading.file = file;
  reading.found.add(
      {std::string(code::profile_unreadable), severity::error, std::move(message), {}, std::move(help), {file, 0, 0}});
  return reading;
}

}  // namespace detail

[[gnu::used]] inline profile_origin profile_reading::origin_of(std::string path) const {
  for (;;) {
    if (const auto known = origins.find(path); known != origins.end()) return known->second;
    const std::size_t dot = path.rfind('.');
    if (dot == std::string::npos) return {{}, {file, 0, 0}};
    path.resize(dot);
  }
}

[[gnu::used]] inline profile_reading parse_profile(const std::string& text, const std::string& file) {
  return detail::profile_parser(file).parse(text);
}

[[gnu::used]] inline profile_reading read_profile(const std::string& file) {
  std::error_code unknown;
  if (std::filesystem::is_directory(file, unknown))
    return detail::unreadable_profile(file, "this is a folder, not a profile", "name the file in it");
  std::FILE* opened = std::fopen(file.c_str(), "rb");
  if (opened == nullptr) {
    const int reason = errno;
    if (reason == ENOENT)
      return detail::unreadable_profile(file, "there is no such file",
                                        "check the path; docs/profile.md shows a full example");
    return detail::unreadable_profile(file, std::string("the profile cannot be opened: ") + std::strerror(reason),
                                      "check who may read it: ls -l " + file);
  }
  std::string text(profile_bytes_at_most + 1, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), opened));
  const bool failed = std::ferror(opened) != 0;
  std::fclose(opened);
  if (failed) return detail::unreadable_profile(file, "the profile cannot be read to its end", "check the disk");
  return parse_profile(text, file);
}

}  // namespace etlantic
