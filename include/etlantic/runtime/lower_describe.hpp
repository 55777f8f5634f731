#pragma once
#include <etlantic/graph/aggregate.hpp>
#include <etlantic/graph/deduplicate.hpp>
#include <etlantic/graph/derive.hpp>
#include <etlantic/graph/describe.hpp>
#include <etlantic/graph/select.hpp>
#include <etlantic/graph/session.hpp>
#include <etlantic/graph/sliding.hpp>
#include <etlantic/graph/tumbling.hpp>
#include <etlantic/graph/where.hpp>
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
template <class Row, fixed_string... Names>
operator_description describe_operator(const group_operator<Row, Names...>&) {
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
template <class C, class Row, class... Assignments>
operator_description describe_operator(const aggregate_operator<C, Row, Assignments...>& of) {
  operator_description made{"aggregate", {}};
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (made.settings.push_back({std::string(Assignments::name.view()), describe(boost::hana::at_c<I>(of.assignments).value)}),
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
    if constexpr (!InheritedWatermark<std::remove_cvref_t<decltype(of)>>) into.operators.push_back(describe_operator(of));
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

template <class Row, fixed_string... Names>
void describe_state_of(const group_operator<Row, Names...>&, std::string& into) {
  ((into += joined("key ", Names.view(), " ", describe_type<typename inferred<field_reference<Names>, Row>::value>(), "; ")),
   ...);
}
template <fixed_string Field, class Row>
void describe_state_of(const tumbling_operator<Field, Row>& of, std::string& into) {
  into += joined("tumbling ", Field.view(), " ", describe_duration(of.length), " offset ", describe_duration(of.offset), "; ");
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

template <class C, class Row, class... Assignments>
void describe_state_of(const aggregate_operator<C, Row, Assignments...>& of, std::string& into) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    ((into += joined("aggregate ", Assignments::name.view(), " = ", describe(boost::hana::at_c<I>(of.assignments).value), " ",
                     describe_type<typename inferred<typename Assignments::expression, Row>::value>(),
                     kept_beside<typename Assignments::expression, Row>::describe(), "; ")),
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
