#pragma once

// Debian 12 has Catch2 2; newer systems have version 3, whose headers are named otherwise.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif
