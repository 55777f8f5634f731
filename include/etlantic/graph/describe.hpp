#pragma once
#include <etlantic/contract/enumerators.hpp>
#include <etlantic/core/format_decimal.hpp>
#include <etlantic/expression/aggregate.hpp>
#include <etlantic/expression/collect_list.hpp>
#include <etlantic/expression/joined_row.hpp>
#include <etlantic/expression/node.hpp>
#include <etlantic/expression/quantile.hpp>
#include <etlantic/expression/user_aggregate.hpp>

#include <string>
#include <string_view>

// Expressions as text, for plans and fingerprints: the same program always gives the same text.

namespace etlantic {

template <fixed_string Name>
std::string describe(const field_reference<Name>&) {
  return std::string(Name.view());
}

template <join_side Side, fixed_string Name>
std::string describe(const side_reference<Side, Name>&) {
  return std::string(Side == join_side::of_left ? "left." : "right.").append(Name.view());
}

// Text is put together by appending: gcc 12 warns of `"-" + std::string` in optimised code (its bug 105651).

template <class... Parts>
std::string joined(const Parts&... parts) {
  std::string made;
  (made.append(std::string_view(parts)), ...);
  return made;
}

inline std::string describe_duration(duration length) {
  const std::int64_t count = length.count();
  constexpr std::pair<std::int64_t, const char*> units[] = {
      {86'400'000'000, "d"}, {3'600'000'000, "h"}, {60'000'000, "min"}, {1'000'000, "s"}, {1'000, "ms"}};
  for (const auto& [size, name] : units)
    if (count != 0 && count % size == 0) return joined(std::to_string(count / size), name);
  return joined(std::to_string(count), "us");
}

template <class T>
std::string describe(const literal<T>& of) {
  if constexpr (std::is_same_v<T, bool>)
    return of.value ? "true" : "false";
  else if constexpr (std::is_same_v<T, std::string_view>)
    return joined("\"", of.value, "\"");
  else if constexpr (std::is_enum_v<T>)
    return std::string(enumerator_names<T>[enumerator_index(of.value)]);
  else if constexpr (std::is_same_v<T, timestamp>)
    return joined("timestamp ", std::to_string(of.value.microseconds), "us");
  else if constexpr (std::is_same_v<T, date>)
    return joined("date ", std::to_string(of.value.days));
  else if constexpr (std::is_same_v<T, duration>)
    return describe_duration(of.value);
  else if constexpr (requires { of.value.scaled; })
    return format_decimal(of.value.scaled, T::scale);
  else
    return std::to_string(of.value);
}

template <operation Op, class E>
std::string describe(const unary_expression<Op, E>& of) {
  return joined(name_of(Op), "(", describe(of.operand), ")");
}

template <operation Op, class L, class R>
std::string describe(const binary_expression<Op, L, R>& of) {
  if constexpr (Op == operation::coalesce)
    return joined("coalesce(", describe(of.left), ", ", describe(of.right), ")");
  else
    return joined("(", describe(of.left), " ", name_of(Op), " ", describe(of.right), ")");
}

template <class V>
std::string describe(const in_source_order<V>& of) {
  return describe(of.value);
}
template <class V, class By>
std::string describe(const value_by<V, By>& of) {
  return joined(describe(of.value), ", ", describe(of.by));
}

template <class Function, class... Operands>
std::string describe(const call_expression<Function, Operands...>& of) {
  std::string made(Function::name);
  if constexpr (requires { of.function.settings(); }) made.append("<").append(of.function.settings()).append(">");
  made += '(';
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    ((made.append(I == 0 ? "" : ", ").append(describe(boost::hana::at_c<I>(of.operands)))), ...);
  }(std::index_sequence_for<Operands...>{});
  return made += ')';
}

template <aggregate_function Function, class E>
std::string describe(const aggregate_call<Function, E>& of) {
  if constexpr (Function == aggregate_function::count_rows)
    return "count()";
  else
    return joined(name_of(Function), "(", describe(of.value), ")");
}

template <class E, int Share, int Of>
std::string describe(const aggregate_call<aggregate_function::approximate_quantile, quantile_of<E, Share, Of>>& of) {
  return joined(name_of(aggregate_function::approximate_quantile), "<", std::to_string(Share), ", ", std::to_string(Of),
                ">(", describe(of.value.value), ")");
}

template <class E, std::size_t Most>
std::string describe(const aggregate_call<aggregate_function::collect_list, first_in_source_order<E, Most>>& of) {
  return joined(name_of(aggregate_function::collect_list), "<", std::to_string(Most), ">(", describe(of.value.value),
                ")");
}

template <class Aggregate, class... E>
std::string describe(const aggregate_call<aggregate_function::aggregated_by, values_for<Aggregate, E...>>& of) {
  std::string made = joined(name_of(aggregate_function::aggregated_by), "<", short_type_name<Aggregate>(), ">(");
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    ((made.append(I == 0 ? "" : ", ").append(describe(boost::hana::at_c<I>(of.value.values)))), ...);
  }(std::index_sequence_for<E...>{});
  return made += ')';
}

}  // namespace etlantic
