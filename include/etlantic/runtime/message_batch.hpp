#pragma once
#include <etlantic/column/block.hpp>
#include <etlantic/runtime/source.hpp>

#include <algorithm>
#include <cstddef>
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

/// Tells what messages of a batch have beside their values, by their place in it.
class message_origins {
 public:
  virtual ~message_origins() = default;
  virtual row_origin origin_of(std::size_t message) const = 0;
};

/// Messages of one partition, with what they have beside their values. Those without a value are rows if the contract
/// says so; others are not among `details`.
struct message_batch {
  std::string_view topic{};
  std::int32_t partition = 0;
  std::string_view bytes{};                    ///< of the values, as `intake::documents` takes them
  std::span<const document> documents{};       ///< the values, in the order of `details`
  std::span<const message_details> details{};  ///< of each message, in the order of positions
  std::string_view texts{};                    ///< keys and headers; looked at during the call only
  std::span<const message_text> places{};      ///< of each message all that the contract asks for, in its order
  const message_origins* origins = nullptr;    ///< null: nobody wants to know
};

/// Gives rejected rows of a batch, in order, what their messages have beside the value.
inline void add_origins(block& rejected, const message_batch& of) {
  if (of.origins == nullptr) return;
  rejected.origins.clear();
  for (const std::int64_t position : rejected.positions) {
    const auto found =
        std::lower_bound(of.details.begin(), of.details.end(), position,
                         [](const message_details& each, std::int64_t at) { return each.position < at; });
    rejected.origins.push_back(of.origins->origin_of(static_cast<std::size_t>(found - of.details.begin())));
  }
}

}  // namespace etlantic
