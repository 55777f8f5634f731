#pragma once
#include <etlantic/runtime/program.hpp>
#include <etlantic/runtime/progress.hpp>

#include <string>
#include <vector>

namespace etlantic {

/// The equations that must hold in every batch and in every run: read = valid + invalid for each extract; received =
/// filtered + late + kept for each step; and a step fed by the valid rows of an extract received all of them. One
/// sentence for each that does not.
std::vector<std::string> imbalances(const program& what, const progress& done);

}  // namespace etlantic
