// delta_scenarios FOLDER SCENARIO
//
// Writes the Delta table of one scenario to FOLDER, for other engines to read. What it must hold is said beside each.

#include <etlantic/connect/delta/log_cleanup.hpp>
#include <etlantic/connect/delta/optimize.hpp>
#include <etlantic/connect/delta/sink.hpp>
#include <etlantic/connect/delta/snapshot.hpp>
#include <etlantic/connect/delta/vacuum.hpp>

#include "support/rows.hpp"

#include <cstdio>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace etlantic;
using namespace etlantic::test;

namespace {

const constant_description zero[] = {{.exact = 0}}, cent[] = {{.exact = 1}},
                           currencies[] = {{.characters = "EUR"}, {.characters = "USD"}}, five[] = {{.exact = 5}};
const constraint_description positive[] = {{constraint_kind::gt, zero}}, a_cent[] = {{constraint_kind::ge, cent}},
                             currency[] = {{constraint_kind::one_of, currencies}},
                             short_text[] = {{constraint_kind::max_length, five}};

field_description bound(field_description field, std::span<const constraint_description> constraints) {
  field.constraints = constraints;
  return field;
}

const field_description old_fields[] = {keyed(plain_field("k", logical_type::int64)),
                                        plain_field("n", logical_type::int8)};
const schema old_contract{.id = "old", .version = "1", .fields = old_fields};
const field_description new_inner[] = {nullable(plain_field("word", logical_type::text))};
const field_description new_fields[] = {old_fields[0], plain_field("n", logical_type::int32),
                                        nullable(decimal_field("price", 9, 2)),
                                        nullable(nested_field("inner", logical_type::structure, new_inner))};
const schema new_contract{.id = "new", .version = "1", .fields = new_fields};
const field_description flagged_fields[] = {old_fields[0], old_fields[1], plain_field("gone", logical_type::boolean)};
const schema flagged{.id = "flagged", .version = "1", .fields = flagged_fields};
const field_description checked_fields[] = {keyed(bound(plain_field("k", logical_type::int64), positive)),
                                            nullable(bound(decimal_field("price", 9, 2), a_cent)),
                                            bound(plain_field("currency", logical_type::text), currency),
                                            nullable(bound(plain_field("note", logical_type::text), short_text))};
const schema checked_contract{.id = "checked", .version = "1", .fields = checked_fields};

bool told(const failure& why) {
  std::fprintf(stderr, "%s %s @ %s\n", why.code.c_str(), why.message.c_str(), why.where.c_str());
  return false;
}

bool publish(const std::string& folder, const schema& contract, std::int64_t batch,
             const std::vector<std::vector<cell>>& rows, std::map<std::string, std::string> options = {}) {
  options["path"] = folder;
  auto made = make_delta_sink({.connector = "delta", .options = std::move(options)});
  if (!made) return told(made.error());
  if (auto done = (*made)->open(contract, output_mode::update, {"q", "n"}); !done) return told(done.error());
  publication what{batch, output_mode::update, {}};
  what.blocks.push_back(make_block(contract, rows));
  if (auto done = (*made)->prepare(what); !done) return told(done.error());
  if (auto done = (*made)->commit(batch); !done) return told(done.error());
  return true;
}

bool ten_batches(const std::string& folder, std::map<std::string, std::string> options = {}) {
  for (std::int64_t batch = 0; batch < 10; ++batch)
    if (!publish(folder, old_contract, batch, {{batch, batch}, {batch + 100, -batch}}, options)) return false;
  return true;
}

/// k 0 to 9 and 100 to 109, n = k or 100 - k; one data file, version 11, and nothing else in the folder.
bool optimized(const std::string& folder) {
  if (!ten_batches(folder)) return false;
  const delta::folder_store store(folder);
  if (auto done = delta::optimize(store, {}); !done) return told(done.error());
  if (auto done = delta::vacuum(store, {.retention = 0, .shorter_is_fine = true}); !done) return told(done.error());
  return true;
}

/// The same rows, and (200, 70000, 1.50, {word: x}): the old ones have null in `price` and `inner`.
bool evolved(const std::string& folder) {
  return ten_batches(folder) && publish(folder, new_contract, 10, {{200, 70'000, 150, std::vector<cell>{"x"}}},
                                        {{"schema_evolution", "widen"}});
}

/// The same rows; the commits before version 8, which has a checkpoint, are gone.
bool cleaned_log(const std::string& folder) {
  if (!ten_batches(folder, {{"checkpoint_interval", "4"}})) return false;
  const delta::folder_store store(folder);
  auto table = delta::load_table(store);
  if (!table) return told(table.error());
  table->metadata->configuration["delta.logRetentionDuration"] = "interval 0 seconds";
  const auto removed = delta::clean_log(store, *table->metadata, INT64_MAX);
  return removed ? *removed > 0 : told(removed.error());
}

/// The same rows without k 0 to 4.
bool deleted_rows(const std::string& folder) {
  if (!ten_batches(folder)) return false;
  std::vector<std::vector<cell>> rows;
  for (int k = 0; k < 5; ++k) rows.push_back({k, 0, true});
  return publish(folder, flagged, 10, rows, {{"delete_when", "gone"}});
}

/// (1, 0.01, EUR, null), (2, null, USD, short); k > 0, price >= 0.01, one of two currencies, notes of 5 characters.
bool checked(const std::string& folder) {
  return publish(folder, checked_contract, 0, {{1, 1, "EUR", nullptr}, {2, nullptr, "USD", "short"}},
                 {{"check_constraints", "true"}});
}

}  // namespace

int main(int count, char** arguments) {
  const std::map<std::string_view, bool (*)(const std::string&)> scenarios = {{"optimized", optimized},
                                                                              {"evolved", evolved},
                                                                              {"cleaned_log", cleaned_log},
                                                                              {"deleted_rows", deleted_rows},
                                                                              {"checked", checked}};
  const auto wanted = count == 3 ? scenarios.find(arguments[2]) : scenarios.end();
  if (wanted == scenarios.end()) return 2;
  return wanted->second(arguments[1]) ? 0 : 1;
}
