#include "support.hpp"

#include <etlantic/connect/delta/base85.hpp>
#include <etlantic/connect/delta/crc32.hpp>
#include <etlantic/connect/delta/deletion_vector.hpp>
#include <etlantic/connect/delta/roaring.hpp>
#include <etlantic/connect/delta/source.hpp>
#include <etlantic/runtime/source.hpp>

#include <random>
#include <set>

using namespace etlantic;
using namespace etlantic::test;

namespace {

using members = std::set<std::uint64_t>;

void append(std::string& to, std::uint64_t number, int bytes) {
  for (int i = 0; i < bytes; ++i) to += static_cast<char>(number >> (8 * i));
}
void append_big(std::string& to, std::uint32_t number) {
  for (int i = 3; i >= 0; --i) to += static_cast<char>(number >> (8 * i));
}

/// How a writer stores the 65536 values of a container.
enum class kind { plain, runs };

/// A writer of its own, by the text of the format: one container per 65536 values.
std::string roaring_of(const members& values, kind how) {
  std::map<std::uint32_t, std::map<std::uint16_t, std::vector<std::uint16_t>>> parts;
  for (const auto each : values)
    parts[static_cast<std::uint32_t>(each >> 32)][static_cast<std::uint16_t>(each >> 16)].push_back(
        static_cast<std::uint16_t>(each));
  std::string all;
  append(all, parts.size(), 8);
  for (const auto& [high, containers] : parts) {
    append(all, high, 4);
    if (how == kind::runs) {
      append(all, 12347u | (containers.size() - 1) << 16, 4);
      all += std::string((containers.size() + 7) / 8, '\xff');
    } else {
      append(all, 12346, 4);
      append(all, containers.size(), 4);
    }
    for (const auto& [key, some] : containers) {
      append(all, key, 2);
      append(all, some.size() - 1, 2);
    }
    if (how == kind::plain || containers.size() >= 4) all += std::string(containers.size() * 4, '\0');
    for (const auto& [key, some] : containers) {
      if (how == kind::runs) {
        std::vector<std::pair<std::uint16_t, std::uint16_t>> runs;
        for (const auto each : some)
          if (!runs.empty() && runs.back().first + runs.back().second + 1 == each)
            ++runs.back().second;
          else
            runs.push_back({each, 0});
        append(all, runs.size(), 2);
        for (const auto& [begin, more] : runs) {
          append(all, begin, 2);
          append(all, more, 2);
        }
      } else if (some.size() <= 4096) {
        for (const auto each : some) append(all, each, 2);
      } else {
        std::string bits(8192, '\0');
        for (const auto each : some) bits[each / 8] = static_cast<char>(bits[each / 8] | (1 << (each % 8)));
        all += bits;
      }
    }
  }
  return all;
}

struct marked {
  std::string wrong;
  members values;
  std::int64_t count = 0;
};
marked read_back(const std::string& bytes, std::size_t rows) {
  std::vector<bool> bits(rows);
  marked found;
  found.wrong = delta::mark_members(bytes, bits, found.count);
  for (std::size_t i = 0; i < rows; ++i)
    if (bits[i]) found.values.insert(i);
  return found;
}

constexpr std::string_view magic = "\xd1\xd3\x39\x64";

/// What a file of vectors holds: a version, and for each its size, its bytes and their checksum.
std::string vector_file(const std::string& bitmap) {
  std::string all = "\x01", bytes = std::string(magic) + bitmap;
  append_big(all, static_cast<std::uint32_t>(bytes.size()));
  all += bytes;
  append_big(all, delta::crc32(bytes));
  return all;
}

const field_description number_fields[] = {plain_field("k", logical_type::int64)};
const schema numbers{.id = "numbers", .version = "1", .fields = number_fields};

/// Ten rows in one file, of which a later commit deletes some by a vector.
struct table_with_vector : table_folder {
  table_with_vector() {
    publish(*opened(numbers, output_mode::append),
            batch_of(0, output_mode::append, make_block(numbers, {{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}, {9}})));
  }

  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path() + '/' + name, std::ios::binary) << bytes;
  }
  /// A version that has the file with that vector in its place.
  void remove_rows(const std::string& vector) const {
    const delta::add_file file = state().files.begin()->second;
    std::string statistics = file.statistics;
    for (std::size_t at = 0; (at = statistics.find('"', at)) != std::string::npos; at += 2) statistics.insert(at, "\\");
    std::ofstream(log(version() + 1)) << R"({"remove":{"path":")" << file.path
                                      << R"(","dataChange":true,"deletionTimestamp":1}})"
                                         "\n"
                                      << R"({"add":{"path":")" << file.path << R"(","partitionValues":{},"size":)"
                                      << file.size << R"(,"modificationTime":1,"dataChange":true,"stats":")"
                                      << statistics << R"(","deletionVector":)" << vector << "}}\n";
  }
  result<std::vector<block>> file_rows() const {
    const delta::table_state table = state();
    layout = value_of(delta::layout_of(*table.metadata, path()));
    return delta::read_file_rows(store(), layout, table.files.begin()->second);
  }
  std::string why_not() const {
    const auto rows = file_rows();
    return rows.ok() ? "" : rows.error().code + ' ' + rows.error().message;
  }

  mutable delta::table_layout layout;
};

