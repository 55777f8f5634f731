#pragma once
#include <etlantic/runtime/source.hpp>

#include <cstdint>
#include <span>
#include <string_view>

namespace etlantic {

/// What a message is beside its value.
struct message_details {
  std::int64_t position = 0;
  std::int64_t time = 0;  ///< in microseconds since 1970
  bool has_value = true;
};

/// A key or a header, where it lies in the texts of a batch.
struct message_text {
  std::uint32_t begin = 0;
  std::uint32_t size = 0;
  bool is_there = false;
};

/// Messages of one partition, for a contract `record<...>`. Messages without a value are rows if the contract says so;
/// others are not among `details`.
struct message_batch {
  std::string_view topic{};
  std::int32_t partition = 0;
  std::string_view bytes{};                    ///< of the values, as `intake::documents` takes them
  std::span<const document> documents{};       ///< the values, in the order of `details`
  std::span<const message_details> details{};  ///< of each message, in the order of positions
  std::string_view texts{};                    ///< keys and headers; looked at during the call only
  std::span<const message_text> places{};      ///< of each message all that the contract asks for, in its order
};

}  // namespace etlantic
