#pragma once
#include <etlantic/runtime/connector.hpp>

namespace etlantic {

/// Reads the rejected rows that a load has published as dead letters back from their topic: what is committed and still
/// there, partition by partition. Copies of a letter, which `delivery: at_least_once` may leave, count once.
result<void> read_rejected_topic(const asset_binding& binding, const program_node& load,
                                 const quarantine_visitor& visit);

}  // namespace etlantic
