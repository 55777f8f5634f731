#pragma once
#include <etlantic/connect/json/batch_values.inl.hpp>
#include <etlantic/connect/json/decoder.hpp>
#include <etlantic/connect/json/general_rows.hpp>
#include <etlantic/connect/json/indexed_rows.hpp>
#include <etlantic/connect/json/known_layouts.hpp>
#include <etlantic/connect/json/line_index.inl.hpp>
#include <etlantic/connect/json/member_rows.hpp>
#include <etlantic/connect/json/record_decoder.hpp>
#include <etlantic/connect/json/time_guard.hpp>
#include <etlantic/connect/json/typed_rows.hpp>
#include <etlantic/connect/json/validate.inl.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace etlantic {

namespace detail {

/// Splits lines and fills the blocks. A line is decoded by the first of three readers that knows how: those of a layout
/// seen before, together and column by column; those without escapes, with an index of their quotes; any other line.
class json_lines final : public json_decoder {
 public:
  json_lines(const schema& contract, const schema& rejected, rejected_context context, const decoder_options& options)
      : contract_(contract),
        context_(std::move(context)),
        options_(options),
        valid_(contract),
        rejected_(rejected),
        guard_(options.future),
        writer_(contract.fields, guard_),
        plans_(plan_values(contract.fields)),
        is_flat_(std::all_of(plans_.begin(), plans_.end(), [](const value_plan& each) { return each.is_leaf; })),
        general_(contract, encoding_, writer_),
        names_(contract.fields),
        indexed_(plans_, names_, writer_),
        batch_(writer_, options.instructions),
        layouts_(batch_),
        members_(contract.fields, plans_, names_, batch_),
        index_(std::make_unique_for_overwrite<line_index>()) {}

  json_lines(const json_lines&) = delete;
  json_lines& operator=(const json_lines&) = delete;

  const decoder_counts& counts() const override { return counts_; }
  std::int64_t fast_rows() const override { return counts_.fast; }

  void begin(timestamp planned_at) override {
    context_.observed_time = planned_at;
    guard_.begin(planned_at);
    guard_.lower_bounds(plans_);
  }

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

  result<std::int64_t> decode_documents(std::string_view split, std::string_view bytes, std::span<const document> each,
                                        row_receiver& into) override {
    const std::int64_t before = counts_.rows;
    if (each.empty()) return std::int64_t{0};
    documents_ = each;
    document_ = 0;
    plain_end_ = nullptr;
    bytes_ = bytes;
    result<void> decoded = decode_piece(split, into);
    documents_ = {};
    if (!decoded) return decoded.error();
    return counts_.rows - before;
  }

  result<std::int64_t> check(const block& typed, row_receiver& into) override {
    if (!typed_) typed_.emplace(contract_, guard_);
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
    if (!options_.fast_path) encoding_.begin(bytes_);
    rejected_.begin(split, bytes_.data());
    split_ = split;
    open_valid();

    const char* at = bytes_.data();
    const char* const end = at + bytes_.size();
    while (at != end) {
      const char* const lines_end = documents_.empty() ? end : end_of_plain_documents(at);
      if (options_.fast_path && lines_end != at) {
        if (auto decoded = decode_stretch(at, lines_end, into); !decoded) return decoded;
        if (index_->lines() != 0) continue;
      }
      // Without the fast path, and for a line that is longer than a stretch or a document of several lines.
      if (auto taken = hand_over_full(into); !taken) return taken;
      at = documents_.empty() ? decode_general(at, end) : decode_document(at);
    }
    if (auto taken = hand_over_valid(into); !taken) return taken;
    return hand_over_rejected(into);
  }

