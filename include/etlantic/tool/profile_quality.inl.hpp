#pragma once
#include <etlantic/core/parse_double.hpp>
#include <etlantic/runtime/quality_gate.hpp>
#include <etlantic/tool/profile_life.inl.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace etlantic::detail {

// The section that says what rows must keep: quality.
class profile_quality_parser : protected profile_life_parser {
 protected:
  using profile_life_parser::profile_life_parser;

  void read_quality(const entry& section) {
    if (section.value->what != tree::kind::sequence)
      return complain_at_key(section, code::wrong_kind, "\"quality\" must be a list of gates", "quality",
                             "such as quality: [{name: few_invalid, of: orders, metric: invalid_share, at_most: 1%}]");
    for (std::size_t i = 0; i < section.value->items.size(); ++i) read_gate(*section.value->items[i], i);
  }

 private:
  using keys = std::map<std::string, const entry*>;

  static const std::vector<std::string>& known_keys() {
    static const std::vector<std::string> known{"name", "of",       "metric",  "field",
                                                "over", "at_least", "at_most", "otherwise"};
    return known;
  }

  void read_gate(const tree& given, std::size_t place) {
    std::string path = "quality." + std::to_string(place);
    if (given.what != tree::kind::mapping)
      return complain(code::wrong_kind, "a gate is a mapping, but this is " + std::string(kind_text(given)), path,
                      "such as {name: few_invalid, of: orders, metric: invalid_share, at_most: 1%}", given.line,
                      given.column);
    quality_gate gate;
    keys found;
    for (const entry& at : given.entries) found[at.key] = &at;
    if (const auto name = text_of(found, "name", path)) {
      gate.name = *name;
      path = "quality." + gate.name;
    }
    bool complete = true;
    for (const entry& at : given.entries) {
      remember(path + "." + at.key, at);
      const auto& known = known_keys();
      if (std::find(known.begin(), known.end(), at.key) != known.end()) continue;
      unknown_key(at, path + "." + at.key, "a gate", known);
      complete = false;
    }
    for (const char* each : {"name", "of", "metric"})
      if (found.count(each) == 0) {
        complain(code::missing_key, "the gate has no " + std::string(each), path, help_of(each), given.line,
                 given.column);
        complete = false;
      }
    for (const quality_gate& before : out_.settings.quality)
      if (before.name == gate.name)
        complain_at_value(*found["name"], code::invalid_value, "two gates have the name \"" + gate.name + "\"",
                          path + ".name", "give each a name of its own");
    if (const auto of = text_of(found, "of", path)) gate.of = *of;
    complete = read_metric(found, path, gate) && complete;
    complete = read_scope(found, path, gate) && complete;
    complete = read_outcome(found, path, gate) && complete;
    if (const auto field = text_of(found, "field", path)) gate.fields = words_of(*field);
    complete = complete && read_bound(found, "at_least", path, gate, gate.at_least) &&
               read_bound(found, "at_most", path, gate, gate.at_most);
    if (complete) out_.settings.quality.push_back(std::move(gate));
  }

  static std::string help_of(std::string_view key) {
    if (key == "name") return "add name: and a word that warnings and errors call it by";
    if (key == "of") return "add of: and the asset that it watches";
    return "add metric: invalid_share, completeness, duplicate_share, freshness or row_count";
  }

  std::optional<std::string> text_of(const keys& found, const std::string& key, const std::string& path) {
    const auto at = found.find(key);
    if (at == found.end()) return std::nullopt;
    return scalar(*at->second, path + "." + key, "write " + key + ": and its value on one line");
  }

