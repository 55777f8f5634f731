#pragma once
#include <etlantic/contract/rejected.hpp>
#include <etlantic/core/fixed_string.hpp>
#include <etlantic/graph/late_ports.hpp>
#include <etlantic/graph/load_options.hpp>
#include <etlantic/graph/transformation.hpp>

#include <array>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace etlantic {

/// Reads rows of contract C from an asset. Outputs: `valid` (C) and `invalid` (rejected<C>).
template <class C, fixed_string Asset>
struct extract {
  using contract = C;
};

/// Runs a transformation on the outputs of other nodes, named `node.port`, one per input in order. Outputs: those of
/// the transformation, `invalid` (rejected<first output>) for results that do not fit their type or break their
/// contract, and where rows can be late `late` (late<input>), or `late_<input>` for each of several inputs; rows that
/// are late behind a union go to `late` as rows of the union. Parameters: `step<T, "..."> a{{.delay = {1min}}};`
template <class Transformation, fixed_string... From>
struct step {
  using transformation = Transformation;
  Transformation with{};
};

/// Publishes the rows of an output, named `node.port`, to an asset. Without an output mode, results of aggregations
/// into a contract with a primary key are published in update mode, everything else in append mode. What the asset will
/// be bound to can be said too, for the compiler to judge: `load<Total, "totals", "sum.totals", target::append_only>`.
template <class C, fixed_string Asset, fixed_string From, auto... Options>
  requires(LoadOption<std::remove_const_t<decltype(Options)>> && ...)
struct load {
  using contract = C;
};

namespace detail {

enum class node_sort : std::uint8_t { other, extract, step, load };
enum class port_sort : std::uint8_t { plain, invalid, late, reference };

struct port_fact {
  std::string_view name{};
  port_sort sort = port_sort::plain;
};

template <fixed_string Text>
inline constexpr std::string_view kept_text = named_as<Text>::name.view();

/// What wiring needs to know about a node.
template <class Node>
struct node_traits {
  static constexpr node_sort sort = node_sort::other;
  static constexpr std::string_view asset{};
  static constexpr std::array<port_fact, 0> inputs{};
  static constexpr std::array<port_fact, 0> outputs{};
  static constexpr std::array<std::string_view, 0> reads{};
};

template <class C, fixed_string Asset>
struct node_traits<extract<C, Asset>> {
  static constexpr node_sort sort = node_sort::extract;
  static constexpr std::string_view asset = kept_text<Asset>;
  static constexpr std::array<port_fact, 0> inputs{};
  static constexpr std::array<port_fact, 2> outputs{port_fact{"valid", port_sort::plain},
                                                    port_fact{"invalid", port_sort::invalid}};
  static constexpr std::array<std::string_view, 0> reads{};
};

template <class T, fixed_string... From>
struct node_traits<step<T, From...>> {
  using input_ports = ports_of<T, true>;
  using output_ports = ports_of<T, false>;
  using late = late_ports<T>;

  static constexpr node_sort sort = node_sort::step;
  static constexpr std::string_view asset{};
  static constexpr auto inputs = []<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<port_fact, sizeof...(I)>{
        port_fact{input_ports::names[I],
                  ReferencePort<member_type<T, input_ports::members[I]>> ? port_sort::reference : port_sort::plain}...};
  }(std::make_index_sequence<input_ports::count>{});
  static constexpr auto outputs = []<std::size_t... I>(std::index_sequence<I...>) {
    std::array<port_fact, sizeof...(I) + 1 + late::count> made{port_fact{output_ports::names[I], port_sort::plain}...};
    made[sizeof...(I)] = {"invalid", port_sort::invalid};
    std::size_t at = sizeof...(I) + 1;
    for (std::string_view name : late::names) made[at++] = {name, port_sort::late};
    return made;
  }(std::make_index_sequence<output_ports::count>{});
  static constexpr std::array<std::string_view, sizeof...(From)> reads{kept_text<From>...};
};

template <class C, fixed_string Asset, fixed_string From, auto... Options>
struct node_traits<load<C, Asset, From, Options...>> {
  static constexpr node_sort sort = node_sort::load;
  static constexpr std::string_view asset = kept_text<Asset>;
  static constexpr std::array<port_fact, 1> inputs{port_fact{"rows", port_sort::plain}};
  static constexpr std::array<port_fact, 0> outputs{};
  static constexpr std::array<std::string_view, 1> reads{kept_text<From>};
  using options = load_options<Options...>;
};

}  // namespace detail
}  // namespace etlantic
