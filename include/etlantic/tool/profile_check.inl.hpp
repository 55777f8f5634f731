#pragma once
#include <etlantic/runtime/event_times.hpp>
#include <etlantic/runtime/group_rules.hpp>
#include <etlantic/runtime/missing_records.hpp>
#include <etlantic/runtime/quality_check.hpp>
#include <etlantic/runtime/time_zones.hpp>
#include <etlantic/tool/diagnostic_code.hpp>
#include <etlantic/tool/nearest.hpp>
#include <etlantic/tool/option_trial.hpp>
#include <etlantic/tool/profile_check.hpp>
#include <etlantic/tool/reference.hpp>

#include <algorithm>
#include <filesystem>

namespace etlantic {
namespace detail {

class profile_checker {
 public:
  profile_checker(const program& what, const profile_reading& reading, std::span<const connector> connectors)
      : program_(what), reading_(reading), connectors_(connectors) {}

  report check() {
    for (const program_node& node : program_.nodes)
      if (node.kind != node_kind::step) check_end(node);
    for (const auto& [asset, binding] : reading_.settings.assets) {
      if (!is_asset(asset)) report_unknown_asset(asset);
      check_secrets(asset, binding);
    }
    for (const missing_zone& each : missing_zones(program_))
      found_.add({each.why.code, severity::error, each.why.message, each.node->name, each.why.help, {}});
    if (!is_available(reading_.settings.compression)) {
      const failure why = unavailable_compression("checkpoint.compression");
      found_.add({why.code, severity::error, why.message, why.where, why.help, {}});
    }
    check_gates();
    for (const group_problem& each : problems_of_group(program_, reading_.settings))
      add(each.code, each.message, each.path, each.help);
    check_targets();
    check_read_folders();
    if (reading_.settings.checkpoint.empty() && !was_written("checkpoint"))
      add(code::no_checkpoint, "no checkpoint: a restart reads everything again and appends it a second time",
          "checkpoint", "add checkpoint: {path: ...}", severity::warning);
    if (reading_.settings.checkpoint.empty()) check_corrections();
    if (reading_.settings.checkpoint.empty() && reading_.settings.retry.attempts > 0)
      add(code::retry_without_checkpoint, "failures are to be tried again, but there is no checkpoint to go on from",
          "retry", "add checkpoint: {path: ...}, or remove retry");
    return std::move(found_);
  }

 private:
  const program& program_;
  const profile_reading& reading_;
  std::span<const connector> connectors_;
  report found_;

  void add(std::string_view code, std::string message, const std::string& path, std::string help,
           severity weight = severity::error) {
    const profile_origin origin = reading_.origin_of(path);
    // an option of a resource is called by its place there
    found_.add({std::string(code), weight, std::move(message), was_written(path) ? origin.path : path, std::move(help),
                origin.place});
  }

  // A thing that stands in the file and did not make it into the profile has had its diagnostic.
  bool was_written(const std::string& path) const { return reading_.origins.count(path) > 0; }

  bool is_asset(const std::string& name) const {
    return std::any_of(program_.nodes.begin(), program_.nodes.end(),
                       [&](const program_node& node) { return node.kind != node_kind::step && node.asset == name; });
  }

  std::vector<std::string> assets_of_program() const {
    std::vector<std::string> names;
    for (const program_node& node : program_.nodes)
      if (node.kind != node_kind::step) names.push_back(node.asset);
    return names;
  }

  void check_end(const program_node& node) {
    const auto bound = reading_.settings.assets.find(node.asset);
    if (bound == reading_.settings.assets.end()) {
      if (!was_written("assets." + node.asset)) report_unbound(node);
      return;
    }
    const asset_binding& binding = bound->second;
    const bool reads = node.kind == node_kind::extract;
    check_times(node, binding);
    if (reads ? binding.made_source != nullptr : binding.made_sink != nullptr) return;
    if (binding.connector.empty()) return;
    check_connector("assets." + node.asset, binding, reads);
    if (node.bound_to == target::keyed_table) check_replacing(node, binding);
    if (reads && node.contract->record != nullptr) check_records(node, binding);
  }

  void check_records(const program_node& node, const asset_binding& binding) {
    for (const connector& each : connectors_) {
      if (each.name != binding.connector || each.gives_records || !can(each, true)) continue;
      const auto why = missing_records(node, binding.connector);
      add(code::records_missing, why.message, "assets." + node.asset + ".connector", why.help);
    }
  }

