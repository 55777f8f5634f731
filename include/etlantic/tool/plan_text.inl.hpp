#pragma once
#include <etlantic/runtime/group_rules.hpp>
#include <etlantic/tool/delivery.hpp>
#include <etlantic/tool/field_text.hpp>
#include <etlantic/tool/nearest.hpp>
#include <etlantic/tool/plan.hpp>
#include <etlantic/tool/quantity.hpp>

namespace etlantic {
namespace detail {

class plan_printer {
 public:
  plan_printer(const program& what, const profile* where) : program_(what), profile_(where) {}

  std::string print() {
    text_ = "pipeline " + program_.id + (program_.version.empty() ? "" : " " + program_.version) + "\n";
    text_ += "fingerprint " + plan_fingerprint(program_) + "\n";
    section("sources", node_kind::extract);
    section("steps", node_kind::step);
    section("sinks", node_kind::load);
    if (profile_ != nullptr) print_profile();
    print_warnings();
    return std::move(text_);
  }

 private:
  const program& program_;
  const profile* profile_;
  std::string text_;

  void section(std::string_view title, node_kind kind) {
    text_.append("\n").append(title).append("\n");
    for (std::size_t i = 0; i < program_.nodes.size(); ++i)
      if (program_.nodes[i].kind == kind) print_node(i);
  }

  // Values line up behind the longest label; a repeated label is left out.
  void line(std::string_view label, std::string_view value) {
    constexpr std::size_t width = 12;
    text_.append(4, ' ').append(label).append(label.size() < width ? width - label.size() : 1, ' ').append(value);
    text_ += "\n";
  }

  void print_node(std::size_t index) {
    const program_node& node = program_.nodes[index];
    text_.append("  ").append(node.name).append("\n");
    if (!node.asset.empty()) line("asset", node.asset);
    for (std::size_t i = 0; i < node.inputs.size(); ++i) print_input(node, i);
    if (node.kind == node_kind::step)
      print_step(node);
    else
      print_contract(node);
    if (node.kind == node_kind::load) print_load(node);
    for (std::size_t i = 0; i < node.outputs.size(); ++i) print_output(index, i);
    if (profile_ != nullptr && node.kind != node_kind::step) print_binding(index);
  }

  void print_input(const program_node& node, std::size_t i) {
    const port_reference& from = node.inputs[i];
    const program_node& giver = program_.nodes[from.node];
    line(i == 0 ? "reads" : "", (i < node.input_names.size() ? node.input_names[i] : "rows") + " from " + giver.name +
                                    "." + giver.outputs[from.port].name);
  }

  void print_contract(const program_node& node) {
    line("contract", contract_text(node.contract));
    if (node.contract == nullptr) return;
    std::size_t names = 0;
    std::size_t types = 0;
    for (const field_description& field : node.contract->fields) {
      names = std::max(names, field.name.size());
      types = std::max(types, type_text(field).size());
    }
    for (std::size_t i = 0; i < node.contract->fields.size(); ++i)
      print_field(node.contract->fields[i], record_part_text(*node.contract, i), names, types);
  }

  void print_field(const field_description& field, const std::string& part, std::size_t names, std::size_t types) {
    std::string row(field.name);
    row.resize(names + 2, ' ');
    row += type_text(field);
    std::string notes;
    const auto note = [&](const std::string& one) { notes += (notes.empty() ? "" : ", ") + one; };
    if (!part.empty()) note(part);
    for (const constraint_description& each : field.constraints) note(constraint_text(field, each));
    if (field.data_name != field.name && !field.data_name.empty()) note("in the data: " + std::string(field.data_name));
    if (field.form == time_form::epoch_seconds) note("seconds since 1970");
    if (field.form == time_form::epoch_milliseconds) note("milliseconds since 1970");
    if (field.form == time_form::epoch_microseconds) note("microseconds since 1970");
    if (field.form == time_form::local) note("without a zone: time of " + std::string(field.zone));
    if (!notes.empty()) {
      row.resize(names + types + 4, ' ');
      row += notes;
    }
    text_.append(6, ' ').append(row).append("\n");
  }

  static std::string settings_text(const std::vector<setting>& settings) {
    std::string text;
    for (const setting& each : settings)
      text += (text.empty() ? "" : ", ") + (each.name.empty() ? each.value : each.name + " = " + each.value);
    return text;
  }

  void print_step(const program_node& node) {
    for (const setting& each : node.parameters)
      line(&each == &node.parameters.front() ? "parameters" : "", each.name + " = " + each.value);
    for (std::size_t i = 0; i < node.operators.size(); ++i) {
      const std::string settings = settings_text(node.operators[i].settings);
      line(i == 0 ? "operators" : "",
           std::to_string(i + 1) + " " + node.operators[i].name + (settings.empty() ? "" : ": " + settings));
    }
    for (std::size_t i = 0; i < node.watermarks.size(); ++i) {
      const followed_watermark& each = node.watermarks[i];
      line(i == 0 ? "watermark" : "",
           to_text(each.delay) + " behind the greatest " + each.event_time + " of " + each.input);
    }
    for (const operator_description* window : windows_of(node))
      line("window", window->name + ": " + settings_text(window->settings));
    line("state", node.state_schema.empty() ? "none" : node.state_schema);
  }

