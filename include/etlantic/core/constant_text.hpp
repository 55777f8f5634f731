#pragma once
#include <string_view>
#include <type_traits>

namespace etlantic {

/// The same characters, for as long as the process lives; equal texts are kept once.
std::string_view kept_text(std::string_view characters);

/// What an expression or a chain keeps of a text that it is made of: they are data that may outlive a `std::string`. In
/// a constant expression the compiler sees to that.
constexpr std::string_view constant_text(std::string_view characters) {
  return std::is_constant_evaluated() ? characters : kept_text(characters);
}

}  // namespace etlantic
