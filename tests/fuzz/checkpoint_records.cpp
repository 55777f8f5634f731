#include "fuzz/target.hpp"

#include <etlantic/runtime/batch_record.hpp>
#include <etlantic/runtime/batch_record_text.hpp>
#include <etlantic/runtime/checkpoint_identity.hpp>
#include <etlantic/runtime/checkpoint_snapshot.hpp>
#include <etlantic/runtime/checksum.hpp>

// Any bytes as a file of a checkpoint. As they are nearly all are refused for their checksum; so they are tried again
// with a closing line that is right, as a writer with a mistake in it would leave them. What is accepted is written
// back with the same bytes.

using namespace etlantic;

namespace {

template <class Read, class Write>
void check(const std::string& bytes, Read read, Write write) {
  const auto found = read(bytes);
  if (!found) {
    test::promise(!found.error().message.empty(), "a refusal says why");
    test::promise(found.error().message.find("fuzz") != std::string::npos ||
                      found.error().where.find("fuzz") != std::string::npos,
                  "a refusal names the file");
    return;
  }
  const auto again = read(write(*found));
  test::promise(again.ok() && *again == *found, "what was read is written back and means the same");
}

void check_all(const std::string& bytes) {
  check(
      bytes, [](const std::string& text) { return read_plan_record(text, "fuzz"); },
      [](const plan_record& record) { return to_record(record); });
  check(
      bytes, [](const std::string& text) { return read_commit_record(text, "fuzz"); },
      [](const commit_record& record) { return to_record(record); });
  check(
      bytes, [](const std::string& text) { return read_identity_record(text, "fuzz"); },
      [](const checkpoint_identity& record) { return to_record(record); });
  static_cast<void>(loaded_snapshot::read(bytes, "fuzz"));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  check_all(bytes);
  std::size_t end = bytes.rfind("{\"length\":");
  if (end == std::string::npos) end = bytes.size();
  std::string whole = bytes.substr(0, end);
  if (whole.empty() || whole.back() != '\n') whole += '\n';
  const std::string checksum(std::string_view(to_text(crc32c(whole))));
  whole += "{\"length\":" + std::to_string(whole.size()) + ",\"crc32c\":\"" + checksum + "\"}\n";
  check_all(whole);
  return 0;
}
