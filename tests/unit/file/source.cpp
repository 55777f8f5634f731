#include "support/catch.hpp"

#include <etlantic/connect/file/source.hpp>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

using namespace etlantic;
namespace fs = std::filesystem;

namespace {

class folder {
 public:
  folder() {
    std::string name = (fs::temp_directory_path() / "etlantic-source-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    root_ = name;
  }
  folder(const folder&) = delete;
  folder& operator=(const folder&) = delete;
  ~folder() { fs::remove_all(root_); }

  std::string path(const std::string& name = "") const {
    return name.empty() ? root_.string() : (root_ / name).string();
  }

  /// `age` in seconds; the greater, the older.
  void write(const std::string& name, const std::string& bytes, int age = 0) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    const auto now = fs::file_time_type(std::chrono::hours(24 * 365 * 20));
    fs::last_write_time(path(name), now - std::chrono::seconds(age));
  }
  void append(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary | std::ios::app) << bytes;
  }

 private:
  fs::path root_;
};

struct lines_taken final : intake {
  std::string bytes;
  std::vector<std::int64_t> begins;
  std::size_t largest = 0;

  result<void> lines(std::string_view, std::int64_t begin, std::string_view given) override {
    begins.push_back(begin);
    bytes += given;
    largest = std::max(largest, given.size());
    return {};
  }
  result<void> rows(const block&) override { return {}; }
};

std::shared_ptr<source> source_of(const std::string& path, bool tail = false) {
  return make_file_source({.path = path, .tail = tail});
}

std::vector<split_range> planned(const std::shared_ptr<source>& from, const intake_limits& limits = {}) {
  auto ranges = from->plan(limits);
  if (!ranges) FAIL(ranges.error().message);
  return *ranges;
}

std::string read_all(const std::shared_ptr<source>& from, const std::vector<split_range>& ranges) {
  lines_taken taken;
  for (const split_range& range : ranges) {
    const auto done = from->read(range, taken);
    if (!done) FAIL(done.error().message);
  }
  return taken.bytes;
}

std::vector<std::string> names(const std::vector<split_range>& ranges) {
  std::vector<std::string> found;
  for (const split_range& range : ranges) found.push_back(fs::path(range.split).filename().string());
  return found;
}

}  // namespace

TEST_CASE("FS-01: the last line of a complete file needs no line feed") {
  const folder in;
  in.write("a.json", "{\"id\":1}\n{\"id\":2}");
  auto from = source_of(in.path("a.json"));
  const auto ranges = planned(from);
  CHECK(ranges == std::vector<split_range>{{in.path("a.json"), 0, 17}});
  CHECK(read_all(from, ranges) == "{\"id\":1}\n{\"id\":2}");
  CHECK(planned(from).empty());
}

TEST_CASE("FS-09: with tail, the half line waits for its line feed, also when the input is frozen") {
  const folder in;
  in.write("a.json", "{\"id\":1}\n{\"id\":2,\"am");
  auto from = source_of(in.path("a.json"), true);
  auto ranges = planned(from);
  CHECK(read_all(from, ranges) == "{\"id\":1}\n");
  CHECK(planned(from).empty());
  in.append("a.json", "ount\":\"1\"}\n{");
  auto frozen = source_of(in.path("a.json"), true);
  ranges = planned(from);
  CHECK(ranges == std::vector<split_range>{{in.path("a.json"), 9, 31}});
  CHECK(read_all(from, ranges) == "{\"id\":2,\"amount\":\"1\"}\n");
  REQUIRE(frozen->freeze().ok());
  CHECK(planned(frozen) == std::vector<split_range>{{in.path("a.json"), 0, 31}});
  CHECK(planned(frozen).empty());
}

TEST_CASE("FS-09: without tail, a half line is one row, and its rest is never another one") {
  const folder in;
  in.write("a.json", "{\"id\":1}\n{\"id\":2,\"am");
  auto from = source_of(in.path("a.json"));
  CHECK(read_all(from, planned(from)) == "{\"id\":1}\n{\"id\":2,\"am");
  in.append("a.json", "ount\":\"1\"}\n");
  CHECK(from->take_warnings().empty());
  CHECK(planned(from).empty());
  const auto told = from->take_warnings();
  REQUIRE(told.size() == 1);
  CHECK(told[0].starts_with("PMSTREAM423: " + in.path("a.json") + " grew behind byte 20"));
  CHECK(planned(from).empty());
  CHECK(from->take_warnings().empty());

  auto restarted = source_of(in.path("a.json"), true);
  REQUIRE(restarted->restore({{in.path("a.json"), 0, 20}}).ok());
  CHECK(planned(restarted).empty());
  CHECK(restarted->take_warnings().size() == 1);
}

