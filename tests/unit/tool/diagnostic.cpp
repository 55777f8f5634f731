#include <etlantic/tool/diagnostic.hpp>

#include "support/catch.hpp"

using namespace etlantic;

namespace {

report two_findings() {
  report found;
  found.add({"PMCFG310",
             severity::error,
             "\"conector\" is not a key of an asset",
             "assets.a.conector",
             "did you mean \"connector\"?",
             {"local.yaml", 4, 5}});
  found.add({"PMPIPE230", severity::warning, "nothing reads the output a.late", "Orders", "", {}});
  return found;
}

}  // namespace

TEST_CASE("a diagnostic says what, where and what to do") {
  CHECK(to_text(two_findings()) ==
        "local.yaml:4:5: error PMCFG310: \"conector\" is not a key of an asset\n"
        "  where: assets.a.conector\n"
        "  help: did you mean \"connector\"?\n"
        "warning PMPIPE230: nothing reads the output a.late\n"
        "  where: Orders\n"
        "1 error, 1 warning\n");
}

TEST_CASE("a failure at run time is printed in the same manner") {
  CHECK(to_text(failure{failure_class::checkpoint, "PMSTREAM431", "the checkpoint is in use", "orders.checkpoint",
                        "stop the other process first"}) ==
        "error PMSTREAM431: the checkpoint is in use\n"
        "  where: orders.checkpoint\n"
        "  help: stop the other process first\n");
}

TEST_CASE("a report is one JSON document") {
  CHECK(to_json(two_findings()) ==
        "{\n"
        "  \"valid\": false,\n"
        "  \"errors\": 1,\n"
        "  \"warnings\": 1,\n"
        "  \"diagnostics\": [\n"
        "    {\n"
        "      \"code\": \"PMCFG310\",\n"
        "      \"severity\": \"error\",\n"
        "      \"message\": \"\\\"conector\\\" is not a key of an asset\",\n"
        "      \"path\": \"assets.a.conector\",\n"
        "      \"help\": \"did you mean \\\"connector\\\"?\",\n"
        "      \"file\": \"local.yaml\",\n"
        "      \"line\": 4,\n"
        "      \"column\": 5\n"
        "    },\n"
        "    {\n"
        "      \"code\": \"PMPIPE230\",\n"
        "      \"severity\": \"warning\",\n"
        "      \"message\": \"nothing reads the output a.late\",\n"
        "      \"path\": \"Orders\",\n"
        "      \"help\": \"\"\n"
        "    }\n"
        "  ]\n"
        "}\n");
  CHECK(to_json(report{}) == "{\n  \"valid\": true,\n  \"errors\": 0,\n  \"warnings\": 0,\n  \"diagnostics\": []\n}\n");
}

TEST_CASE("the same finding is reported once") {
  report found = two_findings();
  found.add(two_findings());
  CHECK(found.found.size() == 2);
  CHECK_FALSE(found.valid());
}
