// expect: in_zone needs the name of a time zone as the IANA data base has it, such as Europe/Berlin
// names: "Berlin, Germany"
// means: Names are those of the IANA data base; whether this system has the zone is asked when the pipeline starts.
#include <etlantic/graph/aggregate.hpp>
#include <etlantic/graph/bare.hpp>
#include <etlantic/graph/watermark.hpp>

using namespace etlantic;
using namespace std::chrono_literals;

struct Sale {
  std::int64_t amount;
  timestamp time;
};

struct Day {
  timestamp window_start;
  std::int64_t amount;
};

#ifdef ETLANTIC_MUST_FAIL
constexpr auto window = tumbling<"time">(calendar::day, in_zone<"Berlin, Germany">);
#else
constexpr auto window = tumbling<"time">(calendar::day, in_zone<"Europe/Berlin">);
#endif

constexpr auto days = from<Sale>("sales")
                    | watermark<"time">(1min)
                    | window
                    | aggregate<Day>(named<"amount"> = sum(field<"amount">))
                    | into("days");
