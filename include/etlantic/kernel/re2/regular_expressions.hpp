#pragma once
#include <etlantic/core/refused_setting.hpp>
#include <etlantic/expression/infer.hpp>
#include <etlantic/kernel/call.hpp>

#include <re2/re2.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

// Regular expressions in the syntax of RE2, for users of the component etlantic::re2. The time that a text takes is
// linear in its length, whatever the pattern is. A pattern is compiled once for each stage that uses it; one that does
// not compile is a failure when the query starts.

namespace etlantic {

namespace detail {

struct matches_regex_function {
  static constexpr std::string_view name = "matches_regex";
  std::string_view pattern;

  template <class E>
  static constexpr auto judge() {
    if constexpr (std::is_same_v<E, text>)
      return typed<bool>{};
    else
      return unsuited<matches_regex_function, E>{};
  }
  std::string settings() const { return std::string("\"").append(pattern).append("\""); }
};

struct extract_regex_function {
  static constexpr std::string_view name = "extract_regex";
  std::string_view pattern;
  int group;

  template <class E>
  static constexpr auto judge() {
    if constexpr (std::is_same_v<E, text>)
      return typed<text>{};
    else
      return unsuited<extract_regex_function, E>{};
  }
  std::string settings() const {
    return std::string("\"").append(pattern).append("\", group ").append(std::to_string(group));
  }
};

struct replace_regex_function {
  static constexpr std::string_view name = "replace_regex";
  std::string_view pattern;
  std::string_view replacement;

  template <class E>
  static constexpr auto judge() {
    if constexpr (std::is_same_v<E, text>)
      return typed<text>{};
    else
      return unsuited<replace_regex_function, E>{};
  }
  std::string settings() const {
    return std::string("\"").append(pattern).append("\", \"").append(replacement).append("\"");
  }
};

}  // namespace detail

/// Whether a pattern matches somewhere in the text; `^` and `$` are its begin and its end:
/// `where(matches_regex(field<"sku">, "^[A-Z]{2}-[0-9]+$"))`.
template <Expression E>
constexpr auto matches_regex(const E& text, std::string_view pattern) {
  return detail::call(detail::matches_regex_function{constant_text(pattern)}, text);
}

/// What a group of the pattern's first match holds, 0 for all of the match; empty where nothing matches and where the
/// group takes no part: `extract_regex(field<"address">, "@(.+)$")` is what stands behind the @.
template <Expression E>
constexpr auto extract_regex(const E& text, std::string_view pattern, int group = 1) {
  return detail::call(detail::extract_regex_function{constant_text(pattern), group}, text);
}

/// The text with each match replaced. `$1` to `$9` in the replacement are groups, `$0` all of the match; `\` stands
/// before a `$` or `\` that means itself: `replace_regex(field<"name">, "(\\w+), (\\w+)", "$2 $1")`.
template <Expression E>
constexpr auto replace_regex(const E& text, std::string_view pattern, std::string_view replacement) {
  return detail::call(detail::replace_regex_function{constant_text(pattern), constant_text(replacement)}, text);
}

namespace kernel {

namespace detail {

inline re2::StringPiece piece_of(std::string_view text) { return {text.data(), text.size()}; }

/// Shared by the copies of a stage's expression; matching changes nothing that shows.
inline std::shared_ptr<const RE2> compiled(std::string_view pattern) {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(std::int64_t{8} << 20);  // for the program and what it learns of states
  auto made = std::make_shared<const RE2>(piece_of(pattern), options);
  if (made->ok()) return made;
  throw refused_setting(std::string("the regular expression \"").append(pattern).append("\" does not compile: ") +
                        made->error());
}

/// A replacement as RE2 writes it: with `\1` for `$1`.
inline std::string rewrite_of(std::string_view replacement, const RE2& pattern) {
  const auto refuse = [&](const std::string& why) {
    throw refused_setting(std::string("the replacement \"").append(replacement).append("\" ") + why);
  };
  std::string made;
  for (std::size_t i = 0; i < replacement.size(); ++i) {
    const char c = replacement[i];
    const char next = i + 1 < replacement.size() ? replacement[i + 1] : '\0';
    if (c == '$') {
      if (next < '0' || next > '9') refuse("has a $ without the digit of a group; write \\$ for the character");
      if (next - '0' > pattern.NumberOfCapturingGroups())
        refuse(std::string("names a group that the regular expression \"") + pattern.pattern() + "\" does not have");
      made.append({'\\', next});
      ++i;
    } else if (c == '\\') {
      if (next != '$' && next != '\\') refuse("has a \\ that stands before neither $ nor \\");
      made.append(next == '\\' ? "\\\\" : "$");
      ++i;
    } else
      made.push_back(c);
  }
  return made;
}

}  // namespace detail

template <>
struct meaning<etlantic::detail::matches_regex_function> {
  std::shared_ptr<const RE2> pattern;
  explicit meaning(const etlantic::detail::matches_regex_function& of) : pattern(detail::compiled(of.pattern)) {}
  bool operator()(std::string_view of) const { return RE2::PartialMatch(detail::piece_of(of), *pattern); }
};

template <>
struct meaning<etlantic::detail::extract_regex_function> {
  std::shared_ptr<const RE2> pattern;
  int group;
  explicit meaning(const etlantic::detail::extract_regex_function& of)
      : pattern(detail::compiled(of.pattern)), group(of.group) {
    if (group < 0 || group > pattern->NumberOfCapturingGroups())
      throw refused_setting("the regular expression \"" + pattern->pattern() + "\" has no group " +
                            std::to_string(group));
  }
  std::string_view operator()(std::string_view of) const {
    constexpr int most_on_stack = 10;
    re2::StringPiece few[most_on_stack];
    std::vector<re2::StringPiece> many(group < most_on_stack ? 0 : static_cast<std::size_t>(group) + 1);
    re2::StringPiece* const groups = many.empty() ? few : many.data();
    if (!pattern->Match(detail::piece_of(of), 0, of.size(), RE2::UNANCHORED, groups, group + 1)) return {};
    return {groups[group].data(), groups[group].size()};
  }
};

template <>
struct meaning<etlantic::detail::replace_regex_function> {
  std::shared_ptr<const RE2> pattern;
  std::string rewrite;
  explicit meaning(const etlantic::detail::replace_regex_function& of)
      : pattern(detail::compiled(of.pattern)), rewrite(detail::rewrite_of(of.replacement, *pattern)) {}
  std::string_view operator()(text_room& room, std::string_view of) const {
    std::string made(of);
    if (RE2::GlobalReplace(&made, *pattern, detail::piece_of(rewrite)) == 0) return of;
    char* const begin = room.begin(made.size());
    return room.keep(begin, std::copy(made.begin(), made.end(), begin));
  }
};

}  // namespace kernel
}  // namespace etlantic
