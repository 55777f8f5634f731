#pragma once
#include <etlantic/core/result.hpp>
#include <etlantic/tool/json_writer.hpp>

#include <string>
#include <vector>

namespace etlantic {

enum class severity : std::uint8_t { error, warning, info };

constexpr std::string_view name_of(severity weight) {
  constexpr std::string_view names[] = {"error", "warning", "info"};
  return names[static_cast<int>(weight)];
}

/// A place in a file; line and column count from 1, 0 means the file as a whole.
struct source_place {
  std::string file;
  int line = 0;
  int column = 0;

  friend bool operator==(const source_place&, const source_place&) = default;
};

/// Something that is wrong with a definition or a profile.
struct diagnostic {
  std::string code;  ///< one of diagnostic_codes
  severity weight = severity::error;
  std::string message;  ///< what is wrong
  std::string path;     ///< of what: `assets.order_events.path`
  std::string help;     ///< what to do
  source_place place{};

  friend bool operator==(const diagnostic&, const diagnostic&) = default;
};

/// What a check found, in the order of the text that it checked.
struct report {
  std::vector<diagnostic> found;

  void add(diagnostic what);
  void add(report other);
  std::size_t count(severity weight) const;
  /// By place in the file; what has none comes first.
  void sort();
  bool valid() const { return count(severity::error) == 0; }
};

/// ```
/// local.yaml:4:5: error PMCFG310: "conector" is not a key of an asset
///   where: assets.order_events.conector
///   help: did you mean "connector"?
/// ```
std::string to_text(const diagnostic& what);
/// `error PMSTREAM431: ...`, `  where: ...`, `  help: ...`: a run-time failure in the same manner.
std::string to_text(const failure& what);

/// All diagnostics and a last line that counts them.
std::string to_text(const report& what);
void write_json(json_writer& into, const diagnostic& what);
/// One document: `valid`, `errors`, `warnings`, `diagnostics`.
std::string to_json(const report& what);

}  // namespace etlantic
