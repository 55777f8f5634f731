#pragma once
#include <etlantic/runtime/durable_file.hpp>
#include <etlantic/runtime/fingerprint.hpp>
#include <etlantic/runtime/row_decoder.hpp>
#include <etlantic/tool/diagnostic.hpp>
#include <etlantic/tool/json_writer.hpp>
#include <etlantic/tool/nearest.hpp>
#include <etlantic/tool/quarantine.hpp>
#include <etlantic/tool/redrive_ledger.inl.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace etlantic {

namespace detail {

inline constexpr field_description repaired_fields[] = {
    {.name = "id", .data_name = "id", .type = logical_type::text},
    {.name = "payload", .data_name = "payload", .type = logical_type::text}};
inline constexpr schema repaired_rows{"RepairedRow", "1", "", repaired_fields};

/// The lines of a file with repaired payloads, by id.
class repaired_payloads final : private row_receiver {
 public:
  static result<std::map<std::string, std::string>> read(const std::string& path, const schema& rejected) {
    result<std::string> text = read_file(path);
    if (!text) {
      failure why = text.error();
      why.kind = failure_class::configuration;
      return why;
    }
    const std::size_t size = text->size();
    text->append(64, '\0');
    repaired_payloads into;
    const auto decoder = make_row_decoder({&repaired_rows, &rejected, "quarantine"});
    decoder->begin({});
    const auto rows = decoder->decode(path, 0, std::string_view(*text).substr(0, size), into);
    if (!rows) return rows.error();
    return std::move(into.found_);
  }

 private:
  result<void> valid(const block& rows) override {
    for (std::size_t row = 0; row < rows.rows; ++row) {
      std::string payload(rows.columns[1].text_at(row));
      // A payload is one line; between values of JSON a blank is as good as a line feed.
      std::replace(payload.begin(), payload.end(), '\n', ' ');
      found_[std::string(rows.columns[0].text_at(row))] = std::move(payload);
    }
    return {};
  }
  result<void> invalid(const block& rows) override {
    if (rows.rows == 0) return {};
    return failure{failure_class::configuration, "PMSTREAM419", "a line of the repaired rows cannot be used",
                   "byte " + std::to_string(rows.columns[1].value<std::int64_t>(0)) + " of the file",
                   R"(write lines such as {"id":"0123456789abcdef","payload":"{...}"}, as list --json does)"};
  }

  std::map<std::string, std::string> found_;
};

/// A text on one line of a terminal.
inline std::string on_one_line(std::string_view text, std::size_t most) {
  std::string made;
  for (const char c : text.substr(0, most)) made += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '.' : c;
  return text.size() > most ? made + "..." : made;
}

class quarantine_tool {
 public:
  quarantine_tool(const program& what, const profile& where, const quarantine_request& asked,
                  std::span<const connector> connectors, const console& to)
      : what_(what), where_(where), asked_(asked), connectors_(connectors), to_(to) {}

  exit_code run(bool as_json) {
    if (auto chosen = choose_loads(); !chosen) return fail(chosen.error(), exit_code::usage);
    if (asked_.action == "redrive") return redrive();
    result<void> done = asked_.action == "count"  ? count(as_json)
                        : asked_.action == "show" ? show(as_json)
                                                  : list(as_json);
    return done ? exit_code::ok : fail(done.error());
  }

 private:
  const program& what_;
  const profile& where_;
  const quarantine_request& asked_;
  std::span<const connector> connectors_;
  const console& to_;
  std::vector<const program_node*> loads_;

  exit_code fail(const failure& why, std::optional<exit_code> code = {}) const {
    print(to_.error, to_text(why));
    return code.value_or(exit_code_of(why.kind));
  }
  static failure mistake(std::string message, std::string help) {
    return {failure_class::configuration, "", std::move(message), "", std::move(help)};
  }

  static bool holds_rejected_rows(const program_node& load) {
    if (load.kind != node_kind::load || load.contract == nullptr) return false;
    const auto has = [&](std::string_view name) {
      return std::any_of(load.contract->fields.begin(), load.contract->fields.end(),
                         [&](const field_description& each) { return each.name == name; });
    };
    return has("payload") && has("violations") && has("observed_time");
  }

  result<void> choose_loads() {
    std::vector<std::string> known;
    for (const program_node& node : what_.nodes) {
      if (!holds_rejected_rows(node)) continue;
      known.push_back(node.asset);
      if (asked_.asset.empty() || asked_.asset == node.asset) loads_.push_back(&node);
    }
    if (known.empty())
      return mistake("no load of the pipeline holds rejected rows",
                     "add one: load<rejected<Event>, \"rejected_events\", \"events.invalid\"> quarantine;");
    if (loads_.empty())
      return mistake("no load of rejected rows has the asset \"" + asked_.asset + "\"",
                     suggestion(asked_.asset, known));
    return {};
  }

  /// The extract whose invalid rows a load holds; null if they are of a step.
  const program_node* extract_of(const program_node& load) const {
    const port_reference from = load.inputs[0];
    const program_node& node = what_.nodes[from.node];
    return node.kind == node_kind::extract && from.port == 1 ? &node : nullptr;
  }

