#pragma once
#include <etlantic/runtime/connector.hpp>
#include <etlantic/tool/reference.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace etlantic::detail {

/// Finds values of options that a connector refuses, by letting it make an end of them: that opens nothing, and so
/// nothing is read or written. References are not resolved yet and are left out.
class option_trial {
 public:
  option_trial(const connector& by, bool reads) : by_(by), reads_(reads) {}

  /// Each option for itself, and all of them together where none is wrong alone: then no option is named.
  std::vector<option_problem> problems_of(const asset_binding& binding) const {
    const std::span<const connector_option> options = reads_ ? by_.source_options : by_.sink_options;
    asset_binding least = binding;
    least.options.clear();
    for (const connector_option& each : options)
      if (each.required) least.options[std::string(each.name)] = "x";
    std::vector<option_problem> found;
    asset_binding all = least;
    for (const connector_option& each : options) {
      const std::string name(each.name);
      const std::string value = option_of(binding, name);
      if (value.empty() || etlantic::is_reference(value)) continue;
      asset_binding one = least;
      one.options[name] = all.options[name] = value;
      if (const auto why = refused(one)) found.push_back({name, why->message, why->help, false});
    }
    if (found.empty())
      if (const auto why = refused(all)) found.push_back({"", why->message, why->help, false});
    return found;
  }

 private:
  std::optional<failure> refused(const asset_binding& given) const {
    if (reads_) return failure_of(by_.make_source(given));
    return failure_of(by_.make_sink(given));
  }

  template <class End>
  static std::optional<failure> failure_of(const result<End>& made) {
    if (made) return std::nullopt;
    return made.error();
  }

  const connector& by_;
  bool reads_;
};

}  // namespace etlantic::detail
