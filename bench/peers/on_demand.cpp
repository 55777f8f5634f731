#include <peers/on_demand.hpp>

#include <simdjson.h>

#include <cstring>
#include <stdexcept>

namespace bench {

namespace {

namespace ondemand = simdjson::ondemand;

bool all_digits(const char* text, std::size_t count) {
  bool digits = true;
  for (std::size_t i = 0; i < count; ++i) digits &= static_cast<unsigned>(text[i] - '0') < 10;
  return digits;
}

std::int64_t number_of(const char* text, std::size_t count) {
  std::int64_t number = 0;
  for (std::size_t i = 0; i < count; ++i) number = number * 10 + (text[i] - '0');
  return number;
}

/// An exact decimal(18,2) that is not negative, from the text of a JSON number; false for anything else.
bool read_cents(std::string_view token, std::int64_t& into) {
  while (!token.empty() && (token.back() == ' ' || token.back() == '\t' || token.back() == '\r'))
    token.remove_suffix(1);
  std::size_t at = 0;
  std::int64_t whole = 0;
  while (at < token.size() && static_cast<unsigned>(token[at] - '0') < 10) whole = whole * 10 + (token[at++] - '0');
  if (at == 0 || at > 16 || (at > 1 && token[0] == '0')) return false;
  std::int64_t hundredths = 0;
  if (at < token.size()) {
    if (token[at++] != '.') return false;
    const std::size_t places = token.size() - at;
    if (places == 0 || places > 2 || !all_digits(token.data() + at, places)) return false;
    hundredths = number_of(token.data() + at, places) * (places == 1 ? 10 : 1);
  }
  into = whole * 100 + hundredths;
  return true;
}

std::int64_t days_since_1970(std::int64_t year, std::int64_t month, std::int64_t day) {
  year -= month <= 2;
  const std::int64_t era = year / 400;
  const std::int64_t year_of_era = year - era * 400;
  const std::int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146'097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719'468;
}

bool exists(std::int64_t year, std::int64_t month, std::int64_t day) {
  constexpr std::int64_t lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  if (month < 1 || month > 12 || day < 1) return false;
  const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return day <= lengths[month - 1] + (month == 2 && leap);
}

/// YYYY-MM-DDTHH:MM:SS[.up to six digits]Z
class time_reader {
 public:
  bool read(std::string_view text, std::int64_t& into) {
    if (text.size() < 20 || text.size() > 27 || text.size() == 21 || text.back() != 'Z') return false;
    const char* at = text.data();
    if (at[4] != '-' || at[7] != '-' || at[10] != 'T' || at[13] != ':' || at[16] != ':') return false;
    if (!all_digits(at + 11, 2) || !all_digits(at + 14, 2) || !all_digits(at + 17, 2)) return false;
    // Neighbours mostly share their day.
    if (std::memcmp(at, day_text_, sizeof day_text_) != 0 && !read_day(at)) return false;
    const std::int64_t hour = number_of(at + 11, 2), minute = number_of(at + 14, 2), second = number_of(at + 17, 2);
    if (hour > 23 || minute > 59 || second > 59) return false;
    std::int64_t fraction = 0;
    if (text.size() > 20) {
      const std::size_t digits = text.size() - 21;
      if (at[19] != '.' || !all_digits(at + 20, digits)) return false;
      fraction = number_of(at + 20, digits);
      for (std::size_t i = digits; i < 6; ++i) fraction *= 10;
    }
    into = ((day_ * 24 + hour) * 3'600 + minute * 60 + second) * 1'000'000 + fraction;
    return true;
  }

 private:
  bool read_day(const char* at) {
    if (!all_digits(at, 4) || !all_digits(at + 5, 2) || !all_digits(at + 8, 2)) return false;
    const std::int64_t year = number_of(at, 4), month = number_of(at + 5, 2), day = number_of(at + 8, 2);
    if (!exists(year, month, day)) return false;
    std::memcpy(day_text_, at, sizeof day_text_);
    day_ = days_since_1970(year, month, day);
    return true;
  }

  char day_text_[10] = {};
  std::int64_t day_ = 0;
};

bool read_status(std::string_view text, std::uint8_t& into) {
  if (text == "paid")
    into = 0;
  else if (text == "cancelled")
    into = 1;
  else if (text == "refunded")
    into = 2;
  else
    return false;
  return true;
}

}  // namespace

struct on_demand_decoder::parser {
  ondemand::parser lines;
  ondemand::parser message;
  time_reader times;
};

on_demand_decoder::on_demand_decoder() : parser_(std::make_unique<parser>()) {
#if defined(SIMDJSON_THREADS_ENABLED)
  parser_->lines.threaded = false;  // a worker thread would make this two threads against one
#endif
}
on_demand_decoder::~on_demand_decoder() = default;

template <class Document>
void on_demand_decoder::take(Document&& document) {
  const std::size_t row = block_.rows;
  ondemand::object object;
  std::string_view total, status, time;
  const bool right =
      document.get_object().get(object) == simdjson::SUCCESS &&
      object["customer_id"].get_int64().get(block_.customer_id[row]) == simdjson::SUCCESS &&
      object["order_total"].raw_json_token().get(total) == simdjson::SUCCESS &&
      read_cents(total, block_.order_cents[row]) && object["status"].get_string().get(status) == simdjson::SUCCESS &&
      read_status(status, block_.status[row]) && object["event_time"].get_string().get(time) == simdjson::SUCCESS &&
      parser_->times.read(time, block_.event_time[row]) &&
      object["order_id"].get_int64().get(block_.order_id[row]) == simdjson::SUCCESS && block_.customer_id[row] > 0 &&
      block_.order_id[row] >= 0;
  if (!right) {
    ++invalid_;
    return;
  }
  ++valid_;
  if (++block_.rows == house_columns::capacity) end_block();
}

void on_demand_decoder::decode(std::string_view lines) {
  ondemand::document_stream documents;
  const auto failed =
      parser_->lines.iterate_many(lines.data(), lines.size(), lines.size() + simdjson::SIMDJSON_PADDING).get(documents);
  if (failed) throw std::runtime_error(simdjson::error_message(failed));
  for (auto document : documents) take(document);
}

void on_demand_decoder::decode_message(std::string_view message) {
  ondemand::document document;
  const simdjson::padded_string_view padded(message, message.size() + simdjson::SIMDJSON_PADDING);
  if (parser_->message.iterate(padded).get(document))
    ++invalid_;
  else
    take(document);
}

void on_demand_decoder::end_block() {
  if (receiver_ && block_.rows != 0) receiver_(block_);
  block_.rows = 0;
}

struct structural_indexer::implementation {
  std::unique_ptr<simdjson::internal::dom_parser_implementation> parser;
};

structural_indexer::structural_indexer(std::size_t longest_chunk) : self_(std::make_unique<implementation>()) {
  if (simdjson::get_active_implementation()->create_dom_parser_implementation(longest_chunk, 16, self_->parser))
    throw std::runtime_error("simdjson has no memory");
}
structural_indexer::~structural_indexer() = default;

std::int64_t structural_indexer::index(std::string_view lines) {
  const auto failed = self_->parser->stage1(reinterpret_cast<const std::uint8_t*>(lines.data()), lines.size(),
                                            simdjson::stage1_mode::regular);
  if (failed) throw std::runtime_error(simdjson::error_message(failed));
  return self_->parser->n_structural_indexes;
}

}  // namespace bench