  result<void> read(const program_node& load, const quarantine_visitor& visit) const {
    const asset_binding& bound = where_.assets.at(load.asset);
    for (const connector& each : connectors_)
      if (each.name == bound.connector && each.read_rejected != nullptr) return each.read_rejected(bound, load, visit);
    return failure{failure_class::configuration, "PMSTREAM419",
                   "the rows of \"" + load.asset + "\" cannot be read back: it is bound to " + bound.connector,
                   load.name,
                   "bind it to sqlite, to file, or to kafka with format: dead_letter; or name another load by --asset"};
  }

  bool is_wanted(const program_node& load, const quarantined_row& row) const {
    if (!asked_.reason.empty() && asked_.reason != row.reason) return false;
    if (!asked_.field.empty() && asked_.field != row.field) return false;
    return asked_.ids.empty() || std::find(asked_.ids.begin(), asked_.ids.end(), id_of(load, row)) != asked_.ids.end();
  }

  result<std::set<std::string>> redriven(const program_node& load) const {
    const program_node* extract = extract_of(load);
    if (extract == nullptr) return std::set<std::string>();
    return redrive_ledger::ids_of(where_.checkpoint, extract->name);
  }

  static void write_row(json_writer& json, const program_node& load, const quarantined_row& row, bool is_redriven) {
    json.begin_object().member("id", id_of(load, row)).member("asset", load.asset).member("split", row.split);
    json.member("position", row.position).member("code", row.code).member("field", row.field);
    json.member("reason", row.reason).member("violations", row.violations).member("payload", row.payload);
    json.member("observed_time", row.observed_time).member("pipeline", row.pipeline).member("contract", row.contract);
    json.member("redriven", is_redriven).end_object();
  }

  result<void> list(bool as_json) const {
    std::int64_t shown = 0, found = 0;
    for (const program_node* load : loads_) {
      const auto done = redriven(*load);
      if (!done) return done.error();
      const result<void> visited = read(*load, [&](quarantined_row&& row) {
        if (!is_wanted(*load, row)) return true;
        if (++found > asked_.limit) return as_json ? false : true;
        ++shown;
        const bool was_redriven = done->count(id_of(*load, row)) > 0;
        std::string line;
        if (as_json) {
          json_writer json;
          write_row(json, *load, row, was_redriven);
          line = json.text();
        } else {
          const std::string why = row.violations.empty() ? row.reason : row.violations;
          line = id_of(*load, row) + "  " + row.observed_time + "  " + load->asset + "  " +
                 on_one_line(row.split + ":" + std::to_string(row.position), 60) + "  " + on_one_line(why, 60) +
                 (was_redriven ? "  redriven  " : "  ") + on_one_line(row.payload, 100);
        }
        print(to_.out, line + "\n");
        return true;
      });
      if (!visited) return visited;
    }
    if (!as_json)
      print(to_.out,
            std::to_string(found) + (found == 1 ? " row" : " rows") +
                (shown < found ? ", the first " + std::to_string(shown) + " are shown: --limit N shows more\n" : "\n"));
    return {};
  }

  result<void> count(bool as_json) const {
    std::map<std::tuple<std::string, std::string, std::string>, std::pair<std::int64_t, std::int64_t>> groups;
    for (const program_node* load : loads_) {
      const auto done = redriven(*load);
      if (!done) return done.error();
      const result<void> visited = read(*load, [&](quarantined_row&& row) {
        if (!is_wanted(*load, row)) return true;
        auto& [rows, again] = groups[{load->asset, row.reason, row.field}];
        ++rows;
        again += done->count(id_of(*load, row)) > 0;
        return true;
      });
      if (!visited) return visited;
    }
    std::string text = as_json ? "" : "asset  reason  field  rows  redriven\n";
    for (const auto& [group, counted] : groups) {
      const auto& [asset, reason, field] = group;
      if (as_json) {
        json_writer json;
        json.begin_object().member("asset", asset).member("reason", reason).member("field", field);
        json.member("rows", counted.first).member("redriven", counted.second).end_object();
        text += json.text() + "\n";
      } else {
        text += asset + "  " + reason + "  " + (field.empty() ? "-" : on_one_line(field, 60)) + "  " +
                std::to_string(counted.first) + "  " + std::to_string(counted.second) + "\n";
      }
    }
    print(to_.out, text);
    return {};
  }

  result<void> show(bool as_json) const {
    std::set<std::string> missing(asked_.ids.begin(), asked_.ids.end());
    for (const program_node* load : loads_) {
      const auto done = redriven(*load);
      if (!done) return done.error();
      const result<void> visited = read(*load, [&](quarantined_row&& row) {
        const std::string id = id_of(*load, row);
        if (!is_wanted(*load, row) || missing.erase(id) == 0) return true;
        json_writer json(as_json ? json_writer::layout::compact : json_writer::layout::indented);
        write_row(json, *load, row, done->count(id) > 0);
        print(to_.out, json.text() + "\n");
        return !missing.empty();
      });
      if (!visited) return visited;
    }
    return missing.empty() ? result<void>() : no_such_rows(missing);
  }

