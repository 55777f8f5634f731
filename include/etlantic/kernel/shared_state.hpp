#pragma once
#include <cstddef>
#include <memory>

namespace etlantic::kernel {

/// Something large that a state keeps once there is anything to keep. Copies share it until one of them changes, since
/// groups are copied to be looked at.
template <class T>
class shared_state {
 public:
  /// As it is now; nullptr where nothing has been added.
  const T* get() const { return kept_.get(); }

  /// To change it.
  T& own() {
    if (kept_ == nullptr)
      kept_ = std::make_shared<T>();
    else if (kept_.use_count() > 1)
      kept_ = std::make_shared<T>(*kept_);
    return *kept_;
  }

  /// As `T::merge`, but a first part is shared.
  void merge(const shared_state& other) {
    if (other.kept_ == nullptr) return;
    if (kept_ == nullptr)
      kept_ = other.kept_;
    else {
      const std::shared_ptr<T> merged = other.kept_;  // so that merging it with itself works, too
      own().merge(*merged);
    }
  }

  std::size_t heap_bytes() const { return kept_ == nullptr ? 0 : sizeof(T) + kept_->heap_bytes(); }

 private:
  std::shared_ptr<T> kept_;
};

}  // namespace etlantic::kernel
