#pragma once
#include <etlantic/connect/kafka/client.hpp>
#include <etlantic/contract/schema.hpp>
#include <etlantic/runtime/message_batch.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace etlantic::kafka::detail {

/// What is wanted of records beside their values.
struct wanted_details {
  bool any = false;
  bool tombstones = false;                          ///< records without a value are rows
  std::vector<std::optional<std::string>> texts{};  ///< headers by name; none: the key
  bool origins = false;                             ///< all of it, of rows that are rejected

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
class collected_details final : public message_origins {
 public:
  void add(const record_view& record, partition_reader& from, const wanted_details& wanted) {
    messages_.push_back({record.offset, record.milliseconds * 1000, record.value != nullptr});
    for (const std::optional<std::string>& each : wanted.texts)
      places_.push_back(placed(each ? from.header(record, *each) : key_of(record)));
    if (wanted.origins) add_origin(record, from);
  }

  bool empty() const { return messages_.empty(); }
  std::size_t records() const { return messages_.size(); }
  /// About as much as is held.
  std::size_t bytes() const { return texts_.size() + messages_.size() * sizeof(message_details); }

  void clear() {
    messages_.clear();
    places_.clear();
    texts_.clear();
    origins_.clear();
    origin_ends_.clear();
  }

  /// Takes those from an offset on out of here.
  collected_details split(std::int64_t offset) {
    const auto cut = std::lower_bound(messages_.begin(), messages_.end(), offset,
                                      [](const message_details& each, std::int64_t at) { return each.position < at; });
    const auto first = static_cast<std::size_t>(cut - messages_.begin());
    const std::size_t texts_each = messages_.empty() ? 0 : places_.size() / messages_.size();
    const std::size_t first_origin = first == 0 || origin_ends_.empty() ? 0 : origin_ends_[first - 1];
    collected_details behind;
    behind.messages_.assign(cut, messages_.end());
    for (std::size_t i = first * texts_each; i < places_.size(); ++i)
      behind.places_.push_back(behind.placed(text_at(places_[i])));
    for (std::size_t i = first_origin; i < origins_.size(); ++i)
      behind.origins_.push_back(behind.placed(text_at(origins_[i])));
    for (std::size_t i = first; i < origin_ends_.size(); ++i)
      behind.origin_ends_.push_back(origin_ends_[i] - first_origin);
    messages_.resize(first);
    places_.resize(first * texts_each);
    origins_.resize(origin_ends_.empty() ? 0 : first_origin);
    origin_ends_.resize(std::min(first, origin_ends_.size()));
    return behind;
  }

  /// The batch points to what is here.
  void put_into(message_batch& batch, partition of) {
    partition_ = std::move(of);
    batch.topic = partition_.topic;
    batch.partition = partition_.number;
    batch.details = messages_;
    batch.texts = texts_;
    batch.places = places_;
    if (!origin_ends_.empty()) batch.origins = this;
  }

  row_origin origin_of(std::size_t message) const override {
    row_origin made;
    made.topic = partition_.topic;
    made.partition = partition_.number;
    made.milliseconds = messages_[message].time / 1000;
    made.has_value = messages_[message].has_value;
    std::size_t at = message == 0 ? 0 : origin_ends_[message - 1];
    made.key = text_at(origins_[at]);
    for (++at; at < origin_ends_[message]; at += 2)
      made.headers.emplace_back(*text_at(origins_[at]), text_at(origins_[at + 1]));
    return made;
  }

 private:
  static std::optional<std::string_view> key_of(const record_view& record) {
    if (record.key == nullptr) return std::nullopt;
    return std::string_view(record.key, record.key_size);
  }

  // The key, and of each header its name and its value.
  void add_origin(const record_view& record, partition_reader& from) {
    origins_.push_back(placed(key_of(record)));
    for (const auto& [name, value] : from.headers(record)) {
      origins_.push_back(placed(name));
      origins_.push_back(placed(value));
    }
    origin_ends_.push_back(origins_.size());
  }

  message_text placed(std::optional<std::string_view> text) {
    if (!text) return {};
    const message_text made{static_cast<std::uint32_t>(texts_.size()), static_cast<std::uint32_t>(text->size()), true};
    texts_ += *text;
    return made;
  }

  std::optional<std::string> text_at(const message_text& place) const {
    if (!place.is_there) return std::nullopt;
    return texts_.substr(place.begin, place.size);
  }

  partition partition_;
  std::vector<message_details> messages_;
  std::vector<message_text> places_;
  std::vector<message_text> origins_;
  std::vector<std::size_t> origin_ends_;  // of each message
  std::string texts_;
};

}  // namespace etlantic::kafka::detail
