#pragma once
#include <etlantic/runtime/profile.hpp>
#include <etlantic/runtime/program.hpp>

#include <string>
#include <vector>

namespace etlantic {

/// Tells one definition from another: covers nodes, edges, operators, settings and parameters, nothing of the profile.
/// The same as a checkpoint keeps.
std::string plan_fingerprint(const program& what);

/// The plan for people; `where` may be null: then it says nothing about bindings, trigger, checkpoint and delivery.
/// The same pipeline and profile give the same bytes.
std::string plan_text(const program& what, const profile* where);

/// The plan as one JSON document.
std::string plan_json(const program& what, const profile* where);

/// Input ports that read an output port, as `node.port`.
std::vector<std::string> readers_of(const program& what, port_reference output);

/// Fields of the primary key, in its order; empty without one.
std::vector<std::string> merge_key_of(const schema& contract);

/// The operators that cut time into windows, in order.
std::vector<const operator_description*> windows_of(const program_node& node);

}  // namespace etlantic
