#pragma once
#include <etlantic/connect/kafka/client.hpp>
#include <etlantic/runtime/connector.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace etlantic::kafka {

/// Options of a profile that begin with this are settings of librdkafka.
inline constexpr std::string_view property_prefix = "librdkafka.";

enum class client_role : std::uint8_t { consumer, producer };

/// What is wrong with one setting of librdkafka; none if nothing is. A value that is a reference is not looked at.
std::optional<option_problem> problem_of_property(const std::string& name, const std::string& value, client_role role);

/// What is wrong with the options that a source or a sink was given, beyond their names.
std::vector<option_problem> problems_of_source(const asset_binding& binding);
std::vector<option_problem> problems_of_sink(const asset_binding& binding);

/// The settings of the client from the options; a failure with the first problem.
result<client_settings> client_settings_of(const asset_binding& binding, client_role role);

/// Whether messages and plans must not show the value of a setting.
bool is_secret_property(std::string_view name);

}  // namespace etlantic::kafka
