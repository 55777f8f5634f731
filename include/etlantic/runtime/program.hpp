#pragma once
#include <etlantic/contract/schema.hpp>
#include <etlantic/core/refresh_rule.hpp>
#include <etlantic/core/target.hpp>
#include <etlantic/core/time.hpp>
#include <etlantic/runtime/row_condition.hpp>
#include <etlantic/runtime/sink.hpp>
#include <etlantic/runtime/stage.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace etlantic {

enum class node_kind : std::uint8_t { extract, step, load };

constexpr std::string_view name_of(node_kind kind) {
  constexpr std::string_view names[] = {"extract", "step", "load"};
  return names[static_cast<int>(kind)];
}

/// One end of an edge: output port `port` of node `node`, both as indices.
struct port_reference {
  std::size_t node = 0;
  std::size_t port = 0;
};

/// An output port: an extract has `valid` (0) and `invalid` (1); a step has its declared outputs, `invalid`, and `late`
/// last if it has a window.
struct output_port {
  std::string name;
  const schema* contract = nullptr;
  bool stays_empty = false;  ///< known before it runs, so that nobody misses a reader
  bool is_side = false;      ///< for late or invalid rows, which are appended whatever the mode of the results
  bool corrected = false;    ///< windows of it that late rows missed are kept for a correction run
};

/// A named parameter or operator setting, as plans print it and the fingerprint covers it.
struct setting {
  std::string name;
  std::string value;
};

/// One operator inside a step, in order: `where`, `watermark`, `group_by`, `tumbling`, `aggregate` ...
struct operator_description {
  std::string name;
  std::vector<setting> settings;
};

/// A watermark that a step declares.
struct followed_watermark {
  std::string name;        ///< in checkpoints: of the step, and where it declares several, of the input too
  std::string input;       ///< the port whose rows move it
  std::string event_time;  ///< the field
  duration delay{};
};

/// In which mode a step gives out the rows of each of its ports.
class port_modes {
 public:
  port_modes(output_mode all) : others_(all) {}
  explicit port_modes(std::vector<output_mode> by_port) : by_port_(std::move(by_port)) {}

  output_mode at(std::size_t port) const { return port < by_port_.size() ? by_port_[port] : others_; }

 private:
  std::vector<output_mode> by_port_;
  output_mode others_ = output_mode::append;
};

/// An input of a step whose rows are looked up, and when they are read again.
struct reference_input {
  std::size_t input = 0;
  refresh_rule refresh;
};

/// A node of a lowered pipeline.
struct program_node {
  node_kind kind = node_kind::step;
  std::string name;
  std::string asset;                       ///< of an extract or a load: the logical name that a profile binds
  const schema* contract = nullptr;        ///< of an extract: of its rows; of a load: what it publishes
  output_mode mode = output_mode::append;  ///< of a load
  target bound_to = target::any;           ///< of a load: what it may be bound to
  std::vector<std::string> input_names;    ///< of a step: its input ports; of a load: "rows"
  std::vector<port_reference> inputs;      ///< one per input port, in that order
  std::vector<output_port> outputs;
  std::vector<operator_description> operators;
  std::vector<setting> parameters;
  std::vector<followed_watermark> watermarks;  ///< of a step, in the order in which its stage has them
  std::vector<std::string> zones;              ///< time zones that it needs
  std::vector<reference_input> references;     ///< of a step: those of its inputs that are looked up
  std::vector<input_conditions> conditions;    ///< of a step: what filters directly behind its inputs ask for
  std::string state_schema;                    ///< of a stateful step: keys and aggregates by name and type; else empty
  std::function<std::unique_ptr<stage>(const port_modes&)> make_stage;  ///< of a step
};

/// A pipeline after lowering: plain data and factories of stages; nodes are in topological order. The command line,
/// the plan and the query work on this and know no templates.
struct program {
  std::string id;  ///< the pipeline's name, e.g. "CustomerOrders"
  std::string version;
  std::vector<program_node> nodes;
  std::vector<std::string> warnings;  ///< e.g. an output that nothing reads

  const program_node* find(std::string_view name) const {
    for (const program_node& node : nodes)
      if (node.name == name) return &node;
    return nullptr;
  }
};

}  // namespace etlantic
