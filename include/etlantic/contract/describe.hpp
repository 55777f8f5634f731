#pragma once
#include <etlantic/contract/field_traits.hpp>
#include <etlantic/contract/reflect.hpp>
#include <etlantic/contract/schema.hpp>

#include <algorithm>
#include <array>
#include <string_view>
#include <type_traits>

namespace etlantic {

template <class C>
constexpr const schema& schema_of();

namespace detail {

// ---- constraints ----------------------------------------------------------------------------------------------------

template <class T>
struct is_decimal : std::false_type {};
template <int P, int S>
struct is_decimal<decimal<P, S>> : std::true_type {};

/// A bound in the unit of its field.
template <class Value, class Bound>
constexpr constant_description describe_bound(Bound bound) {
  constant_description made;
  if constexpr (std::is_floating_point_v<Value>)
    made.real = static_cast<double>(bound);
  else if constexpr (is_decimal<Value>::value && is_decimal<Bound>::value)
    made.exact = int128{bound.scaled} * power_of_ten(Value::scale - Bound::scale);
  else if constexpr (is_decimal<Value>::value)
    made.exact = int128{bound} * power_of_ten(Value::scale);
  else
    made.exact = int128{bound};
  return made;
}

template <class Value, class Bound>
inline constexpr bool bound_fits =
    (std::is_floating_point_v<Value> && std::is_arithmetic_v<Bound>) ||
    (std::is_integral_v<Value> && !std::is_same_v<Value, bool> && std::is_integral_v<Bound>) ||
    (is_decimal<Value>::value && std::is_integral_v<Bound>);
template <class Value, int P, int S>
inline constexpr bool bound_fits<Value, decimal<P, S>> = [] {
  if constexpr (is_decimal<Value>::value)
    return S <= Value::scale;
  else
    return false;
}();

template <class Value>
inline constexpr bool has_length = std::is_same_v<Value, text> || std::is_same_v<Value, binary>;

template <class T, std::size_t Size>
constexpr constant_description describe_member(const set_member<T, Size>& given) {
  constant_description made;
  made.exact = int128{given.value};
  return made;
}
template <std::size_t Size>
constexpr constant_description describe_member(const set_member<char, Size>& given) {
  constant_description made;
  made.characters = {given.value, Size - 1};
  return made;
}
template <class Value, class T, std::size_t Size>
constexpr bool member_fits(const set_member<T, Size>&) {
  return std::is_integral_v<Value> && Size == 0;
}
template <class Value, std::size_t Size>
constexpr bool member_fits(const set_member<char, Size>&) {
  return std::is_same_v<Value, text>;
}

/// What an attribute of `checked` says; by default it is not a constraint (named_as, described_as, renamed_from).
template <class Attribute, class Value>
struct attribute_traits {
  static constexpr bool is_constraint = false;
  static constexpr bool fits = true;
};

template <class Value, constraint_kind Kind, auto Bound>
struct bound_traits {
  static constexpr bool is_constraint = true;
  static constexpr constraint_kind kind = Kind;
  static constexpr bool fits = bound_fits<Value, std::remove_cv_t<decltype(Bound)>>;
  static constexpr auto make() {
    if constexpr (fits)
      return std::array{describe_bound<Value>(Bound)};
    else
      return std::array{constant_description{}};
  }
  static constexpr std::array<constant_description, 1> values = make();
};
template <class Value, constraint_kind Kind, std::size_t Length>
struct length_traits {
  static constexpr bool is_constraint = true;
  static constexpr constraint_kind kind = Kind;
  static constexpr bool fits = has_length<Value>;
  static constexpr std::array values{constant_description{.exact = static_cast<int128>(Length)}};
};

template <auto B, class V>
struct attribute_traits<gt<B>, V> : bound_traits<V, constraint_kind::gt, B> {};
template <auto B, class V>
struct attribute_traits<ge<B>, V> : bound_traits<V, constraint_kind::ge, B> {};
template <auto B, class V>
struct attribute_traits<lt<B>, V> : bound_traits<V, constraint_kind::lt, B> {};
template <auto B, class V>
struct attribute_traits<le<B>, V> : bound_traits<V, constraint_kind::le, B> {};
template <std::size_t L, class V>
struct attribute_traits<min_length<L>, V> : length_traits<V, constraint_kind::min_length, L> {};
template <std::size_t L, class V>
struct attribute_traits<max_length<L>, V> : length_traits<V, constraint_kind::max_length, L> {};
template <set_member... Values, class V>
struct attribute_traits<one_of<Values...>, V> {
  static constexpr bool is_constraint = true;
  static constexpr constraint_kind kind = constraint_kind::one_of;
  static constexpr bool fits = (member_fits<V>(Values) && ...);
  static constexpr std::array values{describe_member(Values)...};
};

template <class Value, class... Attributes>
struct constraint_list {
  static constexpr std::size_t count =
      (std::size_t{0} + ... + std::size_t{attribute_traits<Attributes, Value>::is_constraint});
  static constexpr auto make() {
    std::array<constraint_description, count> made{};
    std::size_t at = 0;
    const auto add = [&]<class Attribute>(std::type_identity<Attribute>) {
      using traits = attribute_traits<Attribute, Value>;
      if constexpr (traits::is_constraint) made[at++] = {traits::kind, traits::values};
    };
    (add(std::type_identity<Attributes>{}), ...);
    static_cast<void>(add);
    static_cast<void>(at);
    return made;
  }
  static constexpr auto value = make();
};

// ---- fields ---------------------------------------------------------------------------------------------------------

template <class T>
struct field_describer;
template <class C>
struct contract_describer;

template <class T>
struct list_element {
  static constexpr std::array<field_description, 1> value{field_describer<T>::make("element")};
};

template <class T>
struct field_describer {
  static constexpr field_description make(std::string_view name) {
    using traits = field_traits<T>;
    field_description made{.name = name, .data_name = name, .type = traits::logical};
    if constexpr (traits::logical == logical_type::decimal) {
      made.precision = T::precision;
      made.scale = T::scale;
    } else if constexpr (traits::logical == logical_type::enumeration)
      made.enumerators = enumerator_names<T>;
    else if constexpr (traits::logical == logical_type::structure)
      made.children = contract_describer<T>::fields;
    else if constexpr (traits::logical == logical_type::list)
      made.children = list_element<typename T::value_type>::value;
    return made;
  }
};

template <class T>
struct field_describer<std::optional<T>> {
  static constexpr field_description make(std::string_view name) {
    field_description made = field_describer<T>::make(name);
    made.nullable = true;
    return made;
  }
};

template <class T>
struct field_describer<rounded<T>> {
  static constexpr field_description make(std::string_view name) {
    field_description made = field_describer<T>::make(name);
    made.rounds = true;
    return made;
  }
};

template <class Unit>
struct field_describer<epoch<Unit>> {
  static constexpr field_description make(std::string_view name) {
    field_description made = field_describer<timestamp>::make(name);
    made.form = std::is_same_v<Unit, std::chrono::seconds>        ? time_form::epoch_seconds
                : std::is_same_v<Unit, std::chrono::milliseconds> ? time_form::epoch_milliseconds
                                                                  : time_form::epoch_microseconds;
    return made;
  }
};

template <fixed_string Zone>
struct field_describer<local_time<Zone>> {
  static constexpr field_description make(std::string_view name) {
    field_description made = field_describer<timestamp>::make(name);
    made.form = time_form::local;
    made.zone = local_time<Zone>::zone.view();
    return made;
  }
};

template <class Attribute>
struct data_name_of {
  static constexpr std::string_view value{};
};
template <fixed_string Name>
struct data_name_of<named_as<Name>> {
  static constexpr std::string_view value = named_as<Name>::name.view();
};
template <class Attribute>
struct description_of {
  static constexpr std::string_view value{};
};
template <fixed_string Text>
struct description_of<described_as<Text>> {
  static constexpr std::string_view value = described_as<Text>::words.view();
};

template <class Attribute>
struct former_name_of {
  static constexpr std::string_view value{};
};
template <fixed_string Name>
struct former_name_of<renamed_from<Name>> {
  static constexpr std::string_view value = renamed_from<Name>::name.view();
};

template <class T, class... Attributes>
struct field_describer<checked<T, Attributes...>> {
  using constraints = constraint_list<typename field_traits<T>::value, Attributes...>;

