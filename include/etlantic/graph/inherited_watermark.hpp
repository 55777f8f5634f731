#pragma once
#include <etlantic/graph/stream.hpp>

namespace etlantic {

/// Stands where the rows of a stream have an event time that follows a watermark declared before they were made: behind
/// a union whose parts have one, and before a window over the results of windows.
template <fixed_string Field, class Row>
struct inherited_watermark {
  using watermark_tag = void;
  using inherited_tag = void;
  using row_type = Row;
  static constexpr auto field = Field;
  Row row;
};

namespace detail {

template <class T>
concept InheritedWatermark = WatermarkOperator<T> && requires { typename T::inherited_tag; };
template <class T>
concept DeclaredWatermark = WatermarkOperator<T> && !InheritedWatermark<T>;

}  // namespace detail
}  // namespace etlantic
