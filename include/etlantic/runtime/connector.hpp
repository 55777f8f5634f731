#pragma once
#include <etlantic/core/result.hpp>
#include <etlantic/runtime/profile.hpp>
#include <etlantic/runtime/program.hpp>
#include <etlantic/runtime/quarantined_row.hpp>
#include <etlantic/runtime/sink.hpp>
#include <etlantic/runtime/source.hpp>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace etlantic {

/// An option that a connector takes in a profile.
struct connector_option {
  std::string_view name;
  bool required = false;
  std::string_view help;
};

/// The value that a profile gives an option; empty if it gives none.
inline std::string option_of(const asset_binding& binding, const std::string& name) {
  const auto found = binding.options.find(name);
  return found == binding.options.end() ? std::string() : found->second;
}

/// What is wrong with an option, beyond its name and whether it is there.
struct option_problem {
  std::string option;
  std::string message;
  std::string help;
  bool is_unknown = false;  ///< there is no such option; otherwise its value is wrong
};

/// An option with members of its own: `librdkafka: {sasl.mechanism: PLAIN}` in a profile is the option
/// `librdkafka.sasl.mechanism`.
inline constexpr std::string_view nested_options[] = {"librdkafka"};
/// An option that may be written as a list: `topics: [orders, refunds]` is `orders,refunds`.
inline constexpr std::string_view listed_options[] = {"topics", "start"};

/// A kind of end that profiles can name. A connector is a folder under connect/ that defines one of these.
struct connector {
  std::string_view name;
  std::span<const connector_option> source_options;  ///< empty: cannot be a source
  std::span<const connector_option> sink_options;    ///< empty: cannot be a sink
  /// Making an end reads its options and opens nothing: `validate` does it to find values that are refused.
  result<std::shared_ptr<source>> (*make_source)(const asset_binding&) = nullptr;
  result<std::shared_ptr<sink>> (*make_sink)(const asset_binding&) = nullptr;
  /// Reads back the rejected rows that a load has published; null: it keeps none that can be read.
  result<void> (*read_rejected)(const asset_binding&, const program_node& load, const quarantine_visitor&) = nullptr;
  bool replaces_by_key = false;  ///< as a sink: a row takes the place of the one with the same primary key
  /// Looks at the values of options before anything starts; references are not resolved yet. Null: what making
  /// an end of them refuses is all there is to say.
  std::vector<option_problem> (*problems_of_source)(const asset_binding&) = nullptr;
  std::vector<option_problem> (*problems_of_sink)(const asset_binding&) = nullptr;
  bool gives_records = false;  ///< as a source: what contracts `record<...>` ask for beside the value
  /// Joins the group of processes that share the asset; null: its input cannot be shared.
  result<std::shared_ptr<split_group>> (*join_group)(const asset_binding&) = nullptr;
};

/// The connectors that this program was built with.
std::span<const connector> available_connectors();

}  // namespace etlantic
