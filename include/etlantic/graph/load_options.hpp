#pragma once
#include <etlantic/core/output_mode.hpp>
#include <etlantic/core/target.hpp>

#include <concepts>
#include <type_traits>

namespace etlantic {

/// What stands behind the names of a load: an output mode, a target, both in any order, or neither.
template <class Option>
concept LoadOption = std::same_as<Option, output_mode> || std::same_as<Option, target>;

namespace detail {

template <class Wanted, auto... Options>
constexpr Wanted option_or(Wanted otherwise) {
  Wanted found = otherwise;
  const auto look = [&](auto option) {
    if constexpr (std::is_same_v<decltype(option), Wanted>) found = option;
  };
  (look(Options), ...);
  static_cast<void>(look);
  return found;
}

template <class Wanted, auto... Options>
inline constexpr int option_count = (0 + ... + int{std::is_same_v<std::remove_const_t<decltype(Options)>, Wanted>});

template <auto... Options>
struct load_options {
  static_assert(option_count<output_mode, Options...> <= 1, "etlantic: a load has at most one output mode");
  static_assert(option_count<target, Options...> <= 1, "etlantic: a load has at most one target");

  static constexpr bool has_mode = option_count<output_mode, Options...> == 1;
  static constexpr output_mode mode = option_or<output_mode, Options...>(output_mode::append);
  static constexpr target kind = option_or<target, Options...>(target::any);

  /// What holds without a mode: results that change replace those before them where something can replace them.
  static constexpr output_mode mode_of(bool updates, bool has_key) {
    if (has_mode) return mode;
    return updates && has_key && kind != target::append_only ? output_mode::update : output_mode::append;
  }
};

}  // namespace detail
}  // namespace etlantic
