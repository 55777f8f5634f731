#pragma once
#include <etlantic/graph/aggregate.hpp>
#include <etlantic/graph/calendar_window.hpp>
#include <etlantic/graph/deduplicate.hpp>
#include <etlantic/graph/derive.hpp>
#include <etlantic/graph/describe.hpp>
#include <etlantic/graph/lag.hpp>
#include <etlantic/graph/latest_by.hpp>
#include <etlantic/graph/process.hpp>
#include <etlantic/graph/select.hpp>
#include <etlantic/graph/session.hpp>
#include <etlantic/graph/sliding.hpp>
#include <etlantic/graph/top.hpp>
#include <etlantic/graph/tumbling.hpp>
#include <etlantic/graph/where.hpp>
#include <etlantic/kernel/hyperloglog.hpp>
#include <etlantic/kernel/quantile_buckets.hpp>
#include <etlantic/kernel/quantile_sketch.hpp>
#include <etlantic/runtime/lower_describe_join.hpp>
#include <etlantic/runtime/lower_source.hpp>
#include <etlantic/runtime/program.hpp>

#include <string>
#include <utility>
#include <vector>

// The operators of a stream as a plan shows them, and the schema of its state.

namespace etlantic::detail {

template <class P, class Row>
operator_description describe_operator(const where_operator<P, Row>& of) {
  return {"where", {{"predicate", describe(of.predicate)}}};
}
template <fixed_string Name, class E>
operator_description describe_operator(const derive_operator<Name, E>& of) {
  return {"derive", {{std::string(Name.view()), describe(of.value)}}};
}
template <class C>
operator_description describe_operator(const select_operator<C>&) {
  return {"select", {{"contract", std::string(schema_of<C>().id)}}};
}
template <fixed_string Field, class Row>
operator_description describe_operator(const watermark_operator<Field, Row>& of) {
  return {"watermark", {{"event_time", std::string(Field.view())}, {"delay", describe_duration(of.delay)}}};
}
template <class Row, int EventTimeKey, fixed_string... Names>
operator_description describe_operator(const group_operator<Row, EventTimeKey, Names...>&) {
  std::string keys;
  ((keys.append(keys.empty() ? "" : ", ").append(Names.view())), ...);
  return {"group_by", {{"keys", keys}}};
}
template <fixed_string Field, class Row>
operator_description describe_operator(const tumbling_operator<Field, Row>& of) {
  operator_description made{"tumbling",
                            {{"event_time", std::string(Field.view())}, {"length", describe_duration(of.length)}}};
  if (of.offset != duration::zero()) made.settings.push_back({"offset", describe_duration(of.offset)});
  return made;
}
inline std::string describe_calendar(calendar_period period, std::string_view zone) {
  constexpr std::string_view weekdays[] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                           "Thursday", "Friday", "Saturday"};
  std::string made = joined("calendar ", name_of(period.unit));
  if (period.unit == calendar_unit::week) made += joined(" from ", weekdays[period.first_weekday]);
  return made + joined(" in ", zone);
}
template <fixed_string Field, fixed_string Zone, class Row>
operator_description describe_operator(const calendar_operator<Field, Zone, Row>& of) {
  return {"tumbling",
          {{"event_time", std::string(Field.view())}, {"length", describe_calendar(of.period, Zone.view())}}};
}
template <fixed_string Field, class Row>
operator_description describe_operator(const sliding_operator<Field, Row>& of) {
  operator_description made{"sliding",
                            {{"event_time", std::string(Field.view())},
                             {"length", describe_duration(of.length)},
                             {"slide", describe_duration(of.slide)}}};
  if (of.offset != duration::zero()) made.settings.push_back({"offset", describe_duration(of.offset)});
  return made;
}
template <fixed_string Field, class Gap, class Row>
operator_description describe_operator(const session_operator<Field, Gap, Row>& of) {
  return {"session", {{"event_time", std::string(Field.view())}, {"gap", describe(of.gap)}}};
}
template <class Row>
operator_description describe_operator(const correct_late_operator<Row>&) {
  return {"correct_late", {}};
}
template <class Row>
operator_description describe_operator(const accept_late_operator<Row>& of) {
  return {"accept_late", {{"delay", describe_duration(of.delay)}}};
}
template <class C, class Row, class... Assignments>
operator_description describe_operator(const aggregate_operator<C, Row, Assignments...>& of) {
  operator_description made{"aggregate", {}};
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (made.settings.push_back(
         {std::string(Assignments::name.view()), describe(boost::hana::at_c<I>(of.assignments).value)}),
     ...);
  }(std::index_sequence_for<Assignments...>{});
  return made;
}

