#pragma once
#include <etlantic/column/format_json.hpp>
#include <etlantic/core/format_number.hpp>
#include <etlantic/runtime/quality_check.inl.hpp>
#include <etlantic/runtime/quality_judge.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace etlantic {

namespace detail {

inline std::string number_of(double value) {
  char characters[scalar_text_size];
  return {characters, write_floating(characters, value)};
}

/// A value or a bound for people: `1.5%`, `90 s`, `12`.
inline std::string value_text(quality_metric metric, double value) {
  switch (metric) {
    case quality_metric::row_count: return number_of(value);
    case quality_metric::freshness: return number_of(value) + " s";
    default: return number_of(std::round(value * 1e6) / 1e4) + "%";
  }
}

inline std::string bounds_text(const quality_gate& gate) {
  std::string text;
  if (gate.at_least) text += "at least " + value_text(gate.metric, *gate.at_least);
  if (gate.at_most) text += (text.empty() ? "at most " : " and at most ") + value_text(gate.metric, *gate.at_most);
  return text;
}

inline std::string scope_text(const quality_gate& gate, const gate_result& found) {
  std::string text = std::to_string(found.rows) + " rows of ";
  if (found.window) return text + "the window of " + format_rfc3339(*found.window);
  if (gate.scope == gate_scope::time)
    return text + "the last " + number_of(static_cast<double>(gate.time.count()) / 1e6) + " s";
  return text + (gate.batches == 1 ? "the batch" : "up to " + std::to_string(gate.batches) + " batches");
}

/// `quality gate 'few' of 'orders' does not hold: invalid_share is 12.5% over 8 rows of the batch, must be at most 1%`
inline std::string verdict_text(const quality_gate& gate, const gate_result& found) {
  std::string text = "quality gate '" + gate.name + "' of '" + gate.of + "' does not hold: ";
  if (gate.scope == gate_scope::event) {
    text += std::to_string(static_cast<std::int64_t>(found.value)) + " of " + std::to_string(found.rows) + " rows ";
    switch (gate.metric) {
      case quality_metric::completeness: return text + "have no '" + gate.fields[0] + "'";
      case quality_metric::freshness:
        return text + "are older than " + value_text(gate.metric, gate.at_most.value_or(0));
      default: return text + "have a key that came before in the batch";
    }
  }
  return text + std::string(name_of(gate.metric)) + " is " + value_text(gate.metric, found.value) + " over " +
         scope_text(gate, found) + ", must be " + bounds_text(gate);
}

inline std::string identity_of(const quality_gate& gate) {
  std::string text = gate.name + "\n" + gate.of + "\n" + std::string(name_of(gate.metric));
  for (const std::string& each : gate.fields) text += "\n" + each;
  return text + (gate.scope == gate_scope::event ? "\nevent" : "");  // nothing is remembered of windows
}

}  // namespace detail

[[gnu::used]] inline result<void> quality_judge::watch(const program& what, const profile& where) {
  gates_.clear();
  for (const quality_gate& each : where.quality) {
    if (const auto wrong = problem_of(each, what)) {
      std::string known;
      for (const std::string& word : wrong->known) known += (known.empty() ? "There is " : ", ") + word;
      return failure{failure_class::configuration, std::string(impossible_gate_code),
                     "quality gate '" + each.name + "': " + wrong->message,
                     "profile '" + where.name + "', quality." + each.name + "." + wrong->key,
                     known.empty() ? wrong->help : known};
    }
    const std::size_t node = *node_of(each, what);
    gates_.push_back(
        {each, node, columns_of(each, what, node), detail::identity_of(each), window_of(each, what, node)});
  }
  return {};
}

[[gnu::used]] inline bool quality_judge::watches(std::size_t node) const {
  return std::any_of(gates_.begin(), gates_.end(), [&](const bound_gate& each) { return each.node == node; });
}

[[gnu::used]] inline bool quality_judge::holds_back(std::size_t node) const {
  return std::any_of(gates_.begin(), gates_.end(), [&](const bound_gate& each) {
    return each.node == node && each.gate.otherwise == gate_outcome::quarantine && each.gate.scope != gate_scope::event;
  });
}

[[gnu::used]] inline void quality_judge::begin(const plan_record& plan, std::int64_t accepted_batch) {
  batch_ = plan.batch;
  planned_at_ = plan.planned_at;
  accepted_ = plan.batch == accepted_batch;
  for (bound_gate& each : gates_) {
    each.now = {plan.batch, plan.planned_at};
    each.windows.clear();
    each.keys.clear();
  }
}

/// Whether a row counts for the metric: complete, or its key came before. Freshness takes the row's time over.
[[gnu::used]] inline bool quality_judge::counts(bound_gate& by, gate_measure& into, const block& rows,
                                                std::size_t row) {
  if (by.gate.metric == quality_metric::completeness) return rows.columns[by.columns[0]].is_valid(row);
  if (by.gate.metric == quality_metric::freshness) {
    const column& time = rows.columns[by.columns[0]];
    if (time.is_valid(row)) into.newest = std::max(into.newest, time.value<std::int64_t>(row));
    return false;
  }
  if (by.gate.metric != quality_metric::duplicate_share) return false;
  std::string key;
  if (by.window) key = std::to_string(rows.columns[*by.window].value<std::int64_t>(row)) + ',';
  for (const std::size_t place : by.columns) {
    append_json(key, json_member_of(*rows.columns[place].field), rows.columns[place], row);
    key += ',';
  }
  return !by.keys.insert(std::move(key)).second;
}

