#pragma once
#include <etlantic/runtime/profile.hpp>
#include <etlantic/tool/diagnostic.hpp>

#include <map>
#include <string>

namespace etlantic {

/// Where something in a profile was written. An option that an asset takes over from a resource has the resource's.
struct profile_origin {
  std::string path;  ///< `resources.orders_db.path`
  source_place place;
};

/// A profile and what its file says about it.
struct profile_reading {
  profile settings;
  report found;
  bool usable = false;  ///< it was a profile, with or without mistakes; otherwise there is nothing to check in it
  std::string file;     ///< empty: not from a file
  std::map<std::string, profile_origin>
      origins;  ///< by `assets`, `assets.order_events`, `assets.order_events.path` ...

  /// Of the path, or of the nearest thing around it that has one.
  profile_origin origin_of(std::string path) const;
};

/// Reads the profile format of docs/profile.md. Finds all mistakes that can be found without the pipeline, in the order
/// of the file; check_profile finds the rest. References to secrets stay as they are.
profile_reading read_profile(const std::string& file);

/// The same for text that is here already; `file` is what diagnostics call it and what relative paths start from.
profile_reading parse_profile(const std::string& text, const std::string& file);

}  // namespace etlantic
