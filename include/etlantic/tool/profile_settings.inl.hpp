#pragma once
#include <etlantic/tool/profile_values.inl.hpp>

#include <algorithm>

namespace etlantic::detail {

// The sections that say when and how much: trigger, checkpoint, limits.
class profile_settings_parser : protected profile_values {
 protected:
  using profile_values::profile_values;

  void read_trigger(const entry& section) {
    const std::vector<std::string> kinds{"continuous", "interval", "available_now", "once", "low_latency"};
    const entry* kind_at = section.value->what == tree::kind::scalar ? &section : nullptr;
    const entry* interval_at = nullptr;
    if (kind_at == nullptr) {
      if (!is_mapping(section, "trigger", "such as trigger: {kind: interval, interval: 10s}")) return;
      for (const entry& at : section.value->entries) {
        if (at.key == "kind")
          kind_at = &at;
        else if (at.key == "interval")
          interval_at = &at;
        else
          unknown_key(at, "trigger." + at.key, "trigger", {"kind", "interval"});
      }
    }
    if (kind_at == nullptr) {
      if (interval_at == nullptr || section.value->entries.size() == 1)
        complain_at_key(section, code::missing_key, "the trigger has no kind", "trigger",
                        "add kind: " + enumerate(kinds));
      return;
    }
    const std::string path = kind_at == &section ? "trigger" : "trigger.kind";
    const auto kind = scalar(*kind_at, path, "it can be " + enumerate(kinds));
    if (!kind) return;
    const auto found = std::find(kinds.begin(), kinds.end(), *kind);
    if (found == kinds.end())
      return complain_at_value(*kind_at, code::invalid_value, "\"" + *kind + "\" is not a kind of trigger", path,
                               suggestion(*kind, kinds));
    out_.settings.trigger.kind = static_cast<trigger_kind>(found - kinds.begin());
    read_interval(section, interval_at);
  }

  void read_interval(const entry& section, const entry* at) {
    const bool wanted = out_.settings.trigger.kind == trigger_kind::interval;
    if (at == nullptr) {
      if (wanted)
        complain_at_key(section, code::missing_key, "a trigger of kind interval needs an interval", "trigger",
                        "write trigger: {kind: interval, interval: 10s}");
      return;
    }
    if (!wanted)
      return complain_at_key(
          *at, code::invalid_value,
          "a trigger of kind " + std::string(name_of(out_.settings.trigger.kind)) + " has no interval",
          "trigger.interval", "remove it, or write kind: interval");
    const auto text = scalar(*at, "trigger.interval", std::string(duration_help));
    if (!text) return;
    const auto length = parse_duration(*text);
    if (!length || length->count() == 0)
      return complain_at_value(*at, code::invalid_value, "\"" + *text + "\" is not a length of time",
                               "trigger.interval", std::string(duration_help));
    out_.settings.trigger.interval = *length;
  }

  void read_checkpoint(const entry& section) {
    if (section.value->what == tree::kind::scalar) {
      if (const auto path = scalar(section, "checkpoint", "name a folder"))
        out_.settings.checkpoint = from_folder(*path);
      return;
    }
    if (!is_mapping(section, "checkpoint", "such as checkpoint: {path: ./orders.checkpoint}")) return;
    bool has_path = false;
    for (const entry& at : section.value->entries) {
      const std::string path = "checkpoint." + at.key;
      if (at.key == "path") {
        has_path = true;
        if (const auto folder = scalar(at, path, "name a folder")) out_.settings.checkpoint = from_folder(*folder);
      } else if (at.key == "retained_batches") {
        const auto number = positive(at, path, parse_count, count_help);
        if (number && *number > 1'000'000)
          complain_at_value(at, code::invalid_value, "more than 1000000 batches cannot be retained", path,
                            "a restart needs one; 10 to 100 are useful to look back");
        else if (number)
          out_.settings.retained_batches = static_cast<int>(*number);
      } else if (at.key == "retained_snapshots") {
        const auto number = positive(at, path, parse_count, count_help);
        if (number && *number > 1'000'000)
          complain_at_value(at, code::invalid_value, "more than 1000000 snapshots cannot be retained", path,
                            "a restart needs one; without the key the retained batches decide");
        else if (number)
          out_.settings.retained_snapshots = static_cast<int>(*number);
      } else if (at.key == "interval") {
        read_snapshot_interval(at, path);
      } else if (at.key == "compression") {
        read_choice(at, path, out_.settings.compression, {snapshot_compression::none, snapshot_compression::zstd},
                    "a compression of snapshots");
      } else {
        if (nearest(at.key, {"path"})) has_path = true;
        unknown_key(at, path, "checkpoint",
                    {"path", "interval", "retained_batches", "retained_snapshots", "compression"});
      }
    }
    if (!has_path)
      complain_at_key(section, code::missing_key, "the checkpoint has no path", "checkpoint",
                      "add path: and a folder for this pipeline alone");
  }

