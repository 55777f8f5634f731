#pragma once
#include <etlantic/contract/contract.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace etlantic {

/// Says that a field of a record's details is filled from a part of the record; `Header` is the name of a header.
template <record_part Part, fixed_string Header = "">
struct from_record {
  static constexpr record_part part = Part;
  static constexpr auto header = Header;
};

using record_topic = checked<text, from_record<record_part::topic>>;
using record_partition = checked<std::int32_t, from_record<record_part::partition>>;
using record_offset = checked<std::int64_t, from_record<record_part::offset>>;
/// What the record says of its time, in milliseconds: when it was made, or when the broker took it.
using record_timestamp = checked<timestamp, from_record<record_part::timestamp>>;
/// Null: the record has no key. A key that is not UTF-8 makes the row invalid (`bad_text`).
using record_key = checked<std::optional<text>, from_record<record_part::key>>;
using record_key_bytes = checked<std::optional<binary>, from_record<record_part::key>>;
/// The last header of this name; null: there is none. One that is not UTF-8 makes the row invalid (`bad_text`).
template <fixed_string Name>
using record_header = checked<std::optional<text>, from_record<record_part::header, Name>>;
template <fixed_string Name>
using record_header_bytes = checked<std::optional<binary>, from_record<record_part::header, Name>>;
using record_is_tombstone = checked<bool, from_record<record_part::is_tombstone>>;

/// What `record<Order>` has beside the fields of `Order`.
struct record_details {
  record_topic topic;
  record_partition partition;
  record_offset offset;
  record_timestamp timestamp;
  record_key key;
};

/// The contract of a record of a topic: the fields of its value and, behind them, what the record has beside it, all of
/// them fields like any other: `extract<record<Order>, "orders">`, `where(field<"partition"> == 3)`.
///
/// `Details` is a struct of what is wanted, under names of your own:
///
///     struct OrderDetails {
///       record_timestamp written_at;
///       record_header<"tenant"> tenant;
///     };
///     extract<record<Order, OrderDetails>, "orders"> orders;
///
/// `record<std::optional<Order>>` takes records without a value (tombstones) as rows, too: all fields of the value are
/// nullable then, and null in them. Without it they are no rows.
template <class Value, class Details = record_details>
struct record {
  Value value{};
  Details details{};
};

namespace detail {

template <class Value>
struct record_value {
  using contract = Value;
  static constexpr bool may_be_absent = false;
};
template <class Value>
struct record_value<std::optional<Value>> {
  using contract = Value;
  static constexpr bool may_be_absent = true;
};

/// Which part of a record a member is, if any.
template <class Member>
struct record_member {
  static constexpr bool fits = false;
  static constexpr record_field field{};
};
template <class T, record_part Part, fixed_string Header>
struct record_member<checked<T, from_record<Part, Header>>> {
  static constexpr bool is_text = std::is_same_v<T, std::optional<text>> || std::is_same_v<T, std::optional<binary>>;
  static constexpr bool fits = [] {
    switch (Part) {
      case record_part::topic: return std::is_same_v<T, text>;
      case record_part::partition: return std::is_same_v<T, std::int32_t>;
      case record_part::offset: return std::is_same_v<T, std::int64_t>;
      case record_part::timestamp: return std::is_same_v<T, timestamp>;
      case record_part::key: return is_text;
      case record_part::header: return is_text && !Header.view().empty();
      case record_part::is_tombstone: return std::is_same_v<T, bool>;
    }
    return false;
  }();
  static constexpr record_field field{Part, from_record<Part, Header>::header.view()};
};

template <class Details, std::size_t I>
constexpr auto judge_record_detail() {
  using member = member_type<Details, I>;
  if constexpr (record_member<member>::fits)
    return pass{};
  else
    return fail<rule::record_details_must_be_of_a_record, type<Details>,
                called<fixed<[] { return member_names<Details>[I]; }>()>, type<member>>{};
}

/// The place of a detail whose name, or name in the data, the value has too; the number of details if there is none.
template <class Value, class Details>
constexpr std::size_t first_shared_name() {
  const auto& details = contract_describer<Details>::fields;
  for (std::size_t i = 0; i < details.size(); ++i)
    for (const field_description& each : contract_describer<Value>::fields)
      if (each.name == details[i].name || each.data_name == details[i].data_name) return i;
  return details.size();
}

template <class Value, class Details>
constexpr auto judge_record_names() {
  constexpr std::size_t shared = first_shared_name<Value, Details>();
  if constexpr (shared == member_count<Details>)
    return pass{};
  else
    return fail<rule::record_fields_must_differ, type<Value>, type<Details>,
                called<fixed<[] { return member_names<Details>[shared]; }>()>>{};
}

template <class Value, class Details>
constexpr auto judge_record() {
  using contracts = first_failure<contract_verdict<Value>, contract_verdict<Details>>;
  if constexpr (!passed<contracts>)
    return contracts{};
  else {
    const auto details = []<std::size_t... I>(std::index_sequence<I...>) {
      return first_failure<decltype(judge_record_detail<Details, I>())...>{};
    }(std::make_index_sequence<member_count<Details>>{});
    return first_failure<std::remove_const_t<decltype(details)>, decltype(judge_record_names<Value, Details>())>{};
  }
}

template <class Value, class Details>
struct contract_judgement<record<Value, Details>> {
  using verdict = decltype(judge_record<typename record_value<Value>::contract, Details>());
};

template <class Member>
using nullable_member = std::conditional_t<field_traits<Member>::nullable, Member, std::optional<Member>>;

template <class Value, class Details, std::size_t I>
struct member_of_record {
  using contract = typename record_value<Value>::contract;
  static auto pick() {
    if constexpr (I >= member_count<contract>)
      return std::type_identity<member_type<Details, I - member_count<contract>>>{};
    else if constexpr (record_value<Value>::may_be_absent)
      return std::type_identity<nullable_member<member_type<contract, I>>>{};
    else
      return std::type_identity<member_type<contract, I>>{};
  }
  using type = typename decltype(pick())::type;
};

template <class Value, class Details>
struct key_of<record<Value, Details>> : key_of<Value> {};
template <class Value, class Details>
struct key_of<record<std::optional<Value>, Details>> {
  using type = void;
};

}  // namespace detail

