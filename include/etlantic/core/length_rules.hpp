#pragma once
#include <etlantic/core/verdict.hpp>

namespace etlantic::rule {

struct length_must_be_fixed {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>,
                  "etlantic: months and years differ in length: say how many days are meant, or use a calendar window");
  }
};

}  // namespace etlantic::rule
