#pragma once
#include <etlantic/core/text.hpp>
#include <etlantic/core/time.hpp>

#include <cstdint>

namespace etlantic {

/// A row that broke its contract, as the `invalid` output of an extract gives it; or what a step computed and that does
/// not fit contract `Contract`, as the step's `invalid` output gives it. A replay of its batch gives the same row,
/// observed time included, and the sink's ledger keeps it from being published twice.
template <class Contract>
struct rejected {
  text split;             ///< the file or partition that the row came from; of a computed row the step
  std::int64_t position;  ///< its byte or message offset there; of a computed row a digest of what it is the result of
  text code;              ///< stable code: PMSTREAM201 malformed, 202 invalid; 480 to 482 from steps
  text field;             ///< the first field that is wrong, in contract order; empty for malformed rows
  text reason;            ///< what is wrong with that field: `missing`, `out_of_range`, `overflow`, ...
  text violations;        ///< all of it: `field=reason` separated by `;`, in contract order
  binary payload;         ///< the row as it came, byte for byte; from steps the input row or the result as JSON
  timestamp observed_time;  ///< when the batch that read it was planned
  text pipeline;            ///< id of the pipeline
  text contract;            ///< id and version of the contract
};

}  // namespace etlantic
