#pragma once
#include <etlantic/column/state_io.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace etlantic {

/// The groups whose wrong result has been told, where results come again in every batch that changes them. Part of the
/// state, so that a restart tells nothing twice.
class told_results {
 public:
  bool empty() const { return told_.empty(); }

  /// Whether the result was right (or not there) until now; `closes_at` is the watermark that closes its group.
  bool is_new(const std::string& identity, std::int64_t closes_at) { return told_.emplace(identity, closes_at).second; }
  void is_right_again(const std::string& identity) { told_.erase(identity); }

  void close(std::int64_t watermark) {
    std::erase_if(told_, [&](const auto& each) { return each.second <= watermark; });
  }

  std::size_t bytes() const {
    constexpr std::size_t links = 4 * sizeof(void*);
    std::size_t sum = 0;
    for (const auto& each : told_) sum += sizeof each + links + each.first.capacity();
    return sum;
  }

  void save(state_writer& into) const {
    into.put(static_cast<std::uint64_t>(told_.size()));
    for (const auto& [identity, closes_at] : told_) {
      into.put_text(identity);
      into.put(closes_at);
    }
  }
  void restore(state_reader& from) {
    told_.clear();
    if (from.at_end()) return;  // written before there were rejected results
    const auto count = from.get<std::uint64_t>();
    for (std::uint64_t i = 0; i < count && from.ok(); ++i) {
      const std::string identity(from.get_text());
      told_[identity] = from.get<std::int64_t>();
    }
  }

 private:
  std::map<std::string, std::int64_t> told_;
};

}  // namespace etlantic