  void check_corrections() {
    for (const program_node& node : program_.nodes)
      for (const output_port& port : node.outputs)
        if (port.corrected && !was_written("checkpoint"))
          add(code::nothing_keeps_missed,
              "the step \"" + node.name + "\" keeps the windows that late rows missed, and there is no checkpoint",
              "checkpoint", "add checkpoint: {path: ...}");
  }

  void check_replacing(const program_node& node, const asset_binding& binding) {
    std::vector<std::string> replacing;
    for (const connector& each : connectors_) {
      if (each.name == binding.connector && (each.replaces_by_key || !can(each, false))) return;
      if (each.replaces_by_key) replacing.emplace_back(each.name);
    }
    add(code::target_appends,
        "the load \"" + node.name + "\" is declared to go into a keyed table, but " + binding.connector +
            " keeps every row that it is given: a changed row will stand there once for each change",
        "assets." + node.asset + ".connector",
        replacing.empty() ? "this program has no connector that replaces rows by key"
                          : "rows are replaced by key in " + enumerate(replacing, "and"),
        severity::warning);
  }

  void check_times(const program_node& node, const asset_binding& binding) {
    const auto refuse_on_load = [&](const char* key) {
      add(code::unknown_option, "the asset \"" + node.asset + "\" is written, and only what is read has an event time",
          "assets." + node.asset + "." + key, std::string("remove ") + key);
    };
    if (node.kind == node_kind::load) {
      if (binding.reject_future != duration::zero()) refuse_on_load("reject_future");
      if (binding.idle_after != duration::zero()) refuse_on_load("idle_after");
      if (binding.watermark_per != watermark_unit::input) refuse_on_load("watermark_per");
      check_intake_of_load(node, binding);
      return;
    }
    const auto extract = static_cast<std::size_t>(&node - program_.nodes.data());
    if (binding.watermark_per == watermark_unit::split && !moves_a_watermark(program_, extract))
      add(code::unfollowed_splits, "no watermark follows the rows of \"" + node.name + "\"",
          "assets." + node.asset + ".watermark_per",
          "declare a watermark in a step that its rows lead to, or remove watermark_per");
    if (binding.reject_future != duration::zero() && event_time_fields(program_, extract).empty())
      add(code::unguarded_future, "no step that reads \"" + node.name + ".valid\" has a watermark on one of its fields",
          "assets." + node.asset + ".reject_future",
          "declare the watermark on a field of the contract, in a step that reads the extract itself");
  }

  void check_intake_of_load(const program_node& node, const asset_binding& binding) {
    const auto refuse = [&](const char* key) {
      add(code::unknown_option, "the asset \"" + node.asset + "\" is written, and only what is read can be shared",
          "assets." + node.asset + "." + key, std::string("remove ") + key);
    };
    if (binding.intake != intake_mode::planned) refuse("intake");
    if (!binding.partitioned_by.empty()) refuse("partitioned_by");
    if (binding.on_added_split != added_split_policy::fail) refuse("on_added_partition");
  }

  void check_sharing(const std::string& path, const asset_binding& binding, const connector& by) {
    if (binding.intake == intake_mode::group && by.join_group == nullptr)
      add(code::unknown_option, "what the connector " + binding.connector + " reads cannot be shared by a group",
          path + ".intake", "remove intake: topics of Kafka can be shared");
    if (binding.intake == intake_mode::group) return;
    if (!binding.partitioned_by.empty() && by.join_group == nullptr)
      add(code::unknown_option, "the connector " + binding.connector + " has no option \"partitioned_by\"",
          path + ".partitioned_by", "it belongs to intake: group of topics");
    if (binding.on_added_split != added_split_policy::fail)
      add(code::unknown_option, "one query that reads all partitions goes on with those that are added",
          path + ".on_added_partition", "remove it, or write intake: group");
  }

  void report_unbound(const program_node& node) {
    std::vector<std::string> strangers;
    for (const auto& [name, binding] : reading_.settings.assets)
      if (!is_asset(name)) strangers.push_back(name);
    const auto meant = nearest(node.asset, strangers);
    const std::string line =
        node.asset + ": {connector: " + (node.kind == node_kind::extract ? "file" : "sqlite") + ", ...}";
    add(code::asset_unbound,
        "the asset \"" + node.asset + "\" of the " + std::string(name_of(node.kind)) + " \"" + node.name +
            "\" is not bound",
        "assets." + node.asset,
        meant ? "rename the asset \"" + *meant + "\" to it, or add " + line : "add " + line + " to assets");
  }

