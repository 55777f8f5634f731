#pragma once
#include <etlantic/core/like_pattern.hpp>
#include <etlantic/expression/infer.hpp>

#include <cstdint>
#include <string>
#include <string_view>

// Functions of text. A character is a code point. All give null where an operand is null.

namespace etlantic {

namespace detail {

/// A function of texts that gives a `Result`.
template <fixed_string Name, class Result>
struct text_function {
  static constexpr std::string_view name = Name.view();
  template <class... Texts>
  static constexpr auto judge() {
    if constexpr ((std::is_same_v<Texts, text> && ...))
      return typed<Result>{};
    else
      return unsuited<text_function, Texts...>{};
  }
};

using length_function = text_function<"length", std::int32_t>;
using upper_function = text_function<"upper_ascii", text>;
using lower_function = text_function<"lower_ascii", text>;
using trim_function = text_function<"trim", text>;
using ltrim_function = text_function<"ltrim", text>;
using rtrim_function = text_function<"rtrim", text>;
using contains_function = text_function<"contains", bool>;
using starts_with_function = text_function<"starts_with", bool>;
using ends_with_function = text_function<"ends_with", bool>;
using concat_function = text_function<"concat", text>;

struct substring_function {
  static constexpr std::string_view name = "substring";
  template <class E, class Start, class Count>
  static constexpr auto judge() {
    // uint64 would need an overflow of its own
    constexpr bool integers = is_integer<Start> && is_integer<Count> && !std::is_same_v<Start, std::uint64_t> &&
                              !std::is_same_v<Count, std::uint64_t>;
    if constexpr (std::is_same_v<E, text> && integers)
      return typed<text>{};
    else
      return unsuited<substring_function, E, Start, Count>{};
  }
};

/// `Certain`: the part is a constant, and not 0.
template <bool Certain>
struct split_part_function {
  static constexpr std::string_view name = "split_part";
  template <class E, class Separator, class Part>
  static constexpr auto judge() {
    constexpr bool texts = std::is_same_v<E, text> && std::is_same_v<Separator, text>;
    if constexpr (texts && is_integer<Part> && !std::is_same_v<Part, std::uint64_t>)
      return typed<text>{};
    else
      return unsuited<split_part_function, E, Separator, Part>{};
  }
};

struct like_function {
  static constexpr std::string_view name = "like";
  std::string_view pattern;
  char escape;

  template <class E>
  static constexpr auto judge() {
    if constexpr (std::is_same_v<E, text>)
      return typed<bool>{};
    else
      return unsuited<like_function, E>{};
  }
  std::string settings() const { return std::string("\"").append(pattern).append("\", escape ").append(1, escape); }
};

}  // namespace detail

/// How many characters a text has: int32. `length(field<"name">)` is 4 of "Zoë!".
template <Expression E>
constexpr auto length(const E& text) {
  return detail::call(detail::length_function{}, text);
}

/// `count` characters from the `start`-th on; the first is 1 (and 0), the last -1: `substring(field<"code">, -2, 2)`
/// gives the last two. Empty where nothing lies there. What lies before the text is lost: substring("abc", -5, 3) is
/// "a".
template <Expression E, Operand Start, Operand Count>
constexpr auto substring(const E& text, const Start& start, const Count& count) {
  return detail::call(detail::substring_function{}, text, start, count);
}

/// A part of a text between separators: the first is 1, the last -1, so that `split_part(field<"path">, "/", -1)` is
/// what stands behind the last slash. Empty where there is no such part. Separators are looked for from the begin and
/// do not overlap; an empty one separates nothing. There is no part 0: a constant 0 does not compile, and one that is
/// computed makes its row invalid.
template <Expression E, Operand Separator, Operand Part>
constexpr auto split_part(const E& text, const Separator& separator, const Part& part) {
  constexpr bool certain = std::is_integral_v<Part>;
  if constexpr (certain)
    if (part == 0) throw "etlantic: the parts of a text are counted from 1, or from -1 at its end";
  return detail::call(detail::split_part_function<certain>{}, text, separator, part);
}

/// The text with a to z as A to Z. Other letters stay as they are: "zoë" gives "ZOë".
template <Expression E>
constexpr auto upper_ascii(const E& text) {
  return detail::call(detail::upper_function{}, text);
}

/// The text with A to Z as a to z. Other letters stay as they are.
template <Expression E>
constexpr auto lower_ascii(const E& text) {
  return detail::call(detail::lower_function{}, text);
}

/// The text without spaces (U+0020, nothing else) at its begin and its end.
template <Expression E>
constexpr auto trim(const E& text) {
  return detail::call(detail::trim_function{}, text);
}

/// The text without spaces at its begin.
template <Expression E>
constexpr auto ltrim(const E& text) {
  return detail::call(detail::ltrim_function{}, text);
}

/// The text without spaces at its end.
template <Expression E>
constexpr auto rtrim(const E& text) {
  return detail::call(detail::rtrim_function{}, text);
}

/// Whether the second text stands somewhere in the first, byte by byte. An empty one does.
template <class E, class Part>
  requires OperandPair<E, Part>
constexpr auto contains(const E& text, const Part& part) {
  return detail::call(detail::contains_function{}, text, part);
}

/// Whether the text begins with the second one.
template <class E, class Part>
  requires OperandPair<E, Part>
constexpr auto starts_with(const E& text, const Part& part) {
  return detail::call(detail::starts_with_function{}, text, part);
}

/// Whether the text ends with the second one.
template <class E, class Part>
  requires OperandPair<E, Part>
constexpr auto ends_with(const E& text, const Part& part) {
  return detail::call(detail::ends_with_function{}, text, part);
}

/// All texts one behind the other: `concat(field<"city">, ", ", field<"country">)`. Null if one of them is null.
template <Operand First, Operand Second, Operand... More>
  requires(Expression<First> || Expression<Second> || (Expression<More> || ...))
constexpr auto concat(const First& first, const Second& second, const More&... more) {
  return detail::call(detail::concat_function{}, first, second, more...);
}

/// Whether all of the text has the form of a SQL pattern: % stands for any characters, _ for one, and behind `escape`
/// both and the escape itself stand for themselves: `like(field<"sku">, "A_-%")`. A pattern in which the escape stands
/// before anything else does not compile in a constant and throws its sentence otherwise.
template <Expression E>
constexpr auto like(const E& text, std::string_view pattern, char escape = '\\') {
  if (!is_like_pattern(pattern, escape)) throw "etlantic: the escape of a pattern stands before %, _ or itself only";
  return detail::call(detail::like_function{constant_text(pattern), escape}, text);
}

}  // namespace etlantic
