#pragma once
#include <stdexcept>

namespace etlantic {

/// A setting of an expression that only a library can judge, such as a regular expression, cannot work. Thrown while a
/// query starts, which turns it into a failure of the step.
struct refused_setting : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

}  // namespace etlantic
