// expect: rows cannot be grouped by a struct or a list
// names: "tags"
// names: vector
// means: Group keys are compared for equality and kept in the state, which structs and lists are not made for. Group
// means: by the single fields that identify the group.
#include <etlantic/graph/bare.hpp>
#include <etlantic/graph/group_by.hpp>

using namespace etlantic;

struct Post {
  text author;
  std::vector<text> tags;
};

#ifdef ETLANTIC_MUST_FAIL
constexpr auto rows = from<Post>("posts") | group_by<"tags">;
#else
constexpr auto rows = from<Post>("posts") | group_by<"author">;
#endif
