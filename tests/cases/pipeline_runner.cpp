#include "cases/pipeline_runner.hpp"

#include "cases/case_run.hpp"
#include "cases/pipeline_group.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <sstream>
#include <utility>

namespace pipeline_runner {

namespace {

std::vector<duration> durations_of(const std::string& text) {
  std::vector<duration> made;
  std::stringstream numbers(text);
  for (std::string each; std::getline(numbers, each, ',');) made.push_back(duration{std::stoll(each)});
  return made;
}

struct way {
  restarts when;
  std::size_t workers;
  const char* text;
};

/// A pipeline that changes at a restart is restarted there only.
std::vector<way> ways_of(const case_folder& described) {
  std::vector<way> ways{{restarts::as_given, 1, "as given"}, {restarts::as_given, 3, "with three workers"}};
  if (described.changes_at_restart || described.asks_for_other_policy) return ways;
  ways.push_back({restarts::before_every_batch, 1, "with a restart before every batch"});
  ways.push_back({restarts::never, 1, "in one query"});
  return ways;
}

std::string find_difference(const files::path& folder, const std::vector<duration>& durations, maker before,
                            maker after) {
  const case_folder described = read_case(folder);
  for (const way& each : ways_of(described)) {
    const files::path checkpoint =
        files::temp_directory_path() / ("etlantic-case-" + described.name + "-" + std::to_string(getpid()));
    files::remove_all(checkpoint);
    const std::string found =
        case_run(described, before(durations), after(durations), each.when, each.workers, checkpoint.string())
            .find_difference();
    files::remove_all(checkpoint);
    if (!found.empty()) return std::string(each.text) + ", " + found;
  }
  return {};
}

/// Runs a folder and prints its line. Whether it passed.
bool passes(const char* path, const char* durations, maker before, maker after) {
  const files::path folder(path);
  std::string found;
  try {
    found = find_difference(folder, durations_of(durations), before, after);
  } catch (const std::exception& problem) {
    found = problem.what();
  }
  std::printf("%s %s%s%s\n", found.empty() ? "PASS" : "FAIL", folder.filename().c_str(), found.empty() ? "" : ": ",
              found.c_str());
  return found.empty();
}

}  // namespace

int main(int argument_count, char** arguments, maker before, maker after) {
  bool all = true;
  for (int i = 1; i + 1 < argument_count; i += 2) all &= passes(arguments[i], arguments[i + 1], before, after);
  return all ? 0 : 1;
}

int main_of_group(int argument_count, char** arguments, std::initializer_list<named_pipeline> pipelines) {
  bool all = true;
  for (int i = 1; i + 2 < argument_count; i += 3) {
    const auto found = std::find_if(pipelines.begin(), pipelines.end(), [&](const named_pipeline& each) {
      return std::string_view(each.name) == arguments[i];
    });
    if (found == pipelines.end()) {
      std::printf("FAIL %s: this program has no %s; it must be generated anew\n",
                  files::path(arguments[i + 1]).filename().c_str(), arguments[i]);
      all = false;
    } else
      all &= passes(arguments[i + 1], arguments[i + 2], found->made, found->made);
  }
  return all ? 0 : 1;
}

}  // namespace pipeline_runner
