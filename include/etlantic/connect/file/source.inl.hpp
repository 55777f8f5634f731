#pragma once
#include <etlantic/connect/file/changed_files.hpp>
#include <etlantic/connect/file/cut_files.hpp>
#include <etlantic/connect/file/source.hpp>
#include <etlantic/connect/file/source_lines.hpp>
#include <etlantic/connect/file/source_listing.inl.hpp>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace etlantic {

namespace detail {

/// One spelling for a place: what was read is remembered by the paths of the files, and `data`, `./data` and
/// `/home/me/data` must not count as three. A last part that is a pattern or a link to a file stays as it is.
inline std::string settled_path(const std::string& given) {
  namespace fs = std::filesystem;
  std::error_code unknown;
  const fs::path path = fs::absolute(given, unknown);
  if (given.empty() || unknown) return given;  // the listing says what is wrong with it
  fs::path fixed = path;
  while (fixed.has_relative_path() && !fs::is_directory(fixed, unknown)) fixed = fixed.parent_path();
  const fs::path rest = path.lexically_relative(fixed);
  const fs::path settled = fs::canonical(fixed, unknown);
  if (unknown) return given;
  return (rest.empty() || rest == "." ? settled : settled / rest).string();
}

class file_source final : public source {
 public:
  explicit file_source(file_source_settings settings)
      : settings_(std::move(settings)), place_(settled_path(settings_.path)) {
    if (!settings_.redriven.empty()) redriven_ = settled_path(settings_.redriven);
  }

  result<std::vector<split_range>> plan(const intake_limits& limits) override {
    auto listed = files();
    if (!listed) return listed.error();
    std::vector<split_range> ranges;
    intake_limits left = limits;
    for (const listed_file& each : *listed) {
      if (left.max_rows <= 0 || left.max_bytes <= 0 || left.max_files <= 0) break;
      const std::int64_t begin = planned_of(each.path);
      if (each.size == begin) continue;
      if (each.size > begin && begin > 0) {
        const auto line_ended = ends_with_line(each.path, begin);
        if (!line_ended) return line_ended.error();
        if (!*line_ended) {
          leave_out(each.path, begin);
          continue;
        }
      }
      auto lines = plan_file(each, begin, left, ranges.empty());
      if (!lines) return lines.error();
      if (lines->lines > 0) {
        ranges.push_back({each.path, begin, lines->end});
        if (left.max_rows != no_limit) left.max_rows -= lines->lines;
        left.max_bytes -= lines->end - begin;
        --left.max_files;
      }
      // A later file must not overtake the rest of this one.
      if (lines->limited) break;
    }
    for (const split_range& range : ranges) planned_[range.split] = range.end;
    listed_ = std::move(*listed);
    return ranges;
  }

  result<void> restore(const std::vector<split_range>& read) override {
    for (const split_range& range : read) planned_[range.split] = range.end;
    return {};
  }

  result<void> read(const split_range& range, intake& into) override {
    auto file = cut_.file_of(range);
    if (!file) return file.error();
    if ((*file)->size() < range.end) return shrunken_source_file(range.split, (*file)->size(), range.end);
    into.storage().clear();
    return read_lines(**file, range, {settings_.chunk_bytes, settings_.max_line_bytes}, into.storage(), into);
  }

  result<std::vector<split_range>> pieces(const split_range& range) override {
    const auto most = static_cast<std::int64_t>(settings_.chunk_bytes);
    if (range.end - range.begin <= most) return std::vector{range};
    auto file = source_file::open(range.split);
    if (!file) return file.error();
    if (file->size() < range.end) return shrunken_source_file(range.split, file->size(), range.end);
    cut_.add(range.split, range.end);
    return cut_at_lines(*file, range, most, chunk_);
  }

  /// What is redriven comes when somebody looks.
  std::optional<bool> await_rows(duration at_most) override { return changed_.await(place_, at_most); }

  /// Bytes, since lines are counted only when they are planned. A last line that is still written counts.
  waiting_input waiting() override {
    waiting_input behind;
    if (!listed_) return behind;
    behind.bytes = 0;
    for (const listed_file& each : *listed_)
      if (left_out_.count(each.path) == 0)
        *behind.bytes += std::max<std::int64_t>(each.size - planned_of(each.path), 0);
    return behind;
  }

  /// A file that is not there any more, or that was complete when it appeared and is not read any further.
  std::vector<std::string> finished(const std::vector<std::string>& splits) override {
    if (!listed_) {
      auto listed = files();
      if (!listed) return {};  // the next plan says what is wrong
      listed_ = std::move(*listed);
    }
    std::map<std::string_view, std::int64_t> sizes;
    for (const listed_file& each : *listed_) sizes[each.path] = each.size;
    std::vector<std::string> found;
    for (const std::string& each : splits) {
      const auto size = sizes.find(each);
      if (size == sizes.end() || (!settings_.tail && (size->second == planned_of(each) || left_out_.count(each) != 0)))
        found.push_back(each);
    }
    return found;
  }