  // Decodes the lines that end in the next stretch, and moves `at` behind them.
  result<void> decode_stretch(const char*& at, const char* end, row_receiver& into) {
    const bool is_last = end - at <= static_cast<std::ptrdiff_t>(line_index::most_bytes);
    const char* const stretch_end = is_last ? end : at + line_index::most_bytes;
    index_->build(at, stretch_end, is_last, options_.instructions);
    if (index_->lines() == 0) return {};
    const std::ptrdiff_t size = std::min<std::ptrdiff_t>(index_->line_end(index_->lines() - 1) + 1, stretch_end - at);
    encoding_.begin({at, static_cast<std::size_t>(size)}, index_->ascii());
    is_utf8_ = encoding_.is_all_utf8();
    const std::ptrdiff_t next = std::min<std::ptrdiff_t>(end - stretch_end, line_index::most_bytes);
    batch_.ahead() = bytes_ahead({stretch_end, static_cast<std::size_t>(next)});
    for (std::size_t line = 0; line < index_->lines();) {
      if (auto taken = hand_over_full(into); !taken) return taken;
      line += decode_lines(line, std::min({batch_lines, index_->lines() - line, block_rows - valid_.rows,
                                           block_rows - rejected_.rows().rows}));
    }
    at += size;
    return {};
  }

  // Up to 64 lines: most of them together, the others one by one into the rows that are theirs.
  std::size_t decode_lines(std::size_t first, std::size_t count) {
    const std::uint64_t all = low_bits(count);
    std::uint64_t simple = all & ~index_->odd_lines().take(first, count);
    if (!is_utf8_) simple &= utf8_lines(first, count);
    const std::uint64_t escaped = index_->escaped_lines().take(first, count);
    const std::size_t first_row = valid_.rows;
    std::uint64_t decoded = is_flat_ ? decode_together(first, count, simple & ~escaped) : 0;
    for (std::uint64_t rest = all & ~decoded; rest != 0; rest &= rest - 1) {
      const auto i = static_cast<std::size_t>(std::countr_zero(rest));
      // Rows of contracts without lists have their places; the others follow one another.
      const std::size_t row = first_row + (is_flat_ ? i : static_cast<std::size_t>(std::popcount(decoded)));
      const bool done = decode_single(first + i, (simple >> i & 1) != 0, (escaped >> i & 1) != 0, row);
      decoded |= std::uint64_t{done} << i;
    }
    place_rows(first, count, decoded);
    if (is_flat_ && decoded != all)
      for (column& each : valid_.columns) keep_rows(each, first_row, count, decoded);
    return count;
  }

  // Notes where the decoded ones of some lines stand.
  void place_rows(std::size_t first, std::size_t count, std::uint64_t decoded) {
    valid_.positions.resize(valid_.rows + count);
    std::int64_t* const positions = valid_.positions.data() + valid_.rows;
    if (decoded == low_bits(count) && documents_.empty()) {
      const std::int64_t begin = position_of(index_->begin());
      const std::uint32_t* const begins = index_->line_begins() + first;
      for (std::size_t i = 0; i < count; ++i) positions[i] = begin + begins[i];
      valid_.rows += count;
      return;
    }
    std::size_t row = 0;
    for (std::uint64_t rest = decoded; rest != 0; rest &= rest - 1) {
      const auto line = first + static_cast<std::size_t>(std::countr_zero(rest));
      positions[row++] = position_of(index_->begin() + index_->line_begin(line));
    }
    valid_.rows += row;
    valid_.positions.resize(valid_.rows);
  }

  void place_row(std::int64_t position) {
    valid_.positions.push_back(position);
    ++valid_.rows;
  }

