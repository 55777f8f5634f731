#pragma once
#include <etlantic/connect/delta/action.hpp>
#include <etlantic/core/result.hpp>

#include <string>
#include <string_view>

namespace etlantic::delta {

/// The actions of a commit file: one JSON object a line, the last line feed optional. Actions and members that we do
/// not know are passed over, as the protocol wants. A file that is empty or cut is a failure that names `where`.
result<commit_content> read_commit(std::string_view text, const std::string& where);

}  // namespace etlantic::delta