std::string vector_text(const std::string& storage, const std::string& place, std::size_t bytes, std::size_t rows,
                        int offset = 1) {
  return R"({"storageType":")" + storage + R"(","pathOrInlineDv":")" + place + R"(","offset":)" +
         std::to_string(offset) + R"(,"sizeInBytes":)" + std::to_string(bytes) + R"(,"cardinality":)" +
         std::to_string(rows) + '}';
}

// The rows of the example in the protocol's text, 3, 4, 7, 11, 18 and 29, in the format that is written.
constexpr std::string_view published = "^Bg9^0rr910000000000iXQKl0rr91000f55c8Xg0@@D72lkbi5=-{L";

}  // namespace

TEST_CASE("delta: CRC-32 and Base85 as their descriptions have them") {
  CHECK(delta::crc32("123456789") == 0xcbf43926u);
  CHECK(delta::from_base85("HelloWorld") == std::string("\x86\x4f\xd2\x6f\xb5\x59\xf7\x5b"));
  CHECK(delta::from_base85("") == std::string());
  for (const char* wrong : {"Hell", "Hell~", "Hell\xe4", "#####"}) CHECK_FALSE(delta::from_base85(wrong).has_value());
}

TEST_CASE("delta: the values of Roaring bitmaps are found in every kind of container") {
  std::mt19937_64 random(1);
  for (const kind how : {kind::plain, kind::runs})
    for (const std::size_t rows : {std::size_t{1}, std::size_t{300}, std::size_t{70'000}, std::size_t{140'000}})
      for (const unsigned one_in : {1u, 2u, 40u, 5000u}) {
        members values;
        for (std::size_t i = 0; i < rows; ++i)
          if (random() % one_in == 0) values.insert(i);
        const marked found = read_back(roaring_of(values, how), rows);
        CHECK(found.wrong == "");
        CHECK(found.values == values);
        CHECK(found.count == static_cast<std::int64_t>(values.size()));
      }
  CHECK(read_back(roaring_of({}, kind::plain), 0).wrong == "");
}

