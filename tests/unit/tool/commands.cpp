#include <etlantic/tool/commands.hpp>

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "sample_program.hpp"
#include "sample_progress.hpp"
#include "support/catch.hpp"

using namespace etlantic;

namespace {

struct script {
  std::vector<progress> batches{sample::ten_rows()};
  bool ends = true;  // by itself; otherwise only when stopped
  result<void> start{};
  result<void> outcome{};
  int interrupts_itself = 0;  // as if the user had pressed Ctrl-C so often
  profile started_with{};
  std::vector<stop_policy> stops{};
  std::optional<query_failure> retry{};  // before the first batch
  bool stopped = false;                  // as if by another process
};

// A query that did everything before its first await.
class scripted final : public running {
 public:
  explicit scripted(script& given) : given_(given) {}
  bool await(duration) override {
    if (given_.interrupts_itself == 0) return given_.ends || !given_.stops.empty();
    if (interrupts_ == 0 || given_.stops.size() == interrupts_) {
      if (interrupts_ == static_cast<std::size_t>(given_.interrupts_itself)) return true;
      ++interrupts_;
      ::kill(::getpid(), SIGINT);
    }
    return false;
  }
  void request_stop(stop_policy how) override { given_.stops.push_back(how); }
  bool stop_requested() const override { return given_.stopped || !given_.stops.empty(); }
  result<void> outcome() const override { return given_.outcome; }
  progress last_progress() const override { return given_.batches.back(); }
  progress totals() const override { return given_.batches.back(); }

 private:
  script& given_;
  std::size_t interrupts_ = 0;
};

struct fresh_folder {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("etlantic_commands_" + std::to_string(::getpid()));
  fresh_folder() { std::filesystem::create_directories(path); }
  ~fresh_folder() { std::filesystem::remove_all(path); }
  std::string operator/(const char* name) const { return (path / name).string(); }
};

struct answer {
  int code;
  std::string out;
  std::string error;
};

std::string content(std::FILE* file) {
  std::rewind(file);
  std::string text(1 << 16, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file));
  std::fclose(file);
  return text;
}

answer call(std::vector<std::string> arguments, script& given, console to = {}) {
  arguments.insert(arguments.begin(), "/usr/bin/orders");
  std::vector<const char*> argv;
  for (const std::string& each : arguments) argv.push_back(each.c_str());
  to.out = std::tmpfile();
  to.error = std::tmpfile();
  const auto start = [&given](program, profile where, query::listener on_batch,
                              std::shared_ptr<query_listener> looks_on) -> result<std::unique_ptr<running>> {
    given.started_with = std::move(where);
    if (!given.start) return given.start.error();
    if (given.retry) looks_on->failed(*given.retry);
    for (const progress& each : given.batches) on_batch(each);
    return std::unique_ptr<running>(std::make_unique<scripted>(given));
  };
  const exit_code code =
      run_tool(sample::customer_orders(), static_cast<int>(argv.size()), argv.data(), {to, sample::connectors, start});
  return {static_cast<int>(code), content(to.out), content(to.error)};
}

answer call(std::vector<std::string> arguments) {
  script given;
  return call(std::move(arguments), given);
}

// A folder in which `run` without a profile finds its input.
struct data_folder : fresh_folder {
  data_folder() { std::ofstream(path / "order_events.ndjson") << "{}\n"; }
};

}  // namespace

TEST_CASE("without a command there is help and exit code 2") {
  const answer got = call({});
  CHECK(got.code == 2);
  CHECK_THAT(got.out,
             Catch::Contains("usage: orders run|validate|plan|correct|status|stop|report|checkpoint|quarantine|table"));
  CHECK(got.error.empty());
  CHECK(call({"--help"}).code == 0);
  CHECK(call({"run", "--help"}).out.starts_with("usage: orders run [--once"));
  CHECK(call({"--version"}).out == "CustomerOrders 2.0.0 (etlantic 0.1.0)\n");
}

TEST_CASE("a wrong command line ends with exit code 2 and says how to use it") {
  const answer got = call({"run", "--onec"});
  CHECK(got.code == 2);
  CHECK(got.out.empty());
  CHECK(got.error ==
        "error: \"run\" has no option --onec\n"
        "  help: did you mean \"--once\"?\n"
        "        orders run --help shows how to use it\n");
}

TEST_CASE("validate reports all mistakes and ends with exit code 3") {
  const fresh_folder folder;
  const std::string file = folder / "p.yaml";
  std::ofstream(file) << "nam: x\nassets: {order_events: {connector: file, path: 'env:ETLANTIC_TEST_NOT_SET'}}\n";
  const answer got = call({"validate", "--profile", file});
  CHECK(got.code == 3);
  for (const char* expected : {"PMPIPE230", ":1:1: error PMCFG310: \"nam\"", "error PMPLAN201", "error PMCFG350"})
    CHECK_THAT(got.out, Catch::Contains(expected));
  CHECK_THAT(call({"validate", "--json", "--profile", file}).out, Catch::StartsWith("{\n  \"valid\": false,"));
}