  static std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> words(1);
    for (char c : text)
      if (c == ',')
        words.emplace_back();
      else if (c != ' ')
        words.back() += c;
    return words;
  }

  /// One of some values by name; `fallback` where the key is not there.
  template <class Choice>
  bool read_name(const keys& found, const std::string& key, const std::string& path,
                 std::initializer_list<Choice> choices, const std::string& what, Choice& into) {
    if (found.count(key) == 0) return true;
    const auto text = text_of(found, key, path);
    if (!text) return false;
    std::vector<std::string> names;
    for (Choice each : choices) names.emplace_back(name_of(each));
    const auto at = std::find(names.begin(), names.end(), *text);
    if (at == names.end()) {
      complain_at_value(*found.at(key), code::invalid_value, "\"" + *text + "\" is no " + what, path + "." + key,
                        suggestion(*text, names));
      return false;
    }
    into = choices.begin()[at - names.begin()];
    return true;
  }

  bool read_metric(const keys& found, const std::string& path, quality_gate& gate) {
    using metric = quality_metric;
    return read_name(
        found, "metric", path,
        {metric::invalid_share, metric::completeness, metric::duplicate_share, metric::freshness, metric::row_count},
        "metric", gate.metric);
  }

  bool read_outcome(const keys& found, const std::string& path, quality_gate& gate) {
    using outcome = gate_outcome;
    return read_name(found, "otherwise", path,
                     {outcome::proceed, outcome::warn, outcome::quarantine, outcome::pause, outcome::fail},
                     "outcome of a gate", gate.otherwise);
  }

  bool read_scope(const keys& found, const std::string& path, quality_gate& gate) {
    if (found.count("over") == 0) return true;
    const auto text = text_of(found, "over", path);
    if (!text) return false;
    if (*text == "event")
      gate.scope = gate_scope::event;
    else if (*text == "window")
      gate.scope = gate_scope::window;
    else if (const std::size_t blank = text->find(" batches");
             blank != std::string::npos && blank + 8 == text->size()) {
      const auto number = parse_count(text->substr(0, blank));
      if (!number || *number < 1 || *number > 10'000) return refuse_scope(found, path, *text);
      gate.batches = *number;
    } else if (*text != "batch") {
      const auto length = parse_duration(*text);
      if (!length || length->count() == 0) return refuse_scope(found, path, *text);
      gate.scope = gate_scope::time;
      gate.time = *length;
    }
    return true;
  }

  bool refuse_scope(const keys& found, const std::string& path, const std::string& text) {
    complain_at_value(*found.at("over"), code::invalid_value, "\"" + text + "\" is nothing that a gate can be over",
                      path + ".over",
                      "write event, batch, window, 10 batches (at most 10000) or a length of time such as 1h");
    return false;
  }

  bool read_bound(const keys& found, const std::string& key, const std::string& path, const quality_gate& gate,
                  std::optional<double>& into) {
    if (found.count(key) == 0) return true;
    const auto text = text_of(found, key, path);
    if (!text) return false;
    std::string help;
    if (gate.metric == quality_metric::freshness) {
      if (const auto length = parse_duration(*text)) into = static_cast<double>(length->count()) / 1e6;
      help = duration_help;
    } else if (gate.metric == quality_metric::row_count) {
      if (const auto number = parse_count(*text)) into = static_cast<double>(*number);
      help = count_help;
    } else {
      into = share_of(*text);
      help = "write a share of rows: 1%, 0.5% or 0.01";
    }
    if (into) return true;
    complain_at_value(*found.at(key), code::invalid_value,
                      "\"" + *text + "\" is no bound of " + std::string(name_of(gate.metric)), path + "." + key, help);
    return false;
  }

  static std::optional<double> share_of(std::string text) {
    const bool percent = !text.empty() && text.back() == '%';
    if (percent) text.pop_back();
    if (text.empty() || text.find_first_not_of("0123456789.") != std::string::npos) return std::nullopt;
    const parsed_number<double> parsed = parse_floating<double>(text);
    if (parsed.fault != number_fault::none) return std::nullopt;
    const double value = percent ? parsed.value / 100 : parsed.value;
    return value <= 1 ? std::optional(value) : std::nullopt;
  }
};

}  // namespace etlantic::detail