inline std::string_view describe(key_memory memory) {
  constexpr std::string_view words[] = {"when the watermark reaches their time", "one delay behind their first row",
                                        "never"};
  return words[static_cast<int>(memory)];
}
template <class Row, key_memory Memory, bool JudgesLate, fixed_string... Names>
operator_description describe_operator(const deduplicate_operator<Row, Memory, JudgesLate, Names...>&) {
  std::string keys;
  ((keys.append(keys.empty() ? "" : ", ").append(Names.view())), ...);
  return {"deduplicate", {{"keys", keys}, {"forgotten", std::string(describe(Memory))}}};
}

template <class Row, std::size_t Limit, fixed_string Field, bool Ascending>
operator_description describe_operator(const top_operator<Row, Limit, Field, Ascending>&) {
  return {"top", {{"rows", std::to_string(Limit)}, {Ascending ? "least" : "greatest", std::string(Field.view())}}};
}
template <class Row, bool Forgets, fixed_string... Names>
operator_description describe_operator(const latest_by_operator<Row, Forgets, Names...>&) {
  std::string keys;
  ((keys.append(keys.empty() ? "" : ", ").append(Names.view())), ...);
  return {"latest_by",
          {{"keys", keys}, {"forgotten", Forgets ? "when the watermark reaches their newest row" : "never"}}};
}
template <class Row, fixed_string Field, std::size_t Distance, fixed_string Name, lag_memory Memory>
operator_description describe_operator(const lag_operator<Row, Field, Distance, Name, Memory>& of) {
  return {"lag",
          {{"field", std::string(Field.view())},
           {"rows_before", std::to_string(Distance)},
           {"column", std::string(Name.view())},
           {"forgotten", Memory == lag_memory::for_a_time   ? joined("after ", describe_duration(of.forgotten_after))
                         : Memory == lag_memory::everything ? std::string("never")
                                                            : std::string("no key")}}};
}

/// The settings of a behaviour are its members, those that can be constants of an expression.
template <class Behaviour>
void describe_members_of(const Behaviour& of, operator_description& into) {
  const auto add = [&](std::string_view name, const auto& value) {
    if constexpr (Operand<std::remove_cvref_t<decltype(value)>>)
      into.settings.push_back({std::string(name), describe(as_expression(value))});
  };
  if constexpr (passed<aggregate_verdict<Behaviour>>)
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (add(member_names<Behaviour>[I], member<I>(of)), ...);
    }(std::make_index_sequence<member_count<Behaviour>>{});
  static_cast<void>(add), static_cast<void>(of);
}
template <class Row, class Behaviour, bool JudgesLate>
operator_description describe_operator(const process_operator<Row, Behaviour, JudgesLate>& of) {
  operator_description made{"process",
                            {{"state", std::string(schema_of<typename Behaviour::state>().id)},
                             {"result", std::string(schema_of<typename Behaviour::result>().id)}}};
  describe_members_of(of.behaviour, made);
  return made;
}

/// The names of the inputs that a stream reads.
template <Stream S>
std::string names_of_inputs(const S& chain, const program_node& step) {
  std::string names;
  for (std::size_t input : inputs_of(chain)) names.append(names.empty() ? "" : ", ").append(step.input_names[input]);
  return names;
}