TEST_CASE("validate of the built-in profile is content when the input is there") {
  const data_folder folder;
  const answer got = call({"validate", "--data", folder.path.string()});
  CHECK(got.code == 0);
  CHECK_THAT(got.out, Catch::EndsWith("0 errors, 1 warning\n"));
  CHECK(call({"validate", "--data", folder / "elsewhere"}).code == 3);
}

TEST_CASE("plan shows what run would do, without resolving secrets") {
  const answer got = call({"plan", "--data", "/data"});
  CHECK(got.code == 0);
  CHECK_THAT(got.out, Catch::Contains("bound to    file path=/data/order_events.ndjson\n"));
  CHECK_THAT(call({"plan", "--json"}).out, Catch::StartsWith("{\n  \"format\": \"etlantic plan 1\","));
  CHECK(call({"plan", "--profile", "/nowhere/p.yaml"}).code == 3);
}

TEST_CASE("correct says what was computed again, and why it could not be") {
  const data_folder folder;
  const auto answer_of = [&](auto correct, std::vector<const char*> options) {
    std::vector<const char*> argv{"orders", "correct", "--data"};
    const std::string data = folder.path.string();
    argv.push_back(data.c_str());
    argv.insert(argv.end(), options.begin(), options.end());
    const console to{std::tmpfile(), std::tmpfile()};
    const exit_code code = run_tool(sample::customer_orders(), static_cast<int>(argv.size()), argv.data(),
                                    {to, sample::connectors, {}, correct});
    return answer{static_cast<int>(code), content(to.out), content(to.error)};
  };
  const auto two_windows = [](program what, profile where) -> result<correction> {
    CHECK(what.id == "CustomerOrders");
    CHECK(where.checkpoint.ends_with("customer_orders.checkpoint"));
    correction made{2, {}};
    made.done.extracts.emplace_back().read = 7;
    made.done.loads.push_back({"curated", "customer_order_windows", 1});
    return made;
  };
  CHECK(answer_of(+two_windows, {}).out ==
        "2 windows computed again from 7 rows\n  customer_order_windows: 1 row replaced\n");
  CHECK_THAT(answer_of(+two_windows, {"--json"}).out,
             Catch::Contains("\"windows\":2") && Catch::Contains("\"asset\":\"customer_order_windows\""));
  const auto nothing = [](program, profile) { return result<correction>(correction{}); };
  CHECK(answer_of(+nothing, {}).out ==
        "nothing to correct: late rows have missed no window since the last correction\n");
  const auto refused = [](program, profile) {
    return result<correction>(failure{failure_class::checkpoint, "PMSTREAM460", "process 7 works on it", "here", ""});
  };
  CHECK(answer_of(+refused, {}).code == static_cast<int>(exit_code_of(failure_class::checkpoint)));
  CHECK_THAT(answer_of(+refused, {}).error, Catch::Contains("process 7 works on it"));
}

TEST_CASE("run --once in a pipe writes a record per batch and a summary") {
  const data_folder folder;
  script given;
  const answer got = call({"run", "--once", "--data", folder.path.string()}, given);
  CHECK(got.code == 0);
  CHECK(got.error.empty());
  CHECK(given.started_with.trigger.kind == trigger_kind::available_now);
  CHECK(given.stops.empty());
  CHECK_THAT(got.out, Catch::StartsWith("{\"event\":\"batch\",\"query\":\"q1\""));
  CHECK_THAT(got.out, Catch::Contains("}\n{\"event\":\"summary\",") && Catch::Contains("\"outcome\":\"finished\""));
  CHECK(std::count(got.out.begin(), got.out.end(), '\n') == 2);
}

TEST_CASE("run on a terminal draws a line and ends with a table") {
  const data_folder folder;
  script given;
  given.ends = false;
  console terminal;
  terminal.out_is_terminal = terminal.error_is_terminal = true;
  const answer got = call({"run", "--for", "1us", "--data", folder.path.string()}, given, terminal);
  CHECK(got.code == 0);
  CHECK(given.stops == std::vector{stop_policy::finish_batch});
  CHECK(got.out.empty());
  CHECK_THAT(got.error, Catch::StartsWith("\r10 rows | "));
  CHECK_THAT(got.error, Catch::Contains("\rCustomerOrders stopped after 3 batches\n"));
}

