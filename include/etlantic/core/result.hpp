#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace etlantic {

/// What kind of thing went wrong at run time; it says whether a retry can help and who has to act.
enum class failure_class {
  connectivity,
  authentication,
  source_data,
  contract,
  state,
  checkpoint,
  sink_conflict,
  sink_rejected,
  resource_exhausted,
  configuration,
  internal,
};

/// A run-time failure: what, where, and what to do. `code` is stable (PMSTREAM4xx and its families).
struct failure {
  failure_class kind = failure_class::internal;
  std::string code;
  std::string message;
  std::string where;
  std::string help;
};

/// A value, or the failure that prevented it.
template <class T>
class [[nodiscard]] result {
 public:
  result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  result(failure why) : state_(std::in_place_index<1>, std::move(why)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  failure& error() { return std::get<1>(state_); }
  const failure& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, failure> state_;
};

template <>
class [[nodiscard]] result<void> {
 public:
  result() {}  // were it defaulted, each `return {}` would clear the room for a failure first
  result(failure why) : state_(std::in_place_index<1>, std::move(why)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  failure& error() { return std::get<1>(state_); }
  const failure& error() const { return std::get<1>(state_); }

 private:
  std::variant<std::monostate, failure> state_;
};

constexpr std::string_view name_of(failure_class kind) {
  constexpr std::string_view names[] = {
      "connectivity",  "authentication", "source data",        "contract",      "state",   "checkpoint",
      "sink conflict", "sink rejected",  "resource exhausted", "configuration", "internal"};
  return names[static_cast<int>(kind)];
}

}  // namespace etlantic
