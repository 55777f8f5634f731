#pragma once
#include <etlantic/column/state_io.hpp>
#include <etlantic/runtime/wider_state.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace etlantic::detail {

/// A part `aggregate name = call type ...` of a state's schema.
struct kept_aggregate {
  std::string_view part;  ///< without what says nothing about the bytes
  std::string_view name;
  std::string_view call;  ///< with its type and all that follows
  bool optional = false;  ///< the result may be nothing

  bool calls(std::string_view function) const { return call.starts_with(function); }
};

inline constexpr std::string_view optional_mark = " optional";

/// Nothing for other parts.
inline std::optional<kept_aggregate> aggregate_of(std::string_view part) {
  constexpr std::string_view begin = "aggregate ";
  const std::size_t is = part.find(" = ");
  if (!part.starts_with(begin) || is == std::string_view::npos) return std::nullopt;
  kept_aggregate made;
  made.optional = part.ends_with(optional_mark);
  if (made.optional) part.remove_suffix(optional_mark.size());
  made.part = part;
  made.name = part.substr(begin.size(), is - begin.size());
  made.call = part.substr(is + 3);
  return made;
}

/// Of a mean of integers or of floating point, which older checkpoints do not tell apart.
inline std::string_view without_type_of_mean(const kept_aggregate& of) {
  const std::size_t type = of.part.rfind(" float64 of ");
  return of.calls("avg(") && type != std::string_view::npos ? of.part.substr(0, type + 8) : of.part;
}

/// Whether the bytes of one are read as those of the other.
inline bool is_same_aggregate(const kept_aggregate& old, const kept_aggregate& now) {
  if (old.part == now.part || is_wider_part(old.part, now.part)) return true;
  const std::string_view before = without_type_of_mean(old), after = without_type_of_mean(now);
  return before == after && (before == old.part || after == now.part);
}

/// How many bytes a least or greatest value takes by the name of its type, behind the byte that says whether there is
/// one; 0 if that cannot be told.
inline std::size_t bytes_of_value(std::string_view type) {
  std::string_view rest = type;
  if (const decimal_shape shape = take_decimal(rest); shape.precision != 0 && rest.empty())
    return shape.precision <= 18 ? 8 : 16;
  for (const std::string_view each : {"bool", "int8", "uint8"})
    if (type == each) return 1;
  for (const std::string_view each : {"int16", "uint16"})
    if (type == each) return 2;
  for (const std::string_view each : {"int32", "uint32", "float32", "date"})
    if (type == each) return 4;
  for (const std::string_view each : {"int64", "uint64", "float64", "timestamp", "duration"})
    if (type == each) return 8;
  return 0;
}

/// How to pass over what an aggregate kept that is not there any more; none if its length cannot be told. The numbers
/// are those that the states in kernel/aggregate_state.hpp write.
inline std::optional<saved_part> passing_over(const kept_aggregate& gone) {
  const std::size_t end_of_call = gone.call.rfind(") ");
  if (end_of_call == std::string_view::npos) return std::nullopt;
  const std::string_view type = gone.call.substr(end_of_call + 2);
  saved_part skip;
  skip.place = -1;
  if (gone.calls("count(") || gone.calls("count_if("))
    skip.bytes = 8;
  else if (gone.calls("variance(") || gone.calls("stddev("))
    skip.bytes = 24;
  else if (gone.calls("sum("))
    skip.bytes = type == "float64" ? 9 : 18;
  else if (gone.calls("avg(") && type != "float64")
    skip.bytes = type.starts_with("float64 of float") ? 17 : 26;
  else if ((gone.calls("min(") || gone.calls("max(")) && (type == "text" || type == "binary"))
    skip.bytes = 1, skip.has_text = true;
  else if ((gone.calls("min(") || gone.calls("max(")) && bytes_of_value(type) != 0)
    skip.bytes = 1 + bytes_of_value(type);
  else
    return std::nullopt;
  return skip;
}

/// Whether groups that are there can begin it with nothing.
inline bool can_begin_empty(const kept_aggregate& fresh) {
  return fresh.optional || fresh.calls("count_if(") || fresh.calls("count_distinct(") ||
         fresh.calls("approximate_count_distinct(");
}

/// What became of the state of a step.
struct state_change {
  bool readable = false;          ///< the pipeline as it is now can go on from it
  std::string reason;             ///< why not, where that can be told
  std::vector<std::string> told;  ///< what changed, as sentences
  bool rearranged = false;        ///< its bytes have to be read as `parts` say
  std::vector<saved_part> parts;  ///< of a group, as they were saved
};

