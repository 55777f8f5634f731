#pragma once
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>

namespace bench {

/// Which rows a generator makes. The same options give the same rows in every program.
struct data_options {
  std::uint32_t rows = 1'000'000;
  std::uint32_t customers = 10'000;
  std::uint32_t hours = 1;     ///< from the first row to the last
  bool shuffled_keys = false;  ///< members of each line in another order
  bool half = false;           ///< every second row, by chance, has the same key
  bool text_keys = false;      ///< "customer-0008352" instead of 8352
  bool event_ids = false;      ///< a text that is another one in each line, and no part of the query
};

/// The options of a program: `--name value` or `--flag`.
class command_line {
 public:
  command_line(int count, char** arguments) : next_(arguments + 1), end_(arguments + count) {}

  bool has_next() const { return next_ != end_; }
  std::string_view name() { return *next_++; }
  std::string value() {
    if (next_ == end_) throw std::invalid_argument("an option lacks its value");
    return *next_++;
  }
  /// `name=value`
  void add_setting(std::map<std::string, std::string>& to) {
    const std::string setting = value();
    to[setting.substr(0, setting.find('='))] = setting.substr(setting.find('=') + 1);
  }
  std::uint32_t number() { return static_cast<std::uint32_t>(std::stoul(value())); }

 private:
  char** next_;
  char** end_;
};

/// Takes an option that is one of the data; false if it is another one.
inline bool take_option(std::string_view name, command_line& given, data_options& into) {
  if (name == "--rows")
    into.rows = given.number();
  else if (name == "--customers")
    into.customers = given.number();
  else if (name == "--hours")
    into.hours = given.number();
  else if (name == "--shuffled")
    into.shuffled_keys = true;
  else if (name == "--half")
    into.half = true;
  else if (name == "--text")
    into.text_keys = true;
  else if (name == "--event-ids")
    into.event_ids = true;
  else
    return false;
  return true;
}

}  // namespace bench
