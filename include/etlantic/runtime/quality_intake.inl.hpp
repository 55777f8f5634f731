#pragma once
#include <etlantic/column/copy.hpp>
#include <etlantic/column/format_json.hpp>
#include <etlantic/runtime/quality_intake.hpp>

#include <string>

namespace etlantic {

[[gnu::used]] inline result<void> quality_intake::valid(const block& rows) {
  rows_aside aside;
  judge_.count(extract_, rows, aside);
  return aside.empty() ? pass(rows) : divide(rows, aside);
}

[[gnu::used]] inline result<void> quality_intake::invalid(const block& rows) {
  judge_.count_invalid(extract_, static_cast<std::int64_t>(rows.rows));
  return next_.invalid(rows);
}

[[gnu::used]] inline result<void> quality_intake::pass(const block& rows) {
  if (!holds_back_) return next_.valid(rows);
  held_.push_back(owned_copy(rows));
  return {};
}

[[gnu::used]] inline result<void> quality_intake::divide(const block& rows, const rows_aside& aside) {
  block good(*rows.contract);
  good.split = rows.split;
  auto next = aside.begin();
  for (std::size_t row = 0; row < rows.rows; ++row) {
    if (next != aside.end() && next->first == row) {
      ++next;
      continue;
    }
    good.append(rows, row);
    if (row < rows.positions.size()) good.positions.push_back(rows.positions[row]);
  }
  if (result<void> done = reject(rows, aside); !done) return done;
  return good.rows == 0 ? result<void>() : pass(good);
}

/// As the decoder makes rejected rows; the bytes of the row are gone, so that the payload is the row as JSON.
[[gnu::used]] inline result<void> quality_intake::reject(const block& rows, const rows_aside& aside) {
  enum : std::size_t { split, position, code, field, reason, all, payload, observed, pipeline, contract };
  const program_node& extract = what_.nodes[extract_];
  const std::string contract_text = std::string(extract.contract->id) + " " + std::string(extract.contract->version);
  const std::vector<json_member> members = json_members_of(extract.contract->fields);
  block rejected(*extract.outputs[1].contract);
  rejected.split = rows.split;
  for (const auto& [row, gate] : aside) {
    const std::size_t at = rejected.rows;
    const std::int64_t place = row < rows.positions.size() ? rows.positions[row] : 0;
    const std::string name = gate->fields.empty() ? std::string() : gate->fields[0];
    std::string json;
    append_json_row(json, members, rows.columns, row);
    rejected.resize(at + 1);
    rejected.positions.push_back(place);
    rejected.columns[split].set_text(at, rows.split);
    rejected.columns[position].set(at, place);
    rejected.columns[code].set_text(at, "PMSTREAM203");
    rejected.columns[field].set_text(at, name);
    rejected.columns[reason].set_text(at, "quality");
    rejected.columns[all].set_text(at, gate->name + "=" + std::string(name_of(gate->metric)));
    rejected.columns[payload].set_text(at, json);
    rejected.columns[observed].set(at, plan_.planned_at.microseconds);
    rejected.columns[pipeline].set_text(at, what_.id);
    rejected.columns[contract].set_text(at, contract_text);
  }
  const auto count = static_cast<std::int64_t>(rejected.rows);
  counted_.valid -= count;
  counted_.invalid += count;
  counted_.reasons["quality"] += count;
  return next_.invalid(rejected);
}

[[gnu::used]] inline result<void> quality_intake::finish(progress& into) {
  const result<const quality_gate*> judged = judge_.judge(extract_, into);
  if (!judged) return judged.error();
  for (const block& each : held_) {
    if (*judged == nullptr) {
      if (result<void> done = next_.valid(each); !done) return done;
      continue;
    }
    rows_aside all;
    for (std::size_t row = 0; row < each.rows; ++row) all.emplace_back(row, *judged);
    if (result<void> done = reject(each, all); !done) return done;
  }
  held_.clear();
  return {};
}

}  // namespace etlantic
