#pragma once
#include <etlantic/graph/lag.hpp>
#include <etlantic/graph/latest_by.hpp>
#include <etlantic/graph/process.hpp>
#include <etlantic/graph/top.hpp>
#include <etlantic/runtime/keyed_stage.hpp>
#include <etlantic/runtime/lag_rows.hpp>
#include <etlantic/runtime/latest_rows.hpp>
#include <etlantic/runtime/lower_aggregate.hpp>
#include <etlantic/runtime/lower_deduplicate.hpp>
#include <etlantic/runtime/lower_parts.hpp>
#include <etlantic/runtime/process_rows.hpp>
#include <etlantic/runtime/stage_place.hpp>
#include <etlantic/runtime/top_rows.hpp>

#include <boost/hana/tuple.hpp>

#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

// From filters and an operator that keeps rows by keys to the stage that runs them.

namespace etlantic::detail {

template <class S, int Begin, int At>
struct keyed_parts {
  using facts = part_facts<S, Begin, At>;
  using group = typename group_of<S, facts::group>::type;

  static const schema& rows() { return schema_of<typename received_contract<S, facts::origin>::type>(); }

  static keyed_settings settings(const stage_place& place) {
    keyed_settings made;
    made.has_watermark = facts::declares_watermark;
    made.looks_for_union = facts::looks_for_union;
    made.rows = &rows();
    made.where = place.step;
    made.late = facts::has_input_rows ? place.late : nullptr;
    made.late_port = place.late_port;
    made.invalid = place.invalid;
    made.invalid_port = place.invalid_port;
    return made;
  }

  /// The fields of the group before the operator.
  static auto group_keys(const S& chain) {
    static_cast<void>(chain);
    if constexpr (facts::group >= 0)
      return group::bind(operator_of<S, facts::group>(chain).row);
    else
      return hana::tuple<>{};
  }

  template <class Keys, class Value, class Work>
  static std::unique_ptr<stage> make(const S& chain, keyed_settings settings, Keys keys, Value value,
                                     std::unique_ptr<Work> work) {
    auto time = bind_time<S, facts::watermark, facts::window>(chain);
    auto filters = bind_filters<S, Begin, At, facts::watermark>(chain);
    using made = keyed_stage<decltype(time), decltype(filters), Keys, Value, Work>;
    return std::make_unique<made>(std::move(settings), std::move(time), std::move(filters), std::move(keys),
                                  std::move(value), std::move(work));
  }
};

/// A field of a row as a column of its own, which may be null.
template <fixed_string Field, class Row>
field_description describe_optional(std::string_view name) {
  field_description made = field_describer<typename inferred<field_reference<Field>, Row>::value>::make(name);
  made.nullable = true;
  return made;
}

template <class Row, std::size_t Limit, fixed_string Field, bool Ascending>
struct stage_maker<top_operator<Row, Limit, Field, Ascending>> {
  template <class S, int Begin, int At>
  static std::unique_ptr<stage> make(const S& chain, const stage_place& place) {
    using parts = keyed_parts<S, Begin, At>;
    keyed_settings settings = parts::settings(place);
    settings.value = describe_optional<Field, Row>(named_as<Field>::name.view());
    auto work = std::make_unique<top_rows>(top_settings{.limit = Limit,
                                                        .ascending = Ascending,
                                                        .windows = grid_of(operator_of<S, parts::facts::window>(chain)),
                                                        .rows = &parts::rows(),
                                                        .value = settings.value});
    return parts::make(chain, std::move(settings), parts::group_keys(chain),
                       hana::make_tuple(kernel::bind_field<Field>(operator_of<S, At>(chain).row)), std::move(work));
  }
};

template <class Row, bool Forgets, fixed_string... Names>
struct stage_maker<latest_by_operator<Row, Forgets, Names...>> {
  template <class S, int Begin, int At>
  static std::unique_ptr<stage> make(const S& chain, const stage_place& place) {
    using parts = keyed_parts<S, Begin, At>;
    keyed_settings settings = parts::settings(place);
    settings.drops_late = Forgets;
    auto work = std::make_unique<latest_rows>(latest_settings{.forgets = Forgets, .rows = &parts::rows()});
    const Row& row = operator_of<S, At>(chain).row;
    return parts::make(chain, std::move(settings), hana::make_tuple(kernel::bind_field<Names>(row)...), hana::tuple<>{},
                       std::move(work));
  }
};

template <class Row, fixed_string Field, std::size_t Distance, fixed_string Name, lag_memory Memory>
struct stage_maker<lag_operator<Row, Field, Distance, Name, Memory>> {
  template <class S, int Begin, int At>
  static std::unique_ptr<stage> make(const S& chain, const stage_place& place) {
    using parts = keyed_parts<S, Begin, At>;
    const auto& of = operator_of<S, At>(chain);
    keyed_settings settings = parts::settings(place);
    settings.value = describe_optional<Field, Row>(named_as<Name>::name.view());
    lag_settings how{.distance = Distance, .forgotten_after = {}, .rows = &parts::rows(), .value = settings.value};
    if constexpr (Memory == lag_memory::for_a_time) how.forgotten_after = of.forgotten_after;
    return parts::make(chain, std::move(settings), parts::group_keys(chain),
                       hana::make_tuple(kernel::bind_field<Field>(of.row)), std::make_unique<lag_rows>(how));
  }
};

template <class Row, class Behaviour, bool JudgesLate>
struct stage_maker<process_operator<Row, Behaviour, JudgesLate>> {
  template <class S, int Begin, int At>
  static std::unique_ptr<stage> make(const S& chain, const stage_place& place) {
    using parts = keyed_parts<S, Begin, At>;
    using work = process_rows<Behaviour, typename row_as_struct<Row>::type>;
    keyed_settings settings = parts::settings(place);
    settings.needs_time = false;
    rejected_output rejected(schema_of<typename Behaviour::result>(), place.invalid, place.invalid_port, place.step);
    return parts::make(chain, std::move(settings), parts::group_keys(chain), hana::tuple<>{},
                       std::make_unique<work>(operator_of<S, At>(chain).behaviour, std::move(rejected), place.step));
  }
};

}  // namespace etlantic::detail
