#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/column/violation.hpp>
#include <etlantic/connect/json/decoder.hpp>
#include <etlantic/connect/json/record_columns.hpp>
#include <etlantic/connect/json/rejected_rows.hpp>
#include <etlantic/connect/json/time_guard.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace etlantic::detail {

/// Rows of a contract `record<...>`: values are decoded as if they were all of the row, and what messages carry beside
/// them is put into the columns behind theirs.
class record_decoder final : public row_decoder, private row_receiver {
 public:
  record_decoder(const decoder_request& request, rejected_context context, const decoder_options& options)
      : contract_(*request.contract),
        rejected_schema_(*request.rejected),
        context_(std::move(context)),
        options_(options),
        details_(contract_),
        guard_(of_details(options.future)),
        values_(make_json_decoder(*contract_.record->value, rejected_schema_, context_, of_values(options))),
        rows_(contract_),
        mixed_(contract_),
        rejected_(rejected_schema_) {}
  record_decoder(const record_decoder&) = delete;
  record_decoder& operator=(const record_decoder&) = delete;

  void begin(timestamp planned_at) override {
    context_.observed_time = planned_at;
    guard_.begin(planned_at);
    values_->begin(planned_at);
    if (typed_) typed_->begin(planned_at);
  }

  result<std::int64_t> decode(std::string_view split, std::int64_t, std::string_view, row_receiver&) override {
    return failure{failure_class::configuration, "PMSTREAM408",
                   "lines have no topic, partition, offset, key or headers, which the contract " +
                       std::string(contract_.id) + " asks for",
                   std::string(split), "Bind the asset to Kafka, or let the extract have the contract of the value."};
  }

  result<std::int64_t> decode_messages(std::string_view split, const message_batch& batch,
                                       row_receiver& into) override {
    batch_ = &batch;
    into_ = &into;
    next_ = 0;
    without_value_ = 0;
    begin_rejected(split);
    const auto read = values_->decode_documents(split, batch.bytes, batch.documents, *this);
    if (!read) return read.error();
    if (auto taken = take_rest(split); !taken) return taken.error();
    if (auto taken = hand_over_rejected(); !taken) return taken.error();
    return *read + without_value_;
  }

  result<std::int64_t> check(const block& typed, row_receiver& into) override {
    if (!typed_) {
      typed_ = make_json_decoder(contract_, rejected_schema_, context_, options_);
      typed_->begin(context_.observed_time);
    }
    return typed_->check(typed, into);
  }

  std::int64_t fast_rows() const override { return values_->fast_rows(); }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  future_bound of_details(const future_bound& all) const {
    future_bound some{{}, all.most_ahead};
    for (const std::size_t field : all.fields)
      if (field >= details_.first()) some.fields.push_back(field);
    return some;
  }
  decoder_options of_values(decoder_options options) const {
    std::erase_if(options.future.fields, [&](std::size_t field) { return field >= details_.first(); });
    return options;
  }

  result<void> valid(const block& values) override {
    block copy = values;
    return take_valid(copy);
  }

  result<void> invalid(const block& rows) override { return into_->invalid(rows); }

  // Values and their messages are in the same order; between them stand messages whose value was wrong, or is none.
  result<void> take_valid(block& values) override {
    messages_.clear();
    bool is_plain = true;
    for (std::size_t row = 0, at = next_; row < values.rows; ++at) {
      const message_details& each = batch_->details[at];
      if (each.position == values.positions[row]) {
        is_plain = is_plain && !is_wrong(at);
        messages_.push_back(at);
        ++row;
      } else {
        is_plain = is_plain && each.has_value;
      }
    }
    if (!is_plain) return take_one_by_one(values);
    next_ = messages_.empty() ? next_ : messages_.back() + 1;
    for (std::size_t i = 0; i < details_.first(); ++i) exchange(rows_.columns[i], values.columns[i]);
    rows_.rows = values.rows;
    rows_.split = values.split;
    std::swap(rows_.positions, values.positions);
    details_.fill(rows_, *batch_, messages_);
    return into_->take_valid(rows_);
  }

