#pragma once
#include <etlantic/tool/progress_record.hpp>

#include <string>

namespace etlantic {

/// What a run did, for people: the rows of every node with the equation that they satisfy, why rows were invalid, how
/// long it took and where the results lie.
std::string summary_text(const program& what, const run_summary& run);

/// The one line that is redrawn while a query runs, cut to the width of the terminal.
std::string live_text(const progress& totals, const progress& last, double rows_per_second, int columns);

/// `5.20 M`, `812 k`, `95`: what the eye can follow.
std::string short_number(double number);

}  // namespace etlantic
