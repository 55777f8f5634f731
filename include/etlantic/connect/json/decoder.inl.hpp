#pragma once
#include <etlantic/connect/json/decoder.hpp>
#include <etlantic/connect/json/general_rows.hpp>
#include <etlantic/connect/json/known_layouts.hpp>
#include <etlantic/connect/json/typed_rows.hpp>
#include <etlantic/connect/json/validate.inl.hpp>

#include <cstring>
#include <optional>
#include <utility>

namespace etlantic {

namespace detail {

/// Splits lines, tries the layouts of lines before, leaves the other lines to `general_rows`, and fills the blocks.
class json_lines final : public json_decoder {
 public:
  json_lines(const schema& contract, const schema& rejected, rejected_context context, const decoder_options& options)
      : contract_(contract),
        context_(std::move(context)),
        options_(options),
        valid_(contract),
        rejected_(rejected),
        general_(contract, encoding_, writer_),
        layouts_(encoding_, writer_) {}

  json_lines(const json_lines&) = delete;
  json_lines& operator=(const json_lines&) = delete;

  const decoder_counts& counts() const override { return counts_; }

  void begin(timestamp planned_at) override { context_.observed_time = planned_at; }

  result<std::int64_t> decode(std::string_view split, std::int64_t begin, std::string_view bytes,
                              row_receiver& into) override {
    const std::int64_t before = counts_.rows;
    while (!bytes.empty()) {
      const std::size_t size = piece_size(bytes);
      begin_ = begin;
      bytes_ = bytes.substr(0, size);
      if (auto decoded = decode_piece(split, into); !decoded) return decoded.error();
      begin += static_cast<std::int64_t>(size);
      bytes.remove_prefix(size);
    }
    return counts_.rows - before;
  }

  result<std::int64_t> check(const block& typed, row_receiver& into) override {
    if (!typed_) typed_.emplace(contract_);
    const std::vector<std::size_t> wrong = typed_->check(typed, rejected_, context_, counts_);
    auto taken = into.valid(wrong.empty() ? typed : typed_rows::rows_without(typed, wrong));
    if (taken) taken = hand_over_rejected(into);
    if (!taken) return taken.error();
    return static_cast<std::int64_t>(typed.rows);
  }

 private:
  // Text views count in 32 bits from the start of the bytes.
  static std::size_t piece_size(std::string_view bytes) {
    constexpr std::size_t most = std::size_t{1} << 30;
    if (bytes.size() <= most) return bytes.size();
    std::size_t feed = bytes.rfind('\n', most);
    if (feed == std::string_view::npos) feed = bytes.find('\n', most);
    return feed == std::string_view::npos ? bytes.size() : feed + 1;
  }

  result<void> decode_piece(std::string_view split, row_receiver& into) {
    encoding_.begin(bytes_);
    rejected_.begin(split, bytes_.data());
    valid_.split = split;
    for (column& each : valid_.columns) value_writer::borrow_from(each, bytes_.data());
    open_valid();

    const char* at = bytes_.data();
    const char* const end = at + bytes_.size();
    while (at != end) {
      if (valid_.rows == block_rows || rejected_.rows().rows == block_rows)
        if (auto taken = hand_over_full(into); !taken) return taken;
      if (options_.fast_path && decode_fast(at, end))
        at += at != end;
      else
        at = decode_general(at, end);
    }
    if (auto taken = hand_over_valid(into); !taken) return taken;
    return hand_over_rejected(into);
  }

  // The row at `at` if it looks like one before; then `at` is at the end of its line.
  bool decode_fast(const char*& at, const char* end) {
    const char* const line = at;
    if (!layouts_.decode(valid_, at, end)) return false;
    if (static_cast<std::size_t>(at - line) > options_.max_line_bytes) {
      at = line;
      for (column& each : valid_.columns) forget_from(each, valid_.rows);
      return false;
    }
    ++counts_.rows;
    ++counts_.fast;
    valid_.positions[valid_.rows++] = position_of(line);
    return true;
  }

