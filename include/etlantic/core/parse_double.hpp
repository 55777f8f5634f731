#pragma once
#include <etlantic/core/parse_number.hpp>

#include <charconv>
#include <string_view>
#include <system_error>

namespace etlantic {

/// The nearest `double` or `float` of a number in JSON's grammar, without a locale. What is too small becomes zero;
/// what is too large is out of range, never infinity.
template <class T>
parsed_number<T> parse_floating(std::string_view text) {
  json_number number;
  if (!is_json_number(text, number)) return {{}, number_fault::not_a_number};
  T value{};
  const auto end = text.data() + text.size();
  if (std::from_chars(text.data(), end, value).ec != std::errc::result_out_of_range) return {value, number_fault::none};

  // from_chars says the same of too large and too small: the place of the first digit that counts tells them apart.
  std::int64_t leading = static_cast<std::int64_t>(number.whole.size());
  const auto nonzero = number.whole.find_first_not_of('0');
  if (nonzero == std::string_view::npos) leading = -static_cast<std::int64_t>(number.fraction.find_first_not_of('0'));
  if (leading + number.exponent > 0) return {{}, number_fault::out_of_range};
  return {number.negative ? -T{0} : T{0}, number_fault::none};
}

}  // namespace etlantic
