#pragma once
#include <etlantic/contract/describe.hpp>
#include <etlantic/contract/judge.hpp>
#include <etlantic/contract/reflect.hpp>
#include <etlantic/contract/rules.hpp>
#include <etlantic/core/zone_name.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace etlantic {

namespace detail {

template <class C>
constexpr auto judge_fields();

template <class C>
using fields_verdict = decltype(judge_fields<C>());

/// The contracts inside a field: a nested struct, or the elements of a list.
template <class Value>
struct nested_contract {
  using verdict = pass;
};
template <class Value>
  requires(field_traits<Value>::known && field_traits<Value>::logical == logical_type::structure)
struct nested_contract<Value> {
  static constexpr auto judge() {
    if constexpr (passed<aggregate_verdict<Value>>)
      return fields_verdict<Value>{};
    else
      return aggregate_verdict<Value>{};
  }
  using verdict = decltype(judge());
};
template <class Element>
struct nested_contract<std::vector<Element>> : nested_contract<typename field_traits<Element>::value> {};

template <class C, std::size_t I, class T>
struct constraints_verdict {
  using type = pass;
};
template <class C, std::size_t I, class T, class... Attributes>
struct constraints_verdict<C, I, checked<T, Attributes...>> {
  template <class Attribute>
  static constexpr auto judge() {
    if constexpr (attribute_traits<Attribute, typename field_traits<T>::value>::fits)
      return pass{};
    else
      return fail<rule::constraint_must_fit_its_field, etlantic::type<C>,
                  called<fixed<[] { return member_names<C>[I]; }>()>, Attribute, etlantic::type<T>>{};
  }
  using type = first_failure<typename constraints_verdict<C, I, T>::type, decltype(judge<Attributes>())...>;
};
template <class C, std::size_t I, class T>
struct constraints_verdict<C, I, std::optional<T>> : constraints_verdict<C, I, T> {};
template <class C, std::size_t I, class T>
struct constraints_verdict<C, I, std::vector<T>> : constraints_verdict<C, I, T> {};

/// The zone that a field names.
template <class T>
struct zone_of_field {
  static constexpr std::string_view value = "UTC";
};
template <fixed_string Zone>
struct zone_of_field<local_time<Zone>> {
  static constexpr std::string_view value = local_time<Zone>::zone.view();
};
template <class T, class... Attributes>
struct zone_of_field<checked<T, Attributes...>> : zone_of_field<T> {};
template <class T>
struct zone_of_field<std::optional<T>> : zone_of_field<T> {};
template <class T>
struct zone_of_field<std::vector<T>> : zone_of_field<T> {};

/// What a field was called before; empty: as it is now.
template <class T>
struct former_name_in {
  static constexpr std::string_view value{};
};
template <class T>
struct former_name_in<std::optional<T>> : former_name_in<T> {};
template <class T, class... Attributes>
struct former_name_in<checked<T, Attributes...>> {
  static constexpr std::string_view value = [] {
    std::string_view found = former_name_in<T>::value;
    ((found = former_name_of<Attributes>::value.empty() ? found : former_name_of<Attributes>::value), ...);
    return found;
  }();
};

/// How many fields have a name or had it.
template <class C>
constexpr std::size_t claims_of(std::string_view name) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return (std::size_t{0} + ... +
            (std::size_t{member_names<C>[I] == name} + std::size_t{former_name_in<member_type<C, I>>::value == name}));
  }(std::make_index_sequence<member_count<C>>{});
}

template <class C, std::size_t I>
constexpr auto judge_former_name() {
  constexpr std::string_view former = former_name_in<member_type<C, I>>::value;
  if constexpr (former.empty())
    return pass{};
  else if constexpr (claims_of<C>(former) == 1)
    return pass{};
  else
    return fail<rule::former_name_must_be_free, type<C>, called<fixed<[] { return member_names<C>[I]; }>()>,
                called<fixed<[] { return former_name_in<member_type<C, I>>::value; }>()>>{};
}

