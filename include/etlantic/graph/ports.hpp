#pragma once
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

template <class T>
concept InputPort = requires { typename T::input_tag; };
template <class T>
concept OutputPort = requires { typename T::output_tag; };
template <class T>
concept Parameter = requires { typename T::parameter_tag; };

}  // namespace etlantic