  void read_snapshot_interval(const entry& at, const std::string& path) {
    const auto text = scalar(at, path, std::string(duration_help));
    if (!text) return;
    const auto length = *text == "each_batch" ? std::optional(duration::zero()) : parse_duration(*text);
    if (!length || (length->count() == 0 && *text != "each_batch") || *length > std::chrono::hours{24})
      return complain_at_value(
          at, code::invalid_value, "\"" + *text + "\" is no interval of snapshots", path,
          "write a time of at most a day, such as 1s or 10s, or each_batch for one with every batch");
    out_.settings.snapshot_interval = *length;
  }

  void read_limits(const entry& section) {
    if (!is_mapping(section, "limits", "such as limits: {max_rows_per_trigger: 100000}")) return;
    for (const entry& at : section.value->entries) {
      const std::string path = "limits." + at.key;
      intake_limits& limits = out_.settings.limits;
      if (at.key == "max_rows_per_trigger")
        limits.max_rows = positive(at, path, parse_count, count_help).value_or(limits.max_rows);
      else if (at.key == "max_bytes_per_trigger")
        limits.max_bytes = positive(at, path, parse_size, size_help).value_or(limits.max_bytes);
      else if (at.key == "max_files_per_trigger")
        limits.max_files = positive(at, path, parse_count, count_help).value_or(limits.max_files);
      else if (at.key == "max_reference_bytes")
        limits.max_reference_bytes = positive(at, path, parse_size, size_help).value_or(limits.max_reference_bytes);
      else
        unknown_key(at, path, "limits",
                    {"max_rows_per_trigger", "max_bytes_per_trigger", "max_files_per_trigger", "max_reference_bytes"});
    }
  }

  void read_workers(const entry& at) {
    constexpr std::int64_t most = 1024;
    const auto number = positive(at, at.key, parse_count, "a number of cores, such as workers: 4");
    if (number && *number > most)
      complain_at_value(at, code::invalid_value, "more than 1024 workers cannot be started", at.key,
                        "leave it out, and every core is used");
    else if (number)
      out_.settings.workers = static_cast<std::size_t>(*number);
  }

  void read_no_data_batches(const entry& at) {
    const auto text = scalar(at, at.key, "it can be true or false");
    if (!text) return;
    if (*text != "true" && *text != "false")
      return complain_at_value(at, code::invalid_value, "\"" + *text + "\" is neither true nor false", at.key,
                               "it can be true or false");
    out_.settings.no_data_batches = *text == "true";
  }

  void read_on_overflow(const entry& at) {
    read_choice(at, out_.settings.on_overflow, {overflow_policy::quarantine, overflow_policy::fail},
                "what can be done about overflow");
  }

  void read_watermark_policy(const entry& at) {
    read_choice(at, out_.settings.watermarks, {watermark_policy::min, watermark_policy::max},
                "a choice between several watermarks");
  }

  /// One of some values by name.
  template <class Choice>
  void read_choice(const entry& at, Choice& into, std::initializer_list<Choice> choices, const std::string& what) {
    read_choice(at, at.key, into, choices, what);
  }
  template <class Choice>
  void read_choice(const entry& at, const std::string& path, Choice& into, std::initializer_list<Choice> choices,
                   const std::string& what) {
    std::vector<std::string> names;
    for (Choice each : choices) names.emplace_back(name_of(each));
    const auto text = scalar(at, path, "it can be " + enumerate(names));
    if (!text) return;
    const auto found = std::find(names.begin(), names.end(), *text);
    if (found == names.end())
      return complain_at_value(at, code::invalid_value, "\"" + *text + "\" is not " + what, path,
                               suggestion(*text, names));
    into = choices.begin()[found - names.begin()];
  }
};

}  // namespace etlantic::detail
