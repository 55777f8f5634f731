#pragma once
#include <algorithm>
#include <cstddef>
#include <string_view>

namespace etlantic {

/// Text that can be a template argument: `field<"price">`, `named<"total">`.
template <std::size_t N>
struct fixed_string {
  char data[N]{};

  constexpr fixed_string() = default;
  constexpr fixed_string(const char (&text)[N]) { std::copy_n(text, N, data); }

  constexpr std::string_view view() const { return {data, N - 1}; }

  template <std::size_t M>
  constexpr bool operator==(const fixed_string<M>& other) const {
    return view() == other.view();
  }
};

}  // namespace etlantic