/// Whether a row fails a gate over each event.
[[gnu::used]] inline bool quality_judge::fails(bound_gate& by, const block& rows, std::size_t row) {
  if (by.gate.metric == quality_metric::completeness) return !counts(by, by.now, rows, row);
  if (by.gate.metric == quality_metric::duplicate_share) return counts(by, by.now, rows, row);
  const column& time = rows.columns[by.columns[0]];
  if (!time.is_valid(row)) return false;
  const double age = static_cast<double>(planned_at_.microseconds) - static_cast<double>(time.value<std::int64_t>(row));
  return age > *by.gate.at_most * 1e6;
}

[[gnu::used]] inline void quality_judge::count_windows(bound_gate& by, const block& rows) {
  const column& starts = rows.columns[*by.window];
  for (std::size_t row = 0; row < rows.rows; ++row) {
    if (!starts.is_valid(row)) continue;
    gate_measure& window = by.windows[starts.value<std::int64_t>(row)];
    ++window.rows;
    if (counts(by, window, rows, row)) ++window.counted;
  }
}

[[gnu::used]] inline void quality_judge::count(std::size_t node, const block& rows,
                                               std::vector<std::pair<std::size_t, const quality_gate*>>& aside) {
  for (bound_gate& each : gates_) {
    if (each.node != node) continue;
    each.now.rows += static_cast<std::int64_t>(rows.rows);
    if (each.window) {
      count_windows(each, rows);
      continue;
    }
    const bool is_of_events = each.gate.scope == gate_scope::event;
    const bool sets_aside = is_of_events && each.gate.otherwise == gate_outcome::quarantine;
    if (!is_of_events && each.columns.empty()) continue;
    for (std::size_t row = 0; row < rows.rows; ++row) {
      if (!(is_of_events ? fails(each, rows, row) : counts(each, each.now, rows, row))) continue;
      ++each.now.counted;
      if (sets_aside) aside.emplace_back(row, &each.gate);
    }
  }
  // A row that fails two gates goes to quarantine once, for the first of them.
  std::sort(aside.begin(), aside.end());  // by row, then by gate: they lie in one list, in their order
  const auto same_row = [](const auto& a, const auto& b) { return a.first == b.first; };
  aside.erase(std::unique(aside.begin(), aside.end(), same_row), aside.end());
}

[[gnu::used]] inline void quality_judge::count_invalid(std::size_t node, std::int64_t rows) {
  for (bound_gate& each : gates_) {
    if (each.node != node || each.gate.scope == gate_scope::event) continue;
    if (each.gate.metric != quality_metric::invalid_share && each.gate.metric != quality_metric::row_count) continue;
    each.now.rows += rows;
    each.now.counted += rows;
  }
}

[[gnu::used]] inline bool quality_judge::is_past(const bound_gate& by, const gate_measure& measure) const {
  if (by.gate.scope != gate_scope::time) return false;
  return measure.planned_at.microseconds + by.gate.time.count() <= planned_at_.microseconds;
}

[[gnu::used]] inline gate_result quality_judge::verdict_on_windows(const bound_gate& by) const {
  gate_result found;
  for (const auto& [start, measure] : by.windows) {
    found = verdict_on(by, measure);
    found.window = timestamp{start};
    if (!found.holds) break;
  }
  return found;
}

[[gnu::used]] inline gate_result quality_judge::verdict_of(const bound_gate& by) const {
  if (by.window) return verdict_on_windows(by);
  gate_measure all = by.now;
  std::int64_t left = by.gate.scope == gate_scope::batches ? by.gate.batches - 1 : INT64_MAX;
  if (by.gate.scope == gate_scope::event) left = 0;
  for (auto each = by.past.rbegin(); each != by.past.rend() && left > 0 && !is_past(by, *each); ++each, --left) {
    all.rows += each->rows;
    all.counted += each->counted;
    all.newest = std::max(all.newest, each->newest);
  }
  return verdict_on(by, all);
}

[[gnu::used]] inline gate_result quality_judge::verdict_on(const bound_gate& by, const gate_measure& all) const {
  gate_result found{by.gate.name, by.gate.of, by.gate.metric, 0, all.rows, true, by.gate.otherwise};
  if (by.gate.scope == gate_scope::event) {
    found.value = static_cast<double>(all.counted);
    found.holds = all.counted == 0;
    return found;
  }
  switch (by.gate.metric) {
    case quality_metric::row_count: found.value = static_cast<double>(all.rows); break;
    case quality_metric::freshness:
      if (all.newest == std::numeric_limits<std::int64_t>::min()) return found;  // no row has a time
      found.value = (static_cast<double>(planned_at_.microseconds) - static_cast<double>(all.newest)) / 1e6;
      break;
    default: found.value = static_cast<double>(all.counted) / static_cast<double>(all.rows);
  }
  found.holds =
      (!by.gate.at_least || found.value >= *by.gate.at_least) && (!by.gate.at_most || found.value <= *by.gate.at_most);
  return found;
}