TEST_CASE("a person at the terminal sees the line while a pipe gets the records") {
  const data_folder folder;
  script given;
  given.ends = false;
  console mixed;
  mixed.error_is_terminal = true;
  const answer got = call({"run", "--for", "1us", "--data", folder.path.string()}, given, mixed);
  CHECK_THAT(got.out, Catch::StartsWith("{\"event\":\"batch\""));
  CHECK_THAT(got.error, Catch::StartsWith("\r10 rows | "));
}

TEST_CASE("records stay out of the rows that a console sink prints") {
  const fresh_folder folder;
  std::ofstream(folder / "p.yaml") << "assets:\n"
                                      "  order_events: {connector: file, path: a}\n"
                                      "  customer_order_windows: {connector: console}\n"
                                      "  rejected_order_events: {connector: console}\n"
                                      "checkpoint: state\n";
  script given;
  const answer got = call({"run", "--profile", folder / "p.yaml"}, given);
  CHECK(got.code == 0);
  CHECK(got.out.empty());
  CHECK_THAT(got.error, Catch::StartsWith("{\"event\":\"batch\""));
}

TEST_CASE("--progress none prints the summary only") {
  const data_folder folder;
  script given;
  const answer got = call({"run", "--progress", "none", "--data", folder.path.string()}, given);
  CHECK(got.out.starts_with("CustomerOrders finished after 3 batches\n"));
}

TEST_CASE("Ctrl-C ends a run after its batch, with a summary and exit code 0") {
  const data_folder folder;
  script given;
  given.ends = false;
  given.interrupts_itself = 1;
  const answer got = call({"run", "--data", folder.path.string()}, given);
  CHECK(got.code == 0);
  CHECK(given.stops == std::vector{stop_policy::finish_batch});
  CHECK(got.error == "stopping after this batch; once more stops at once\n");
  CHECK_THAT(got.out, Catch::Contains("\"outcome\":\"stopped\""));
}

TEST_CASE("the first Ctrl-C stops as the profile says, and the second at once") {
  const data_folder folder;
  const std::string file = folder / "p.yaml";
  std::ofstream(file) << "assets:\n"
                         "  order_events: {connector: file, path: order_events.ndjson}\n"
                         "  customer_order_windows: {connector: sqlite, path: o.db}\n"
                         "  rejected_order_events: {connector: sqlite, path: o.db}\n"
                         "  late_order_events: {connector: sqlite, path: o.db}\n"
                         "checkpoint: c\non_stop: drain\n";
  script given;
  given.ends = false;
  given.interrupts_itself = 2;
  const answer got = call({"run", "--profile", file}, given);
  INFO(got.error);
  CHECK(got.code == 0);
  CHECK(given.stops == std::vector{stop_policy::drain, stop_policy::at_once});
  CHECK_THAT(got.error, Catch::EndsWith("stopping when all that is there is read; once more stops at once\n"
                                        "stopping at once; once more ends the process, which is safe too\n"));
}

TEST_CASE("a run that was told to stop by another process says that it was stopped") {
  const data_folder folder;
  script given;
  given.stopped = true;
  CHECK_THAT(call({"run", "--data", folder.path.string()}, given).out, Catch::Contains("\"outcome\":\"stopped\""));
}

TEST_CASE("a failure that is tried again is shown while it waits") {
  const data_folder folder;
  script given;
  given.ends = false;
  given.interrupts_itself = 1;
  given.retry = query_failure{{failure_class::connectivity, "PMSTREAM434", "it is locked", "o.db", "wait"},
                              {},
                              true,
                              2,
                              std::chrono::milliseconds(1500),
                              5};
  const answer got = call({"run", "--data", folder.path.string()}, given);
  CHECK_THAT(got.error,
             Catch::StartsWith("PMSTREAM434: it is locked; waits 1.500 s, then tries again: attempt 2 of 5\n"));
  CHECK_THAT(got.out, Catch::StartsWith("{\"event\":\"retry\",\"class\":\"connectivity\",\"code\":\"PMSTREAM434\","
                                        "\"message\":\"it is locked\",\"where\":\"o.db\",\"help\":\"wait\","
                                        "\"attempt\":2,\"attempts\":5,\"wait_seconds\":1.5}\n"));
}

