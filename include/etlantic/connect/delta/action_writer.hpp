#pragma once
#include <etlantic/connect/delta/action.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace etlantic::delta {

/// What a commit says about itself.
struct commit_description {
  std::string operation;                            ///< CREATE TABLE, WRITE, MERGE, OPTIMIZE
  std::map<std::string, std::string> parameters{};  ///< each value is JSON
  std::optional<std::int64_t> read_version{};       ///< nothing for the first commit
  bool blind_append = false;
  std::string id;        ///< a UUID, ours alone
  std::int64_t now = 0;  ///< milliseconds since 1970
  std::map<std::string, std::string> metrics{};
};

/// The text of a commit file: commitInfo first, then what `content` holds (its own information is not looked at).
std::string write_commit(const commit_description& description, const commit_content& content);

}  // namespace etlantic::delta
