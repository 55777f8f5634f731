#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/column/violation.hpp>
#include <etlantic/core/utf8.hpp>
#include <etlantic/runtime/message_batch.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace etlantic::detail {

/// The columns of a record's contract that are not of its value.
class record_columns {
 public:
  explicit record_columns(const schema& contract) : contract_(contract), first_(contract.record->value->fields.size()) {
    for (std::size_t i = 0; i < details().size(); ++i)
      if (is_text(i)) texts_.push_back(i);
  }

  /// The place of the first one.
  std::size_t first() const { return first_; }

  /// Fills them, for all rows of a block: row `i` is of message `messages[i]`.
  void fill(block& rows, const message_batch& from, const std::vector<std::size_t>& messages) const {
    std::size_t place = 0;
    for (std::size_t i = 0; i < details().size(); ++i) {
      column& into = rows.columns[first_ + i];
      into.clear();
      into.resize(rows.rows);
      fill_column(into, details()[i].part, from, messages, is_text(i) ? place++ : 0);
    }
  }

  /// Whether a key or a header that is to be a text is none.
  bool has_bad_text(const message_batch& of, std::size_t message) const {
    for (std::size_t place = 0; place < texts_.size(); ++place)
      if (is_bad(of, message, place)) return true;
    return false;
  }

  std::vector<violation> bad_texts(const message_batch& of, std::size_t message) const {
    std::vector<violation> found;
    for (std::size_t place = 0; place < texts_.size(); ++place)
      if (is_bad(of, message, place))
        found.push_back({std::string(contract_.fields[first_ + texts_[place]].name), violation_reason::bad_text});
    return found;
  }

 private:
  std::span<const record_field> details() const { return contract_.record->details; }
  bool is_text(std::size_t detail) const {
    return details()[detail].part == record_part::key || details()[detail].part == record_part::header;
  }

  bool is_bad(const message_batch& of, std::size_t message, std::size_t place) const {
    const message_text& each = of.places[message * texts_.size() + place];
    return each.is_there && contract_.fields[first_ + texts_[place]].type == logical_type::text &&
           !is_utf8(of.texts.substr(each.begin, each.size));
  }

  void fill_column(column& into, record_part part, const message_batch& from, const std::vector<std::size_t>& messages,
                   std::size_t place) const {
    const auto each_row = [&](auto&& value_of) {
      for (std::size_t row = 0; row < into.rows; ++row) into.set(row, value_of(from.details[messages[row]]));
    };
    switch (part) {
      case record_part::topic: return fill_topic(into, from.topic);
      case record_part::partition: return each_row([&](const message_details&) { return from.partition; });
      case record_part::offset: return each_row([](const message_details& of) { return of.position; });
      case record_part::timestamp: return each_row([](const message_details& of) { return of.time; });
      case record_part::is_tombstone:
        for (std::size_t row = 0; row < into.rows; ++row) into.set_bool(row, !from.details[messages[row]].has_value);
        return;
      case record_part::key:
      case record_part::header:
        for (std::size_t row = 0; row < into.rows; ++row) {
          const message_text& each = from.places[messages[row] * texts_.size() + place];
          if (each.is_there)
            into.set_text(row, from.texts.substr(each.begin, each.size));
          else
            into.set_null(row);
        }
    }
  }

  // All rows point to one text.
  static void fill_topic(column& into, std::string_view topic) {
    if (into.rows == 0) return;
    into.set_text(0, topic);
    for (std::size_t row = 1; row < into.rows; ++row) into.data<text_view>()[row] = into.data<text_view>()[0];
  }

  const schema& contract_;
  std::size_t first_;
  std::vector<std::size_t> texts_;  // the details that are keys and headers
};

}  // namespace etlantic::detail
