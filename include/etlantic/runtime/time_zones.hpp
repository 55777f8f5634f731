#pragma once
#include <etlantic/core/result.hpp>
#include <etlantic/core/time_zone.hpp>
#include <etlantic/runtime/program.hpp>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace etlantic {

/// A zone that a node names and the system does not have.
struct missing_zone {
  const program_node* node;
  failure why;
};

namespace detail {

inline void add_zone(std::string_view zone, std::vector<std::string>& to) {
  if (!zone.empty() && std::find(to.begin(), to.end(), zone) == to.end()) to.emplace_back(zone);
}

/// The zones of the fields of a contract.
inline void add_zones(std::span<const field_description> fields, std::vector<std::string>& to) {
  for (const field_description& each : fields) {
    add_zone(each.zone, to);
    add_zones(each.children, to);
  }
}

}  // namespace detail

inline std::vector<missing_zone> missing_zones(const program& what) {
  std::vector<missing_zone> missing;
  for (const program_node& node : what.nodes)
    for (const std::string& zone : node.zones)
      if (auto found = find_time_zone(zone); !found) missing.push_back({&node, std::move(found.error())});
  return missing;
}

/// Refuses a program that names a zone which the system does not have.
inline result<void> verify_time_zones(const program& what) {
  const std::vector<missing_zone> missing = missing_zones(what);
  if (missing.empty()) return {};
  failure why = missing.front().why;
  why.where = std::string(name_of(missing.front().node->kind)) + " '" + missing.front().node->name + "'";
  return why;
}

}  // namespace etlantic
