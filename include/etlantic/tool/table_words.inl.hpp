#pragma once
#include <etlantic/tool/nearest.hpp>
#include <etlantic/tool/quantity.hpp>
#include <etlantic/tool/table_request.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace etlantic::detail {

/// The options of `table` as they were written.
struct table_words {
  std::string at, limit, retention, target_size, rows;
};

struct wrong_word {
  std::string message;
  std::string help;
};

class table_words_reader {
 public:
  table_words_reader(const std::vector<std::string>& words, const table_words& options, table_request& into)
      : words_(words), options_(options), into_(into) {}

  std::optional<wrong_word> read() {
    const std::vector<std::string> actions{"show", "files", "history", "verify", "optimize", "vacuum"};
    if (words_.empty()) return wrong_word{"table needs to know what to do", "it can be " + enumerate(actions)};
    into_.action = words_[0];
    if (std::find(actions.begin(), actions.end(), into_.action) == actions.end())
      return wrong_word{"table cannot \"" + into_.action + "\"", suggestion(into_.action, actions)};
    if (words_.size() < 2)
      return wrong_word{"table " + into_.action + " needs the folder of a table", "the one that holds _delta_log"};
    if (words_.size() > 2) return wrong_word{"\"" + words_[2] + "\" is one argument too many", "a table is one folder"};
    take_path(words_[1]);
    take("--at", options_.at, {"show", "files"}, parse_count, "the number of a version", into_.at);
    std::optional<std::int64_t> limit;
    take("--limit", options_.limit, {"history"}, parse_count, "a number of versions", limit);
    into_.limit = limit.value_or(into_.limit);
    take("--retention", options_.retention, {"vacuum"}, parse_duration, "a length of time", into_.retention);
    take("--target-size", options_.target_size, {"optimize"}, parse_size, "a size: 64MiB, 1GB", into_.target_size);
    take("--rows", options_.rows, {"optimize"}, parse_count, "a number of rows", into_.rows);
    for (const auto& number : {limit, into_.target_size, into_.rows})
      if (number && *number < 1) say("--limit, --target-size and --rows need a number from 1 on", "");
    if ((into_.forced || into_.dry_run) && into_.action != "vacuum")
      say("--force and --dry-run are for vacuum", "leave them out");
    return wrong_;
  }

 private:
  void say(std::string message, std::string help) {
    if (!wrong_) wrong_ = wrong_word{std::move(message), std::move(help)};
  }

  void take_path(std::string path) {
    if (path.starts_with("file://")) path.erase(0, 7);
    if (path.empty() || path.find("://") != std::string::npos)
      say("a table cannot be \"" + words_[1] + "\"", "name a folder of a local or POSIX file system");
    while (path.size() > 1 && path.back() == '/') path.pop_back();
    into_.path = std::move(path);
  }

  template <class T>
  void take(const std::string& option, const std::string& text, const std::vector<std::string>& actions,
            std::optional<T> (*parse)(std::string_view), const std::string& what, std::optional<T>& into) {
    if (text.empty()) return;
    if (std::find(actions.begin(), actions.end(), into_.action) == actions.end())
      return say(option + " is for " + enumerate(actions), "leave it out");
    into = parse(text);
    if (!into) say(option + " needs " + what + ", not \"" + text + "\"", "");
  }

  const std::vector<std::string>& words_;
  const table_words& options_;
  table_request& into_;
  std::optional<wrong_word> wrong_;
};

inline std::optional<wrong_word> take_table(const std::vector<std::string>& words, const table_words& options,
                                            table_request& into) {
  return table_words_reader(words, options, into).read();
}

}  // namespace etlantic::detail
