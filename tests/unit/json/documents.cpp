#include "support/catch.hpp"
#include "support/decoded_rows.hpp"

#include <etlantic/connect/json/decoder.hpp>

#include <random>
#include <string>
#include <vector>

using namespace etlantic;

namespace {

const field_description fields[] = {test::plain_field("id", logical_type::int64),
                                    test::nullable(test::plain_field("note", logical_type::text))};
const schema contract{.id = "rows", .version = "1.0.0", .fields = fields};

/// Messages one behind the other, as `intake::documents` asks for them. Positions have gaps, as offsets have.
struct gathered {
  explicit gathered(const std::vector<std::string>& messages) {
    std::int64_t position = 1000;
    for (const std::string& each : messages) {
      documents.push_back(
          {static_cast<std::uint32_t>(bytes.size()), static_cast<std::uint32_t>(each.size()), position});
      bytes += each + '\n';
      position += 3;
    }
  }

  std::string bytes;
  std::vector<document> documents;
};

std::vector<std::string> decode(const std::vector<std::string>& messages, std::size_t max_line_bytes = 1 << 20) {
  const gathered all(messages);
  std::vector<std::string> texts[2];
  for (const bool fast : {false, true}) {
    const auto decoder = make_json_decoder(contract, test::rejected_schema(), {"pipeline", "rows 1.0.0"},
                                           {.fast_path = fast, .max_line_bytes = max_line_bytes});
    test::decoded_rows seen;
    const test::padded_bytes padded(all.bytes);
    const auto rows = decoder->decode_documents("orders/0", padded.view(), all.documents, seen);
    REQUIRE(rows.ok());
    CHECK(static_cast<std::size_t>(*rows) == messages.size());
    CHECK(seen.in_order);
    for (std::size_t i = 0; i < messages.size(); ++i) {
      const auto found = seen.rows.find(all.documents[i].position);
      REQUIRE(found != seen.rows.end());
      texts[fast].push_back(found->second);
    }
    CHECK(seen.rows.size() == messages.size());
  }
  CHECK(texts[0] == texts[1]);
  return texts[1];
}

using texts = std::vector<std::string>;

}  // namespace

TEST_CASE("each document is a row under its own position") {
  CHECK(decode({R"({"id":1})", R"({"id":"x"})", R"({"id":3,"note":"a"})"}) ==
        texts{"valid 1 null", "PMSTREAM202 id=wrong_type {\"id\":\"x\"}", "valid 3 'a'"});
}

TEST_CASE("a document may have line feeds between its values and none in its texts") {
  CHECK(decode({"{\n  \"id\": 1,\n  \"note\": \"a\"\n}", R"({"id":2})", "{\"id\":3,\"note\":\"a\nb\"}",
                "{\"id\":4}\r\n"}) ==
        texts{"valid 1 'a'", "valid 2 null", "PMSTREAM201 malformed {\"id\":3,\"note\":\"a\nb\"}", "valid 4 null"});
}

TEST_CASE("KS-13: an empty document is a wrong row, not a blank line") {
  CHECK(decode({"", R"({"id":2})", "  ", "\n"}) ==
        texts{"PMSTREAM201 malformed ", "valid 2 null", "PMSTREAM201 malformed   ", "PMSTREAM201 malformed \n"});
}

TEST_CASE("the payload of a wrong document is what came, carriage return and all") {
  CHECK(decode({"{\"id\":1}\r", "{\"id\":}\r"}) == texts{"valid 1 null", "PMSTREAM201 malformed {\"id\":}\r"});
}

TEST_CASE("a document has no byte order mark, wherever it stands") {
  CHECK(decode({"\xef\xbb\xbf{\"id\":1}"}) == texts{"PMSTREAM201 malformed \xef\xbb\xbf{\"id\":1}"});
}

TEST_CASE("a document that is too long leaves its neighbours alone") {
  const std::string longer = R"({"id":2,"note":")" + std::string(100, 'n') + "\"}";
  const texts rows = decode({R"({"id":1})", longer, R"({"id":3})"}, 50);
  CHECK(rows[0] == "valid 1 null");
  CHECK(rows[1] == "PMSTREAM201 too_long " + longer);
  CHECK(rows[2] == "valid 3 null");
}

TEST_CASE("many documents of all kinds keep their positions") {
  std::mt19937 random(7);
  std::vector<std::string> messages;
  std::vector<std::string> expected;
  for (int i = 0; i < 30'000; ++i) {
    const std::string id = std::to_string(i);
    switch (random() % 8) {
      case 0: messages.emplace_back(), expected.push_back("PMSTREAM201 malformed "); break;
      case 1: messages.push_back("{\n\"id\":" + id + "\n}"), expected.push_back("valid " + id + " null"); break;
      case 2:
        messages.push_back("{\"id\":" + id + ",}"), expected.push_back("PMSTREAM201 malformed " + messages.back());
        break;
      case 3: {
        // Now and then longer than what the decoder looks at in one go.
        const std::string note((random() % 400) * (i % 50 == 0 ? 100 : 1), 'x');
        messages.push_back("{\"id\":" + id + ",\"note\":\"" + note + "\"}");
        expected.push_back("valid " + id + " '" + note + "'");
        break;
      }
      default: messages.push_back("{\"id\":" + id + "}"), expected.push_back("valid " + id + " null");
    }
  }
  CHECK(decode(messages) == expected);
}