  // Those of a type that has some come first: `using positive = checked<int, gt<0>>; checked<positive, lt<100>>
  // share;`.
  static constexpr std::span<const constraint_description> inherited = field_describer<T>::make("").constraints;
  static constexpr auto all_constraints = [] {
    std::array<constraint_description, inherited.size() + constraints::count> made{};
    std::copy(constraints::value.begin(), constraints::value.end(),
              std::copy(inherited.begin(), inherited.end(), made.begin()));
    return made;
  }();

  static constexpr field_description make(std::string_view name) {
    field_description made = field_describer<T>::make(name);
    if constexpr (constraints::count != 0) made.constraints = all_constraints;
    const auto apply = [&]<class Attribute>(std::type_identity<Attribute>) {
      if (!data_name_of<Attribute>::value.empty()) made.data_name = data_name_of<Attribute>::value;
      if (!description_of<Attribute>::value.empty()) made.description = description_of<Attribute>::value;
      if (!former_name_of<Attribute>::value.empty()) made.former_name = former_name_of<Attribute>::value;
    };
    (apply(std::type_identity<Attributes>{}), ...);
    static_cast<void>(apply);
    return made;
  }
};

// ---- contracts ------------------------------------------------------------------------------------------------------

template <class Key>
struct key_names {
  static constexpr std::array<std::string_view, 0> value{};
};
template <fixed_string... Names>
struct key_names<primary_key<Names...>> {
  static constexpr std::array<std::string_view, sizeof...(Names)> value{named_as<Names>::name.view()...};
};

template <class C>
struct key_of {
  using type = void;
};
template <class C>
  requires requires { typename C::key; }
struct key_of<C> {
  using type = typename C::key;
};

template <class C>
inline constexpr const auto& key_names_of = key_names<typename key_of<C>::type>::value;

template <class C>
constexpr contract_identity identity_of() {
  contract_identity found{.id = short_type_name<C>()};
  if constexpr (requires { contract_identity{C::identity}; }) {
    found = C::identity;
    if (found.id.empty()) found.id = short_type_name<C>();
  }
  return found;
}

template <class C>
struct contract_describer {
  template <std::size_t... I>
  static constexpr auto make(std::index_sequence<I...>) {
    std::array<field_description, sizeof...(I)> made{field_describer<member_type<C, I>>::make(member_names<C>[I])...};
    for (field_description& field : made) {
      const auto& keys = key_names_of<C>;
      for (std::size_t k = 0; k < keys.size(); ++k)
        if (keys[k] == field.name) field.key_position = static_cast<std::int16_t>(k);
    }
    return made;
  }
  static constexpr auto fields = make(std::make_index_sequence<member_count<C>>{});
  static constexpr contract_identity identity = identity_of<C>();
  static constexpr schema value{identity.id, identity.version, identity.description, fields};
};

}  // namespace detail

/// A contract as a constexpr value.
template <class C>
constexpr const schema& schema_of() {
  return detail::contract_describer<C>::value;
}

}  // namespace etlantic
