#pragma once
#include <etlantic/runtime/group_rules.hpp>
#include <etlantic/tool/delivery.hpp>
#include <etlantic/tool/field_text.hpp>
#include <etlantic/tool/json_writer.hpp>
#include <etlantic/tool/plan.hpp>
#include <etlantic/tool/quantity.hpp>
#include <etlantic/tool/reference.hpp>

namespace etlantic {
namespace detail {

class plan_json_writer {
 public:
  plan_json_writer(const program& what, const profile* where) : program_(what), profile_(where) {}

  std::string write() {
    json_.begin_object().member("format", "etlantic plan 1").member("pipeline", program_.id);
    json_.member("version", program_.version).member("fingerprint", plan_fingerprint(program_));
    section("sources", node_kind::extract);
    section("steps", node_kind::step);
    section("sinks", node_kind::load);
    if (profile_ != nullptr) write_profile();
    texts("warnings", program_.warnings);
    json_.end_object();
    return json_.text() + "\n";
  }

 private:
  const program& program_;
  const profile* profile_;
  json_writer json_{json_writer::layout::indented};

  void texts(std::string_view key, const std::vector<std::string>& values) {
    json_.key(key).begin_array();
    for (const std::string& each : values) json_.value(each);
    json_.end_array();
  }

  void settings(std::string_view key, const std::vector<setting>& values) {
    json_.key(key).begin_array();
    for (const setting& each : values)
      json_.begin_object().member("name", each.name).member("value", each.value).end_object();
    json_.end_array();
  }

  void section(std::string_view key, node_kind kind) {
    json_.key(key).begin_array();
    for (std::size_t i = 0; i < program_.nodes.size(); ++i)
      if (program_.nodes[i].kind == kind) write_node(i);
    json_.end_array();
  }

  void write_node(std::size_t index) {
    const program_node& node = program_.nodes[index];
    json_.begin_object().member("name", node.name);
    if (node.kind != node_kind::step) {
      json_.member("asset", node.asset).key("contract");
      write_contract(node.contract);
    }
    if (!node.inputs.empty()) write_inputs(node);
    if (node.kind == node_kind::step) write_step(node);
    if (node.kind == node_kind::load) {
      json_.member("output_mode", name_of(node.mode));
      if (node.bound_to != target::any) json_.member("target", name_of(node.bound_to));
      texts("merge_key", node.contract == nullptr ? std::vector<std::string>() : merge_key_of(*node.contract));
    } else {
      write_outputs(index);
    }
    if (profile_ != nullptr && node.kind != node_kind::step) write_binding(index);
    json_.end_object();
  }

  void write_inputs(const program_node& node) {
    json_.key("inputs").begin_array();
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      const program_node& giver = program_.nodes[node.inputs[i].node];
      json_.begin_object().member("name", i < node.input_names.size() ? node.input_names[i] : std::string("rows"));
      json_.member("from", giver.name + "." + giver.outputs[node.inputs[i].port].name).end_object();
    }
    json_.end_array();
  }

  void write_outputs(std::size_t index) {
    const program_node& node = program_.nodes[index];
    json_.key("outputs").begin_array();
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      json_.begin_object().member("name", node.outputs[i].name).key("contract");
      if (node.outputs[i].contract == nullptr)
        json_.null();
      else
        json_.value(contract_text(node.outputs[i].contract));
      texts("to", readers_of(program_, {index, i}));
      json_.end_object();
    }
    json_.end_array();
  }

  void write_step(const program_node& node) {
    settings("parameters", node.parameters);
    json_.key("operators").begin_array();
    for (const operator_description& each : node.operators) {
      json_.begin_object().member("name", each.name);
      settings("settings", each.settings);
      json_.end_object();
    }
    json_.end_array();
    json_.key("watermarks").begin_array();
    for (const followed_watermark& each : node.watermarks)
      json_.begin_object()
          .member("input", each.input)
          .member("event_time", each.event_time)
          .member("delay_us", each.delay.count())
          .end_object();
    json_.end_array();
    json_.key("windows").begin_array();
    for (const operator_description* window : windows_of(node)) {
      json_.begin_object().member("kind", window->name);
      settings("settings", window->settings);
      json_.end_object();
    }
    json_.end_array();
    json_.member("state_schema", node.state_schema);
  }

  void write_contract(const schema* contract) {
    if (contract == nullptr) {
      json_.null();
      return;
    }
    json_.begin_object().member("id", contract->id).member("version", contract->version);
    if (!contract->description.empty()) json_.member("description", contract->description);
    write_fields("fields", contract->fields);
    if (contract->record != nullptr) write_record(*contract);
    json_.end_object();
  }

  void write_record(const schema& contract) {
    const std::size_t of_value = contract.record->value->fields.size();
    json_.key("record").begin_object().member("value", contract.record->value->id);
    json_.member("has_tombstones", contract.record->has_tombstones).key("details").begin_array();
    for (std::size_t i = 0; i < contract.record->details.size(); ++i) {
      const record_field& each = contract.record->details[i];
      json_.begin_object().member("field", contract.fields[of_value + i].name).member("part", name_of(each.part));
      if (!each.header.empty()) json_.member("header", each.header);
      json_.end_object();
    }
    json_.end_array().end_object();
  }

