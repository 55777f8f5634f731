#pragma once
#include <etlantic/core/result.hpp>
#include <etlantic/tool/profile_file.hpp>

#include <string>
#include <string_view>

namespace etlantic {

// A profile says where a secret is, never what it is: `env:NAME` is the value of an environment variable, `file:PATH`
// the content of a file without the line feed at its end.

constexpr bool is_file_reference(std::string_view value) { return value.starts_with("file:"); }
constexpr bool is_reference(std::string_view value) { return value.starts_with("env:") || is_file_reference(value); }

/// Options whose value is a secret by their name: `password`, `api_token` ...
bool is_secret_name(std::string_view option);

/// What plans, summaries and errors print for an option: references as they are, secrets as `***`.
std::string printable_option(std::string_view name, std::string_view value);

/// The value that a reference stands for; any other value is itself. No failure shows a value.
result<std::string> resolve_reference(const std::string& value);

/// The profile with all options resolved: for starting a query, and for nothing else. Mistakes go into the report.
profile resolve_references(const profile_reading& reading, report& into);

}  // namespace etlantic
