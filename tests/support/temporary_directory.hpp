#pragma once
#include <etlantic/testing/test_folder.hpp>

namespace etlantic::test {

/// A directory that is there for one test: that of the test kit.
using temporary_directory = test_kit::test_folder;

}  // namespace etlantic::test