/// Reflected as one flat struct.
template <class Value, class Details>
  requires passed<contract_verdict<record<Value, Details>>>
struct described_members<record<Value, Details>> {
  using contract = typename detail::record_value<Value>::contract;
  static constexpr std::size_t count = member_count<contract> + member_count<Details>;
  static constexpr std::array<std::string_view, count> names = [] {
    std::array<std::string_view, count> made{};
    std::copy(member_names<contract>.begin(), member_names<contract>.end(), made.begin());
    std::copy(member_names<Details>.begin(), member_names<Details>.end(), made.begin() + member_count<contract>);
    return made;
  }();
  template <std::size_t I>
  using member_type = typename detail::member_of_record<Value, Details, I>::type;
};

namespace detail {

template <class Value, class Details>
struct contract_describer<record<Value, Details>> {
  using contract = typename record_value<Value>::contract;
  static constexpr std::size_t value_count = member_count<contract>;

  static constexpr auto make_fields() {
    std::array<field_description, value_count + member_count<Details>> made{};
    for (std::size_t i = 0; i < made.size(); ++i) {
      const bool is_of_value = i < value_count;
      made[i] =
          is_of_value ? contract_describer<contract>::fields[i] : contract_describer<Details>::fields[i - value_count];
      if (is_of_value && record_value<Value>::may_be_absent) made[i].nullable = true;
      if (!is_of_value || record_value<Value>::may_be_absent) made[i].key_position = -1;
    }
    return made;
  }
  static constexpr auto fields = make_fields();

  static constexpr auto details = []<std::size_t... I>(std::index_sequence<I...>) {
    return std::array{record_member<member_type<Details, I>>::field...};
  }(std::make_index_sequence<member_count<Details>>{});
  static constexpr record_description described{&contract_describer<contract>::value,
                                                record_value<Value>::may_be_absent, details};

  // The same with each compiler, which a type's own spelling is not.
  static constexpr contract_identity of_value = identity_of<contract>();
  static constexpr auto spelled = [] {
    constexpr std::string_view before = "record<";
    std::array<char, of_value.id.size() + before.size() + 1> made{};
    char* const end =
        std::copy(of_value.id.begin(), of_value.id.end(), std::copy(before.begin(), before.end(), made.data()));
    *end = '>';
    return made;
  }();
  static constexpr contract_identity identity{{spelled.data(), spelled.size()}, of_value.version, of_value.description};
  static constexpr schema value{identity.id, identity.version, identity.description, fields, &described};
};

}  // namespace detail

}  // namespace etlantic
