#define CATCH_CONFIG_RUNNER
#include "support/catch.hpp"

int main(int argument_count, char** arguments) { return Catch::Session().run(argument_count, arguments); }
