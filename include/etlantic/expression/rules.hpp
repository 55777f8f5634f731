#pragma once
#include <etlantic/core/verdict.hpp>

namespace etlantic::rule {

struct operands_must_compare {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: the two sides of this comparison have different types");
  }
};

struct arithmetic_must_be_defined {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: this arithmetic is not defined for these types");
  }
};

struct decimal_must_fit_38_digits {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: the exact result of this arithmetic needs more than 38 digits");
  }
};

struct logic_needs_bools {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: and, or and not work on bools only");
  }
};

struct predicate_must_be_bool {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: a predicate must give a bool");
  }
};

struct aggregate_must_suit_its_type {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: this aggregate is not defined for values of this type");
  }
};

struct field_must_be_of_one_side {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>,
                  "etlantic: both sides of the join have a field with this name; say left<\"...\"> or right<\"...\">");
  }
};

struct field_must_be_of_a_side {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: neither side of the join has a field with this name");
  }
};

struct side_needs_a_join {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: left<\"...\"> and right<\"...\"> name fields of rows behind a join only");
  }
};

struct function_must_suit_its_arguments {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: this function is not defined for values of these types");
  }
};

struct values_must_have_one_type {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: no type can hold all the values that this expression may give");
  }
};

struct cast_must_be_defined {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: there is no cast between these types");
  }
};

struct cast_must_not_fail {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: this cast can fail; try_cast gives null then, checked_cast an invalid row");
  }
};

struct quantile_must_lie_between_0_and_1 {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>,
                  "etlantic: a quantile lies between 0 and 1: approximate_quantile<95> is 95 of 100, "
                  "approximate_quantile<999, 1000> 999 of 1000");
  }
};

struct collected_list_must_be_bounded {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: collect_list keeps between 1 and 10000 values of a group");
  }
};

struct user_aggregate_must_be_a_plain_struct {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>,
                  "etlantic: the struct of a user-defined aggregate is its state: public fields, no constructors, no "
                  "bases, no virtuals, no C arrays, copied as bytes");
  }
};

struct user_aggregate_must_have_fixed_width {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>,
                  "etlantic: the fields of a user-defined aggregate must be numbers, bools, enumerations, decimals, "
                  "times, arrays of them (std::array), or structs of them");
  }
};

struct user_aggregate_must_add {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>,
                  "etlantic: a user-defined aggregate needs a function add that takes the values of a row");
  }
};

struct user_aggregate_must_take_its_values {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>,
                  "etlantic: the function add of this user-defined aggregate does not take values of these types");
  }
};

struct user_aggregate_must_merge {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>,
                  "etlantic: a user-defined aggregate needs a function merge that takes another one of its kind by "
                  "const reference");
  }
};

struct user_aggregate_must_give_a_result {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>,
                  "etlantic: a user-defined aggregate needs a const function result that gives a value for a field");
  }
};

}  // namespace etlantic::rule