  /// Times of files have steps of some milliseconds, so that nothing is sure of one that has just been changed.
  result<whole_content> whole() override {
    auto listed = list_source_files(place_);
    if (!listed) return listed.error();
    whole_content content;
    std::int64_t newest = 0;
    for (const listed_file& each : *listed) {
      auto lines = plan_file(each, 0, {.max_bytes = no_limit}, true);
      if (!lines) return lines.error();
      if (lines->end > 0) content.ranges.push_back({each.path, 0, lines->end});
      for (const std::int64_t part : {each.modified, each.changed, each.size, static_cast<std::int64_t>(each.number)})
        content.version.append(std::to_string(part)).append(" ");
      content.version.append(each.path).append("\n");
      newest = std::max({newest, each.modified, each.changed});
    }
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const std::int64_t age = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count() - newest;
    content.settled = age > 1'000'000'000;
    return content;
  }

  result<void> freeze() override {
    auto listed = list_all();
    if (!listed) return listed.error();
    frozen_ = std::move(*listed);
    return {};
  }

  std::vector<std::string> take_warnings() override { return std::exchange(warnings_, {}); }

  std::size_t max_line_bytes() const override { return settings_.max_line_bytes; }

  std::string describe() const override {
    return "NDJSON files at " + settings_.path + (settings_.tail ? " (appended to)" : "");
  }

 private:
  result<std::vector<listed_file>> files() const {
    if (frozen_) return *frozen_;
    return list_all();
  }

  /// What was redriven comes behind the files of the path.
  result<std::vector<listed_file>> list_all() const {
    auto listed = list_source_files(place_);
    std::error_code none;
    if (!listed || redriven_.empty() || !std::filesystem::is_directory(redriven_, none)) return listed;
    const auto redriven = list_source_files(redriven_);
    if (!redriven) return redriven.error();
    listed->insert(listed->end(), redriven->begin(), redriven->end());
    return listed;
  }

  std::int64_t planned_of(const std::string& path) const {
    const auto found = planned_.find(path);
    return found == planned_.end() ? 0 : found->second;
  }

  result<planned_lines> plan_file(const listed_file& listed, std::int64_t begin, const intake_limits& left,
                                  bool nothing_yet) {
    if (listed.size < begin) return shrunken_source_file(listed.path, listed.size, begin);
    auto file = source_file::open(listed.path);
    if (!file) return file.error();
    const auto tail = settings_.tail ? last_line::is_still_written : last_line::is_a_row;
    return plan_lines(*file, begin, listed.size, tail, left, nothing_yet, chunk_);
  }

  // What was planned may only be followed by more if it ended with a line: half a row was taken for a whole one, and
  // the other half must not become a second one.
  static result<bool> ends_with_line(const std::string& path, std::int64_t planned) {
    auto file = source_file::open(path);
    if (!file) return file.error();
    std::byte last{};
    if (auto got = file->read(planned - 1, &last, 1); !got) return got.error();
    return last == std::byte{'\n'};
  }

  void leave_out(const std::string& path, std::int64_t end) {
    if (left_out_.insert(path).second) warnings_.push_back(grown_source_file(path, end));
  }

  file_source_settings settings_;
  std::string place_;  // its path in one spelling
  std::string redriven_;
  cut_files cut_;
  buffer chunk_;                                 // kept, because new memory has to be cleared by the system first
  std::map<std::string, std::int64_t> planned_;  // file -> end of what was planned of it
  std::optional<std::vector<listed_file>> frozen_;
  std::optional<std::vector<listed_file>> listed_;  // by the newest plan
  std::set<std::string> left_out_;                  // files that grew behind half a line
  std::vector<std::string> warnings_;
  changed_files changed_;
};

inline failure wrong_file_option(std::string message, std::string help) {
  return {failure_class::configuration, "PMSTREAM424", std::move(message), "connector file", std::move(help)};
}

}  // namespace detail

[[gnu::used]] inline std::shared_ptr<source> make_file_source(file_source_settings settings) {
  return std::make_shared<detail::file_source>(std::move(settings));
}

[[gnu::used]] inline result<std::shared_ptr<source>> make_file_source(const asset_binding& binding) {
  const auto option = [&](const char* name) -> std::string_view {
    const auto found = binding.options.find(name);
    return found == binding.options.end() ? std::string_view() : std::string_view(found->second);
  };
  file_source_settings settings;
  settings.path = option("path");
  if (settings.path.empty())
    return detail::wrong_file_option("the option `path` is missing", "name a file, a directory or a pattern");
  if (const auto format = option("format"); !format.empty() && format != "ndjson")
    return detail::wrong_file_option("there is no reader for the format `" + std::string(format) + "`",
                                     "the format is `ndjson`: one JSON object a line");
  if (const auto tail = option("tail"); !tail.empty() && tail != "true" && tail != "false")
    return detail::wrong_file_option("the option `tail` is `" + std::string(tail) + "`", "write `true` or `false`");
  settings.tail = option("tail") == "true";
  settings.redriven = option("redriven");
  if (const auto text = option("max_line_bytes"); !text.empty()) {
    std::size_t bytes = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bytes);
    if (error != std::errc() || end != text.data() + text.size() || bytes == 0 || bytes > std::size_t{1} << 30)
      return detail::wrong_file_option("the option `max_line_bytes` is `" + std::string(text) + "`",
                                       "write a number of bytes between 1 and 1073741824");
    settings.max_line_bytes = bytes;
  }
  return make_file_source(std::move(settings));
}

}  // namespace etlantic