  // By their layout, by the names of their members, or not at all.
  std::uint64_t decode_together(std::size_t first, std::size_t count, std::uint64_t simple) {
    std::uint64_t wanted = simple & lines_within_margin(first, count);
    if (options_.max_line_bytes < line_index::most_bytes) wanted &= ~too_long_lines(first, count);
    if (wanted == 0) return 0;
    const std::size_t row = valid_.rows;
    const std::uint32_t size = index_->line_end(first + count - 1) - index_->line_begin(first);
    batch_.set_step(size / (3 * plans_.size() + 1));
    std::uint64_t decoded = layouts_.decode(*index_, first, wanted, valid_, row);
    std::uint64_t rest = wanted & ~decoded;
    counts_.by_layout += std::popcount(decoded);
    counts_.fast += std::popcount(decoded);
    counts_.rows += std::popcount(decoded);
    if (layouts_.wants_more(rest)) {
      const auto i = static_cast<std::size_t>(std::countr_zero(rest));
      const std::string_view line = text_of_line(first + i);
      // Wrong rows are left to their turn, so that they are rejected in order.
      if (general_.decode(line, valid_, row + i)) {
        ++counts_.rows;
        layouts_.learn(line, general_.members(), plans_);
        decoded |= std::uint64_t{1} << i;
        rest &= rest - 1;
      }
    }
    // For a few lines it would cost more than one by one.
    constexpr int few = 3;
    if (std::popcount(rest) < few) return decoded;
    const std::uint64_t more = members_.decode(*index_, first, rest, decoded != 0, valid_, row);
    counts_.by_name += std::popcount(more);
    counts_.fast += std::popcount(more);
    counts_.rows += std::popcount(more);
    return decoded | more;
  }

  // The first and the last lines of the bytes lie too near to their ends for the layouts' wide loads.
  std::uint64_t lines_within_margin(std::size_t first, std::size_t count) const {
    constexpr std::ptrdiff_t margin = 128;
    const char* const bytes_end = bytes_.data() + bytes_.size();
    std::uint64_t within = ~std::uint64_t{0} >> (64 - count);
    for (std::size_t i = 0; i < count; ++i) {
      if (index_->begin() + index_->line_begin(first + i) - bytes_.data() >= margin) break;
      within &= ~(std::uint64_t{1} << i);
    }
    for (std::size_t i = count; i-- > 0;) {
      if (bytes_end - (index_->begin() + index_->line_end(first + i)) >= margin) break;
      within &= ~(std::uint64_t{1} << i);
    }
    return within;
  }

  std::uint64_t utf8_lines(std::size_t first, std::size_t count) {
    std::uint64_t found = 0;
    for (std::size_t i = 0; i < count; ++i)
      found |= std::uint64_t{encoding_.is_utf8_line(text_of_line(first + i))} << i;
    return found;
  }

  std::uint64_t too_long_lines(std::size_t first, std::size_t count) const {
    std::uint64_t found = 0;
    for (std::size_t i = 0; i < count; ++i)
      found |= std::uint64_t{text_of_line(first + i).size() > options_.max_line_bytes} << i;
    return found;
  }

  bool decode_single(std::size_t line, bool is_simple, bool is_escaped, std::size_t row) {
    const std::string_view text = text_of_line(line);
    if (is_simple && text.size() <= options_.max_line_bytes &&
        indexed_.decode(*index_, line, is_escaped, valid_, row)) {
      ++counts_.rows;
      ++counts_.fast;
      return true;
    }
    return decode_line(text, row);
  }

  // Without a carriage return before the line feed.
  std::string_view text_of_line(std::size_t line) const {
    const char* const begin = index_->begin() + index_->line_begin(line);
    const char* end = index_->begin() + index_->line_end(line);
    if (documents_.empty() && end != bytes_.data() + bytes_.size() && end != begin && end[-1] == '\r') --end;
    return {begin, static_cast<std::size_t>(end - begin)};
  }

  // Gives the start of the next line.
  const char* decode_general(const char* line, const char* end) {
    const auto* feed = static_cast<const char*>(std::memchr(line, '\n', static_cast<std::size_t>(end - line)));
    const char* line_end = feed == nullptr ? end : feed;
    if (feed != nullptr && line_end != line && line_end[-1] == '\r') --line_end;
    const std::string_view text(line, static_cast<std::size_t>(line_end - line));
    if (options_.fast_path) encoding_.begin(text);
    if (decode_line(text, valid_.rows)) place_row(position_of(line));
    return feed == nullptr ? end : feed + 1;
  }

