#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace etlantic::kernel {

/// When a session may close: as it was when that was noted, for sessions grow.
struct closing_time {
  std::int64_t end;
  std::uint32_t session;
  std::uint32_t generation;  // of the session's place, which may have gone to another one since
};

/// Closing times by short pieces of time, so that what closes is found without a look at what stays open, but for one
/// piece. Every session has a closing time; if it has grown when that comes, it gets another. A heap would sort what is
/// sorted by the stage later, for the sessions that do close.
class closing_queue {
 public:
  void add(closing_time at) {
    const std::int64_t piece = piece_of(at.end);
    if (last_ == nullptr || piece != last_piece_) {  // most come one behind the other
      last_ = &pieces_[piece];
      last_piece_ = piece;
    }
    last_->push_back(at);
    ++size_;
  }

  /// Takes out those up to a watermark, in no order, and visits them; later ones may be added meanwhile.
  template <class Visit>
  void take_until(std::int64_t watermark, Visit&& visit) {
    const std::int64_t last = piece_of(watermark);
    while (!pieces_.empty() && pieces_.begin()->first <= last) {
      const auto taken = pieces_.extract(pieces_.begin());
      last_ = nullptr;  // which may be this one
      size_ -= taken.mapped().size();
      for (const closing_time& each : taken.mapped()) {
        if (each.end <= watermark)
          visit(each);
        else
          add(each);
      }
      if (taken.key() == last) break;  // what is there now comes later
    }
  }

  std::size_t size() const { return size_; }
  std::size_t bytes() const {
    constexpr std::size_t links = 4 * sizeof(void*);
    return pieces_.size() * (sizeof(decltype(pieces_)::value_type) + links) + 2 * size_ * sizeof(closing_time);
  }

 private:
  /// Pieces of about 65 milliseconds.
  static constexpr std::int64_t piece_of(std::int64_t time) { return time >> 16; }

  std::map<std::int64_t, std::vector<closing_time>> pieces_;
  std::vector<closing_time>* last_ = nullptr;  // piece that one was added to
  std::int64_t last_piece_ = 0;
  std::size_t size_ = 0;
};

}  // namespace etlantic::kernel
