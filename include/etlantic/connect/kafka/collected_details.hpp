#pragma once
#include <etlantic/connect/kafka/client.hpp>
#include <etlantic/contract/schema.hpp>
#include <etlantic/runtime/message_batch.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace etlantic::kafka::detail {

/// What a contract wants to know of records beside their values.
struct wanted_details {
  bool any = false;
  bool tombstones = false;                          ///< records without a value are rows
  std::vector<std::optional<std::string>> texts{};  ///< headers by name; none: the key

  static wanted_details of(const record_description* record) {
    wanted_details made;
    if (record == nullptr) return made;
    made.any = true;
    made.tombstones = record->has_tombstones;
    for (const record_field& each : record->details) {
      if (each.part == record_part::key) made.texts.emplace_back();
      if (each.part == record_part::header) made.texts.emplace_back(each.header);
    }
    return made;
  }
};

/// This of the records that are handed over next. Keeps its memory.
class collected_details {
 public:
  void add(const record_view& record, partition_reader& from, const wanted_details& wanted) {
    messages_.push_back({record.offset, record.milliseconds * 1000, record.value != nullptr});
    for (const std::optional<std::string>& each : wanted.texts) {
      if (each)
        add(from.header(record, *each));
      else
        add(record.key == nullptr ? std::nullopt : std::optional(std::string_view(record.key, record.key_size)));
    }
  }

  bool empty() const { return messages_.empty(); }
  /// About as much as is held.
  std::size_t bytes() const { return texts_.size() + messages_.size() * sizeof(message_details); }

  void clear() {
    messages_.clear();
    places_.clear();
    texts_.clear();
  }

  void put_into(message_batch& batch) const {
    batch.details = messages_;
    batch.texts = texts_;
    batch.places = places_;
  }

 private:
  void add(std::optional<std::string_view> text) {
    if (!text) return places_.push_back({});
    places_.push_back({static_cast<std::uint32_t>(texts_.size()), static_cast<std::uint32_t>(text->size()), true});
    texts_ += *text;
  }

  std::vector<message_details> messages_;
  std::vector<message_text> places_;
  std::string texts_;
};

}  // namespace etlantic::kafka::detail
