#include <etlantic/contract/contract.hpp>

#include <cstdint>
#include <string_view>
#include <type_traits>

namespace named_space {
struct inside {
  int a_1;
  int _b;
};
template <class T>
struct generic {
  T value;
};
}  // namespace named_space

namespace {
struct hidden {
  int visible_name;
  double second;
};
}  // namespace

namespace etlantic {
namespace {

static_assert(member_count<named_space::inside> == 2);
static_assert(member_names<named_space::inside>[0] == "a_1" && member_names<named_space::inside>[1] == "_b");
static_assert(member_names<hidden>[0] == "visible_name" && member_names<hidden>[1] == "second");
static_assert(std::is_same_v<member_type<hidden, 1>, double>);
static_assert(member_index<hidden>("second") == 1 && member_index<hidden>("third") == 2 &&
              member_index<hidden>("") == 2);

constexpr bool local_struct() {
  struct local {
    int first_of_local;
    double second_of_local;
  };
  static_assert(Contract<local>);
  static_assert(member_names<local>[0] == "first_of_local" && member_names<local>[1] == "second_of_local");
  local object{1, 2.5};
  member<0>(object) = 3;
  return object.first_of_local == 3 && member<1>(static_cast<const local&>(object)) == 2.5;
}
static_assert(local_struct());

struct outer {
  struct nested {
    int deep;
  };
};
static_assert(member_names<outer::nested>[0] == "deep");

static_assert(short_type_name<int>() == "int");
static_assert(short_type_name<named_space::inside>() == "inside");
static_assert(short_type_name<hidden>() == "hidden");
static_assert(short_type_name<outer::nested>() == "nested");
static_assert(short_type_name<named_space::generic<int>>() == "generic<int>");

}  // namespace
}  // namespace etlantic
