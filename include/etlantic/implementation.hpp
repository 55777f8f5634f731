#pragma once

/// The bodies that are compiled once per application, with the third-party headers they need. The CMake targets add one
/// source file that includes this; without CMake, include it in exactly one file of the application (or in every file:
/// all of it is inline). ETLANTIC_WITH_SQLITE and ETLANTIC_WITH_TOOL say which parts are wanted.

#include <etlantic/column/flatten.inl.hpp>
#include <etlantic/column/format_json.inl.hpp>
#include <etlantic/runtime/batch_planner.inl.hpp>
#include <etlantic/runtime/batch_record.inl.hpp>
#include <etlantic/runtime/batch_record_text.inl.hpp>
#include <etlantic/runtime/batch_router.inl.hpp>
#include <etlantic/runtime/batch_runner.inl.hpp>
#include <etlantic/runtime/bound_pipeline.inl.hpp>
#include <etlantic/runtime/checkpoint.inl.hpp>
#include <etlantic/runtime/checkpoint_identity.inl.hpp>
#include <etlantic/runtime/checkpoint_listing.inl.hpp>
#include <etlantic/runtime/checkpoint_lock.inl.hpp>
#include <etlantic/runtime/checkpoint_snapshot.inl.hpp>
#include <etlantic/runtime/durable_file.inl.hpp>
#include <etlantic/runtime/extract_intake.inl.hpp>
#include <etlantic/runtime/publication_buffer.inl.hpp>
#include <etlantic/runtime/query.inl.hpp>
#include <etlantic/runtime/query_loop.inl.hpp>
#include <etlantic/runtime/recovery.inl.hpp>
#include <etlantic/runtime/rejected_output.inl.hpp>
#include <etlantic/runtime/result_check.inl.hpp>
#include <etlantic/runtime/result_failure.inl.hpp>
#include <etlantic/runtime/target_check.inl.hpp>
#include <etlantic/connect/json/decoder.inl.hpp>
#include <etlantic/connect/json/validate.inl.hpp>
#include <etlantic/connect/file/sink.inl.hpp>
#include <etlantic/connect/file/source.inl.hpp>
#include <etlantic/connect/file/source_listing.inl.hpp>
#include <etlantic/connect/console/sink.inl.hpp>

#if defined(ETLANTIC_WITH_SQLITE)
#include <etlantic/connect/sqlite/row_writer.inl.hpp>
#include <etlantic/connect/sqlite/sink.inl.hpp>
#include <etlantic/connect/sqlite/table.inl.hpp>
#endif

#include <etlantic/connect/available.inl.hpp>

#if defined(ETLANTIC_WITH_TOOL)
#include <etlantic/tool/balance.inl.hpp>
#include <etlantic/tool/command_line.inl.hpp>
#include <etlantic/tool/commands.inl.hpp>
#include <etlantic/tool/console.inl.hpp>
#include <etlantic/tool/default_profile.inl.hpp>
#include <etlantic/tool/delivery.inl.hpp>
#include <etlantic/tool/diagnostic.inl.hpp>
#include <etlantic/tool/field_text.inl.hpp>
#include <etlantic/tool/help.inl.hpp>
#include <etlantic/tool/interrupt.inl.hpp>
#include <etlantic/tool/main.inl.hpp>
#include <etlantic/tool/plan.inl.hpp>
#include <etlantic/tool/plan_json.inl.hpp>
#include <etlantic/tool/plan_text.inl.hpp>
#include <etlantic/tool/profile_check.inl.hpp>
#include <etlantic/tool/profile_file.inl.hpp>
#include <etlantic/tool/profile_settings.inl.hpp>
#include <etlantic/tool/profile_values.inl.hpp>
#include <etlantic/tool/progress_printer.inl.hpp>
#include <etlantic/tool/progress_record.inl.hpp>
#include <etlantic/tool/quantity.inl.hpp>
#include <etlantic/tool/reference.inl.hpp>
#include <etlantic/tool/run_command.inl.hpp>
#include <etlantic/tool/summary.inl.hpp>
#include <etlantic/tool/yaml_tree.inl.hpp>
#endif
