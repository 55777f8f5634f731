#pragma once

/// What users test their pipelines with: docs/testing.md. Included by tests only.

#include <etlantic/etlantic.hpp>
#include <etlantic/testing/contract_test.hpp>
#include <etlantic/testing/pipeline_test.hpp>
