#pragma once
#include <etlantic/core/result.hpp>

#include <memory>
#include <string>

namespace etlantic::kafka {

/// A regular expression (POSIX, extended) that the names of topics have to fit as a whole. None fits an empty one.
/// Topics that begin with two underscores are Kafka's own and never fit.
class topic_pattern {
 public:
  topic_pattern() = default;
  static result<topic_pattern> compile(const std::string& expression);

  bool is_given() const { return compiled_ != nullptr; }
  bool fits(const std::string& topic) const;
  const std::string& expression() const { return expression_; }

 private:
  std::string expression_;
  std::shared_ptr<const void> compiled_;
};

}  // namespace etlantic::kafka
