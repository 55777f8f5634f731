#pragma once
#include <etlantic/core/constant_text.hpp>

#include <functional>
#include <mutex>
#include <set>
#include <string>

namespace etlantic {

[[gnu::used]] inline std::string_view kept_text(std::string_view characters) {
  static std::mutex guard;
  static auto& kept = *new std::set<std::string, std::less<>>;  // a pipeline may be a global object that dies later
  const std::lock_guard alone(guard);
  const auto found = kept.find(characters);
  return found != kept.end() ? *found : *kept.emplace(characters).first;
}

}  // namespace etlantic