  static failure no_such_rows(const std::set<std::string>& missing) {
    return {failure_class::configuration, "PMSTREAM419",
            "there is no rejected row " + enumerate({missing.begin(), missing.end()}, "and"), "",
            "quarantine list shows the ids of all rows"};
  }

  exit_code redrive() const {
    std::map<std::string, std::string> repaired;
    if (!asked_.repaired.empty()) {
      auto read = repaired_payloads::read(asked_.repaired, *loads_[0]->contract);
      if (!read) return fail(read.error());
      repaired = std::move(*read);
    }
    std::set<std::string> missing(asked_.ids.begin(), asked_.ids.end());
    for (const auto& [id, payload] : repaired) missing.insert(id);
    for (const program_node* load : loads_) {
      // Without a word about which one, only those loads count that can be redriven.
      if (asked_.asset.empty() && loads_.size() > 1 && extract_of(*load) == nullptr) continue;
      if (auto done = redrive_load(*load, repaired, missing); !done) return fail(done.error());
    }
    return missing.empty() ? exit_code::ok : fail(no_such_rows(missing), exit_code::usage);
  }

  result<void> redrive_load(const program_node& load, const std::map<std::string, std::string>& repaired,
                            std::set<std::string>& missing) const {
    constexpr std::size_t most_bytes = std::size_t{256} << 20;
    const program_node* extract = extract_of(load);
    if (extract == nullptr)
      return failure{
          failure_class::configuration, "PMSTREAM419",
          "the rows of \"" + load.asset + "\" are of a step, and only what an extract rejected can be read again",
          load.name, "repair the input of the extract instead"};
    if (where_.checkpoint.empty() || where_.assets.at(extract->asset).connector != "file")
      return failure{failure_class::configuration, "PMSTREAM419",
                     "only rows of a file source with a checkpoint can be redriven", extract->name,
                     "name a checkpoint in the profile, and bind \"" + extract->asset + "\" to connector file"};
    std::optional<redrive_ledger> ledger;
    std::set<std::string> known;
    if (asked_.dry_run) {
      auto ids = redrive_ledger::ids_of(where_.checkpoint, extract->name);
      if (!ids) return ids.error();
      known = std::move(*ids);
    } else {
      auto opened = redrive_ledger::open(where_.checkpoint, extract->name);
      if (!opened) return opened.error();
      ledger.emplace(std::move(*opened));
    }
    std::vector<redriven_row> rows;
    std::set<std::string> taken;  // a table may hold a row twice, when its input was read anew
    std::size_t bytes = 0;
    std::int64_t already = 0;
    bool is_full = false;
    const result<void> visited = read(load, [&](quarantined_row&& row) {
      const std::string id = id_of(load, row);
      const auto fixed = repaired.find(id);
      const bool wanted = asked_.all || fixed != repaired.end() || (asked_.selects() && is_wanted(load, row));
      if (!wanted) return true;
      missing.erase(id);
      if (taken.count(id) > 0) return true;
      if (ledger ? ledger->has(id) : known.count(id) > 0) {
        ++already;
        taken.insert(id);
        return true;
      }
      bytes += row.payload.size();
      if (is_full = bytes > most_bytes; is_full) return false;
      taken.insert(id);
      rows.push_back({id, fixed != repaired.end(), fixed != repaired.end() ? fixed->second : std::move(row.payload)});
      return true;
    });
    if (!visited) return visited;
    std::string told = std::to_string(rows.size()) + (rows.size() == 1 ? " row of " : " rows of ") + load.asset;
    if (asked_.dry_run)
      told += " would be redriven";
    else if (rows.empty())
      told += " are redriven";
    else {
      const result<std::string> file = ledger->add(rows);
      if (!file) return file.error();
      told +=
          (rows.size() == 1 ? " is" : " are") + std::string(" redriven: extract ") + extract->name + " reads " + *file;
    }
    if (already > 0) told += "; " + std::to_string(already) + " were redriven before and are not again";
    if (is_full) told += "; there are more: call it again for the rest";
    print(to_.out, told + "\n");
    return {};
  }
};

}  // namespace detail

[[gnu::used]] inline std::string id_of(const program_node& load, const quarantined_row& row) {
  return fingerprint().add(load.name).add(row.split).add(std::to_string(row.position)).text().substr(0, 16);
}

[[gnu::used]] inline exit_code run_quarantine(const program& what, const profile& where,
                                              const quarantine_request& asked, bool as_json,
                                              std::span<const connector> connectors, const console& to) {
  return detail::quarantine_tool(what, where, asked, connectors, to).run(as_json);
}

[[gnu::used]] inline void read_redriven_rows(const program& what, profile& where) {
  if (where.checkpoint.empty()) return;
  for (const program_node& node : what.nodes) {
    const auto bound = where.assets.find(node.asset);
    if (node.kind != node_kind::extract || bound == where.assets.end() || bound->second.connector != "file") continue;
    bound->second.options.emplace("redriven", redrive_ledger::folder_of(where.checkpoint, node.name));
  }
}

}  // namespace etlantic
