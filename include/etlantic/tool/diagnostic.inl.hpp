#pragma once
#include <etlantic/tool/diagnostic.hpp>

#include <algorithm>
#include <tuple>

namespace etlantic {

[[gnu::used]] inline void report::add(diagnostic what) {
  // two assets that share a resource find the same mistake in it
  if (std::find(found.begin(), found.end(), what) == found.end()) found.push_back(std::move(what));
}

[[gnu::used]] inline void report::add(report other) {
  for (diagnostic& each : other.found) add(std::move(each));
}

[[gnu::used]] inline std::size_t report::count(severity weight) const {
  return static_cast<std::size_t>(
      std::count_if(found.begin(), found.end(), [&](const diagnostic& each) { return each.weight == weight; }));
}

[[gnu::used]] inline void report::sort() {
  std::sort(found.begin(), found.end(), [](const diagnostic& a, const diagnostic& b) {
    return std::tie(a.place.line, a.place.column, a.code, a.message) <
           std::tie(b.place.line, b.place.column, b.code, b.message);
  });
}

namespace detail {

inline std::string finding_text(std::string_view weight, std::string_view code, std::string_view message,
                                std::string_view where, std::string_view help) {
  std::string text(weight);
  if (!code.empty()) text.append(" ").append(code);
  text.append(": ").append(message).append("\n");
  if (!where.empty()) text.append("  where: ").append(where).append("\n");
  if (!help.empty()) text.append("  help: ").append(help).append("\n");
  return text;
}

inline std::string count_text(std::size_t number, std::string_view noun) {
  return std::to_string(number) + " " + std::string(noun) + (number == 1 ? "" : "s");
}

}  // namespace detail

[[gnu::used]] inline std::string to_text(const diagnostic& what) {
  std::string place;
  if (!what.place.file.empty()) {
    place = what.place.file + ":";
    if (what.place.line > 0) place += std::to_string(what.place.line) + ":" + std::to_string(what.place.column) + ":";
    place += " ";
  }
  return place + detail::finding_text(name_of(what.weight), what.code, what.message, what.path, what.help);
}

[[gnu::used]] inline std::string to_text(const failure& what) {
  return detail::finding_text("error", what.code, what.message, what.where, what.help);
}

[[gnu::used]] inline std::string to_text(const report& what) {
  std::string text;
  for (const diagnostic& each : what.found) text += to_text(each);
  text += detail::count_text(what.count(severity::error), "error") + ", " +
          detail::count_text(what.count(severity::warning), "warning") + "\n";
  return text;
}

[[gnu::used]] inline void write_json(json_writer& into, const diagnostic& what) {
  into.begin_object().member("code", what.code).member("severity", name_of(what.weight));
  into.member("message", what.message).member("path", what.path).member("help", what.help);
  if (!what.place.file.empty()) {
    into.member("file", what.place.file);
    if (what.place.line > 0) into.member("line", what.place.line).member("column", what.place.column);
  }
  into.end_object();
}

[[gnu::used]] inline std::string to_json(const report& what) {
  json_writer json(json_writer::layout::indented);
  json.begin_object().member("valid", what.valid()).member("errors", what.count(severity::error));
  json.member("warnings", what.count(severity::warning)).key("diagnostics").begin_array();
  for (const diagnostic& each : what.found) write_json(json, each);
  json.end_array().end_object();
  return json.text() + "\n";
}

}  // namespace etlantic