TEST_CASE("delta: bytes that are no whole Roaring bitmap of the file's rows are refused") {
  members many;
  for (std::uint64_t i = 0; i < 90'000; i += i < 66'000 ? 1 : 50) many.insert(i);
  for (const kind how : {kind::plain, kind::runs}) {
    const std::string whole = roaring_of(many, how);
    CHECK(read_back(whole, 90'000).wrong == "");
    for (std::size_t size = 0; size < whole.size(); size += size < 100 ? 1 : 97)
      CHECK(read_back(whole.substr(0, size), 90'000).wrong != "");
    CHECK(read_back(whole + '\0', 90'000).wrong == "it has bytes behind its end");
    CHECK(read_back(whole, 89'000).wrong == "it has rows that the data file does not have");
  }
  CHECK(read_back(roaring_of({std::uint64_t{1} << 32}, kind::plain), 100).wrong ==
        "it has rows that the data file does not have");
  std::string unsorted = roaring_of({5, 9}, kind::plain);
  std::swap(unsorted[unsorted.size() - 2], unsorted[unsorted.size() - 4]);
  CHECK(read_back(unsorted, 10).wrong == "its values are not in order");
  std::string other = roaring_of({5}, kind::plain);
  other[12] = 'x';
  CHECK(read_back(other, 10).wrong == "it is no Roaring bitmap");
  // Whatever the bytes are, nothing is written behind the rows, and it ends.
  std::mt19937_64 random(2);
  const std::string good = roaring_of({1, 2, 3, 70'000, 70'001}, kind::runs);
  for (int i = 0; i < 1000; ++i) {
    std::string changed = good;
    for (int k = 0; k < 3; ++k) changed[random() % changed.size()] = static_cast<char>(random());
    const marked found = read_back(changed, 70'002);
    CHECK((!found.wrong.empty() || found.count == static_cast<std::int64_t>(found.values.size())));
  }
}

TEST_CASE("delta: rows that a vector deletes are not read, wherever it is stored") {
  const members gone = {0, 3, 4, 9};
  const std::string bitmap = roaring_of(gone, kind::plain);
  const texts left = {"1", "2", "5", "6", "7", "8"};
  const std::size_t size = bitmap.size() + magic.size();
  {
    const table_with_vector at;
    at.write("deletion_vector_01234567-89ab-cdef-0123-456789abcdef.bin", "x" + vector_file(bitmap));
    at.remove_rows(vector_text("u", "0v73CIl1[&0v73CIl1[&", size, gone.size(), 2));
    INFO(at.why_not());
    CHECK(at.rows() == left);
  }
  {
    const table_with_vector at;
    std::filesystem::create_directory(at.path() + "/a b");
    at.write("a b/v.bin", vector_file(bitmap));
    at.remove_rows(vector_text("p", "file://" + at.path() + "/a%20b/v.bin", size, gone.size()));
    CHECK(at.rows() == left);
  }
  {
    const table_with_vector at;
    at.remove_rows(vector_text("i", std::string(published), 44, 6));
    CHECK(at.why_not() ==
          "PMSTREAM451 the deletion vector cannot be read: it has rows that the data file does not have");
  }
  const delta::folder_store nowhere("/nowhere");
  const auto rows = value_of(delta::deleted_rows(nowhere, {"i", std::string(published), {}, 44, 6}, 30, "f"));
  members found;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i]) found.insert(i);
  CHECK(found == members{3, 4, 7, 11, 18, 29});
}

TEST_CASE("delta: a vector that is damaged is a failure that says what is wrong, and no row comes back") {
  const members gone = {0, 3};
  const std::string whole = vector_file(roaring_of(gone, kind::plain));
  const auto size = static_cast<std::size_t>(whole.size() - 9);
  const auto why = [&](const std::string& bytes, const std::string& vector) {
    const table_with_vector at;
    if (!bytes.empty()) at.write("v.bin", bytes);
    std::string text = vector;
    if (const auto place = text.find("HERE"); place != std::string::npos) text.replace(place, 4, at.path());
    at.remove_rows(text);
    return at.why_not();
  };
  const auto vector = [&](std::size_t bytes, std::size_t rows, int offset = 1) {
    return vector_text("p", "HERE/v.bin", bytes, rows, offset);
  };
  CHECK(why(whole, vector(size, 2)) == "");
  const auto says = [](const std::string& text, const char* wanted) {
    INFO(text);
    CHECK(text.find(wanted) != std::string::npos);
    CHECK(text.starts_with("PMSTREAM4"));
  };
  says(why(whole, vector(size, 3)), "it deletes 2 rows, and 3 by the log");
  says(why(whole, vector(size - 1, 2)), "bytes in the file and");
  says(why(whole.substr(0, whole.size() - 1), vector(size, 2)), "the file ends in the midst");
  says(why(whole, vector(size, 2, 90'000)), "the file ends in the midst");
  says(why(whole, vector(size, 2, -4)), "it begins at byte -4");
  says(why(whole, vector(std::size_t{1} << 40, 2)), "4 to 268435456 are possible");
  says(why(whole, vector(0, 2)), "4 to 268435456 are possible");
  std::string flipped = whole;
  flipped[20] = static_cast<char>(flipped[20] ^ 1);
  says(why(flipped, vector(size, 2)), "its checksum is wrong");
  std::string other_format = "\x01";
  const std::string native = std::string("\xd0\xd3\x39\x64", 4) + roaring_of(gone, kind::plain);
  append_big(other_format, static_cast<std::uint32_t>(native.size()));
  other_format += native;
  append_big(other_format, delta::crc32(native));
  says(why(other_format, vector(size, 2)), "it is of an unknown format");
  says(why("", vector(size, 2)), "No such file");
  says(why("", vector_text("u", "short", size, 2)), "`short` names no file");
  says(why("", vector_text("i", "0000", 4, 2)), "no Base85 of 4 bytes");
  says(why("", vector_text("z", "ab", size, 2)), "in the way `z`");
}

TEST_CASE("delta: a stream reads the rows that are left, and a table with vectors is not written to") {
  const members gone = {0, 3, 4, 9};
  const std::string bitmap = roaring_of(gone, kind::runs);
  const table_with_vector at;
  at.write("v.bin", vector_file(bitmap));
  at.remove_rows(vector_text("p", at.path() + "/v.bin", bitmap.size() + magic.size(), gone.size()));
  const auto from = value_of(make_delta_source({.connector = "delta", .options = {{"path", at.path()}}}));
  succeed(from->open(numbers));
  struct counter : intake {
    std::vector<std::int64_t> positions;
    result<void> rows(const block& typed) override {
      positions.insert(positions.end(), typed.positions.begin(), typed.positions.end());
      return {};
    }
    result<void> lines(std::string_view, std::int64_t, std::string_view) override { return {}; }
  } into;
  for (const split_range& each : value_of(from->plan({.max_rows = 4}))) succeed(from->read(each, into));
  for (const split_range& each : value_of(from->plan({.max_rows = 4}))) succeed(from->read(each, into));
  CHECK(into.positions == std::vector<std::int64_t>{0, 1, 2, 3, 4, 5});
  const auto writer = at.sink_for();
  const auto opened = writer->open(numbers, output_mode::append, {"q", "n"});
  REQUIRE_FALSE(opened.ok());
  CHECK(opened.error().code == "PMSTREAM446");
  CHECK(opened.error().message.find("deletionVectors") != std::string::npos);
  CHECK(opened.error().help.find("REORG TABLE") != std::string::npos);
}
