#pragma once
#include <etlantic/core/text.hpp>
#include <etlantic/core/time.hpp>

#include <cstdint>

namespace etlantic {

/// A row that broke its contract, as the `invalid` output of an extract gives it. A replay of its batch gives the
/// same row, observed time included, and the sink's ledger keeps it from being published twice.
template <class Contract>
struct rejected {
  text split;              ///< the file or partition that the row came from
  std::int64_t position;   ///< its byte or message offset there
  text code;               ///< stable code: PMSTREAM201 malformed, PMSTREAM202 invalid
  text field;              ///< the first field that is wrong, in contract order; empty for malformed rows
  text reason;             ///< what is wrong with that field: `missing`, `out_of_range`, ...
  text violations;         ///< all of it: `field=reason` separated by `;`, in contract order
  binary payload;          ///< the row as it came, byte for byte
  timestamp observed_time; ///< when the batch that read it was planned
  text pipeline;           ///< id of the pipeline
  text contract;           ///< id and version of the contract
};

}  // namespace etlantic