template <class C>
void add_operators_of_source(const port_source<C>&, program_node&) {}
template <class C>
void add_operators_of_source(const reference_source<C>&, program_node&) {}
template <class C, class... Parts>
void add_operators_of_source(const union_source<C, Parts...>& source, program_node& into);
template <JoinSource Source>
void add_operators_of_source(const Source& source, program_node& into);

template <class Source, class Row, class... Operators>
void add_operators(const stream<Source, Row, Operators...>& chain, program_node& into) {
  add_operators_of_source(chain.source, into);
  const auto add = [&](const auto& of) {
    if constexpr (!InheritedWatermark<std::remove_cvref_t<decltype(of)>>)
      into.operators.push_back(describe_operator(of));
  };
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (add(boost::hana::at_c<I>(chain.operators)), ...);
  }(std::index_sequence_for<Operators...>{});
  static_cast<void>(add);
}

/// What stands before a union is shown with the input that it belongs to.
template <class C, class... Parts>
void add_operators_of_source(const union_source<C, Parts...>& source, program_node& into) {
  std::string inputs;
  const auto add = [&](const auto& part) {
    const std::string names = names_of_inputs(part, into);
    inputs.append(inputs.empty() ? "" : ", ").append(names);
    const std::size_t before = into.operators.size();
    add_operators(part, into);
    for (std::size_t i = before; i < into.operators.size(); ++i) {
      auto& settings = into.operators[i].settings;
      settings.insert(settings.begin(), setting{"input", names});
    }
  };
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (add(boost::hana::at_c<I>(source.parts)), ...);
  }(std::index_sequence_for<Parts...>{});
  into.operators.push_back({"union_all", {{"inputs", inputs}}});
}

/// What stands before a join is shown with its side: both may read one input.
template <JoinSource Source>
void add_operators_of_source(const Source& source, program_node& into) {
  const auto add = [&](const char* side, const auto& of) {
    const std::size_t before = into.operators.size();
    add_operators(of, into);
    for (std::size_t i = before; i < into.operators.size(); ++i) {
      auto& settings = into.operators[i].settings;
      settings.insert(settings.begin(), setting{"side", side});
    }
    return names_of_inputs(of, into);
  };
  const std::string left_input = add("left", source.left_stream);
  std::string right_input = add("right", source.right_stream);
  if constexpr (is_lookup<Source>) right_input = into.input_names[source.right_stream.source.port];
  into.operators.push_back(describe_join(source, left_input, right_input));
}

template <class T>
std::string describe_type() {
  std::string made(name_of(field_traits<T>::logical));
  if constexpr (is_decimal<T>::value)
    made += joined("(", std::to_string(T::precision), ",", std::to_string(T::scale), ")");
  return made;
}

template <class Operator>
void describe_state_of(const Operator&, std::string&) {}

template <class Row, int EventTimeKey, fixed_string... Names>
void describe_state_of(const group_operator<Row, EventTimeKey, Names...>&, std::string& into) {
  ((into +=
    joined("key ", Names.view(), " ", describe_type<typename inferred<field_reference<Names>, Row>::value>(), "; ")),
   ...);
}
template <fixed_string Field, class Row>
void describe_state_of(const tumbling_operator<Field, Row>& of, std::string& into) {
  into += joined("tumbling ", Field.view(), " ", describe_duration(of.length), " offset ", describe_duration(of.offset),
                 "; ");
}
template <fixed_string Field, fixed_string Zone, class Row>
void describe_state_of(const calendar_operator<Field, Zone, Row>& of, std::string& into) {
  into += joined("tumbling ", Field.view(), " ", describe_calendar(of.period, Zone.view()), "; ");
}
template <fixed_string Field, class Row>
void describe_state_of(const sliding_operator<Field, Row>& of, std::string& into) {
  into += joined("sliding ", Field.view(), " ", describe_duration(of.length), " every ", describe_duration(of.slide),
                 " offset ", describe_duration(of.offset), "; ");
}
template <fixed_string Field, class Gap, class Row>
void describe_state_of(const session_operator<Field, Gap, Row>& of, std::string& into) {
  into += joined("session ", Field.view(), " gap ", describe(of.gap), " ",
                 describe_type<typename inferred<Gap, Row>::value>(), "; ");
}