  void report_unknown_asset(const std::string& asset) {
    add(code::unknown_asset, "the pipeline " + program_.id + " has no asset \"" + asset + "\"", "assets." + asset,
        suggestion(asset, assets_of_program()), severity::warning);
  }

  void check_connector(const std::string& path, const asset_binding& binding, bool reads) {
    std::vector<std::string> names;
    std::vector<std::string> capable;
    const connector* found = nullptr;
    for (const connector& each : connectors_) {
      names.emplace_back(each.name);
      if (can(each, reads)) capable.emplace_back(each.name);
      if (each.name == binding.connector) found = &each;
    }
    if (found == nullptr) {
      const auto meant = nearest(binding.connector, names);
      return add(code::unknown_connector, "there is no connector \"" + binding.connector + "\"", path + ".connector",
                 (meant ? "did you mean \"" + *meant + "\"? " : std::string()) + "this program has " +
                     enumerate(names, "and"));
    }
    if (!can(*found, reads))
      return add(code::wrong_direction,
                 "the connector " + binding.connector + (reads ? " cannot be read from" : " cannot be written to"),
                 path + ".connector", (reads ? "to read there is " : "to write there is ") + enumerate(capable));
    check_options(path, binding, reads ? found->source_options : found->sink_options);
    if (reads) check_sharing(path, binding, *found);
    const auto problems = reads ? found->problems_of_source : found->problems_of_sink;
    for (const option_problem& each :
         problems != nullptr ? problems(binding) : option_trial(*found, reads).problems_of(binding))
      add(each.is_unknown ? code::unknown_option : code::invalid_value, each.message,
          each.option.empty() ? path : path + "." + each.option, each.help);
  }

  /// `librdkafka.sasl.mechanism` is a member of the option `librdkafka`, whose connector knows the members.
  static bool is_known(const std::string& name, const std::vector<std::string>& known) {
    for (const std::string_view nested : nested_options)
      if (name.starts_with(std::string(nested) + ".") && std::find(known.begin(), known.end(), nested) != known.end())
        return true;
    return std::find(known.begin(), known.end(), name) != known.end();
  }

  static bool can(const connector& which, bool reads) {
    return reads ? which.make_source != nullptr : which.make_sink != nullptr;
  }

  void check_options(const std::string& path, const asset_binding& binding, std::span<const connector_option> options) {
    std::vector<std::string> known;
    for (const connector_option& each : options) known.emplace_back(each.name);
    std::vector<std::string> keys = known;
    keys.insert(keys.end(), {"connector", "resource"});
    std::vector<std::string> strangers;
    for (const auto& [name, value] : binding.options) {
      if (is_known(name, known)) continue;
      strangers.push_back(name);
      const auto meant = nearest(name, keys);
      std::string help;
      if (meant)
        help = "did you mean \"" + *meant + "\"?";
      else
        help = known.empty() ? "it takes none" : "it takes " + enumerate(known, "and");
      add(code::unknown_option, "the connector " + binding.connector + " has no option \"" + name + "\"",
          path + "." + name, help);
    }
    for (const connector_option& each : options) {
      if (!each.required || binding.options.count(std::string(each.name))) continue;
      if (was_written(path + "." + std::string(each.name)) || nearest(each.name, strangers)) continue;
      add(code::missing_option,
          "the connector " + binding.connector + " needs the option \"" + std::string(each.name) + "\"", path,
          "add " + std::string(each.name) + ": " + std::string(each.help));
    }
  }

  void check_secrets(const std::string& asset, const asset_binding& binding) {
    for (const auto& [name, value] : binding.options)
      if (is_secret_name(name) && !is_reference(value))
        add(code::plain_secret, "\"" + name + "\" is written out in the profile", "assets." + asset + "." + name,
            "say where it is instead: " + name + ": env:NAME or " + name + ": file:PATH", severity::warning);
  }

  void check_gates() {
    for (const quality_gate& each : reading_.settings.quality)
      if (const auto wrong = problem_of(each, program_))
        add(code::impossible_gate, wrong->message, "quality." + each.name + "." + wrong->key,
            wrong->known.empty() ? wrong->help : suggestion(wrong->word, wrong->known));
  }

