#pragma once
#include <etlantic/runtime/checkpoint_identity.hpp>
#include <etlantic/runtime/profile.hpp>
#include <etlantic/runtime/program.hpp>
#include <etlantic/runtime/sink.hpp>
#include <etlantic/runtime/target_check.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace etlantic {

namespace detail {

inline constexpr const char* build_again =
    "; or, to build everything again from the input, remove the checkpoint directory and what the target holds.";

inline failure target_and_checkpoint_differ(const batch_setting& query, std::size_t load, std::int64_t published,
                                            const std::string& why, const std::string& help) {
  const std::int64_t committed = query.state.next_batch - 1;
  const std::string until = published == nothing_published ? "nothing" : "batches up to " + std::to_string(published);
  return {failure_class::sink_conflict, "PMSTREAM475",
          "load '" + query.pipeline.what.nodes[load].name + "' has published " + until + ", but checkpoint '" +
              query.where.checkpoint + "' has committed " +
              (committed < 0 ? "nothing" : "batch " + std::to_string(committed)) + ": " + why,
          query.pipeline.sinks[load]->describe(), help};
}

inline result<void> verify_target(const batch_setting& query, std::size_t pending, std::size_t load) {
  const program_node& node = query.pipeline.what.nodes[load];
  const result<std::optional<std::int64_t>> answer =
      query.pipeline.sinks[load]->published({query.state.query, node.name});
  if (!answer) return answer.error();
  if (!*answer) return {};
  const std::int64_t published = **answer;
  const std::int64_t committed = query.state.next_batch - 1;
  if (published < committed && had_load(query.kept->identity(), node))
    return target_and_checkpoint_differ(
        query, load, published, "the target was removed, replaced or restored from an older copy",
        std::string("Restore the newer copy of the target") + build_again +
            " If the target is new on purpose and is to get only what comes from now on, give the load another name.");
  // Without its plan a published batch would be planned anew, perhaps with other rows, and skipped by the ledger.
  if (published > committed + static_cast<std::int64_t>(pending))
    return target_and_checkpoint_differ(query, load, published, "the checkpoint was restored from an older copy",
                                        std::string("Restore the newer copy of the checkpoint") + build_again);
  return {};
}

}  // namespace detail

[[gnu::used]] inline result<void> verify_targets(const batch_setting& query, std::size_t pending) {
  if (query.kept == nullptr) return {};
  for (std::size_t i = 0; i < query.pipeline.sinks.size(); ++i)
    if (query.pipeline.sinks[i] != nullptr)
      if (result<void> done =
              query.pipeline.sinks[i]->take_over({query.state.query, query.pipeline.what.nodes[i].name});
          !done)
        return done;
  for (std::size_t i = 0; i < query.pipeline.sinks.size(); ++i)
    if (query.pipeline.sinks[i] != nullptr)
      if (result<void> done = detail::verify_target(query, pending, i); !done) return done;
  return {};
}

}  // namespace etlantic
