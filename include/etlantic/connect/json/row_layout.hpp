#pragma once
#include <etlantic/connect/json/short_literal.hpp>
#include <etlantic/connect/json/syntax.hpp>
#include <etlantic/connect/json/value_plan.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace etlantic::detail {

/// One member of an object as it stands in a line; `field` is its place in the contract, or -1.
struct seen_member {
  std::ptrdiff_t field = -1;
  json_token value{};
};

/// The bytes between two values. All of them but the last hold the quotes of a name, and the places of a line's quotes
/// are known: so their own places are, without looking at any value.
struct layout_literal {
  std::string text;
  std::vector<std::uint64_t> words;  // eight bytes each; unused ones are masked out
  std::uint64_t last_mask = 0;
  std::uint32_t quote = 0;  // which quote of the line is the first one in it
  std::int32_t offset = 0;  // where in the text that quote is
  bool has_quote = false;

  layout_literal() = default;
  explicit layout_literal(std::string_view of) : text(of) {
    std::string padded = text;
    padded.resize((padded.size() + 7) / 8 * 8);
    for (std::size_t i = 0; i < padded.size(); i += 8) words.push_back(load_word(padded.data() + i));
    last_mask = low_bytes(text.size() - 8 * (words.size() - 1));
    const std::size_t first_quote = text.find('"');
    has_quote = first_quote != std::string::npos;
    offset = static_cast<std::int32_t>(has_quote ? first_quote : 0);
  }

  std::int32_t size() const { return static_cast<std::int32_t>(text.size()); }

  /// Zero if it stands at `at`. Seven bytes behind it are readable.
  std::uint64_t difference(const char* at) const {
    std::uint64_t found = 0;
    for (std::size_t i = 0; i + 1 < words.size(); ++i) found |= load_word(at + 8 * i) ^ words[i];
    return found | ((load_word(at + 8 * (words.size() - 1)) ^ words.back()) & last_mask);
  }
};

/// A value and the bytes before it.
struct layout_segment {
  layout_literal before;
  const value_plan* plan = nullptr;  // of the field; nullptr: the contract does not know this member
  bool in_quotes = false;            // the quotes are part of the literals around it
  bool is_usual = false;             // in the form that the plan names
};

/// What a line looked like, apart from its values: lines made by one program mostly look alike.
struct row_layout {
  std::vector<layout_segment> segments;
  layout_literal end;               // behind the last value
  std::uint32_t quotes = 0;         // of a whole line
  std::vector<std::size_t> absent;  // fields that the line does not have, or has as null where a text could stand

  /// Literals are compared without asking how much of the line is left.
  static constexpr std::size_t longest_literal = 96;
};

/// Cuts a line into literals and values.
class layout_learner {
 public:
  layout_learner(std::string_view line, std::span<const value_plan> plans)
      : at_(line.data()), end_(line.data() + line.size()), plans_(plans), present_(plans.size()) {}

  /// The layout of a valid line that is not odd, from its members in order. Nothing where a field comes twice, where a
  /// value is an array or an object, or where a field is one: then the places of quotes say too little.
  std::optional<row_layout> learn(std::span<const seen_member> members) {
    for (const seen_member& member : members)
      if (!learn_member(member)) return {};
    if (!finish_literal(end_, layout_.end) || layout_.segments.empty()) return {};
    layout_.quotes = quotes_;
    for (std::size_t i = 0; i < present_.size(); ++i) {
      if (!plans_[i].is_leaf) return {};
      if (!present_[i]) layout_.absent.push_back(i);
    }
    return std::move(layout_);
  }

 private:
  bool learn_member(const seen_member& member) {
    if (member.value.kind == json_kind::object || member.value.kind == json_kind::array) return false;
    layout_segment segment;
    segment.in_quotes = member.value.kind == json_kind::string;
    if (member.field >= 0) {
      const auto field = static_cast<std::size_t>(member.field);
      segment.plan = &plans_[field];
      // Where a text could stand, null has two quotes less: lines with it look different, and null is never a value.
      if (member.value.kind == json_kind::null && segment.plan->is_quoted()) return !seen_before(field, false);
      if (seen_before(field, true)) return false;
      segment.is_usual = segment.plan->form != value_form::any && segment.plan->is_quoted() == segment.in_quotes;
    }
    const char* const value = member.value.text.data();
    if (!finish_literal(value, segment.before) || !segment.before.has_quote) return false;
    at_ = value + member.value.text.size();
    layout_.segments.push_back(std::move(segment));
    return true;
  }

  bool seen_before(std::size_t field, bool has_value) {
    const bool before = named_.size() > field && named_[field];
    named_.resize(present_.size());
    named_[field] = true;
    present_[field] = has_value;
    return before;
  }

  bool finish_literal(const char* stop, layout_literal& literal) {
    const std::string_view text(at_, static_cast<std::size_t>(stop - at_));
    if (text.empty() || text.size() > row_layout::longest_literal) return false;
    literal = layout_literal(text);
    literal.quote = quotes_;
    quotes_ += static_cast<std::uint32_t>(std::count(literal.text.begin(), literal.text.end(), '"'));
    return true;
  }

  const char* at_;
  const char* end_;
  std::span<const value_plan> plans_;
  std::vector<bool> present_;
  std::vector<bool> named_;
  std::uint32_t quotes_ = 0;
  row_layout layout_;
};

}  // namespace etlantic::detail
