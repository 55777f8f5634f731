#pragma once
#include <etlantic/core/result.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace etlantic {

struct yaml_tree;

/// A status or a report as it was read from its file. A member that is not there is empty, or 0: newer files may have
/// more of them and older ones fewer.
class run_document {
 public:
  /// A file of another format is refused with what it is.
  static result<run_document> read(const std::string& path, std::string_view format);

  /// The value of a member; `rows.read` is one inside another.
  std::string text(std::string_view member) const;
  std::int64_t integer(std::string_view member) const;
  double number(std::string_view member) const;
  bool has(std::string_view member) const;
  run_document inside(std::string_view member) const;
  std::vector<run_document> items(std::string_view member) const;
  std::vector<std::string> texts(std::string_view member) const;

  const std::string& bytes() const { return bytes_; }

 private:
  const yaml_tree* find(std::string_view member) const;

  std::shared_ptr<const yaml_tree> root_;
  std::string bytes_;
};

}  // namespace etlantic
