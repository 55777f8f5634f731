#pragma once
#include <etlantic/column/variable_size.hpp>
#include <etlantic/contract/schema.hpp>
#include <etlantic/core/output_mode.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace etlantic {

/// A late output of a step: what its rows are, and which of the step's ports it is.
struct late_output {
  const schema* contract = nullptr;  ///< null: late rows are counted and not given out
  std::size_t port = 0;
};

/// What a stage needs to know of the step around it.
struct stage_place {
  output_mode mode = output_mode::append;
  std::string step;
  const schema* late = nullptr;  // of the stream at hand
  std::size_t late_port = 0;
  const schema* invalid = nullptr;
  std::size_t invalid_port = 0;
  bool is_union_part = false;                         // what passes is looked at behind a union
  bool keeps_origins = false;                         // somebody asks which row a result was
  std::vector<late_output> late_inputs{};             // for rows of the step's inputs
  late_output late_union{};                           // for rows of a union
  std::size_t most_bytes = variable_bytes_per_block;  // of texts and lists in a block that is put together

  /// The same for a stream whose late rows go to one of these.
  stage_place with_late(const late_output& output) const {
    stage_place made = *this;
    made.late = output.contract;
    made.late_port = output.port;
    return made;
  }
  stage_place with_late_input(std::size_t input) const {
    return with_late(input < late_inputs.size() ? late_inputs[input] : late_output{});
  }
};

}  // namespace etlantic
