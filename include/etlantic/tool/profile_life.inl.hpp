#pragma once
#include <etlantic/tool/profile_settings.inl.hpp>

namespace etlantic::detail {

// The sections about a query's life: retry, on_stop, reports.
class profile_life_parser : protected profile_settings_parser {
 protected:
  using profile_settings_parser::profile_settings_parser;

  void read_retry(const entry& section) {
    if (!is_mapping(section, "retry", "such as retry: {attempts: 5, backoff: 1s, longest_backoff: 1min}")) return;
    retry_settings& retry = out_.settings.retry;
    const entry* longest_at = nullptr;
    bool has_attempts = false;
    for (const entry& at : section.value->entries) {
      const std::string path = "retry." + at.key;
      if (at.key == "attempts") {
        has_attempts = true;
        if (const auto number = at_most(at, path, most_attempts, "attempts"))
          retry.attempts = static_cast<int>(*number);
      } else if (at.key == "backoff") {
        retry.backoff = length_of_time(at, path).value_or(retry.backoff);
      } else if (at.key == "longest_backoff") {
        longest_at = &at;
        retry.longest_backoff = length_of_time(at, path).value_or(retry.longest_backoff);
      } else {
        if (nearest(at.key, {"attempts"})) has_attempts = true;
        unknown_key(at, path, "retry", {"attempts", "backoff", "longest_backoff"});
      }
    }
    if (!has_attempts)
      complain_at_key(section, code::missing_key, "retry does not say how often", "retry", "add attempts: 5");
    if (retry.longest_backoff >= retry.backoff) return;
    if (longest_at == nullptr)
      retry.longest_backoff = retry.backoff;
    else
      complain_at_value(*longest_at, code::invalid_value, "\"longest_backoff\" is shorter than \"backoff\"",
                        "retry.longest_backoff", "the waits grow from the one to the other");
  }

  void read_on_stop(const entry& at) {
    read_choice(at, out_.settings.on_stop, {stop_policy::drain, stop_policy::finish_batch, stop_policy::at_once},
                "a way to stop");
  }

  void read_reports(const entry& section) {
    if (!is_mapping(section, "reports", "such as reports: {retained: 50}")) return;
    for (const entry& at : section.value->entries) {
      const std::string path = "reports." + at.key;
      if (at.key == "path") {
        if (const auto folder = scalar(at, path, "name a folder")) out_.settings.reports.path = from_folder(*folder);
      } else if (at.key == "retained") {
        if (const auto number = at_most(at, path, most_reports, "reports"))
          out_.settings.reports.retained = static_cast<int>(*number);
      } else {
        unknown_key(at, path, "reports", {"path", "retained"});
      }
    }
  }

 private:
  static constexpr std::int64_t most_attempts = 1'000'000;
  static constexpr std::int64_t most_reports = 100'000;

  std::optional<std::int64_t> at_most(const entry& at, const std::string& path, std::int64_t most,
                                      std::string_view what) {
    const auto number = positive(at, path, parse_count, count_help);
    if (!number || *number <= most) return number;
    complain_at_value(at, code::invalid_value,
                      "more than " + std::to_string(most) + " " + std::string(what) + " are not possible", path,
                      std::string(count_help));
    return std::nullopt;
  }

  std::optional<duration> length_of_time(const entry& at, const std::string& path) {
    const auto text = scalar(at, path, std::string(duration_help));
    if (!text) return std::nullopt;
    const auto length = parse_duration(*text);
    if (length && length->count() > 0) return length;
    complain_at_value(at, code::invalid_value, "\"" + *text + "\" is not a length of time", path,
                      std::string(duration_help));
    return std::nullopt;
  }
};

}  // namespace etlantic::detail