  // Gives the start of the next line.
  const char* decode_general(const char* line, const char* end) {
    const auto* feed = static_cast<const char*>(std::memchr(line, '\n', static_cast<std::size_t>(end - line)));
    const char* line_end = feed == nullptr ? end : feed;
    if (feed != nullptr && line_end != line && line_end[-1] == '\r') --line_end;
    decode_line({line, static_cast<std::size_t>(line_end - line)});
    return feed == nullptr ? end : feed + 1;
  }

  void decode_line(std::string_view line) {
    std::string_view content = line;
    if (position_of(line.data()) == 0 && content.starts_with("\xef\xbb\xbf")) content.remove_prefix(3);
    const char* const content_end = content.data() + content.size();
    if (skip_json_blanks(content.data(), content_end) == content_end) {
      ++counts_.blank;
      return;
    }
    ++counts_.rows;
    if (content.size() > options_.max_line_bytes)
      return reject(line.substr(0, too_long_payload_bytes), {{{}, violation_reason::too_long}});
    if (!general_.decode(content, valid_, valid_.rows)) return reject(line, general_.violations());
    valid_.positions[valid_.rows++] = position_of(line.data());
    if (options_.fast_path) layouts_.learn(content, general_.members(), contract_.fields, counts_.fast);
  }

  void reject(std::string_view payload, const std::vector<violation>& violations) {
    ++counts_.invalid;
    ++counts_.by_reason[static_cast<std::size_t>(violations.front().reason)];
    rejected_.add_line(position_of(payload.data()), payload, violations, context_);
  }

  std::int64_t position_of(const char* line) const { return begin_ + (line - bytes_.data()); }

  // Full size at once, so that rows are written by index.
  void open_valid() {
    for (column& each : valid_.columns) open_rows(each, block_rows);
    valid_.positions.resize(block_rows);
    valid_.rows = 0;
  }

  result<void> hand_over_full(row_receiver& into) {
    if (rejected_.rows().rows == block_rows)
      if (auto taken = hand_over_rejected(into); !taken) return taken;
    if (valid_.rows < block_rows) return {};
    auto taken = hand_over_valid(into);
    open_valid();
    return taken;
  }

  result<void> hand_over_valid(row_receiver& into) {
    if (valid_.rows == 0) return {};
    counts_.valid += static_cast<std::int64_t>(valid_.rows);
    valid_.positions.resize(valid_.rows);
    valid_.resize(valid_.rows);
    return into.valid(valid_);
  }

  result<void> hand_over_rejected(row_receiver& into) {
    if (rejected_.rows().rows == 0) return {};
    auto taken = into.invalid(rejected_.rows());
    rejected_.clear();
    return taken;
  }

  const schema& contract_;
  rejected_context context_;
  decoder_options options_;
  decoder_counts counts_;
  block valid_;  // its columns have room for `block_rows`; `rows` of them are filled
  rejected_rows rejected_;
  encoding_check encoding_;
  value_writer writer_;
  general_rows general_;
  known_layouts layouts_;
  std::optional<typed_rows> typed_;  // most decoders never need it

  // What is being decoded, and where it stands in its split.
  std::string_view bytes_;
  std::int64_t begin_ = 0;
};

}  // namespace detail

[[gnu::used]] inline std::unique_ptr<json_decoder> make_json_decoder(const schema& contract, const schema& rejected,
                                                                     rejected_context context,
                                                                     const decoder_options& options) {
  return std::make_unique<detail::json_lines>(contract, rejected, std::move(context), options);
}

[[gnu::used]] inline std::unique_ptr<row_decoder> make_json_decoder(const decoder_request& request) {
  rejected_context context;
  context.pipeline = request.pipeline;
  context.contract = std::string(request.contract->id) + " " + std::string(request.contract->version);
  decoder_options options;
  options.max_line_bytes = request.max_line_bytes;
  return make_json_decoder(*request.contract, *request.rejected, std::move(context), options);
}

}  // namespace etlantic