/// What a state keeps that has another type than its result.
template <class Call, class Row>
struct kept_beside {
  static std::string describe() { return {}; }
};
template <aggregate_function Function, class V, class By, class Row>
struct kept_beside<aggregate_call<Function, value_by<V, By>>, Row> {
  static std::string describe() { return joined(" by ", describe_type<typename inferred<By, Row>::value>()); }
};
template <class E, class Row>
struct kept_beside<aggregate_call<aggregate_function::count_distinct, E>, Row> {
  static std::string describe() { return joined(" of ", describe_type<typename inferred<E, Row>::value>()); }
};
/// Sums of integers are exact, which their mean does not show.
template <class E, class Row>
struct kept_beside<aggregate_call<aggregate_function::avg, E>, Row> {
  static std::string describe() {
    using value = typename inferred<E, Row>::value;
    return is_integer<value> || is_real<value> ? joined(" of ", describe_type<value>()) : std::string();
  }
};
/// By what its hashes and registers are made.
template <class E, class Row>
struct kept_beside<aggregate_call<aggregate_function::approximate_count_distinct, E>, Row> {
  static std::string describe() {
    return joined(" of ", describe_type<typename inferred<E, Row>::value>(), " by hyperloglog(",
                  std::to_string(kernel::hyperloglog::index_bits), ") version 1");
  }
};
template <class E, int Share, int Of, class Row>
struct kept_beside<aggregate_call<aggregate_function::approximate_quantile, quantile_of<E, Share, Of>>, Row> {
  static std::string describe() {
    return joined(" by ddsketch(", std::to_string(kernel::octave_buckets), ", ",
                  std::to_string(kernel::quantile_sketch::most_buckets), ") version 1");
  }
};
template <class E, std::size_t Most, class Row>
struct kept_beside<aggregate_call<aggregate_function::collect_list, first_in_source_order<E, Most>>, Row> {
  static std::string describe() { return joined(" of ", describe_type<typename inferred<E, Row>::value>()); }
};

template <class T>
std::string describe_state_field();

/// The fields of a state of the user by name and type.
template <class T>
std::string describe_state_fields() {
  std::string made = "{";
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    ((made += joined(I == 0 ? "" : ", ", member_names<T>[I], " ", describe_state_field<member_type<T, I>>())), ...);
  }(std::make_index_sequence<member_count<T>>{});
  return made += '}';
}
template <class T>
std::string describe_state_field() {
  if constexpr (std::is_same_v<T, int128>)
    return "int128";
  else if constexpr (std::is_enum_v<T>)
    return joined("enumeration(", describe_state_field<std::underlying_type_t<T>>(), ")");
  else if constexpr (is_fixed_array<T>)
    return joined(describe_state_field<typename T::value_type>(), "[", std::to_string(std::tuple_size_v<T>), "]");
  else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
    return joined(std::is_signed_v<T> ? "int" : "uint", std::to_string(sizeof(T) * 8));
  else if constexpr (is_fixed_scalar<T>)
    return describe_type<T>();
  else
    return describe_state_fields<T>();
}
template <class Aggregate, class... E, class Row>
struct kept_beside<aggregate_call<aggregate_function::aggregated_by, values_for<Aggregate, E...>>, Row> {
  static std::string describe() {
    std::string made = joined(" ", describe_state_fields<Aggregate>());
    if constexpr (requires { Aggregate::version; }) made += joined(" version ", std::to_string(Aggregate::version));
    ((made += joined(" of ", describe_type<typename inferred<E, Row>::value>())), ...);
    return made;
  }
};

