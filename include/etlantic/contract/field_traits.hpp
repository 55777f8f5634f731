#pragma once
#include <etlantic/contract/constraint.hpp>
#include <etlantic/contract/enumerators.hpp>
#include <etlantic/contract/schema.hpp>
#include <etlantic/core/decimal.hpp>
#include <etlantic/core/fixed_string.hpp>
#include <etlantic/core/text.hpp>
#include <etlantic/core/time.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace etlantic {

/// How an integer in the data counts time: `epoch<std::chrono::milliseconds>` for milliseconds since 1970.
template <class Unit>
struct epoch {
  timestamp value;

  constexpr epoch() = default;
  constexpr epoch(timestamp given) : value(given) {}
  constexpr operator timestamp() const { return value; }
  friend constexpr bool operator==(const epoch&, const epoch&) = default;
};

/// A time stamp whose text may lack a zone: it is then what a clock of this zone shows, `local_time<"Europe/Berlin">`.
/// A reading that the clock skips is shifted by what it skips; of a reading that comes twice the earlier one is meant.
/// Texts with a zone are taken as they are.
template <fixed_string Zone>
struct local_time {
  static constexpr auto zone = Zone;
  timestamp value;

  constexpr local_time() = default;
  constexpr local_time(timestamp given) : value(given) {}
  constexpr operator timestamp() const { return value; }
  friend constexpr bool operator==(const local_time&, const local_time&) = default;
};

/// What a C++ type is as a field. `value` is the plain type that expressions compute with; `storage` is what lies in a
/// column.
template <class T>
struct field_traits {
  static constexpr bool known = false;
};

namespace detail {
template <class T, logical_type Logical, class Storage = T>
struct plain_field {
  static constexpr bool known = true;
  static constexpr bool nullable = false;
  static constexpr logical_type logical = Logical;
  using value = T;
  using storage = Storage;
};
}  // namespace detail

template <>
struct field_traits<bool> : detail::plain_field<bool, logical_type::boolean> {};
template <>
struct field_traits<std::int8_t> : detail::plain_field<std::int8_t, logical_type::int8> {};
template <>
struct field_traits<std::int16_t> : detail::plain_field<std::int16_t, logical_type::int16> {};
template <>
struct field_traits<std::int32_t> : detail::plain_field<std::int32_t, logical_type::int32> {};
template <>
struct field_traits<std::int64_t> : detail::plain_field<std::int64_t, logical_type::int64> {};
template <>
struct field_traits<std::uint8_t> : detail::plain_field<std::uint8_t, logical_type::uint8> {};
template <>
struct field_traits<std::uint16_t> : detail::plain_field<std::uint16_t, logical_type::uint16> {};
template <>
struct field_traits<std::uint32_t> : detail::plain_field<std::uint32_t, logical_type::uint32> {};
template <>
struct field_traits<std::uint64_t> : detail::plain_field<std::uint64_t, logical_type::uint64> {};
template <>
struct field_traits<float> : detail::plain_field<float, logical_type::float32> {};
template <>
struct field_traits<double> : detail::plain_field<double, logical_type::float64> {};
template <>
struct field_traits<text> : detail::plain_field<text, logical_type::text, std::string_view> {};
template <>
struct field_traits<binary> : detail::plain_field<binary, logical_type::binary, std::string_view> {};
template <>
struct field_traits<date> : detail::plain_field<date, logical_type::date, std::int32_t> {};
template <>
struct field_traits<timestamp> : detail::plain_field<timestamp, logical_type::timestamp, std::int64_t> {};
template <>
struct field_traits<duration> : detail::plain_field<duration, logical_type::duration, std::int64_t> {};

template <int Precision, int Scale>
struct field_traits<decimal<Precision, Scale>>
    : detail::plain_field<decimal<Precision, Scale>, logical_type::decimal,
                          typename decimal<Precision, Scale>::representation> {};

template <class Decimal>
struct field_traits<rounded<Decimal>> : field_traits<Decimal> {};

template <class Unit>
struct field_traits<epoch<Unit>> : field_traits<timestamp> {};

template <fixed_string Zone>
struct field_traits<local_time<Zone>> : field_traits<timestamp> {};

template <FixedEnumeration T>
struct field_traits<T>
    : detail::plain_field<T, logical_type::enumeration,
                          std::conditional_t<(enumerator_names<T>.size() <= 127), std::int8_t, std::int16_t>> {};

template <class T, class... Attributes>
struct field_traits<checked<T, Attributes...>> : field_traits<T> {};

template <class T>
struct field_traits<std::optional<T>> : field_traits<T> {
  static constexpr bool nullable = true;
};

template <class T>
struct field_traits<std::vector<T>> : detail::plain_field<std::vector<T>, logical_type::list, void> {
  static constexpr bool known = field_traits<T>::known;
};

// A struct in a contract, unless one of the types above. Its own fields are judged when the contract is.
template <class T>
  requires(std::is_class_v<T> && std::is_aggregate_v<T>)
struct field_traits<T> : detail::plain_field<T, logical_type::structure, void> {};

}  // namespace etlantic