  void print_load(const program_node& node) {
    line("output mode", name_of(node.mode));
    if (node.bound_to != target::any) line("target", name_of(node.bound_to));
    const std::vector<std::string> key =
        node.contract == nullptr ? std::vector<std::string>() : merge_key_of(*node.contract);
    line("merge key", key.empty() ? "none" : enumerate(key, "and"));
  }

  void print_output(std::size_t index, std::size_t port) {
    const output_port& output = program_.nodes[index].outputs[port];
    const std::vector<std::string> readers = readers_of(program_, {index, port});
    std::string value = output.name;
    if (output.contract != nullptr) value += " (" + contract_text(output.contract) + ")";
    line(port == 0 ? "outputs" : "", value + (readers.empty() ? ", not read" : " -> " + enumerate(readers, "and")));
  }

  void print_binding(std::size_t index) {
    const program_node& node = program_.nodes[index];
    const auto bound = profile_->assets.find(node.asset);
    line("bound to", bound == profile_->assets.end() ? "nothing" : binding_text(bound->second));
    if (bound == profile_->assets.end()) return;
    if (const duration most = bound->second.reject_future; most != duration::zero())
      line("rejects", "event times more than " + to_text(most) + " ahead of the clock");
    const bool by_split = bound->second.watermark_per == watermark_unit::split;
    if (by_split) line("watermark", "of each split; the slowest holds the input's back");
    if (const duration silence = bound->second.idle_after; silence != duration::zero())
      line("idle", "after " + to_text(silence) + " without rows, when it holds no watermark back" +
                       (by_split ? "; each split by itself" : ""));
    if (bound->second.intake == intake_mode::group) {
      line("intake", "group: several processes share the partitions, each of which has state and watermark of its own");
      line("", "assumes " + group_assumption(program_, *profile_, index));
    }
    if (node.kind != node_kind::load) return;
    for (const std::size_t each : extracts_of(program_, index)) {
      const program_node& extract = program_.nodes[each];
      const auto source = profile_->assets.find(extract.asset);
      if (source == profile_->assets.end()) continue;
      const delivery promised = delivery_between(source->second, bound->second, *profile_);
      line("delivery", "from " + extract.name + ": " + promised.guarantee);
      line("", "if " + promised.assumption);
    }
  }

  void print_profile() {
    text_ += "\nprofile " + profile_->name + "\n";
    const trigger_settings& trigger = profile_->trigger;
    line("trigger",
         std::string(name_of(trigger.kind)) +
             (trigger.kind == trigger_kind::interval ? ", at most one batch every " + to_text(trigger.interval) : ""));
    line("checkpoint", profile_->checkpoint.empty() ? "none" : profile_->checkpoint);
    if (!profile_->checkpoint.empty()) {
      line("snapshots", profile_->snapshot_interval == duration::zero()
                            ? "with every batch"
                            : "every " + to_text(profile_->snapshot_interval));
      if (profile_->compression != snapshot_compression::none) line("compression", name_of(profile_->compression));
      line("retained", grouped(profile_->retained_batches) + " batches" +
                           (profile_->retained_snapshots == 0
                                ? ""
                                : ", at most " + grouped(profile_->retained_snapshots) + " snapshots"));
    }
    const intake_limits& limits = profile_->limits;
    line("limits", (limits.max_rows == no_limit ? "any number of" : grouped(limits.max_rows)) + " rows, " +
                       size_text(limits.max_bytes) + ", " +
                       (limits.max_files == no_limit ? "any number of" : grouped(limits.max_files)) +
                       " files per trigger");
    line("workers", profile_->workers == 0 ? "all cores" : grouped(static_cast<std::int64_t>(profile_->workers)));
    line("no data", profile_->no_data_batches ? "a batch without input publishes what the watermark closed"
                                              : "what the watermark closed waits for the next input");
    line("on overflow", profile_->on_overflow == overflow_policy::fail
                            ? "the query ends"
                            : "the result goes to the step's output 'invalid'");
    std::size_t watermarks = 0;
    for (const program_node& each : program_.nodes) watermarks += each.watermarks.size();
    if (watermarks > 1)
      line("watermarks",
           profile_->watermarks == watermark_policy::min ? "the smallest governs" : "the greatest governs");
  }

  void print_warnings() {
    if (program_.warnings.empty()) return;
    text_ += "\nwarnings\n";
    for (const std::string& each : program_.warnings) text_.append("  ").append(each).append("\n");
  }
};

}  // namespace detail

[[gnu::used]] inline std::string plan_text(const program& what, const profile* where) {
  return detail::plan_printer(what, where).print();
}

}  // namespace etlantic
