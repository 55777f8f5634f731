#pragma once
#include <etlantic/contract/schema.hpp>
#include <etlantic/core/output_mode.hpp>

#include <cstddef>
#include <string>

namespace etlantic {

/// What a stage needs to know of the step around it.
struct stage_place {
  output_mode mode = output_mode::append;
  std::string step;
  const schema* late = nullptr;
  std::size_t late_port = 0;
  const schema* invalid = nullptr;
  std::size_t invalid_port = 0;
};

}  // namespace etlantic
