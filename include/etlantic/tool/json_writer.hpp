#pragma once
#include <etlantic/core/utf8.hpp>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace etlantic {

/// Writes JSON into a string, in the order of the calls, so that the same calls give the same bytes. `compact` is one
/// line (records); otherwise two spaces per level (documents).
class json_writer {
 public:
  enum class layout { compact, indented };

  explicit json_writer(layout how = layout::compact) : layout_(how) {}

  json_writer& begin_object() { return open('{'); }
  json_writer& end_object() { return close('}'); }
  json_writer& begin_array() { return open('['); }
  json_writer& end_array() { return close(']'); }

  json_writer& key(std::string_view name) {
    separate();
    quote(name);
    text_ += layout_ == layout::compact ? ":" : ": ";
    after_key_ = true;
    return *this;
  }

  json_writer& value(std::string_view text) {
    separate();
    quote(text);
    return *this;
  }
  json_writer& value(const char* text) { return value(std::string_view(text)); }
  json_writer& value(bool truth) { return raw(truth ? "true" : "false"); }

  template <class Integer>
    requires(std::is_integral_v<Integer> && !std::is_same_v<Integer, bool>)
  json_writer& value(Integer number) {
    return raw(std::to_string(number));
  }

  /// Rounded to microseconds; what JSON cannot say (infinity, not a number) is null.
  json_writer& value(double number) {
    if (!std::isfinite(number)) return null();
    char digits[32];
    const double rounded = std::abs(number) < 1e9 ? std::round(number * 1e6) / 1e6 : number;
    const auto end = std::to_chars(digits, digits + sizeof digits, rounded);
    return raw({digits, end.ptr});
  }

  json_writer& null() { return raw("null"); }

  /// A key and its value.
  template <class T>
  json_writer& member(std::string_view name, const T& given) {
    key(name);
    return value(given);
  }

  const std::string& text() const { return text_; }

 private:
  layout layout_;
  std::string text_;
  std::vector<bool> filled_;  // per open object or array: something is in it
  bool after_key_ = false;

  json_writer& raw(std::string_view token) {
    separate();
    text_ += token;
    return *this;
  }

  json_writer& open(char bracket) {
    separate();
    text_ += bracket;
    filled_.push_back(false);
    return *this;
  }

  json_writer& close(char bracket) {
    const bool filled = filled_.back();
    filled_.pop_back();
    if (filled) new_line();
    text_ += bracket;
    return *this;
  }

  void separate() {
    if (after_key_) {
      after_key_ = false;
      return;
    }
    if (filled_.empty()) return;
    if (filled_.back()) text_ += ',';
    filled_.back() = true;
    new_line();
  }

  void new_line() {
    if (layout_ == layout::compact) return;
    text_ += '\n';
    text_.append(2 * filled_.size(), ' ');
  }

  void quote(std::string_view text);
};

namespace detail {

// Bytes of the UTF-8 sequence at the front of the text; 0 if it is none.
inline std::size_t utf8_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t length = lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  return is_utf8(text.substr(0, length)) ? length : 0;
}

}  // namespace detail

inline void json_writer::quote(std::string_view text) {
  constexpr char hexadecimal[] = "0123456789abcdef";
  text_ += '"';
  while (!text.empty()) {
    const char c = text.front();
    std::size_t length = 1;
    if (c == '"' || c == '\\') {
      text_ += '\\';
      text_ += c;
    } else if (c == '\n') {
      text_ += "\\n";
    } else if (c == '\t') {
      text_ += "\\t";
    } else if (c == '\r') {
      text_ += "\\r";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      text_ += "\\u00";
      text_ += hexadecimal[static_cast<unsigned char>(c) >> 4];
      text_ += hexadecimal[static_cast<unsigned char>(c) & 15u];
    } else if (length = detail::utf8_length(text); length == 0) {
      text_ += "\\ufffd";  // a file name need not be UTF-8, a JSON text must be
      length = 1;
    } else {
      text_ += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
  text_ += '"';
}

}  // namespace etlantic