  // Rows of two contracts in one table would be neither. A folder is shared: its files are named after the nodes.
  void check_targets() {
    std::vector<const program_node*> loads;
    for (const program_node& node : program_.nodes) {
      if (node.kind != node_kind::load) continue;
      const asset_binding* mine = binding_of(node);
      for (const program_node* before : loads) {
        const asset_binding* other = binding_of(*before);
        if (mine == nullptr || other == nullptr || node.asset == before->asset || !same_target(*mine, *other)) continue;
        add(code::shared_target,
            "the assets \"" + before->asset + "\" and \"" + node.asset + "\" are bound to the same target",
            "assets." + node.asset, "give each its own path or table");
      }
      loads.push_back(&node);
    }
  }

  // What a load writes into a folder that an extract reads would be input of the next batch, for ever.
  void check_read_folders() {
    for (const program_node& reader : program_.nodes)
      for (const program_node& writer : program_.nodes) {
        if (reader.kind != node_kind::extract || writer.kind != node_kind::load) continue;
        const asset_binding* read = binding_of(reader);
        const asset_binding* written = binding_of(writer);
        if (read == nullptr || written == nullptr) continue;
        if (reads_what_it_writes(*read, *written))
          add(code::shared_target,
              "the asset \"" + writer.asset + "\" is written into the topic that \"" + reader.asset + "\" is read from",
              "assets." + writer.asset, "give it a topic of its own: what is written there would be read again");
        if (!is_file(*read) || !is_file(*written)) continue;
        namespace fs = std::filesystem;
        std::error_code unknown;
        const fs::path input = fs::weakly_canonical(fs::absolute(read->options.at("path"), unknown), unknown);
        const fs::path output = fs::weakly_canonical(fs::absolute(written->options.at("path"), unknown), unknown);
        if (output == (fs::is_directory(input, unknown) ? input : input.parent_path()))
          add(code::shared_target,
              "the asset \"" + writer.asset + "\" is written into the folder that \"" + reader.asset +
                  "\" is read from",
              "assets." + writer.asset, "give it a folder of its own: what is written there would be read again");
      }
  }

  static bool reads_what_it_writes(const asset_binding& read, const asset_binding& written) {
    const auto option = [](const asset_binding& of, const char* name) {
      const auto found = of.options.find(name);
      return found == of.options.end() ? std::string() : found->second;
    };
    const std::string topic = option(written, "topic");
    return read.connector == "kafka" && written.connector == "kafka" && !topic.empty() &&
           option(read, "bootstrap_servers") == option(written, "bootstrap_servers") &&
           ("," + option(read, "topics") + ",").find("," + topic + ",") != std::string::npos;
  }

  static bool is_file(const asset_binding& binding) {
    return binding.connector == "file" && !binding.made_sink && !binding.made_source &&
           binding.options.count("path") > 0;
  }

  const asset_binding* binding_of(const program_node& node) const {
    const auto found = reading_.settings.assets.find(node.asset);
    return found == reading_.settings.assets.end() ? nullptr : &found->second;
  }

  static bool same_target(const asset_binding& a, const asset_binding& b) {
    if (a.made_sink || b.made_sink || a.connector != b.connector) return false;
    const auto same = [&](const char* option) {
      const auto mine = a.options.find(option);
      const auto other = b.options.find(option);
      return mine != a.options.end() && other != b.options.end() && mine->second == other->second;
    };
    return same("path") && same("table");
  }
};

}  // namespace detail

[[gnu::used]] inline report check_profile(const program& what, const profile_reading& reading,
                                          std::span<const connector> connectors) {
  return detail::profile_checker(what, reading, connectors).check();
}

[[gnu::used]] inline void complete_bindings(profile_reading& reading, const program& what,
                                            std::span<const connector> connectors) {
  for (const program_node& node : what.nodes) {
    if (node.kind != node_kind::load) continue;
    const auto bound = reading.settings.assets.find(node.asset);
    if (bound == reading.settings.assets.end()) continue;
    asset_binding& binding = bound->second;
    for (const connector& each : connectors)
      for (const connector_option& option : each.sink_options)
        if (each.name == binding.connector && option.name == "table") binding.options.emplace("table", node.asset);
  }
}

[[gnu::used]] inline report check_definition(const program& what) {
  report found;
  for (const std::string& warning : what.warnings)
    found.add({std::string(code::output_unread),
               severity::warning,
               warning,
               what.id,
               "wire it into a load if its rows matter",
               {}});
  return found;
}

}  // namespace etlantic
