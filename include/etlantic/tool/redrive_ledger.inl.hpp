#pragma once
#include <etlantic/core/base64.hpp>
#include <etlantic/runtime/durable_file.hpp>
#include <etlantic/runtime/replacement_file.hpp>
#include <etlantic/tool/redrive_ledger.hpp>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace etlantic {

namespace detail {

inline std::string redrive_number(std::int64_t number) {
  const std::string digits = std::to_string(number);
  return std::string(digits.size() < 6 ? 6 - digits.size() : 0, '0') + digits;
}

inline failure damaged_ledger(const std::string& path, std::size_t line) {
  return {failure_class::checkpoint, "PMSTREAM418", "line " + std::to_string(line) + " of the ledger cannot be read",
          path, "Restore the file from a copy. Without it rows could be redriven a second time."};
}

/// The numbers of the ledgers of an extract, in order.
inline result<std::vector<std::int64_t>> ledgers_in(const std::string& place, const std::string& extract) {
  std::vector<std::int64_t> numbers;
  std::error_code none;
  if (!std::filesystem::is_directory(place, none)) return numbers;
  const result<std::vector<std::string>> names = list_directory(place);
  if (!names) return names.error();
  for (const std::string& name : *names) {
    if (!name.starts_with(extract + ".") || !name.ends_with(".ledger")) continue;
    const std::string digits = name.substr(extract.size() + 1, name.size() - extract.size() - 8);
    if (digits.empty() || digits.size() > 9 || digits.find_first_not_of("0123456789") != std::string::npos) continue;
    numbers.push_back(std::stoll(digits));
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

inline std::string ledger_path(const std::string& place, const std::string& extract, std::int64_t number) {
  return place + "/" + extract + "." + redrive_number(number) + ".ledger";
}
inline std::string payload_path(const std::string& place, const std::string& extract, std::int64_t number) {
  return place + "/" + extract + "/" + redrive_number(number) + ".ndjson";
}

inline result<std::vector<redriven_row>> ledger_at(const std::string& path) {
  const result<std::string> text = read_file(path);
  if (!text) return text.error();
  return read_ledger(*text, path);
}

/// Under a hidden name first, which a source does not read.
inline result<void> give_payloads(const std::string& place, const std::string& extract, std::int64_t number,
                                  const std::vector<redriven_row>& rows) {
  std::string lines;
  for (const redriven_row& each : rows) lines += each.payload + "\n";
  const auto failed_at = [](const failed_call& call) { return file_failure(call.operation, call.path, call.error); };
  replacement_file file(place + "/" + extract + "/." + redrive_number(number) + ".tmp",
                        payload_path(place, extract, number));
  if (const auto failed = file.create(0644)) return failed_at(*failed);
  if (const auto failed = file.write(lines)) return failed_at(*failed);
  if (const auto failed = file.finish()) return failed_at(*failed);
  if (const auto failed = file.publish()) return failed_at(*failed);
  return {};
}

}  // namespace detail

[[gnu::used]] inline std::string to_ledger(const std::vector<redriven_row>& rows) {
  std::string text = std::string(redrive_ledger::head) + std::to_string(redrive_ledger::version) + "\n";
  for (const redriven_row& each : rows)
    text.append(each.id).append(each.repaired ? " repaired " : " unchanged ").append(encode_base64(each.payload)) +=
        '\n';
  return text;
}

[[gnu::used]] inline result<std::vector<redriven_row>> read_ledger(std::string_view text, const std::string& path) {
  const auto next_line = [&](std::string_view& line) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return false;
    line = text.substr(0, end);
    text.remove_prefix(end + 1);
    return true;
  };
  std::string_view line;
  if (!next_line(line) || !line.starts_with(redrive_ledger::head)) return detail::damaged_ledger(path, 1);
  if (line.substr(redrive_ledger::head.size()) != std::to_string(redrive_ledger::version))
    return failure{failure_class::checkpoint, "PMSTREAM418",
                   "the ledger was written in another version: " + std::string(line), path,
                   "Use the version of the program that wrote it."};
  std::vector<redriven_row> rows;
  for (std::size_t number = 2; !text.empty(); ++number) {
    if (!next_line(line)) return detail::damaged_ledger(path, number);
    const std::size_t first = line.find(' ');
    const std::size_t second = first == std::string_view::npos ? first : line.find(' ', first + 1);
    if (second == std::string_view::npos) return detail::damaged_ledger(path, number);
    const std::string_view kind = line.substr(first + 1, second - first - 1);
    const auto payload = decode_base64(line.substr(second + 1));
    if (!payload || (kind != "repaired" && kind != "unchanged")) return detail::damaged_ledger(path, number);
    rows.push_back({std::string(line.substr(0, first)), kind == "repaired", *payload});
  }
  return rows;
}

[[gnu::used]] inline result<std::set<std::string>> redrive_ledger::ids_of(const std::string& checkpoint,
                                                                          const std::string& extract) {
  std::set<std::string> ids;
  if (checkpoint.empty()) return ids;
  const std::string place = checkpoint + ".redrive";
  const result<std::vector<std::int64_t>> numbers = detail::ledgers_in(place, extract);
  if (!numbers) return numbers.error();
  for (const std::int64_t number : *numbers) {
    const auto rows = detail::ledger_at(detail::ledger_path(place, extract, number));
    if (!rows) return rows.error();
    for (const redriven_row& each : *rows) ids.insert(each.id);
  }
  return ids;
}

[[gnu::used]] inline result<redrive_ledger> redrive_ledger::open(const std::string& checkpoint,
                                                                 const std::string& extract) {
  const std::string place = checkpoint + ".redrive";
  if (auto made = make_directories_durably(folder_of(checkpoint, extract)); !made) return made.error();
  result<checkpoint_lock> held = checkpoint_lock::take(place);
  if (!held) return held.error();
  redrive_ledger opened(std::move(*held));
  opened.place_ = place;
  opened.extract_ = extract;
  const result<std::vector<std::int64_t>> numbers = detail::ledgers_in(place, extract);
  if (!numbers) return numbers.error();
  for (const std::int64_t number : *numbers) {
    const auto rows = detail::ledger_at(detail::ledger_path(place, extract, number));
    if (!rows) return rows.error();
    for (const redriven_row& each : *rows) opened.ids_.insert(each.id);
    opened.last_ = number;
    // A file that was read may have been removed; the source knows how far it has read this name, and reads no row
    // again.
    std::error_code none;
    if (std::filesystem::exists(detail::payload_path(place, extract, number), none)) continue;
    if (auto given = detail::give_payloads(place, extract, number, *rows); !given) return given.error();
  }
  return opened;
}

[[gnu::used]] inline result<std::string> redrive_ledger::add(const std::vector<redriven_row>& rows) {
  const std::int64_t number = ++last_;
  if (auto written = write_durably(detail::ledger_path(place_, extract_, number), to_ledger(rows)); !written)
    return written.error();
  for (const redriven_row& each : rows) ids_.insert(each.id);
  if (auto given = detail::give_payloads(place_, extract_, number, rows); !given) return given.error();
  return detail::payload_path(place_, extract_, number);
}

}  // namespace etlantic
