#pragma once
#include <etlantic/runtime/program.hpp>
#include <etlantic/runtime/quality_gate.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace etlantic {

/// A gate that cannot be judged over a pipeline.
inline constexpr std::string_view impossible_gate_code = "PMCFG360";

/// Why a gate cannot be judged: the key that is wrong, a sentence, and the words that could have stood there.
struct gate_problem {
  std::string key;
  std::string message;
  std::string word{};
  std::vector<std::string> known{};
  std::string help{};
};

/// The node that a gate watches: the extract or load with its asset.
std::optional<std::size_t> node_of(const quality_gate& gate, const program& what);
/// The columns that it looks at, by place in the node's contract; for freshness without a field the event time.
std::vector<std::size_t> columns_of(const quality_gate& gate, const program& what, std::size_t node);
/// The column with the start of the window, of a gate over windows.
std::optional<std::size_t> window_of(const quality_gate& gate, const program& what, std::size_t node);
std::optional<gate_problem> problem_of(const quality_gate& gate, const program& what);

}  // namespace etlantic
