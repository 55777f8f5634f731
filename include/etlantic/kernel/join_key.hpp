#pragma once
#include <etlantic/kernel/group_key.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace etlantic::kernel {

/// Appends a part of a key as bytes, so that keys are equal where their bytes are: numbers in one form, text behind its
/// length.
template <class Value>
inline void append_key_bytes(std::string& into, const Value& value) {
  if constexpr (std::is_same_v<Value, std::string_view>) {
    append_key_bytes(into, static_cast<std::uint64_t>(value.size()));
    into.append(value);
  } else {
    const Value form = key_form(value);
    into.append(reinterpret_cast<const char*>(&form), sizeof form);
  }
}

}  // namespace etlantic::kernel
