#pragma once
#include "cases/case_folder.hpp"

#include <etlantic/column/format.hpp>
#include <etlantic/column/format_json.hpp>
#include <etlantic/core/format_number.hpp>
#include <etlantic/runtime/sink.hpp>
#include <etlantic/runtime/source.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

// The ends of a pipeline case: sources whose batches are cut as the case says, and sinks that keep what comes.

namespace pipeline_runner {

using namespace etlantic;

/// A value in the notation of the cases: `\N` for null, time stamps without a fraction of zeros.
inline std::string notation(const column& from, std::size_t at) {
  if (!from.is_valid(at)) return "\\N";
  if (from.field->type == logical_type::text) {
    std::string made;
    for (char c : from.text_at(at)) {
      if (c == '\0')
        made += "\\0";
      else if (c == '\\')
        made += "\\\\";
      else
        made += c;
    }
    return made;
  }
  if (from.field->type == logical_type::list) {
    std::string made;
    append_json(made, json_member_of(*from.field), from, at);
    return made;
  }
  char characters[scalar_text_size];
  std::string made(characters, write_scalar(characters, from, at));
  if (const std::size_t zeros = made.find(".000000Z"); zeros != std::string::npos) made.replace(zeros, 8, "Z");
  return made;
}

/// A number as results write it, whichever text of it is given: `4.0` and `4` are one double.
inline std::string floating_notation(const std::string& given) {
  if (given == "\\N") return given;
  char* end = nullptr;
  const double value = std::strtod(given.c_str(), &end);
  return end == given.c_str() || *end != '\0' ? given : format_floating(value);
}

/// Keeps published rows by column name. Where a pipeline has several ends, each row says which one it came out of.
class kept_rows final : public sink {
 public:
  explicit kept_rows(std::string output = {}) : output_(std::move(output)) {}

  std::vector<std::map<std::string, std::string>> take() {
    const std::lock_guard guard(lock_);
    return std::exchange(rows_, {});
  }

  result<void> open(const schema& contract, output_mode mode, const publisher&) override {
    mode_ = mode;
    for (const field_description& each : contract.fields)
      if (each.type == logical_type::float64) doubles_.emplace(each.data_name);
    return {};
  }
  bool is_double(const std::string& column) const { return doubles_.contains(column); }
  result<void> prepare(const publication& what) override {
    prepared_.clear();
    for (const block& each : what.blocks)
      for (std::size_t at = 0; at < each.rows; ++at) {
        std::map<std::string, std::string> made;
        for (const column& value : each.columns)
          if (value.field->type != logical_type::structure)
            made[std::string(value.field->data_name)] = notation(value, at);
        if (!output_.empty()) made["output"] = output_;
        prepared_.push_back(std::move(made));
      }
    return {};
  }
  result<void> commit(std::int64_t batch) override {
    const std::lock_guard guard(lock_);
    if (batch <= last_) return {};
    last_ = batch;
    if (mode_ == output_mode::complete) rows_.clear();
    for (auto& each : prepared_) rows_.push_back(std::move(each));
    prepared_.clear();
    return {};
  }
  void abort() override { prepared_.clear(); }
  std::string describe() const override { return "rows kept for comparison"; }

 private:
  std::string output_;
  std::mutex lock_;
  output_mode mode_ = output_mode::append;
  std::set<std::string> doubles_;
  std::int64_t last_ = -1;
  std::vector<std::map<std::string, std::string>> prepared_, rows_;
};

/// Up to which batch the sources may read. The first source that is planned looks, and the others follow it, so that a
/// batch that is let go while a plan is made is in all of them or in none.
struct batch_gate {
  std::atomic<std::int64_t> open{0};
  std::int64_t planned = 0;
};

/// The version of a reference that the batch let go last meets.
class reference_by_batch final : public source {
 public:
  reference_by_batch(const case_reference& described, const batch_gate& gate) : described_(described), gate_(gate) {}

  result<whole_content> whole() override {
    const std::int64_t batch = std::max<std::int64_t>(gate_.open, 1);
    const auto size = static_cast<std::int64_t>(text_of(batch).size());
    return whole_content{std::to_string(batch), true, {{std::to_string(batch), 0, size}}};
  }
  result<void> read(const split_range& range, intake& into) override {
    std::string bytes = text_of(std::stoll(range.split));
    const std::size_t size = bytes.size();
    bytes.append(64, '\0');
    return into.lines(range.split, range.begin, std::string_view(bytes).substr(0, size));
  }
  result<std::vector<split_range>> plan(const intake_limits&) override { return std::vector<split_range>{}; }
  result<void> restore(const std::vector<split_range>&) override { return {}; }
  result<void> freeze() override { return {}; }
  std::string describe() const override { return described_.name; }

 private:
  std::string text_of(std::int64_t batch) const {
    std::string text;
    for (const std::string& line : described_.lines.at(static_cast<std::size_t>(batch - 1))) text += line + '\n';
    return text;
  }

  const case_reference& described_;
  const batch_gate& gate_;
};

/// The lines of one source. Its split has the source's name, and a position is the byte offset of the line.
class lines_in_batches final : public source {
 public:
  lines_in_batches(const case_source& described, batch_gate& gate, bool looks)
      : described_(described), gate_(gate), looks_(looks), offsets_{0}, ends_{0} {
    for (const std::string& line : described.lines)
      offsets_.push_back(offsets_.back() + static_cast<std::int64_t>(line.size()) + 1);
    std::size_t rows = 0;
    for (std::int64_t each : described.rows_per_batch)
      ends_.push_back(offsets_.at(rows += static_cast<std::size_t>(each)));
  }

  /// The number of the line at an offset, from 1.
  std::int64_t line_at(std::int64_t offset) const {
    return std::lower_bound(offsets_.begin(), offsets_.end(), offset) - offsets_.begin() + 1;
  }

  result<std::vector<split_range>> plan(const intake_limits&) override {
    if (looks_) gate_.planned = gate_.open;
    const std::int64_t end = ends_.at(static_cast<std::size_t>(gate_.planned));
    if (end <= read_) return std::vector<split_range>{};
    return std::vector<split_range>{{described_.name, std::exchange(read_, end), end}};
  }
  /// A line each, so that workers have something to share.
  result<std::vector<split_range>> pieces(const split_range& range) override {
    std::vector<split_range> made;
    for (auto line = static_cast<std::size_t>(line_at(range.begin)) - 1; offsets_[line] < range.end; ++line)
      made.push_back({range.split, offsets_[line], offsets_[line + 1]});
    return made;
  }
  result<void> restore(const std::vector<split_range>& read) override {
    read_ = 0;
    for (const split_range& each : read) read_ = std::max(read_, each.end);
    return {};
  }
  result<void> read(const split_range& range, intake& into) override {
    std::string bytes;
    for (auto line = static_cast<std::size_t>(line_at(range.begin)) - 1; offsets_[line] < range.end; ++line)
      bytes += described_.lines[line] + '\n';
    const std::size_t size = bytes.size();
    bytes.append(64, '\0');
    return into.lines(range.split, range.begin, std::string_view(bytes).substr(0, size));
  }
  result<void> freeze() override { return {}; }
  std::string describe() const override { return described_.name; }

 private:
  const case_source& described_;
  batch_gate& gate_;
  bool looks_;
  std::vector<std::int64_t> offsets_;  // of the lines, and the end
  std::vector<std::int64_t> ends_;     // of the batches
  std::int64_t read_ = 0;
};

}  // namespace pipeline_runner
