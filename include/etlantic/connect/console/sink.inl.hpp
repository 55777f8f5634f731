#pragma once
#include <etlantic/column/flatten.hpp>
#include <etlantic/column/format_json.hpp>
#include <etlantic/connect/console/printable.hpp>
#include <etlantic/connect/console/sink.hpp>
#include <etlantic/runtime/sink.hpp>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace etlantic::detail {

/// Columns of text as wide as their widest cell; numbers are put to the right.
class text_table {
 public:
  explicit text_table(const std::vector<flat_field>& fields) {
    for (const flat_field& each : fields) {
      const logical_type type = each.field->type;
      columns_.push_back({{}, 0, type >= logical_type::int8 && type <= logical_type::decimal});
      add(columns_.size() - 1, each.name);
    }
  }

  void add(std::size_t column, std::string_view text) {
    text_column& to = columns_[column];
    to.cells.push_back(printable(text, cell_limit));
    to.width = std::max(to.width, to.cells.back().width);
  }

  void append_to(std::string& to) const {
    const std::size_t lines = columns_.empty() ? 0 : columns_[0].cells.size();
    for (std::size_t line = 0; line < lines; ++line) {
      append_line(to, [&](const text_column& each) { return each.cells[line]; });
      if (line == 0)
        append_line(to,
                    [](const text_column& each) { return printable_text{std::string(each.width, '-'), each.width}; });
    }
  }

 private:
  static constexpr std::size_t cell_limit = 60;

  struct text_column {
    std::vector<printable_text> cells;  // the heading first
    std::size_t width = 0;
    bool is_number = false;
  };

  template <class CellOf>
  void append_line(std::string& to, CellOf cell_of) const {
    std::string line;
    for (const text_column& each : columns_) {
      const printable_text cell = cell_of(each);
      const std::string padding(each.width - cell.width, ' ');
      if (&each != &columns_.front()) line += "  ";
      line += each.is_number ? padding + cell.characters : cell.characters + padding;
    }
    to += line.substr(0, line.find_last_not_of(' ') + 1);
    to += '\n';
  }

  std::vector<text_column> columns_;
};

class console_sink final : public sink {
 public:
  explicit console_sink(const console_settings& settings) : settings_(settings) {}

  result<void> open(const schema& contract, output_mode, const publisher& who) override {
    node_ = who.node;
    fields_ = flatten(contract);
    layouts_.clear();
    for (const flat_field& each : fields_) layouts_.push_back(json_member_of(*each.field));
    return {};
  }

  result<void> prepare(const publication& what) override {
    prepared_.reset();
    if (committed_ && what.batch <= *committed_) return {};
    prepared_.emplace(what.batch, what.rows() != 0 || what.mode == output_mode::complete ? text_of(what) : "");
    return {};
  }

  result<void> commit(std::int64_t batch) override {
    if (committed_ && batch <= *committed_) return {};
    if (!prepared_ || prepared_->first != batch)
      return failure{failure_class::internal, "PMSTREAM458",
                     "batch " + std::to_string(batch) + " is to be committed and was not prepared", describe(), ""};
    const std::string& text = prepared_->second;
    errno = 0;
    if (std::fwrite(text.data(), 1, text.size(), settings_.file) != text.size() || std::fflush(settings_.file) != 0) {
      std::clearerr(settings_.file);
      return failure{failure_class::resource_exhausted, "PMSTREAM455",
                     std::string("cannot print the rows: ") + std::strerror(errno), describe(),
                     "check what the standard output of the program is connected to"};
    }
    committed_ = batch;
    prepared_.reset();
    return {};
  }

  void abort() override { prepared_.reset(); }
  std::string describe() const override { return "console"; }

 private:
  std::string text_of(const publication& what) const {
    text_table table(fields_);
    std::size_t left = settings_.rows;
    for (const block& each : what.blocks) left -= add_rows(table, each, std::min(left, each.rows));
    const std::size_t all = what.rows();
    std::string text = printable(node_, 200).characters + "  batch " + std::to_string(what.batch) + "  " +
                       std::string(name_of(what.mode)) + "  " + std::to_string(all) + (all == 1 ? " row\n" : " rows\n");
    if (all != 0) table.append_to(text);
    if (all > settings_.rows) text += "... and " + std::to_string(all - settings_.rows) + " more\n";
    return text + '\n';
  }

  std::size_t add_rows(text_table& to, const block& rows, std::size_t count) const {
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      const flat_column from = flat_column_of(fields_[i], rows);
      for (std::size_t row = 0; row < count; ++row) {
        std::string text;
        if (from.is_valid(row))
          append_plain(text, layouts_[i], *from.values, row);
        else
          text = "null";
        to.add(i, text);
      }
    }
    return count;
  }

  console_settings settings_;
  std::string node_;
  std::vector<flat_field> fields_;
  std::vector<json_member> layouts_;
  std::optional<std::pair<std::int64_t, std::string>> prepared_;
  std::optional<std::int64_t> committed_;
};

}  // namespace etlantic::detail

namespace etlantic {

[[gnu::used]] inline std::shared_ptr<sink> make_console_sink(const console_settings& settings) {
  return std::make_shared<detail::console_sink>(settings);
}

[[gnu::used]] inline result<std::shared_ptr<sink>> make_console_sink(const asset_binding& binding) {
  console_settings settings;
  if (const auto rows = binding.options.find("rows"); rows != binding.options.end()) {
    const std::string& value = rows->second;
    const auto read = std::from_chars(value.data(), value.data() + value.size(), settings.rows);
    if (read.ec != std::errc{} || read.ptr != value.data() + value.size())
      return failure{failure_class::configuration, "PMSTREAM450", "option rows of the console sink is `" + value + "`",
                     "console sink", "valid: a whole number from 0 on"};
  }
  return make_console_sink(settings);
}

}  // namespace etlantic
