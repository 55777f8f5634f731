#pragma once
#include <etlantic/core/result.hpp>
#include <etlantic/graph/bare.hpp>
#include <etlantic/plan/delivery.hpp>
#include <etlantic/plan/settings_verdict.hpp>
#include <etlantic/runtime/lower.hpp>

#include <string>
#include <utility>

namespace etlantic {

namespace detail {

template <class S, auto... Options>
struct bare_facts {
  using contract = typename contract_behind<typename S::row_type>::type;
  using facts = delivery_facts<S>;
  using options = load_options<Options...>;
  static constexpr bool has_key = key_names_of<contract>.size() != 0;
  static constexpr bool updates = (facts::keeps_results && !facts::gives_sessions) || !facts::newest_by.empty();
  static constexpr output_mode mode = options::mode_of(updates, has_key);

  static constexpr auto judge() {
    constexpr bool may_grow = options::has_mode && mode != output_mode::append;
    if constexpr (options::kind == target::keyed_table && !has_key)
      return fail<rule::keyed_table_needs_a_primary_key, type<typename S::source_type::contract>, type<contract>>{};
    else if constexpr (options::kind == target::append_only && mode != output_mode::append)
      return fail<rule::append_only_target_takes_final_rows, type<typename S::source_type::contract>, type<contract>>{};
    else if constexpr (!facts::ends_recomputed)
      return fail<rule::corrected_results_end_in_loads, type<typename S::source_type::contract>, type<contract>>{};
    else if constexpr (facts::recomputes &&
                       (!has_key || mode == output_mode::complete || options::kind == target::append_only))
      return fail<rule::corrected_results_must_be_replaced, type<typename S::source_type::contract>, type<contract>>{};
    else if constexpr (!facts::bounded_before_deduplication)
      return fail<rule::deduplication_needs_final_rows, type<typename S::source_type::contract>, type<contract>>{};
    else if constexpr (!facts::bounded_before_keyed)
      return fail<rule::keyed_rows_need_final_rows, type<typename S::source_type::contract>, type<contract>>{};
    else if constexpr (!facts::newest_by.empty() &&
                       !(mode == output_mode::update && has_key_of<contract>(facts::newest_by)))
      return fail<rule::latest_rows_must_be_updated, type<typename S::source_type::contract>, type<contract>>{};
    else if constexpr (facts::keeps_rows && facts::newest_by.empty() && mode != output_mode::append)
      return fail<rule::keyed_rows_are_appended, type<typename S::source_type::contract>, type<contract>>{};
    else if constexpr (!facts::bounded_before)
      return fail<rule::aggregation_needs_final_rows, type<typename S::source_type::contract>, type<contract>>{};
    else if constexpr (!facts::keeps_results && mode == output_mode::complete)
      return fail<rule::complete_mode_needs_an_aggregation, type<typename S::source_type::contract>, type<contract>>{};
    else if constexpr (facts::gives_sessions && mode == output_mode::update)
      return fail<rule::session_must_not_be_updated, type<typename S::source_type::contract>, type<contract>>{};
    else if constexpr (facts::corrects && mode != output_mode::update)
      return fail<rule::accept_late_needs_update_mode, type<typename S::source_type::contract>, type<contract>>{};
    else if constexpr (facts::corrects)
      return pass{};
    else if constexpr (facts::gives_sessions && !facts::bounded && !may_grow)
      return fail<rule::session_needs_watermark, type<typename S::source_type::contract>, type<contract>>{};
    else if constexpr (!facts::bounded && !may_grow)
      return fail<rule::append_needs_watermark, type<typename S::source_type::contract>, type<contract>>{};
    else
      return pass{};
  }
};

template <class C, class Row, class... Operators>
auto as_port_stream(const stream<asset_source<C>, Row, Operators...>& chain) {
  return stream<port_source<C>, Row, Operators...>{{0}, chain.row, chain.operators};
}

}  // namespace detail

/// The program of a bare pipeline: an extract, a step called `transform`, and loads, named after their assets. Settings
/// that cannot work (a window of no length) are a failure, since they are values here.
template <class S, auto... Options>
result<program> lower(const bare_pipeline<S, Options...>& pipeline) {
  using facts = detail::bare_facts<S, Options...>;
  using found = decltype(facts::judge());
  enforce(found{});
  program made;
  if constexpr (passed<found>) {
    using source_contract = typename S::source_type::contract;
    if (const setting_problem problem = detail::judge_settings(pipeline.chain); problem != setting_problem::none)
      return detail::failure_of(problem, joined("pipeline into ", pipeline.asset));

    const auto chain = detail::as_port_stream(pipeline.chain);
    const std::string source(pipeline.chain.source.asset), result_asset(pipeline.asset);
    made.id = result_asset;
    made.version = "0.0.0";
    made.nodes.push_back(detail::make_extract<source_contract>(source, source));

    program_node step;
    step.kind = node_kind::step;
    step.name = "transform";
    step.input_names = {"rows"};
    step.inputs = {{0, 0}};
    step.outputs = {{"result", &schema_of<typename facts::contract>()}};
    step.outputs.front().corrected = facts::facts::recomputes;
    detail::describe_stream(chain, step);
    detail::name_watermarks(step);
    stage_place place{.step = step.name};
    using chain_type = std::remove_const_t<decltype(chain)>;
    constexpr bool windowed = detail::late_origins<chain_type>::inputs;
    detail::add_invalid_port<typename facts::contract>(!detail::can_reject<chain_type>(), step, place);
    if constexpr (windowed) place.late_inputs = {detail::add_late_port<late<source_contract>>("late", step)};
    step.make_stage = [chain, place](const port_modes& modes) {
      stage_place here = place;
      here.mode = modes.at(0);
      return detail::lower_stream(chain, here);
    };
    made.nodes.push_back(std::move(step));

    made.nodes.push_back(detail::make_load<typename facts::contract>(result_asset, result_asset, facts::mode, {1, 0}));
    made.nodes.back().bound_to = facts::options::kind;
    if (!pipeline.sides.invalid.empty()) {
      const std::string asset(pipeline.sides.invalid);
      made.nodes.push_back(detail::make_load<rejected<source_contract>>(asset, asset, output_mode::append, {0, 1}));
    }
    if constexpr (windowed)
      if (!pipeline.sides.late.empty()) {
        const std::string asset(pipeline.sides.late);
        const port_reference from{1, place.late_inputs.front().port};
        made.nodes.push_back(detail::make_load<late<source_contract>>(asset, asset, output_mode::append, from));
      }
    if (!pipeline.sides.invalid_results.empty()) {
      const std::string asset(pipeline.sides.invalid_results);
      const port_reference from{1, place.invalid_port};
      made.nodes.push_back(
          detail::make_load<rejected<typename facts::contract>>(asset, asset, output_mode::append, from));
    }
    detail::warn_of_unused_outputs(made);
    detail::warn_of_growing_state(made);
  }
  return made;
}

}  // namespace etlantic
