#pragma once
#include <etlantic/graph/union_all.hpp>
#include <etlantic/runtime/chained_stage.hpp>
#include <etlantic/runtime/lower_join.hpp>
#include <etlantic/runtime/lower_lookup.hpp>
#include <etlantic/runtime/lower_stage.hpp>
#include <etlantic/runtime/union_stage.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

// Where the streams of a step start: which of its inputs they read, and the stage with what stands before the rest.

namespace etlantic::detail {

template <class C>
void add_inputs(const port_source<C>& source, std::vector<std::size_t>& into) {
  if (std::find(into.begin(), into.end(), source.port) == into.end()) into.push_back(source.port);
}
template <class C>
void add_inputs(const reference_source<C>&, std::vector<std::size_t>&) {}  // no rows of a stream come in there
template <class C, class... Parts>
void add_inputs(const union_source<C, Parts...>& source, std::vector<std::size_t>& into) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (add_inputs(hana::at_c<I>(source.parts).source, into), ...);
  }(std::index_sequence_for<Parts...>{});
}

template <JoinSource Source>
void add_inputs(const Source& source, std::vector<std::size_t>& into) {
  add_inputs(source.left_stream.source, into);
  add_inputs(source.right_stream.source, into);
}

/// The inputs of the step that a stream reads, in the order in which it names them.
template <Stream S>
std::vector<std::size_t> inputs_of(const S& chain) {
  std::vector<std::size_t> inputs;
  add_inputs(chain.source, inputs);
  return inputs;
}

template <class Source>
struct source_lowering;

template <class C>
struct source_lowering<port_source<C>> {
  template <class S>
  static std::unique_ptr<stage> make(const S& chain, const stage_place& place) {
    return lower_stage(chain, place.with_late_input(chain.source.port));
  }
};

template <class S>
std::unique_ptr<stage> lower_stream(const S& chain, const stage_place& place) {
  return source_lowering<typename S::source_type>::make(chain, place);
}

template <class C, class... Parts>
struct source_lowering<union_source<C, Parts...>> {
  template <class S>
  static std::unique_ptr<stage> make(const S& chain, const stage_place& place) {
    std::vector<union_stage::part> parts;
    const auto add = [&](const auto& part) {
      stage_place here = place;
      here.mode = output_mode::append;
      here.is_union_part = true;
      parts.push_back({part.source.port, lower_stream(part, here)});
    };
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (add(hana::at_c<I>(chain.source.parts)), ...);
    }(std::index_sequence_for<Parts...>{});
    return std::make_unique<union_stage>(std::move(parts), lower_stage(chain, place.with_late(place.late_union)));
  }
};

template <JoinSource Source>
struct source_lowering<Source> {
  template <class S>
  static std::unique_ptr<stage> make(const S& chain, const stage_place& place) {
    using contract = typename contract_behind<typename S::row_type>::type;
    std::vector<std::unique_ptr<stage>> links;
    if constexpr (is_lookup<Source>)
      links.push_back(make_lookup_stage(chain.source, schema_of<contract>(), place));
    else
      links.push_back(make_join_stage(chain.source, schema_of<contract>(), place));
    links.push_back(lower_stage(chain, place));
    return std::make_unique<chained_stage>(std::move(links));
  }
};

}  // namespace etlantic::detail
