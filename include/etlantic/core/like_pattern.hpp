#pragma once
#include <etlantic/core/characters.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace etlantic {

/// Whether each escape character of a SQL pattern stands before %, _ or itself; Spark takes nothing else either.
constexpr bool is_like_pattern(std::string_view pattern, char escape) {
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != escape) continue;
    if (++i == pattern.size() || (pattern[i] != '%' && pattern[i] != '_' && pattern[i] != escape)) return false;
  }
  return true;
}

/// A SQL pattern, taken apart at its %: `_` is one character, the rest stands for itself.
class like_pattern {
 public:
  like_pattern(std::string_view pattern, char escape) {
    pieces_.emplace_back();
    for (std::size_t i = 0; i < pattern.size(); ++i) {
      piece& last = pieces_.back();
      if (pattern[i] == escape && i + 1 < pattern.size())
        last.add(pattern[++i]);
      else if (pattern[i] == '%')
        pieces_.emplace_back();
      else if (pattern[i] == '_')
        last.add_any();
      else
        last.add(pattern[i]);
    }
  }

  bool matches(std::string_view text) const {
    const piece& first = pieces_.front();
    const std::size_t begin = first.length_at(text);
    if (begin == mismatch) return false;
    text.remove_prefix(begin);
    if (pieces_.size() == 1) return text.empty();
    for (std::size_t i = 1; i + 1 < pieces_.size(); ++i)
      if (!pieces_[i].find_and_skip(text)) return false;
    return pieces_.back().ends(text);
  }

 private:
  static constexpr std::size_t mismatch = std::string_view::npos;

  struct piece {
    std::string bytes;      // 0 at the places of `_`
    std::vector<bool> any;  // empty if there is no `_`
    std::int64_t characters = 0;

    void add(char byte) {
      bytes.push_back(byte);
      if (!any.empty()) any.push_back(false);
      characters += !continues_character(byte);
    }
    void add_any() {
      any.resize(bytes.size());
      bytes.push_back('\0');
      any.push_back(true);
      ++characters;
    }

    /// How many bytes of the text's begin the piece takes.
    std::size_t length_at(std::string_view text) const {
      if (any.empty()) return text.starts_with(bytes) ? bytes.size() : mismatch;
      std::size_t at = 0;
      for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (at == text.size()) return mismatch;
        if (!any[i]) {
          if (text[at++] != bytes[i]) return mismatch;
        } else
          at += first_characters(text.substr(at), 1).size();
      }
      return at;
    }

    /// Skips the first place where the piece stands. The first is as good as any: what follows is a %.
    bool find_and_skip(std::string_view& text) const {
      if (any.empty()) {
        const std::size_t at = text.find(bytes);
        if (at == mismatch) return false;
        text.remove_prefix(at + bytes.size());
        return true;
      }
      for (; !text.empty(); text = skip_characters(text, 1))
        if (const std::size_t length = length_at(text); length != mismatch) {
          text.remove_prefix(length);
          return true;
        }
      return false;
    }

    bool ends(std::string_view text) const {
      if (any.empty()) return text.ends_with(bytes);
      const auto length = static_cast<std::int64_t>(count_code_points(text));
      if (length < characters) return false;
      const std::string_view end = skip_characters(text, length - characters);
      return length_at(end) == end.size();
    }
  };

  std::vector<piece> pieces_;
};

}  // namespace etlantic
