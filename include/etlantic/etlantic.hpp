#pragma once

/// Everything that a file declaring contracts, transformations and pipelines needs. The bodies that need third-party
/// headers are compiled once per application: the CMake targets see to it; without CMake, include
/// <etlantic/implementation.hpp> in exactly one file.

#include <etlantic/connect/memory/lines_source.hpp>
#include <etlantic/connect/memory/sink.hpp>
#include <etlantic/connect/memory/source.hpp>
#include <etlantic/contract/contract.hpp>
#include <etlantic/contract/describe_members.hpp>
#include <etlantic/contract/record.hpp>
#include <etlantic/expression/otherwise.hpp>
#include <etlantic/graph/aggregate.hpp>
#include <etlantic/graph/bare.hpp>
#include <etlantic/graph/deduplicate.hpp>
#include <etlantic/graph/derive.hpp>
#include <etlantic/graph/group_by.hpp>
#include <etlantic/graph/join.hpp>
#include <etlantic/graph/lag.hpp>
#include <etlantic/graph/latest_by.hpp>
#include <etlantic/graph/lookup_join.hpp>
#include <etlantic/graph/nodes.hpp>
#include <etlantic/graph/process.hpp>
#include <etlantic/graph/select.hpp>
#include <etlantic/graph/session.hpp>
#include <etlantic/graph/sliding.hpp>
#include <etlantic/graph/top.hpp>
#include <etlantic/graph/tumbling.hpp>
#include <etlantic/graph/union_all.hpp>
#include <etlantic/graph/watermark.hpp>
#include <etlantic/graph/where.hpp>
#include <etlantic/kernel/cast.hpp>
#include <etlantic/kernel/choices.hpp>
#include <etlantic/kernel/text_functions.hpp>
#include <etlantic/kernel/time_functions.hpp>
#include <etlantic/plan/verify.hpp>
#include <etlantic/runtime/start.hpp>
#include <etlantic/tool/main.hpp>

namespace etlantic {

/// The command line of a pipeline: `int main(int argc, char** argv) { return etlantic::main<CustomerOrders>(argc,
/// argv); }`. Needs the component etlantic::tool.
template <class Pipeline>
int main(int argc, char** argv) {
  return main_of(lower<Pipeline>(), argc, argv);
}

}  // namespace etlantic
