#include "support/data.hpp"

std::filesystem::path etlantic::test::tests_folder() { return ETLANTIC_TESTS_FOLDER; }
