#include <etlantic/connect/delta/work_ahead.hpp>

#include "support/catch.hpp"

#include <atomic>
#include <memory>
#include <stdexcept>

using namespace etlantic;

TEST_CASE("delta: work that goes on beside the caller is taken in order") {
  delta::work_ahead<std::unique_ptr<int>> work;
  CHECK(work.is_empty());
  for (int i = 0; i < 20; ++i) work.begin([what = std::make_unique<int>(i)]() mutable { return std::move(what); });
  CHECK(work.is_full());
  for (int i = 0; i < 20; ++i) CHECK(*work.take() == i);
  CHECK(work.is_empty());
}

TEST_CASE("delta: an exception of work comes out where it is taken, and the rest is waited for") {
  std::atomic<int> done = 0;
  {
    delta::work_ahead<int> work;
    for (int i = 0; i < 8; ++i)
      work.begin([&done, i] {
        if (i == 2) throw std::runtime_error("of the third");
        ++done;
        return i;
      });
    CHECK(work.take() == 0);
    CHECK(work.take() == 1);
    CHECK_THROWS_WITH(work.take(), "of the third");
    CHECK(work.take() == 3);
  }
  CHECK(done == 7);
}