  // Where the next document begins that has line feeds in it, or where the bytes end. Up to there lines are documents.
  const char* end_of_plain_documents(const char* at) {
    if (plain_end_ > at && plain_end_ <= bytes_.data() + bytes_.size()) return plain_end_;
    std::size_t next = document_at(at);
    for (; next < documents_.size(); ++next) {
      const document& each = documents_[next];
      if (std::memchr(bytes_.data() + each.begin, '\n', each.size) != nullptr) break;
    }
    plain_end_ = next == documents_.size() ? bytes_.data() + bytes_.size() : bytes_.data() + documents_[next].begin;
    return plain_end_;
  }

  // Gives the start of the next document.
  const char* decode_document(const char* at) {
    const document& each = documents_[document_at(at)];
    const std::string_view text(at, each.size);
    if (options_.fast_path) encoding_.begin(text);
    if (decode_line(text, valid_.rows)) place_row(each.position);
    return at + each.size + 1;
  }

  // Rows are asked for nearly in order, so that the one that was found last is near.
  std::size_t document_at(const char* at) const {
    const auto place = static_cast<std::uint32_t>(at - bytes_.data());
    while (document_ + 1 < documents_.size() && documents_[document_].begin < place) ++document_;
    while (document_ > 0 && documents_[document_].begin > place) --document_;
    return document_;
  }

  // Writes the line as row `row`, or rejects it, or sees that it is blank.
  bool decode_line(std::string_view line, std::size_t row) {
    std::string_view content = line;
    if (documents_.empty() && position_of(line.data()) == 0 && content.starts_with("\xef\xbb\xbf"))
      content.remove_prefix(3);
    const char* const content_end = content.data() + content.size();
    if (skip_json_blanks(content.data(), content_end) == content_end) {
      if (!documents_.empty()) {
        ++counts_.rows;
        return reject(line, {{{}, violation_reason::malformed}});
      }
      ++counts_.blank;
      return false;
    }
    ++counts_.rows;
    if (content.size() > options_.max_line_bytes)
      return reject(line.substr(0, too_long_payload_bytes), {{{}, violation_reason::too_long}});
    return general_.decode(content, valid_, row) || reject(line, general_.violations());
  }

  bool reject(std::string_view payload, const std::vector<violation>& violations) {
    ++counts_.invalid;
    ++counts_.by_reason[static_cast<std::size_t>(violations.front().reason)];
    rejected_.add_line(position_of(payload.data()), payload, violations, context_);
    return false;
  }

  std::int64_t position_of(const char* line) const {
    if (!documents_.empty()) return documents_[document_at(line)].position;
    return begin_ + (line - bytes_.data());
  }

  // Full size at once, so that rows are written by index.
  void open_valid() {
    valid_.split = split_;
    for (column& each : valid_.columns) value_writer::borrow_from(each, bytes_.data());
    for (column& each : valid_.columns) open_rows(each, block_rows);
    valid_.positions.clear();
    valid_.positions.reserve(block_rows);
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
    valid_.resize(valid_.rows);
    return into.take_valid(valid_);
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
  time_guard guard_;
  value_writer writer_;
  std::vector<value_plan> plans_;
  bool is_flat_;  // no structs, no lists
  general_rows general_;
  member_lookup names_;
  indexed_rows indexed_;
  column_batch batch_;
  known_layouts layouts_;
  member_rows members_;
  std::optional<typed_rows> typed_;  // most decoders never need it

  // What is being decoded, and where it stands in its split.
  std::string_view split_;
  std::string_view bytes_;
  std::int64_t begin_ = 0;
  std::span<const document> documents_;  // none: lines
  mutable std::size_t document_ = 0;     // the one that was looked for last
  const char* plain_end_ = nullptr;      // of the documents without line feeds
  std::unique_ptr<line_index> index_;
  bool is_utf8_ = false;  // the stretch
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
  options.future = request.future;
  if (request.contract->record != nullptr)
    return std::make_unique<detail::record_decoder>(request, std::move(context), options);
  return make_json_decoder(*request.contract, *request.rejected, std::move(context), options);
}

}  // namespace etlantic