  void write_fields(std::string_view key, std::span<const field_description> fields) {
    json_.key(key).begin_array();
    for (const field_description& each : fields) write_field(each);
    json_.end_array();
  }

  void write_field(const field_description& field) {
    json_.begin_object().member("name", field.name).member("data_name", field.data_name);
    json_.member("type", name_of(field.type)).member("nullable", field.nullable);
    if (!field.description.empty()) json_.member("description", field.description);
    if (field.type == logical_type::decimal)
      json_.member("precision", int{field.precision}).member("scale", int{field.scale}).member("rounds", field.rounds);
    if (field.type == logical_type::timestamp) json_.member("form", form_name(field.form));
    if (!field.zone.empty()) json_.member("zone", field.zone);
    if (field.key_position >= 0) json_.member("key_position", int{field.key_position});
    if (!field.enumerators.empty()) {
      json_.key("enumerators").begin_array();
      for (const std::string_view each : field.enumerators) json_.value(each);
      json_.end_array();
    }
    if (!field.children.empty()) write_fields("children", field.children);
    json_.key("constraints").begin_array();
    for (const constraint_description& each : field.constraints) {
      json_.begin_object().member("kind", name_of(each.kind)).key("values").begin_array();
      for (const constant_description& value : each.values) json_.value(constant_text(field, each.kind, value));
      json_.end_array().end_object();
    }
    json_.end_array().end_object();
  }

  static std::string_view form_name(time_form form) {
    constexpr std::string_view names[] = {"rfc3339", "epoch_seconds", "epoch_milliseconds", "epoch_microseconds",
                                          "local"};
    return names[static_cast<int>(form)];
  }

  void write_binding(std::size_t index) {
    const program_node& node = program_.nodes[index];
    const auto bound = profile_->assets.find(node.asset);
    json_.key("binding");
    if (bound == profile_->assets.end()) {
      json_.null();
      return;
    }
    const asset_binding& binding = bound->second;
    json_.begin_object();
    if (binding.made_source || binding.made_sink) {
      json_.member("connector", "program").member("description", binding_text(binding));
    } else {
      json_.member("connector", binding.connector).key("options").begin_object();
      for (const auto& [name, value] : binding.options) json_.member(name, printable_option(name, value));
      json_.end_object();
    }
    if (binding.reject_future != duration::zero()) json_.member("reject_future", to_text(binding.reject_future));
    if (binding.idle_after != duration::zero()) json_.member("idle_after", to_text(binding.idle_after));
    if (binding.watermark_per == watermark_unit::split) json_.member("watermark_per", name_of(binding.watermark_per));
    if (binding.intake == intake_mode::group)
      json_.member("intake", name_of(binding.intake))
          .member("assumption", group_assumption(program_, *profile_, index));
    json_.end_object();
    if (node.kind == node_kind::load) write_deliveries(index, binding);
  }

  void write_deliveries(std::size_t index, const asset_binding& binding) {
    json_.key("delivery").begin_array();
    for (const std::size_t each : extracts_of(program_, index)) {
      const auto source = profile_->assets.find(program_.nodes[each].asset);
      if (source == profile_->assets.end()) continue;
      const delivery promised = delivery_between(source->second, binding, *profile_);
      json_.begin_object().member("from", program_.nodes[each].name).member("guarantee", promised.guarantee);
      json_.member("assumption", promised.assumption).end_object();
    }
    json_.end_array();
  }

  void write_profile() {
    json_.key("profile").begin_object().member("name", profile_->name);
    json_.key("trigger").begin_object().member("kind", name_of(profile_->trigger.kind));
    if (profile_->trigger.kind == trigger_kind::interval)
      json_.member("interval_us", profile_->trigger.interval.count());
    json_.end_object();
    json_.key("checkpoint");
    if (profile_->checkpoint.empty())
      json_.null();
    else
      json_.begin_object()
          .member("path", profile_->checkpoint)
          .member("interval_us", profile_->snapshot_interval.count())
          .member("retained_batches", profile_->retained_batches)
          .member("retained_snapshots", profile_->retained_snapshots)
          .member("compression", name_of(profile_->compression))
          .end_object();
    json_.key("limits").begin_object();
    limit("max_rows_per_trigger", profile_->limits.max_rows);
    limit("max_bytes_per_trigger", profile_->limits.max_bytes);
    limit("max_files_per_trigger", profile_->limits.max_files);
    json_.end_object().key("workers");
    if (profile_->workers == 0)
      json_.value("all");
    else
      json_.value(static_cast<std::int64_t>(profile_->workers));
    json_.member("no_data_batches", profile_->no_data_batches);
    json_.member("on_overflow", name_of(profile_->on_overflow));
    json_.member("watermark_policy", name_of(profile_->watermarks)).end_object();
  }

  void limit(std::string_view name, std::int64_t most) {
    json_.key(name);
    if (most == no_limit)
      json_.null();
    else
      json_.value(most);
  }
};

}  // namespace detail

[[gnu::used]] inline std::string plan_json(const program& what, const profile* where) {
  return detail::plan_json_writer(what, where).write();
}

}  // namespace etlantic