[[gnu::used]] inline result<void> quality_judge::carry_out(const bound_gate& by, const gate_result& found,
                                                           progress& into) const {
  if (!enforces_) return {};
  std::string sentence = detail::verdict_text(by.gate, found);
  const std::string where = "batch " + std::to_string(batch_) + ", " + by.gate.of;
  const std::string bound = "loosen the gate in the profile, or write otherwise: warn, and start again";
  if (by.gate.otherwise == gate_outcome::fail)
    return failure{failure_class::source_data, "PMSTREAM416", std::move(sentence), where,
                   "Nothing of the batch is published. To go on " + bound + ": the batch is judged anew."};
  if (by.gate.otherwise == gate_outcome::pause && !accepted_)
    return failure{failure_class::source_data, "PMSTREAM417", "paused: " + sentence, where,
                   "Nothing of the batch is published. To publish it as it is, run with --accept-batch " +
                       std::to_string(batch_) + "; or " + bound + "."};
  if (by.gate.otherwise == gate_outcome::proceed) return {};
  if (by.gate.otherwise == gate_outcome::pause) sentence += "; the batch was accepted";
  if (by.gate.otherwise == gate_outcome::quarantine)
    sentence +=
        by.gate.scope == gate_scope::event ? "; they go to quarantine" : "; all rows of the batch go to quarantine";
  into.warnings.push_back(std::move(sentence));
  return {};
}

[[gnu::used]] inline result<const quality_gate*> quality_judge::judge(std::size_t node, progress& into) const {
  const quality_gate* quarantines = nullptr;
  for (const bound_gate& each : gates_) {
    if (each.node != node || each.now.rows == 0 || (each.window && each.windows.empty())) continue;
    const gate_result found = verdict_of(each);
    into.quality.push_back(found);
    if (found.holds) continue;
    if (result<void> done = carry_out(each, found, into); !done) return done.error();
    const bool of_all = each.gate.otherwise == gate_outcome::quarantine && each.gate.scope != gate_scope::event;
    if (of_all && quarantines == nullptr) quarantines = &each.gate;
  }
  return quarantines;
}

[[gnu::used]] inline void quality_judge::end_batch() {
  for (bound_gate& each : gates_) {
    if (each.now.rows == 0 || each.gate.scope == gate_scope::event || each.window) continue;
    each.past.push_back(each.now);
    const std::size_t most = each.gate.scope == gate_scope::time
                                 ? most_measures
                                 : std::min(most_measures, static_cast<std::size_t>(each.gate.batches - 1));
    while (!each.past.empty() && (each.past.size() > most || is_past(each, each.past.front()))) each.past.pop_front();
  }
}

[[gnu::used]] inline bool quality_judge::remembers() const {
  return std::any_of(gates_.begin(), gates_.end(), [](const bound_gate& each) { return !each.past.empty(); });
}

[[gnu::used]] inline void quality_judge::save(state_writer& into) const {
  into.put(version);
  into.put(static_cast<std::uint64_t>(gates_.size()));
  for (const bound_gate& each : gates_) {
    into.put_text(each.identity);
    into.put(static_cast<std::uint64_t>(each.past.size()));
    for (const gate_measure& past : each.past) {
      into.put(past.batch);
      into.put(past.planned_at.microseconds);
      into.put(past.rows);
      into.put(past.counted);
      into.put(past.newest);
    }
  }
}

[[gnu::used]] inline result<void> quality_judge::restore(std::string_view bytes) {
  state_reader from(bytes);
  const auto written = from.get<std::uint32_t>();
  if (from.ok() && written != version)
    return failure{failure_class::state, "PMSTREAM474",
                   "what the quality gates remember was written in version " + std::to_string(written), "quality gates",
                   "Run the version of the program that wrote the checkpoint."};
  const auto gates = from.get<std::uint64_t>();
  for (std::uint64_t gate = 0; gate < gates && from.ok(); ++gate) {
    const std::string identity(from.get_text());
    std::deque<gate_measure> past;
    const auto measures = from.get<std::uint64_t>();
    for (std::uint64_t i = 0; i < measures && from.ok(); ++i) {
      gate_measure& read = past.emplace_back();
      read.batch = from.get<std::int64_t>();
      read.planned_at.microseconds = from.get<std::int64_t>();
      read.rows = from.get<std::int64_t>();
      read.counted = from.get<std::int64_t>();
      read.newest = from.get<std::int64_t>();
    }
    for (bound_gate& each : gates_)
      if (each.identity == identity) each.past = past;
  }
  if (from.ok() && from.at_end()) return {};
  return failure{failure_class::state, "PMSTREAM474", "what the quality gates remember cannot be read", "quality gates",
                 "Restore the checkpoint from a copy, or name a new checkpoint directory in the profile."};
}

}  // namespace etlantic
