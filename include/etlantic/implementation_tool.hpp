#pragma once

/// The bodies of the command line; see implementation.hpp.

#if defined(ETLANTIC_WITH_TOOL)
#include <etlantic/tool/balance.inl.hpp>
#include <etlantic/tool/checkpoint_command.inl.hpp>
#include <etlantic/tool/command_line.inl.hpp>
#include <etlantic/tool/commands.inl.hpp>
#include <etlantic/tool/console.inl.hpp>
#include <etlantic/tool/default_profile.inl.hpp>
#include <etlantic/tool/delivery.inl.hpp>
#include <etlantic/tool/diagnostic.inl.hpp>
#include <etlantic/tool/embedded_kafka.inl.hpp>
#include <etlantic/tool/field_text.inl.hpp>
#include <etlantic/tool/help.inl.hpp>
#include <etlantic/tool/interrupt.inl.hpp>
#include <etlantic/tool/main.inl.hpp>
#include <etlantic/tool/plan.inl.hpp>
#include <etlantic/tool/plan_json.inl.hpp>
#include <etlantic/tool/plan_text.inl.hpp>
#include <etlantic/tool/profile_check.inl.hpp>
#include <etlantic/tool/profile_file.inl.hpp>
#include <etlantic/tool/profile_life.inl.hpp>
#include <etlantic/tool/profile_quality.inl.hpp>
#include <etlantic/tool/profile_settings.inl.hpp>
#include <etlantic/tool/profile_values.inl.hpp>
#include <etlantic/tool/progress_printer.inl.hpp>
#include <etlantic/tool/progress_record.inl.hpp>
#include <etlantic/tool/quantity.inl.hpp>
#include <etlantic/tool/quarantine.inl.hpp>
#include <etlantic/tool/redrive_ledger.inl.hpp>
#include <etlantic/tool/reference.inl.hpp>
#include <etlantic/tool/report_command.inl.hpp>
#include <etlantic/tool/run_command.inl.hpp>
#include <etlantic/tool/run_document.inl.hpp>
#include <etlantic/tool/stage_times.inl.hpp>
#include <etlantic/tool/status_command.inl.hpp>
#include <etlantic/tool/stop_command.inl.hpp>
#include <etlantic/tool/summary.inl.hpp>
#include <etlantic/tool/table_command.inl.hpp>
#include <etlantic/tool/yaml_tree.inl.hpp>
#endif
