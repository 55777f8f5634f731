#pragma once
#include <etlantic/connect/kafka/failure.hpp>
#include <etlantic/connect/kafka/topic_pattern.hpp>

#include <regex.h>

#include <utility>

namespace etlantic::kafka {

[[gnu::used]] inline result<topic_pattern> topic_pattern::compile(const std::string& expression) {
  if (expression.empty() || expression.find('\0') != std::string::npos)
    return wrong_option("the option topic_pattern is not a regular expression", "write one, such as orders[.].*");
  auto* const made = new ::regex_t;
  const int error = ::regcomp(made, ("^(" + expression + ")$").c_str(), REG_EXTENDED | REG_NOSUB);
  if (error != 0) {
    char reason[256];
    ::regerror(error, made, reason, sizeof reason);
    delete made;
    return wrong_option("the option topic_pattern is `" + expression + "`: " + reason,
                        "write an extended regular expression of POSIX that fits whole names, such as orders[.].*");
  }
  topic_pattern found;
  found.expression_ = expression;
  found.compiled_ = std::shared_ptr<const void>(made, [](const void* compiled) {
    auto* const owned = static_cast<::regex_t*>(const_cast<void*>(compiled));
    ::regfree(owned);
    delete owned;
  });
  return found;
}

[[gnu::used]] inline bool topic_pattern::fits(const std::string& topic) const {
  if (compiled_ == nullptr || topic.starts_with("__")) return false;
  return ::regexec(static_cast<const ::regex_t*>(compiled_.get()), topic.c_str(), 0, nullptr, 0) == 0;
}

}  // namespace etlantic::kafka
