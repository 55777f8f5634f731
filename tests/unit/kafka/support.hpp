#pragma once
#include "support/catch.hpp"

#include <etlantic/connect/kafka/source.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace etlantic::test {

/// What a source hands over, as `offset:text` by split.
struct taken_documents final : intake {
  std::map<std::string, std::vector<std::string>> by_split;
  std::int64_t skipped_records = 0;
  std::size_t calls = 0;

  result<void> lines(std::string_view, std::int64_t, std::string_view) override {
    FAIL("messages are no lines");
    return {};
  }
  result<void> rows(const block&) override {
    FAIL("messages are no columns");
    return {};
  }
  result<void> documents(std::string_view split, std::string_view bytes, std::span<const document> each) override {
    ++calls;
    for (const document& one : each) {
      if (bytes.at(one.begin + one.size) != '\n') FAIL("no line feed behind a document");
      by_split[std::string(split)].push_back(std::to_string(one.position) + ":" +
                                             std::string(bytes.substr(one.begin, one.size)));
    }
    return {};
  }
  void skipped(std::int64_t records) override { skipped_records += records; }

  std::size_t count() const {
    std::size_t sum = 0;
    for (const auto& [split, documents] : by_split) sum += documents.size();
    return sum;
  }
};

inline std::vector<std::string> texts_of(const std::vector<split_range>& ranges) {
  std::vector<std::string> texts;
  for (const split_range& each : ranges)
    texts.push_back(each.split + " " + std::to_string(each.begin) + ".." + std::to_string(each.end));
  return texts;
}

inline std::vector<split_range> planned(source& from, const intake_limits& limits = {}) {
  auto ranges = from.plan(limits);
  if (!ranges) FAIL(ranges.error().code + " " + ranges.error().message);
  return *ranges;
}

inline taken_documents read_all(source& from, const std::vector<split_range>& ranges) {
  taken_documents taken;
  for (const split_range& each : ranges)
    if (auto done = from.read(each, taken); !done) FAIL(done.error().code + " " + done.error().message);
  return taken;
}

}  // namespace etlantic::test
