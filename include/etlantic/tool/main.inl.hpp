#pragma once
#include <etlantic/tool/balance.inl.hpp>
#include <etlantic/tool/command_line.inl.hpp>
#include <etlantic/tool/commands.inl.hpp>
#include <etlantic/tool/console.inl.hpp>
#include <etlantic/tool/correct_command.inl.hpp>
#include <etlantic/tool/default_profile.inl.hpp>
#include <etlantic/tool/delivery.inl.hpp>
#include <etlantic/tool/diagnostic.inl.hpp>
#include <etlantic/tool/field_text.inl.hpp>
#include <etlantic/tool/help.inl.hpp>
#include <etlantic/tool/interrupt.inl.hpp>
#include <etlantic/tool/main.hpp>
#include <etlantic/tool/plan.inl.hpp>
#include <etlantic/tool/plan_json.inl.hpp>
#include <etlantic/tool/plan_text.inl.hpp>
#include <etlantic/tool/profile_check.inl.hpp>
#include <etlantic/tool/profile_file.inl.hpp>
#include <etlantic/tool/progress_printer.inl.hpp>
#include <etlantic/tool/progress_record.inl.hpp>
#include <etlantic/tool/quantity.inl.hpp>
#include <etlantic/tool/reference.inl.hpp>
#include <etlantic/tool/report_command.inl.hpp>
#include <etlantic/tool/run_command.inl.hpp>
#include <etlantic/tool/run_document.inl.hpp>
#include <etlantic/tool/status_command.inl.hpp>
#include <etlantic/tool/stop_command.inl.hpp>
#include <etlantic/tool/summary.inl.hpp>
#include <etlantic/tool/table_command.inl.hpp>
#include <etlantic/tool/yaml_tree.inl.hpp>

#include <exception>
#include <new>

namespace etlantic {

namespace detail {

class running_query final : public running {
 public:
  explicit running_query(query started) : query_(std::move(started)) {}

  bool await(duration at_most) override { return query_.await(at_most); }
  void request_stop(stop_policy how) override { query_.request_stop(how); }
  bool stop_requested() const override { return query_.stop_requested(); }
  result<void> outcome() const override { return query_.outcome(); }
  progress last_progress() const override { return query_.last_progress(); }
  progress totals() const override { return query_.totals(); }

 private:
  query query_;
};

inline result<std::unique_ptr<running>> start_running(program what, profile where, query::listener on_batch,
                                                      std::shared_ptr<query_listener> looks_on) {
  query_environment environment;
  environment.listeners.push_back(std::move(looks_on));
  auto started = start_program(std::move(what), std::move(where), std::move(on_batch), std::move(environment));
  if (!started) return started.error();
  return std::unique_ptr<running>(std::make_unique<running_query>(std::move(started).value()));
}

}  // namespace detail

[[gnu::used]] inline int main_of(result<program> what, int argc, char** argv) {
  const tool_environment environment{process_console(), available_connectors(), detail::start_running};
  try {
    if (!what) {
      print(environment.to.error, to_text(what.error()));
      return static_cast<int>(exit_code_of(what.error().kind));
    }
    return static_cast<int>(run_tool(*what, argc, argv, environment));
  } catch (const std::bad_alloc&) {
    print(environment.to.error, "error: out of memory\n");
    return static_cast<int>(exit_code::exhausted);
  } catch (const std::exception& unexpected) {
    print(environment.to.error, std::string("error: ") + unexpected.what() + "\n");
    return static_cast<int>(exit_code::internal);
  }
}

}  // namespace etlantic
