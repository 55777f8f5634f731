#pragma once
#include <etlantic/core/json_escape.hpp>
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

inline void json_writer::quote(std::string_view text) {
  text_ += '"';
  while (!text.empty()) {
    const char c = text.front();
    const utf8_character first = first_character(text);
    if (!first.valid)
      text_ += "\\ufffd";  // a file name need not be UTF-8, a JSON text must be
    else if (c == '"' || c == '\\' || first.code_point < 0x20 || first.code_point == 0x7f)
      append_json_escape(text_, c);
    else
      text_ += text.substr(0, first.size);
    text.remove_prefix(first.size);
  }
  text_ += '"';
}

}  // namespace etlantic