TEST_CASE("a third Ctrl-C ends the process at once") {
  const data_folder folder;
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    struct stubborn final : running {
      bool await(duration) override {
        ::kill(::getpid(), SIGINT);
        return false;
      }
      void request_stop(stop_policy) override {}
      bool stop_requested() const override { return false; }
      result<void> outcome() const override { return {}; }
      progress last_progress() const override { return {}; }
      progress totals() const override { return {}; }
    };
    const std::string data = folder.path.string();
    const char* argv[] = {"orders", "run", "--data", data.c_str()};
    console quiet;
    quiet.out = quiet.error = std::fopen("/dev/null", "w");
    run_tool(
        sample::customer_orders(), 4, argv,
        {quiet, sample::connectors,
         [](program, profile, query::listener, std::shared_ptr<query_listener>) -> result<std::unique_ptr<running>> {
           return std::unique_ptr<running>(std::make_unique<stubborn>());
         }});
    ::_exit(99);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == SIGINT);
}

TEST_CASE("a query that does not start says why, and the exit code is that of its class") {
  const data_folder folder;
  script given;
  given.start = failure{failure_class::checkpoint, "PMSTREAM431", "another process uses this checkpoint", "state",
                        "stop it first"};
  const answer got = call({"run", "--data", folder.path.string()}, given);
  CHECK(got.code == 6);
  CHECK(got.error ==
        "error PMSTREAM431: another process uses this checkpoint\n"
        "  where: state\n"
        "  help: stop it first\n");
  CHECK(got.out ==
        "{\"event\":\"failure\",\"class\":\"checkpoint\",\"code\":\"PMSTREAM431\",\"message\":\"another process uses "
        "this "
        "checkpoint\",\"where\":\"state\",\"help\":\"stop it first\"}\n");
}

TEST_CASE("a query that fails on the way still shows what it did") {
  const data_folder folder;
  script given;
  given.outcome =
      failure{failure_class::resource_exhausted, "PMSTREAM460", "the disk is full", "orders.db", "make room"};
  const answer got = call({"run", "--data", folder.path.string()}, given);
  CHECK(got.code == 7);
  CHECK_THAT(got.out, Catch::Contains("\"event\":\"failure\"") && Catch::Contains("\"outcome\":\"failed\""));
}

TEST_CASE("counts that do not add up are an internal error, loudly") {
  const data_folder folder;
  script given;
  given.batches[0].extracts[0].invalid = 0;
  const answer got = call({"run", "--data", folder.path.string()}, given);
  CHECK(got.code == 1);
  CHECK_THAT(got.error, Catch::StartsWith("error PMSTREAM499: the counts do not add up\n"
                                          "  where: orders: 10 rows read, but 9 valid + 0 invalid = 9\n"));
  CHECK_THAT(got.out, Catch::Contains("\"balanced\":false"));
}

TEST_CASE("a run without its input ends with exit code 4 before anything is made") {
  const fresh_folder folder;
  script given;
  const answer got = call({"run", "--data", folder.path.string()}, given);
  CHECK(got.code == 4);
  CHECK_THAT(got.error, Catch::StartsWith("error PMCFG201: there is no input for the asset \"order_events\"\n"));
  CHECK(given.started_with.assets.empty());
}

TEST_CASE("a run on a wrong profile ends with exit code 3") {
  const answer got = call({"run", "--profile", "/nowhere/p.yaml"});
  CHECK(got.code == 3);
  CHECK_THAT(got.error, Catch::StartsWith("/nowhere/p.yaml: error PMCFG100: there is no such file\n"));
}

TEST_CASE("secrets reach the query and nothing else") {
  const fresh_folder folder;
  std::ofstream(folder / "p.yaml")
      << "assets:\n"
         "  order_events: {connector: file, path: a}\n"
         "  customer_order_windows: {connector: sqlite, path: o.db, password: 'env:ETLANTIC_TEST_SECRET'}\n"
         "  rejected_order_events: {connector: sqlite, path: o.db}\n"
         "checkpoint: state\n";
  ::setenv("ETLANTIC_TEST_SECRET", "battery staple", 1);
  script given;
  const answer got = call({"run", "--profile", folder / "p.yaml"}, given);
  ::unsetenv("ETLANTIC_TEST_SECRET");
  CHECK(got.code == 0);
  CHECK(given.started_with.assets.at("customer_order_windows").options.at("password") == "battery staple");
  CHECK(got.out.find("battery") == std::string::npos);
  CHECK(got.error.find("battery") == std::string::npos);
  CHECK_THAT(got.out, Catch::Contains("password=env:ETLANTIC_TEST_SECRET"));
}

TEST_CASE("an answer that cannot be written is an error") {
  console full;
  full.out = std::fopen("/dev/full", "w");
  full.error = std::tmpfile();
  REQUIRE(full.out != nullptr);
  const char* argv[] = {"orders", "plan"};
  CHECK(run_tool(sample::customer_orders(), 2, argv, {full, sample::connectors, {}}) == exit_code::exhausted);
  std::fclose(full.out);
  CHECK_THAT(content(full.error), Catch::StartsWith("error PMSTREAM498: the answer could not be written"));
}
