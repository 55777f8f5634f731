// expect: a local time needs the name of a time zone as the IANA data base has it, such as Europe/Berlin
// names: Order
// names: "placed"
// means: A text without a zone says nothing until a zone is named. Names are those of the IANA data base; whether this
// means: system has the zone is asked when the pipeline starts.
#include <etlantic/graph/bare.hpp>

using namespace etlantic;

#ifdef ETLANTIC_MUST_FAIL
struct Order {
  local_time<"Europe/New York"> placed;
};
#else
struct Order {
  local_time<"America/New_York"> placed;
};
#endif

constexpr auto orders = from<Order>("orders");