  // The same type, of which one may be nullable where the other is not.
  static void exchange(column& mine, column& its) {
    std::swap(mine, its);
    std::swap(mine.field, its.field);
    if (!its.field->nullable) its.validity.clear();
  }

  result<void> take_one_by_one(const block& values) {
    const std::vector<std::size_t> with_value = messages_;
    messages_.clear();
    std::size_t row = 0;
    for (const std::size_t end = with_value.back() + 1; next_ < end; ++next_) {
      const bool is_row = row < with_value.size() && with_value[row] == next_;
      if (!is_row && batch_->details[next_].has_value) continue;
      if (auto taken = add(values.split, is_row ? &values : nullptr, is_row ? row : none); !taken) return taken;
      if (is_row) ++row;
    }
    return hand_over_mixed();
  }

  result<void> take_rest(std::string_view split) {
    messages_.clear();
    for (; next_ < batch_->details.size(); ++next_)
      if (!batch_->details[next_].has_value)
        if (auto taken = add(split, nullptr, none); !taken) return taken;
    return hand_over_mixed();
  }

  // The message at `next_`, without a value or with that of a row.
  result<void> add(std::string_view split, const block* values, std::size_t row) {
    const std::int64_t position = batch_->details[next_].position;
    if (values == nullptr) ++without_value_;
    if (is_wrong(next_)) {
      rejected_.add_line(position, payload_of(position), violations_of(next_), context_);
      return rejected_.rows().rows < json_decoder::block_rows ? result<void>() : hand_over_rejected();
    }
    mixed_.split = split;
    for (std::size_t i = 0; i < details_.first(); ++i) {
      if (values == nullptr)
        mixed_.columns[i].append_null();
      else
        mixed_.columns[i].append(values->columns[i], row);
    }
    ++mixed_.rows;
    mixed_.positions.push_back(position);
    messages_.push_back(next_);
    return mixed_.rows < json_decoder::block_rows ? result<void>() : hand_over_mixed();
  }

  result<void> hand_over_mixed() {
    if (mixed_.rows == 0) return {};
    details_.fill(mixed_, *batch_, messages_);
    messages_.clear();
    auto taken = into_->take_valid(mixed_);
    mixed_.clear();
    return taken;
  }

  void begin_rejected(std::string_view split) { rejected_.begin(split, batch_->bytes.data()); }

  result<void> hand_over_rejected() {
    if (rejected_.rows().rows == 0) return {};
    auto taken = into_->invalid(rejected_.rows());
    rejected_.clear();
    return taken;
  }

  bool is_wrong(std::size_t message) const {
    return details_.has_bad_text(*batch_, message) ||
           (!guard_.fields().empty() && guard_.refuses(batch_->details[message].time));
  }

  std::vector<violation> violations_of(std::size_t message) const {
    std::vector<violation> found = details_.bad_texts(*batch_, message);
    if (guard_.refuses(batch_->details[message].time))
      for (const std::size_t field : guard_.fields())
        found.push_back({std::string(contract_.fields[field].name), violation_reason::future});
    return found;
  }

  std::string_view payload_of(std::int64_t position) const {
    const auto found = std::lower_bound(batch_->documents.begin(), batch_->documents.end(), position,
                                        [](const document& each, std::int64_t at) { return each.position < at; });
    if (found == batch_->documents.end() || found->position != position) return "";
    return batch_->bytes.substr(found->begin, found->size);
  }

  const schema& contract_;
  const schema& rejected_schema_;
  rejected_context context_;
  decoder_options options_;
  record_columns details_;
  time_guard guard_;  // of the times of messages
  std::unique_ptr<json_decoder> values_;
  std::unique_ptr<json_decoder> typed_;  // most decoders never need it
  block rows_;
  block mixed_;
  rejected_rows rejected_;

  // What is being decoded.
  const message_batch* batch_ = nullptr;
  row_receiver* into_ = nullptr;
  std::size_t next_ = 0;               // of the messages
  std::vector<std::size_t> messages_;  // of the rows at hand
  std::int64_t without_value_ = 0;
};

}  // namespace etlantic::detail