TEST_CASE("the bytes that wait are those behind the plan, as it saw the files") {
  const folder in;
  in.write("a.json", "1\n22\n333\n", 2);
  in.write("b.json", "4444\n55", 1);  // the newer one
  auto from = source_of(in.path(), true);
  CHECK(from->waiting() == waiting_input{});
  intake_limits limits;
  limits.max_rows = 2;
  CHECK(planned(from, limits).size() == 1);
  CHECK(from->waiting() == waiting_input{.bytes = 4 + 7});
  in.append("b.json", "55\n");
  CHECK(from->waiting() == waiting_input{.bytes = 4 + 7});  // no new look
  CHECK(planned(from).size() == 2);
  CHECK(from->waiting() == waiting_input{.bytes = 0});
  in.append("a.json", "half");
  CHECK(planned(from).empty());
  CHECK(from->waiting() == waiting_input{.bytes = 4});

  auto restarted = source_of(in.path(), true);
  REQUIRE(restarted->restore({{in.path("a.json"), 0, 5}, {in.path("b.json"), 0, 10}}).ok());
  CHECK(planned(restarted, limits).size() == 1);
  CHECK(restarted->waiting() == waiting_input{.bytes = 4});
}

TEST_CASE("what grew behind half a row is never read and does not wait") {
  const folder in;
  in.write("a.json", "1\n2");
  auto from = source_of(in.path());
  CHECK(planned(from).size() == 1);
  in.append("a.json", "3\n");
  CHECK(planned(from).empty());
  CHECK(from->waiting() == waiting_input{.bytes = 0});
}

TEST_CASE("the system tells of files that appear, grow or are renamed") {
  const folder in;
  in.write("a.json", "1\n");
  const duration none{0}, long_enough = std::chrono::seconds(1);
  const auto came = [&](source& from) { return from.await_rows(long_enough) == std::optional(true); };
  for (const std::string& place : {in.path(), in.path("a.json")}) {
    auto from = source_of(place, true);
    CHECK(came(*from));  // who knows what was before
    CHECK(from->await_rows(none) == std::optional(false));
    in.append("a.json", "2\n");
    CHECK(came(*from));
    CHECK(from->await_rows(none) == std::optional(false));
    in.write("b.tmp", "3\n");
    fs::rename(in.path("b.tmp"), in.path("b.json"));
    CHECK(came(*from) == (place == in.path()));
  }
  CHECK_FALSE(source_of(in.path("nowhere/*.json"))->await_rows(none));
}

TEST_CASE("FS-09: a file that is left out does not hold up the others") {
  const folder in;
  in.write("a.json", "1\n2");
  auto from = source_of(in.path());
  CHECK(read_all(from, planned(from)) == "1\n2");
  in.append("a.json", "3\n");
  in.write("b.json", "4\n");
  CHECK(planned(from) == std::vector<split_range>{{in.path("b.json"), 0, 2}});
  CHECK(from->take_warnings().size() == 1);
}

TEST_CASE("whole lines that are appended are read later, with and without tail") {
  for (const bool tail : {false, true}) {
    const folder in;
    in.write("a.json", "1\n");
    auto from = source_of(in.path("a.json"), tail);
    CHECK(read_all(from, planned(from)) == "1\n");
    in.append("a.json", "2\n");
    CHECK(read_all(from, planned(from)) == "2\n");
  }
}

TEST_CASE("FS-12: oldest first, then by name; hidden and underscore names are ignored; the same after a restart") {
  const folder in;
  in.write("b.json", "b\n", 10);
  in.write("a.json", "a\n", 10);
  in.write("_SUCCESS", "x\n", 10);
  in.write(".c.json.tmp", "x\n", 10);
  in.write("d.json", "d\n", 0);
  fs::create_directory(in.path("below"));
  const intake_limits one_file{.max_files = 1};
  auto from = source_of(in.path());
  CHECK(names(planned(from, one_file)) == std::vector<std::string>{"a.json"});
  auto restarted = source_of(in.path());
  REQUIRE(restarted->restore({{in.path("a.json"), 0, 2}}).ok());
  CHECK(names(planned(restarted, one_file)) == std::vector<std::string>{"b.json"});
  CHECK(names(planned(restarted, one_file)) == std::vector<std::string>{"d.json"});
  CHECK(planned(restarted, one_file).empty());
  auto matching = source_of(in.path("*"));
  CHECK(names(planned(matching)) == std::vector<std::string>{"a.json", "b.json", "d.json"});
}

