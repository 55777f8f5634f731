#pragma once
#include <etlantic/core/fixed_length.hpp>
#include <etlantic/core/refresh_rule.hpp>
#include <etlantic/core/text.hpp>

#include <cstddef>

namespace etlantic {

/// A place where rows of a contract enter a transformation.
template <class C>
struct input {
  using contract = C;
  using input_tag = void;
  std::size_t port = 0;  // its place among the inputs, set before `implement` is called
};

/// An input whose rows are looked up by others: not a stream, but the whole content of an extract, which is read again
/// as the rule says. `lookup_join` takes it: `reference<Customer> customers{refreshed_every(1h)};`
template <class C>
struct reference {
  using contract = C;
  using input_tag = void;
  using reference_tag = void;
  refresh_rule refresh{};
  std::size_t port = 0;  // as of an input
};

/// A place where rows of a contract leave a transformation; `implement` gives the stream that feeds it.
template <class C>
struct output {
  using contract = C;
  using output_tag = void;
};

/// A setting of a transformation with its default: `parameter<duration> window_duration{1h};`.
template <class T>
struct parameter {
  using parameter_tag = void;
  T value{};

  constexpr operator const T&() const { return value; }
};
template <>
struct parameter<duration> {
  using parameter_tag = void;
  duration value{};

  constexpr parameter() = default;
  template <class Length>
    requires detail::is_duration<Length>
  constexpr parameter(const Length& length) : value(fixed_length(length)) {}

  constexpr operator const duration&() const { return value; }
};

template <class T>
concept InputPort = requires { typename T::input_tag; };
template <class T>
concept ReferencePort = InputPort<T> && requires { typename T::reference_tag; };
template <class T>
concept OutputPort = requires { typename T::output_tag; };
template <class T>
concept Parameter = requires { typename T::parameter_tag; };

}  // namespace etlantic
