#pragma once
#include <etlantic/tool/diagnostic.hpp>
#include <etlantic/tool/table_command.hpp>
#if defined(ETLANTIC_WITH_DELTA)
#include <etlantic/connect/delta/optimize.hpp>
#include <etlantic/connect/delta/table_verification.hpp>
#include <etlantic/connect/delta/vacuum.hpp>
#include <etlantic/tool/table_text.inl.hpp>
#endif

namespace etlantic {

#if defined(ETLANTIC_WITH_DELTA)

namespace detail {

class table_command {
 public:
  table_command(const table_request& asked, bool json, const console& to)
      : asked_(asked), json_(json), to_(to), store_(asked.path) {}

  exit_code run() const {
    if (asked_.action == "show") return show();
    if (asked_.action == "files") return files();
    if (asked_.action == "history") return history();
    if (asked_.action == "vacuum") return vacuum();
    if (asked_.action == "optimize") return optimize();
    return verify();
  }

 private:
  exit_code refuse(const failure& why) const {
    print(to_.error, to_text(why));
    return exit_code_of(why.kind);
  }

  exit_code answer(const std::string& text) const {
    return print(to_.out, text) ? exit_code::ok : exit_code::exhausted;
  }

  result<delta::table_state> load() const {
    auto table = delta::load_table(store_, asked_.at);
    if (table && !table->exists()) return delta::no_table(asked_.path);
    if (table)
      if (auto readable = delta::check_readable(*table, asked_.path); !readable) return readable.error();
    return table;
  }

  exit_code show() const {
    const auto table = load();
    if (!table) return refuse(table.error());
    const auto names = store_.list("_delta_log");
    if (!names) return refuse(names.error());
    const auto columns = delta::parse_schema(*table->metadata, asked_.path);
    if (!columns) return refuse(columns.error());
    const table_overview what{asked_.path, *table, delta::log_listing(*names), (*columns)->described};
    return answer(json_ ? overview_json(what) : overview_text(what));
  }

  exit_code files() const {
    const auto table = load();
    if (!table) return refuse(table.error());
    return answer(json_ ? files_json(*table) : files_text(*table));
  }

  exit_code history() const {
    const auto versions = delta::newest_versions(store_, asked_.limit);
    if (!versions) return refuse(versions.error());
    return answer(json_ ? history_json(*versions) : history_text(*versions));
  }

  exit_code vacuum() const {
    delta::vacuum_request request;
    if (asked_.retention) request.retention = asked_.retention->count() / 1000;
    request.shorter_is_fine = asked_.forced;
    request.only_tell = asked_.dry_run;
    auto done = delta::vacuum(store_, request);
    if (!done) {
      if (done.error().code == "PMSTREAM430" && asked_.retention)
        done.error().help = "name a longer one; if nobody reads or writes the table now, say --force";
      return refuse(done.error());
    }
    return answer(json_ ? vacuum_json(*done, asked_.dry_run) : vacuum_text(*done, asked_.path, asked_.dry_run));
  }

  exit_code optimize() const {
    delta::optimize_request request;
    if (asked_.target_size) request.target_bytes = *asked_.target_size;
    if (asked_.rows) request.files.rows_per_file = static_cast<std::size_t>(*asked_.rows);
    const auto done = delta::optimize(store_, request);
    if (!done) return refuse(done.error());
    return answer(json_ ? optimize_json(*done) : optimize_text(*done, asked_.path));
  }

  exit_code verify() const {
    const auto found = delta::verify_table(store_);
    if (!found) return refuse(found.error());
    const exit_code written = answer(json_ ? verify_json(*found, asked_.path) : verify_text(*found, asked_.path));
    return found->findings.empty() ? written : exit_code::sink;
  }

  const table_request& asked_;
  bool json_;
  const console& to_;
  delta::folder_store store_;
};

}  // namespace detail

[[gnu::used]] inline exit_code run_table_command(const table_request& asked, bool json, const console& to) {
  return detail::table_command(asked, json, to).run();
}

#else

[[gnu::used]] inline exit_code run_table_command(const table_request& asked, bool, const console& to) {
  print(to.error,
        to_text(failure{failure_class::configuration, "PMSTREAM446", "this program is built without Delta tables",
                        asked.path, "link etlantic::delta, or ask a program that has it"}));
  return exit_code::definition;
}

#endif

}  // namespace etlantic