TEST_CASE("files that appear between batches are found, and frozen input ends where it was") {
  const folder in;
  auto from = source_of(in.path("*.json"));
  CHECK(planned(from).empty());
  in.write("a.json", "1\n");
  CHECK(names(planned(from)) == std::vector<std::string>{"a.json"});
  in.write("b.json", "2\n");
  REQUIRE(from->freeze().ok());
  in.write("c.json", "3\n");
  CHECK(names(planned(from)) == std::vector<std::string>{"b.json"});
  CHECK(planned(from).empty());
}

TEST_CASE("limits of rows cut at lines and go on where they stopped, in order") {
  const folder in;
  in.write("a.json", "1\n2\n3\n4\n5", 1);
  in.write("b.json", "6\n7\n", 0);
  auto from = source_of(in.path());
  const intake_limits two{.max_rows = 2};
  for (const char* expected : {"1\n2\n", "3\n4\n", "56\n", "7\n", ""})
    CHECK(read_all(from, planned(from, two)) == expected);
}

TEST_CASE("limits of bytes are kept, but a single line that is longer goes alone") {
  const folder in;
  in.write("a.json", "1\n22\n" + std::string(50, '3') + "\n4\n5\n", 1);
  in.write("b.json", "666\n", 0);
  auto from = source_of(in.path());
  const intake_limits limits{.max_bytes = 6};
  std::string long_line(50, '3');
  long_line += '\n';
  for (const char* expected : {"1\n22\n", long_line.c_str(), "4\n5\n", "666\n"})
    CHECK(read_all(from, planned(from, limits)) == expected);
  CHECK(planned(from, limits).empty());
}

