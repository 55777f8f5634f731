#include "support/catch.hpp"
#include "support/decoded_rows.hpp"

#include <etlantic/connect/json/decoder.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <string_view>

using namespace etlantic;

namespace {

/// Bytes with the 64 readable ones that decoders ask for, between pages that nobody may touch: the bytes begin or the
/// readable ones end at such a page. Sanitizers do not see what vector instructions read.
class guarded_bytes {
 public:
  enum class edge { front, back };

  guarded_bytes(std::string_view bytes, edge which) {
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const std::size_t inside = (bytes.size() + 64 + page - 1) / page * page;
    size_ = inside + 2 * page;
    memory_ = static_cast<char*>(::mmap(nullptr, size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    REQUIRE(memory_ != MAP_FAILED);
    REQUIRE(::mprotect(memory_ + page, inside, PROT_READ | PROT_WRITE) == 0);
    char* const begin = which == edge::front ? memory_ + page : memory_ + page + inside - 64 - bytes.size();
    std::memcpy(begin, bytes.data(), bytes.size());
    std::memset(begin + bytes.size(), '"', 64);
    view_ = {begin, bytes.size()};
  }
  guarded_bytes(const guarded_bytes&) = delete;
  guarded_bytes& operator=(const guarded_bytes&) = delete;
  ~guarded_bytes() { ::munmap(memory_, size_); }

  std::string_view view() const { return view_; }

 private:
  char* memory_ = nullptr;
  std::size_t size_ = 0;
  std::string_view view_;
};

const std::string_view states[] = {"on", "off", "somewhere_between"};
const field_description fields[] = {test::plain_field("n", logical_type::int64), test::decimal_field("d", 18, 2),
                                    test::nullable(test::plain_field("t", logical_type::text)),
                                    test::enum_field("s", states), test::plain_field("at", logical_type::timestamp)};
const schema narrow{.id = "rows", .version = "1.0.0", .fields = fields};
const schema one{.id = "rows", .version = "1.0.0", .fields = std::span(fields).first(1)};

void decode(const schema& contract, const std::string& bytes) {
  for (const instruction_set each : {instruction_set::baseline, instruction_set::avx2, instruction_set::avx512}) {
    if (each > available_instruction_set()) continue;
    for (const auto which : {guarded_bytes::edge::front, guarded_bytes::edge::back}) {
      const guarded_bytes guarded(bytes, which);
      const auto decoder = make_json_decoder(contract, test::rejected_schema(), {}, {.instructions = each});
      test::decoded_rows seen;
      REQUIRE(decoder->decode("s", 0, guarded.view(), seen).ok());
      REQUIRE(decoder->counts().valid + decoder->counts().invalid == decoder->counts().rows);
    }
  }
}

}  // namespace

TEST_CASE("nothing is read before the bytes or further than 64 bytes behind them") {
  const std::string line = R"({"n":12,"d":3.45,"t":"a text","s":"off","at":"2026-01-01T00:00:00.000001Z"})"
                           "\n";
  std::string many;
  for (int i = 0; i < 400; ++i) many += line;
  decode(narrow, many);
  // Cut off at every place, so that every kind of value is the last one; short and long inputs go different ways.
  for (std::size_t cut = 0; cut <= line.size(); ++cut) {
    decode(narrow, line.substr(0, cut));
    decode(narrow, many + line.substr(0, cut));
    decode(narrow, line.substr(cut) + many);
  }
}

TEST_CASE("the same for lines that are as short as can be") {
  std::string many;
  for (int i = 0; i < 3000; ++i) many += "{\"n\":7}\n";
  for (std::size_t cut = 0; cut < 16; ++cut) {
    decode(one, many.substr(cut));
    decode(one, many.substr(0, many.size() - cut));
  }
  decode(one, std::string(20'000, '\n'));
  decode(one, std::string(20'000, '"'));
  decode(one, std::string(20'000, '{'));
  decode(one, many + "{" + std::string(200, ' '));
  decode(one, many + "{\"n\"" + std::string(200, ' '));
  decode(one, many + "{\"n\":" + std::string(200, ' '));
  decode(one, many + "{\"n\":\"" + std::string(200, 'x'));
}
