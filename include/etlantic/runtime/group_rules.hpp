#pragma once
#include <etlantic/core/result.hpp>
#include <etlantic/runtime/profile.hpp>
#include <etlantic/runtime/program.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace etlantic {

/// A pipeline cannot be run by a group of processes, whatever its keys are.
inline constexpr std::string_view ungroupable_code = "PMPLAN211";
/// State is kept by other keys than those that the input is partitioned by.
inline constexpr std::string_view split_keys_code = "PMPLAN212";

/// Why a pipeline cannot be run by a group of processes.
struct group_problem {
  std::string_view code;
  std::string message;
  std::string path;  ///< in the profile: `assets.order_events.intake`
  std::string help;
};

/// The extract that several processes share, by place; none if every query reads all of its input.
std::optional<std::size_t> grouped_extract(const program& what, const profile& where);

/// Each split of the shared input is run as a query of its own. That gives the answer of one query over all of them
/// only if no result needs rows of two splits: looks whether it can be known that none does. No problems without a
/// shared extract.
std::vector<group_problem> problems_of_group(const program& what, const profile& where);

/// What is taken for granted, as a sentence for the plan.
std::string group_assumption(const program& what, const profile& where, std::size_t extract);

}  // namespace etlantic