TEST_CASE("rows are counted exactly over chunks of any size") {
  const folder in;
  std::string bytes;
  for (int i = 0; i < 300'000; ++i)
    bytes += std::to_string(i) + std::string(static_cast<std::size_t>(i % 13), ' ') + "\n";
  in.write("a.json", bytes);
  auto from = source_of(in.path());
  std::string read;
  for (int batch = 0; batch < 3; ++batch) {
    const auto ranges = planned(from, {.max_rows = 100'000});
    const std::string part = read_all(from, ranges);
    CHECK(std::count(part.begin(), part.end(), '\n') == 100'000);
    read += part;
  }
  CHECK(read == bytes);
  CHECK(planned(from).empty());
}

TEST_CASE("FS-04: chunks end at lines, whatever the size of the chunk") {
  const folder in;
  std::string bytes;
  for (int i = 0; i < 200; ++i)
    bytes += "{\"note\":\"" + std::string(static_cast<std::size_t>(i % 37), 'x') + "\xc3\xa9\"}\r\n";
  in.write("a.json", bytes);
  for (const std::size_t chunk : {1u, 2u, 7u, 64u, 1000u, 1u << 20}) {
    const auto from = make_file_source({.path = in.path("a.json"), .chunk_bytes = chunk});
    lines_taken taken;
    const auto size = static_cast<std::int64_t>(bytes.size());
    REQUIRE(from->read({in.path("a.json"), 0, size}, taken).ok());
    CHECK(taken.bytes == bytes);
    for (const std::int64_t begin : taken.begins)
      CHECK((begin == 0 || bytes[static_cast<std::size_t>(begin) - 1] == '\n'));
  }
}

TEST_CASE("a range is cut into pieces that end with lines and together are the range") {
  const folder in;
  std::string bytes;
  for (int i = 0; i < 20'000; ++i) bytes += std::string(static_cast<std::size_t>(i * 37 % 211), 'x') + "\n";
  bytes += std::string(30'000, 'y') + "\nz";
  in.write("a.json", bytes);
  const split_range whole{in.path("a.json"), 0, static_cast<std::int64_t>(bytes.size())};
  for (const std::size_t chunk : {1u, 1000u, 10'000u, 100'000u, 1u << 28}) {
    const auto from = make_file_source({.path = in.path("a.json"), .chunk_bytes = chunk});
    const auto pieces = from->pieces(whole);
    REQUIRE(pieces.ok());
    std::int64_t end = 0;
    std::string read;
    for (const split_range& piece : *pieces) {
      REQUIRE(piece.begin == end);
      REQUIRE(piece.end > piece.begin);
      end = piece.end;
      REQUIRE((end == whole.end || bytes[static_cast<std::size_t>(end) - 1] == '\n'));
      lines_taken taken;
      REQUIRE(from->read(piece, taken).ok());
      read += taken.bytes;
    }
    CHECK(read == bytes);
    if (chunk == 10'000) CHECK(pieces->size() > bytes.size() / 12'000);
  }
}

TEST_CASE(
    "a file that was cut into pieces stays open until the last of them is read, and is opened anew for the next") {
  const folder in;
  std::string bytes, others;
  for (int i = 0; i < 4'000; ++i) bytes += std::to_string(i) + "\n", others += std::to_string(9'999 - i) + "\n";
  bytes.resize(others.size(), '\n');
  in.write("a.json", bytes);
  in.write("b.json", others);
  const auto from = make_file_source({.path = in.path(), .chunk_bytes = 1'000});
  const auto cut = [&](const std::string& name) {
    auto pieces = from->pieces({in.path(name), 0, static_cast<std::int64_t>(bytes.size())});
    REQUIRE(pieces.ok());
    REQUIRE(pieces->size() > 4);
    return *pieces;
  };
  const auto read = [&](const std::vector<split_range>& pieces, std::size_t first) {
    std::string all;
    for (std::size_t i = first; i < pieces.size(); ++i) {
      lines_taken taken;
      REQUIRE(from->read(pieces[i], taken).ok());
      all += taken.bytes;
    }
    return all;
  };
  const auto rest_of = [](const std::string& all, const std::vector<split_range>& pieces) {
    return all.substr(static_cast<std::size_t>(pieces[1].begin));
  };
  // Two files in one batch, each of which goes away while it is read.
  const auto first = cut("a.json"), second = cut("b.json");
  lines_taken taken;
  REQUIRE(from->read(first[0], taken).ok());
  fs::remove(in.path("a.json"));
  CHECK(read(first, 1) == rest_of(bytes, first));
  CHECK(from->read(first[0], taken).error().code == "PMSTREAM420");
  REQUIRE(from->read(second[0], taken).ok());
  fs::remove(in.path("b.json"));
  CHECK(read(second, 1) == rest_of(others, second));
  CHECK(from->read(second[0], taken).error().code == "PMSTREAM420");
  // Another one in its place, after a batch that ended too early.
  in.write("a.json", bytes);
  REQUIRE(from->read(cut("a.json")[0], taken).ok());
  fs::remove(in.path("a.json"));
  in.write("a.json", others);
  CHECK(read(cut("a.json"), 0) == others);
}

TEST_CASE("a planned range of a file that was cut or removed since cannot be cut into pieces") {
  const folder in;
  in.write("a.json", "1\n2\n");
  const auto from = make_file_source({.path = in.path("a.json"), .chunk_bytes = 4});
  CHECK(from->pieces({in.path("a.json"), 0, 400}).error().code == "PMSTREAM422");
  CHECK(from->pieces({in.path("gone.json"), 0, 400}).error().code == "PMSTREAM420");
}

TEST_CASE("FS-08: the buffer grows for a long line up to the limit; of a longer one only the beginning is delivered") {
  const folder in;
  const std::string first(3000, 'a');
  in.write("a.json", first + "\n2\n3\n");
  lines_taken grown;
  const auto enough = make_file_source({.path = in.path("a.json"), .max_line_bytes = 3000, .chunk_bytes = 1000});
  REQUIRE(enough->read({in.path("a.json"), 0, 3005}, grown).ok());
  CHECK(grown.bytes == first + "\n2\n3\n");

  lines_taken cut;
  const auto limited = make_file_source({.path = in.path("a.json"), .max_line_bytes = 1500, .chunk_bytes = 100});
  REQUIRE(limited->read({in.path("a.json"), 0, 3005}, cut).ok());
  CHECK(cut.bytes == first.substr(0, 1508) + "2\n3\n");
  CHECK(cut.begins == std::vector<std::int64_t>{0, 3001});
  CHECK(cut.largest <= 1608);

  lines_taken at_end;
  in.write("b.json", "1\n" + first);
  REQUIRE(limited->read({in.path("b.json"), 0, 3002}, at_end).ok());
  CHECK(at_end.bytes == "1\n" + first.substr(0, 1508));
}

TEST_CASE("a planned file that was cut, replaced or removed is a failure that names it") {
  const folder in;
  in.write("a.json", "1\n2\n3\n");
  auto from = source_of(in.path());
  const auto ranges = planned(from);
  lines_taken taken;

  fs::resize_file(in.path("a.json"), 4);
  const auto cut = from->read(ranges[0], taken);
  REQUIRE_FALSE(cut.ok());
  CHECK(cut.error().code == "PMSTREAM422");
  CHECK(cut.error().kind == failure_class::source_data);
  CHECK(cut.error().where == in.path("a.json"));
  CHECK(from->plan({}).error().code == "PMSTREAM422");

  fs::remove(in.path("a.json"));
  CHECK(from->read(ranges[0], taken).error().code == "PMSTREAM420");
  CHECK(planned(from).empty());
  CHECK(taken.bytes.empty());
}

TEST_CASE("what cannot be read as a file is a clear failure") {
  const folder in;
  auto missing = source_of(in.path("none.json"));
  CHECK(missing->plan({}).error().code == "PMSTREAM420");
  CHECK(missing->plan({}).error().where == in.path("none.json"));
  auto no_folder = source_of(in.path("none/*.json"));
  CHECK(no_folder->plan({}).error().code == "PMSTREAM420");

  lines_taken taken;
  auto from = source_of(in.path());
  fs::create_directory(in.path("dir"));
  CHECK(from->read({in.path("dir"), 0, 1}, taken).error().code == "PMSTREAM421");

  REQUIRE(::mkfifo(in.path("pipe").c_str(), 0600) == 0);
  CHECK(source_of(in.path("pipe"))->plan({}).error().code == "PMSTREAM421");
  CHECK(from->plan({}).error().code == "PMSTREAM421");
  fs::remove(in.path("pipe"));

  fs::create_symlink(in.path("nowhere"), in.path("link"));
  CHECK(from->plan({}).error().code == "PMSTREAM421");
  in.write("nowhere", "1\n");
  CHECK(names(planned(from)).size() == 2);
}

TEST_CASE("a file that this user may not read is a failure that says so") {
  if (::geteuid() == 0) return;  // root may read everything
  const folder in;
  in.write("a.json", "1\n");
  ::chmod(in.path("a.json").c_str(), 0);
  auto from = source_of(in.path());
  CHECK(from->plan({}).error().code == "PMSTREAM420");
}

TEST_CASE("the connector's options are checked") {
  const auto make = [](std::map<std::string, std::string> options) {
    return make_file_source({.connector = "file", .options = std::move(options)});
  };
  CHECK(make({{"path", "in/*.json"}, {"format", "ndjson"}, {"tail", "true"}, {"max_line_bytes", "1000"}}).ok());
  CHECK((*make({{"path", "in"}}))->describe() == "NDJSON files at in");
  for (const auto& options : {std::map<std::string, std::string>{},
                              {{"path", "in"}, {"format", "csv"}},
                              {{"path", "in"}, {"tail", "yes"}},
                              {{"path", "in"}, {"max_line_bytes", "1k"}},
                              {{"path", "in"}, {"max_line_bytes", "0"}}}) {
    const auto made = make(options);
    REQUIRE_FALSE(made.ok());
    CHECK(made.error().kind == failure_class::configuration);
    CHECK(made.error().code == "PMSTREAM424");
  }
}

TEST_CASE("a plan without a limit of rows ends where one that counts every line ends") {
  std::uint32_t random = 7;
  const auto next = [&](std::uint32_t below) { return (random = random * 1664525u + 1013904223u) / 65536u % below; };
  for (int round = 0; round < 60; ++round) {
    const folder in;
    for (const char* name : {"a.json", "b.json"}) {
      std::string text;
      for (std::uint32_t lines = next(40); lines > 0; --lines)
        text.append(next(30) == 0 ? 70'000 + next(70'000) : next(60), 'x').append("\n");
      if (next(2) == 0) text += "no line feed";
      in.write(name, text, name[0] == 'a' ? 2 : 1);
    }
    for (const bool tail : {false, true}) {
      auto quick = make_file_source({.path = in.path(), .tail = tail});
      auto counting = make_file_source({.path = in.path(), .tail = tail});
      intake_limits limits;
      limits.max_bytes = 1 + static_cast<std::int64_t>(next(2) == 0 ? next(200) : next(200'000));
      intake_limits counted = limits;
      counted.max_rows = no_limit - 1;
      for (;;) {
        const auto a = quick->plan(limits);
        const auto b = counting->plan(counted);
        REQUIRE(a.ok());
        REQUIRE(b.ok());
        REQUIRE(*a == *b);
        if (a->empty()) break;
      }
    }
  }
}