inline state_change change_of_one_state(std::string_view old, std::string_view now) {
  state_change change;
  std::vector<std::string_view> before = parts_of_state(old), after = parts_of_state(now);
  std::vector<kept_aggregate> kept, wanted;
  const auto take_aggregates = [](std::vector<std::string_view>& from, std::vector<kept_aggregate>& into) {
    std::erase_if(from, [&](std::string_view part) {
      const std::optional<kept_aggregate> found = aggregate_of(part);
      if (found) into.push_back(*found);
      return found.has_value();
    });
  };
  take_aggregates(before, kept);
  take_aggregates(after, wanted);
  // Tables of groups are what reads its state part by part; sessions do not.
  const auto is_of_groups = [](std::string_view part) {
    return part.starts_with("key ") || part.starts_with("tumbling ") || part.starts_with("sliding ");
  };
  const bool has_groups = std::all_of(after.begin(), after.end(), is_of_groups) && !kept.empty() && !wanted.empty();
  if (before.size() != after.size() || !std::equal(before.begin(), before.end(), after.begin(), is_wider_part))
    return change;
  if (!has_groups && kept.size() != wanted.size()) return change;

  std::vector<bool> found(wanted.size(), false);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const kept_aggregate& each = kept[i];
    const auto same = std::find_if(wanted.begin(), wanted.end(),
                                   [&](const kept_aggregate& other) { return other.name == each.name; });
    if (same != wanted.end()) {
      const auto place = same - wanted.begin();
      if (!is_same_aggregate(each, *same)) {
        change.reason = "aggregate '" + std::string(each.name) + "' is another one";
        return change;
      }
      if (each.optional && !same->optional) {
        change.reason = "the field of aggregate '" + std::string(each.name) +
                        "' is not optional any more, and groups that are there may hold nothing for it";
        return change;
      }
      found[static_cast<std::size_t>(place)] = true;
      change.rearranged |= place != static_cast<std::ptrdiff_t>(i);
      change.parts.push_back({static_cast<int>(place), 0, false});
      continue;
    }
    const std::optional<saved_part> skip = passing_over(each);
    if (!skip || !has_groups) {
      change.reason = "aggregate '" + std::string(each.name) +
                      "' is gone, and how much it kept cannot be told; keep it and leave it out of what is published";
      return change;
    }
    change.rearranged = true;
    change.parts.push_back(*skip);
    change.told.push_back("aggregate '" + std::string(each.name) + "' is gone, and so is what it kept");
  }
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (found[i]) continue;
    if (!has_groups || !can_begin_empty(wanted[i])) {
      change.reason = "aggregate '" + std::string(wanted[i].name) +
                      "' is new, and its field is not optional: groups that are there have nothing to begin it with";
      return change;
    }
    change.rearranged = true;
    change.told.push_back("aggregate '" + std::string(wanted[i].name) +
                          "' is new, and begins with nothing in groups that are there");
  }
  if (change.rearranged && !has_groups) return change;
  if (change.told.empty() && change.rearranged) change.told.push_back("its aggregates stand in another order");
  change.readable = true;
  return change;
}

/// Whether state of one schema can be read as that of another: decimals may have more digits; aggregates may be new, if
/// they can begin with nothing, gone, if it is known how much they kept, and stand in another order.
inline state_change change_of_state(std::string_view old, std::string_view now) {
  state_change change;
  change.readable = old == now;
  if (change.readable) return change;
  // Several states of one step follow each other without a sign between them, so none of them may be rearranged.
  constexpr std::string_view between = " | ";
  if (old.find(between) == std::string_view::npos) return change_of_one_state(old, now);
  for (bool more = true; more;) {
    const std::size_t end = old.find(between), end_now = now.find(between);
    const state_change one = change_of_one_state(old.substr(0, end), now.substr(0, end_now));
    more = end != std::string_view::npos;
    if (!one.readable || one.rearranged || more != (end_now != std::string_view::npos)) {
      change.reason = one.reason;
      return change;
    }
    if (more) old.remove_prefix(end + between.size()), now.remove_prefix(end_now + between.size());
  }
  change.readable = true;
  return change;
}

/// What an operator means, without the list of its aggregates, which the schema of its state tells as well.
inline std::string without_aggregates(std::string_view meaning, std::string_view schema) {
  std::vector<kept_aggregate> kept;
  for (const std::string_view part : parts_of_state(schema))
    if (const std::optional<kept_aggregate> found = aggregate_of(part)) kept.push_back(*found);
  constexpr std::string_view begin = "aggregate(";
  const std::size_t first = meaning.find(begin);
  if (kept.empty() || first == std::string_view::npos) return std::string(meaning);
  std::size_t at = first + begin.size();
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const std::string name = std::string(kept[i].name) + "=";
    const std::string behind = i + 1 < kept.size() ? ", " + std::string(kept[i + 1].name) + "=" : ")";
    if (meaning.substr(at, name.size()) != name) return std::string(meaning);
    at += name.size();
    // The call is what both texts begin with; its type, which only the schema has, follows a space.
    bool ended = false;
    for (std::size_t space = kept[i].call.find(' '); space != std::string_view::npos && !ended;
         space = kept[i].call.find(' ', space + 1)) {
      ended = meaning.substr(at, space) == kept[i].call.substr(0, space) &&
              meaning.substr(at + space, behind.size()) == behind;
      if (ended) at += space + (i + 1 < kept.size() ? 2 : 1);
    }
    if (!ended) return std::string(meaning);
  }
  return std::string(meaning.substr(0, first)) + "aggregate" + std::string(meaning.substr(at));
}

}  // namespace etlantic::detail