template <class C, class Row, class... Assignments>
void describe_state_of(const aggregate_operator<C, Row, Assignments...>& of, std::string& into) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    ((into +=
      joined("aggregate ", Assignments::name.view(), " = ", describe(boost::hana::at_c<I>(of.assignments).value), " ",
             describe_type<typename inferred<typename Assignments::expression, Row>::value>(),
             kept_beside<typename Assignments::expression, Row>::describe(),
             is_optional_field<C>(Assignments::name.view()) ? " optional; " : "; ")),
     ...);
  }(std::index_sequence_for<Assignments...>{});
}

template <class Row, key_memory Memory, bool JudgesLate, fixed_string... Names>
void describe_state_of(const deduplicate_operator<Row, Memory, JudgesLate, Names...>&, std::string& into) {
  into += "deduplicate";
  ((into +=
    joined(" ", Names.view(), " ", describe_type<typename inferred<field_reference<Names>, Row>::value>(), ",")),
   ...);
  into += joined(" forgotten ", describe(Memory), "; ");
}

/// The columns of rows that a state keeps as they are.
template <class C>
std::string describe_columns() {
  std::string made;
  for (const field_description& each : schema_of<C>().fields)
    made += joined(" ", each.name, " ", name_of(each.type), each.nullable ? "?" : "", ",");
  if (!made.empty()) made.pop_back();
  return made;
}
template <class Row>
std::string describe_kept_rows() {
  return " of rows" + describe_columns<typename contract_beneath<Row>::type>();
}
template <class Row, class Behaviour, bool JudgesLate>
void describe_state_of(const process_operator<Row, Behaviour, JudgesLate>&, std::string& into) {
  into += joined("process with", describe_columns<typename Behaviour::state>(), "; ");
}
template <class Row, std::size_t Limit, fixed_string Field, bool Ascending>
void describe_state_of(const top_operator<Row, Limit, Field, Ascending>&, std::string& into) {
  into +=
      joined("top ", std::to_string(Limit), Ascending ? " least " : " greatest ", Field.view(), " ",
             describe_type<typename inferred<field_reference<Field>, Row>::value>(), describe_kept_rows<Row>(), "; ");
}
template <class Row, bool Forgets, fixed_string... Names>
void describe_state_of(const latest_by_operator<Row, Forgets, Names...>&, std::string& into) {
  into += "latest_by";
  ((into +=
    joined(" ", Names.view(), " ", describe_type<typename inferred<field_reference<Names>, Row>::value>(), ",")),
   ...);
  into += joined(Forgets ? " forgotten," : " kept,", describe_kept_rows<Row>(), "; ");
}
template <class Row, fixed_string Field, std::size_t Distance, fixed_string Name, lag_memory Memory>
void describe_state_of(const lag_operator<Row, Field, Distance, Name, Memory>& of, std::string& into) {
  into += joined("lag ", Field.view(), " ", describe_type<typename inferred<field_reference<Field>, Row>::value>(), " ",
                 std::to_string(Distance), " forgotten ",
                 Memory == lag_memory::for_a_time ? describe_duration(of.forgotten_after) : std::string("never"),
                 describe_kept_rows<Row>(), "; ");
}

/// Keys, windows and aggregates by name and type: what must stay the same for saved state to be read. Empty without
/// state.
template <class Source, class Row, class... Operators>
std::string describe_state(const stream<Source, Row, Operators...>& chain) {
  std::string made;
  if constexpr (is_lookup<Source>)
    return made;
  else if constexpr (JoinSource<Source>)
    return describe_join_state(chain.source);
  else if constexpr ((StatefulOperator<Operators> || ...)) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (describe_state_of(boost::hana::at_c<I>(chain.operators), made), ...);
    }(std::index_sequence_for<Operators...>{});
    made.resize(made.size() - 2);
  }
  return made;
}

}  // namespace etlantic::detail
