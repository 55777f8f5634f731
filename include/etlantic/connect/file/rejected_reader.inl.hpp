#pragma once
#include <etlantic/connect/file/rejected_reader.hpp>
#include <etlantic/connect/file/sink.inl.hpp>
#include <etlantic/core/base64.hpp>
#include <etlantic/core/parse_number.hpp>
#include <etlantic/core/rfc3339.hpp>
#include <etlantic/runtime/connector.hpp>
#include <etlantic/runtime/durable_file.hpp>
#include <etlantic/runtime/row_decoder.hpp>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace etlantic {

namespace detail {

/// Takes blocks of rejected rows apart.
class rejected_row_receiver final : public row_receiver {
 public:
  rejected_row_receiver(const quarantine_visitor& visit, std::string file) : visit_(visit), file_(std::move(file)) {}

  bool wants_more() const { return wants_more_; }

  result<void> valid(const block& rows) override {
    enum : std::size_t { split, position, code, field, reason, all, payload, observed, pipeline, contract };
    const auto text = [&](std::size_t column, std::size_t row) {
      return std::string(rows.columns[column].text_at(row));
    };
    for (std::size_t row = 0; row < rows.rows && wants_more_; ++row)
      wants_more_ = visit_({text(split, row), rows.columns[position].value<std::int64_t>(row), text(code, row),
                            text(field, row), text(reason, row), text(all, row), text(payload, row),
                            format_rfc3339({rows.columns[observed].value<std::int64_t>(row)}), text(pipeline, row),
                            text(contract, row)});
    return {};
  }
  result<void> invalid(const block& rows) override {
    if (rows.rows == 0) return {};
    return failure{failure_class::source_data, "PMSTREAM449",
                   "a line is no rejected row: " + std::string(rows.columns[4].text_at(0)), file_,
                   "the file was changed, or it is not one that a load of rejected rows wrote"};
  }

 private:
  const quarantine_visitor& visit_;
  std::string file_;
  bool wants_more_ = true;
};

/// The cells of the CSV line that begins at a place, which moves behind it.
inline std::vector<std::string> csv_line(const std::string& text, std::size_t& at) {
  std::vector<std::string> cells(1);
  for (bool quoted = false; at < text.size(); ++at) {
    const char c = text[at];
    if (quoted) {
      if (c != '"')
        cells.back() += c;
      else if (at + 1 < text.size() && text[at + 1] == '"')
        cells.back() += text[++at];
      else
        quoted = false;
    } else if (c == '"')
      quoted = true;
    else if (c == ',')
      cells.emplace_back();
    else if (c == '\n') {
      ++at;
      return cells;
    } else
      cells.back() += c;
  }
  return cells;
}

inline failure damaged_csv(const std::string& file, std::size_t line) {
  return {failure_class::source_data, "PMSTREAM449", "line " + std::to_string(line) + " is no rejected row", file,
          "the file was changed, or it is not one that a load of rejected rows wrote"};
}

inline result<bool> read_rejected_csv(const std::string& text, const std::string& file,
                                      const quarantine_visitor& visit) {
  std::size_t at = 0;
  const std::vector<std::string> names = csv_line(text, at);
  for (std::size_t line = 2; at < text.size(); ++line) {
    const std::vector<std::string> cells = csv_line(text, at);
    if (cells.size() != names.size()) return damaged_csv(file, line);
    std::map<std::string, std::string> by_name;
    for (std::size_t i = 0; i < names.size(); ++i) by_name[names[i]] = cells[i];
    const std::string& digits = by_name["position"];
    quarantined_row row{by_name["split"],      0,  by_name["code"],          by_name["field"],    by_name["reason"],
                        by_name["violations"], {}, by_name["observed_time"], by_name["pipeline"], by_name["contract"]};
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), row.position);
    auto payload = decode_base64(by_name["payload"]);
    if (error != std::errc() || end != digits.data() + digits.size() || !payload) return damaged_csv(file, line);
    row.payload = std::move(*payload);
    if (!visit(std::move(row))) return false;
  }
  return true;
}

inline result<bool> read_rejected_ndjson(std::string text, const std::string& file, const schema& contract,
                                         const quarantine_visitor& visit) {
  const std::size_t size = text.size();
  text.append(64, '\0');
  rejected_row_receiver into(visit, file);
  const auto decoder = make_row_decoder({&contract, &contract, "quarantine", std::size_t{1} << 30});
  decoder->begin({});
  const result<std::int64_t> rows = decoder->decode(file, 0, std::string_view(text).substr(0, size), into);
  if (!rows) return rows.error();
  return into.wants_more();
}

}  // namespace detail

[[gnu::used]] inline result<void> read_rejected_files(const asset_binding& binding, const program_node& load,
                                                      const quarantine_visitor& visit) {
  const auto option = [&](const char* name) { return option_of(binding, name); };
  const bool is_csv = option("format") == "csv";
  const std::string prefix = "part-" + detail::in_file_name(load.name, "") + "-";
  std::error_code none;
  std::vector<std::string> files;
  for (std::filesystem::directory_iterator each(option("path"), none), end; !none && each != end;
       each.increment(none)) {
    const std::string name = each->path().filename().string();
    if (name.starts_with(prefix) && name.ends_with(is_csv ? ".csv" : ".ndjson")) files.push_back(each->path().string());
  }
  if (none == std::errc::no_such_file_or_directory) return {};  // nothing has been published yet
  if (none)
    return failure{failure_class::configuration, "PMSTREAM449", "the folder cannot be listed: " + none.message(),
                   option("path"), "check the path and who may read it"};
  std::sort(files.begin(), files.end());
  for (const std::string& file : files) {
    result<std::string> text = read_file(file);
    if (!text) return text.error();
    const result<bool> more = is_csv ? detail::read_rejected_csv(*text, file, visit)
                                     : detail::read_rejected_ndjson(std::move(*text), file, *load.contract, visit);
    if (!more) return more.error();
    if (!*more) return {};
  }
  return {};
}

}  // namespace etlantic