template <class C, std::size_t I>
constexpr auto judge_field() {
  using T = member_type<C, I>;
  if constexpr (!field_traits<T>::known)
    return fail<rule::field_type_must_be_known, type<C>, called<fixed<[] { return member_names<C>[I]; }>()>, type<T>>{};
  else if constexpr (!is_zone_name(zone_of_field<T>::value))
    return fail<rule::local_time_must_name_a_zone, type<C>, called<fixed<[] { return member_names<C>[I]; }>()>,
                type<T>>{};
  else
    return first_failure<typename constraints_verdict<C, I, T>::type,
                         typename nested_contract<typename field_traits<T>::value>::verdict>{};
}

template <class C, std::size_t K>
constexpr auto judge_key() {
  using name = called<fixed<[] { return key_names_of<C>[K]; }>()>;
  if constexpr (member_index<C>(key_names_of<C>[K]) < member_count<C>)
    return pass{};
  else {
    constexpr int near = closest_name(member_names<C>, key_names_of<C>[K]);
    if constexpr (near < 0)
      return fail<rule::key_field_must_exist, type<C>, name, nothing_similar>{};
    else
      return fail<rule::key_field_must_exist, type<C>, name,
                  did_you_mean<called<fixed<[] { return member_names<C>[static_cast<std::size_t>(near)]; }>()>>>{};
  }
}

/// The first two fields that have one name in the data; twice the number of fields if all differ.
template <class C>
constexpr std::array<std::size_t, 2> fields_of_one_name() {
  const auto& fields = contract_describer<C>::fields;
  for (std::size_t i = 0; i < fields.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (fields[i].data_name == fields[j].data_name) return {j, i};
  return {fields.size(), fields.size()};
}

template <class C>
constexpr auto judge_data_names() {
  constexpr std::array<std::size_t, 2> found = fields_of_one_name<C>();
  if constexpr (found[0] == found[1])
    return pass{};
  else
    return fail<rule::data_names_must_differ, type<C>,
                called<fixed<[] { return member_names<C>[fields_of_one_name<C>()[0]]; }>()>,
                called<fixed<[] { return member_names<C>[fields_of_one_name<C>()[1]]; }>()>>{};
}

template <class C>
constexpr auto judge_fields() {
  const auto fields = []<std::size_t... I>(std::index_sequence<I...>) {
    return first_failure<decltype(judge_field<C, I>())...>{};
  }(std::make_index_sequence<member_count<C>>{});
  const auto keys = []<std::size_t... K>(std::index_sequence<K...>) {
    return first_failure<decltype(judge_key<C, K>())...>{};
  }(std::make_index_sequence<key_names_of<C>.size()>{});
  using found = first_failure<std::remove_const_t<decltype(fields)>, std::remove_const_t<decltype(keys)>>;
  if constexpr (!passed<found>)
    return found{};
  else
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return first_failure<decltype(judge_former_name<C, I>())..., decltype(judge_data_names<C>())>{};
    }(std::make_index_sequence<member_count<C>>{});
}

template <class C>
constexpr auto judge_whole_contract() {
  if constexpr (passed<aggregate_verdict<C>>)
    return fields_verdict<C>{};
  else
    return aggregate_verdict<C>{};
}

template <class C>
struct contract_judgement {
  using verdict = decltype(judge_whole_contract<C>());
};

}  // namespace detail

/// Whether a struct can be a contract, and if not, why.
template <class C>
using contract_verdict = typename detail::contract_judgement<C>::verdict;

template <class C>
concept Contract = passed<contract_verdict<C>>;

/// The plain type of a contract's field, as expressions see it.
template <class C, std::size_t I>
using field_value = typename field_traits<member_type<C, I>>::value;
template <class C, std::size_t I>
inline constexpr bool field_nullable = field_traits<member_type<C, I>>::nullable;

/// Whether a field of a contract may be nothing.
template <class C>
constexpr bool is_optional_field(std::string_view name) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return ((member_names<C>[I] == name && field_nullable<C, I>) || ...);
  }(std::make_index_sequence<member_count<C>>{});
}

}  // namespace etlantic
