#pragma once
#include <etlantic/expression/aggregate.hpp>
#include <etlantic/expression/node.hpp>
#include <etlantic/contract/enumerators.hpp>

#include <string>
#include <string_view>

// Expressions as text, for plans and fingerprints: the same program always gives the same text.

namespace etlantic {

template <fixed_string Name>
std::string describe(const field_reference<Name>&) {
  return std::string(Name.view());
}

inline std::string describe_digits(int128 scaled, int scale) {
  const bool negative = scaled < 0;
  std::string digits;
  for (uint128 left = negative ? -static_cast<uint128>(scaled) : static_cast<uint128>(scaled);
       left != 0 || static_cast<int>(digits.size()) <= scale; left /= 10)
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(left % 10)));
  if (scale > 0) digits.insert(digits.size() - static_cast<std::size_t>(scale), ".");
  return negative ? "-" + digits : digits;
}

inline std::string describe_duration(duration length) {
  const std::int64_t count = length.count();
  constexpr std::pair<std::int64_t, const char*> units[] = {{86'400'000'000, "d"}, {3'600'000'000, "h"}, {60'000'000, "min"},
                                                            {1'000'000, "s"},      {1'000, "ms"}};
  for (const auto& [size, name] : units)
    if (count != 0 && count % size == 0) return std::to_string(count / size) + name;
  return std::to_string(count) + "us";
}

template <class T>
std::string describe(const literal<T>& of) {
  if constexpr (std::is_same_v<T, bool>) return of.value ? "true" : "false";
  else if constexpr (std::is_same_v<T, std::string_view>) return "\"" + std::string(of.value) + "\"";
  else if constexpr (std::is_enum_v<T>) return std::string(enumerator_names<T>[enumerator_index(of.value)]);
  else if constexpr (std::is_same_v<T, timestamp>) return "timestamp " + std::to_string(of.value.microseconds) + "us";
  else if constexpr (std::is_same_v<T, date>) return "date " + std::to_string(of.value.days);
  else if constexpr (std::is_same_v<T, duration>) return describe_duration(of.value);
  else if constexpr (requires { of.value.scaled; }) return describe_digits(of.value.scaled, T::scale);
  else return std::to_string(of.value);
}

template <operation Op, class E>
std::string describe(const unary_expression<Op, E>& of) {
  return std::string(name_of(Op)) + "(" + describe(of.operand) + ")";
}

template <operation Op, class L, class R>
std::string describe(const binary_expression<Op, L, R>& of) {
  if constexpr (Op == operation::coalesce) return "coalesce(" + describe(of.left) + ", " + describe(of.right) + ")";
  else return "(" + describe(of.left) + " " + std::string(name_of(Op)) + " " + describe(of.right) + ")";
}

template <aggregate_function Function, class E>
std::string describe(const aggregate_call<Function, E>& of) {
  if constexpr (Function == aggregate_function::count_rows) return "count()";
  else return std::string(name_of(Function)) + "(" + describe(of.value) + ")";
}

}  // namespace etlantic
