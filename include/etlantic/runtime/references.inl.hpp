#pragma once
#include <etlantic/kernel/hash.hpp>
#include <etlantic/runtime/batch_router.hpp>
#include <etlantic/runtime/batch_state.hpp>
#include <etlantic/runtime/checkpoint.hpp>
#include <etlantic/runtime/checksum.hpp>
#include <etlantic/runtime/progress.hpp>
#include <etlantic/runtime/reference_content.inl.hpp>
#include <etlantic/runtime/references.hpp>

#include <algorithm>
#include <utility>

namespace etlantic {

namespace detail {

/// Whether a batch should look whether the source has changed.
inline bool is_due(const refresh_rule& rule, const reference_in_use& use, timestamp now) {
  if (!use.version || rule.when == refresh_rule::kind::each_batch) return true;
  if (rule.when == refresh_rule::kind::once) return false;
  return now.microseconds - use.version->read_at.microseconds >= rule.interval.count();
}

/// Whether some node reads a port.
inline bool is_read(const program& what, std::size_t node, std::size_t port) {
  for (const program_node& each : what.nodes)
    for (const port_reference& input : each.inputs)
      if (input.node == node && input.port == port) return true;
  return false;
}

/// Reads a source until nothing changes it while it is read.
inline result<state_writer> read_reference(const batch_setting& query, std::size_t node, whole_content& what) {
  constexpr int attempts = 5;
  const program_node& extract = query.pipeline.what.nodes[node];
  source& from = *query.pipeline.sources[node];
  reference_content content(extract, is_read(query.pipeline.what, node, 1), *query.pipeline.decoders[node][0],
                            query.where.limits.max_reference_bytes);
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const result<void> read = content.read(from, what);
    result<whole_content> after = from.whole();
    if (!after) return after.error();
    if (std::exchange(what, std::move(*after)).version != what.version) continue;
    if (!read) return read.error();
    return content.take();
  }
  return failure{failure_class::source_data, "PMSTREAM409",
                 "the source of reference '" + extract.name + "' changes while it is read", from.describe(),
                 "Write the new content elsewhere and rename it into place."};
}

inline reference_version version_of(const program_node& extract, const plan_record& plan, std::string_view bytes) {
  return {extract.name,    plan.batch,
          plan.planned_at, static_cast<std::int64_t>(bytes.size()),
          crc32c(bytes),   kernel::hash_text(bytes, kernel::hash_seed)};
}

inline result<void> plan_reference(const batch_setting& query, std::size_t node, const plan_record& plan) {
  reference_in_use& use = query.state.references[node];
  const program_node& extract = query.pipeline.what.nodes[node];
  if (!is_due(*query.pipeline.references[node], use, plan.planned_at)) return {};
  result<whole_content> what = query.pipeline.sources[node]->whole();
  if (!what) return what.error();
  if (use.version && use.settled && use.seen == what->version) {
    use.version->read_at = plan.planned_at;
    return {};
  }
  result<state_writer> content = read_reference(query, node, *what);
  if (!content) return content.error();
  reference_version found = version_of(extract, plan, content->bytes());
  if (use.version && found.has_content_of(*use.version)) {
    use.version->read_at = plan.planned_at;
    if (use.loaded != use.version->batch) use.content = std::move(*content);
  } else {
    if (query.kept != nullptr)
      if (result<void> written = query.kept->write_reference(found, content->bytes()); !written) return written;
    use.content = std::move(*content);
    use.version = std::move(found);
  }
  use.seen = std::move(what->version);
  use.settled = what->settled;
  return {};
}

/// Carries the rows of a reference to the stages that look rows up in it.
struct reference_rows final : row_receiver {
  const batch_setting& query;
  batch_router& router;
  std::size_t node;
  const plan_record& plan;
  bool gives_invalid;

  reference_rows(const batch_setting& of, batch_router& to, std::size_t from, const plan_record& batch, bool is_new)
      : query(of), router(to), node(from), plan(batch), gives_invalid(is_new) {}

  template <class Work>
  void for_each_reader(Work work) const {
    for (std::size_t i = 0; i < query.pipeline.what.nodes.size(); ++i) {
      const program_node& step = query.pipeline.what.nodes[i];
      for (const reference_input& each : step.references)
        if (step.inputs[each.input].node == node) work(*query.pipeline.stages[i], each.input);
    }
  }
  void begin() const {
    for_each_reader([](stage& reader, std::size_t input) { reader.begin_reference(input); });
  }
  result<void> valid(const block& rows) override {
    result<void> done;
    for_each_reader([&](stage& reader, std::size_t input) {
      if (done) done = reader.add_reference(input, rows);
    });
    return done;
  }
  result<void> invalid(const block& rows) override {
    if (!gives_invalid) return {};
    block observed = rows;
    for (column& each : observed.columns)
      if (each.field->name == "observed_time")
        for (std::size_t row = 0; row < rows.rows; ++row) each.set(row, plan.planned_at.microseconds);
    return router.emit({node, 1}, observed);
  }
};

inline result<void> load_reference(const batch_setting& query, std::size_t node, const reference_version& version,
                                   const plan_record& plan, batch_router& router, extract_progress& counted) {
  reference_in_use& use = query.state.references[node];
  if (use.loaded == version.batch) return {};
  const program_node& extract = query.pipeline.what.nodes[node];
  std::string kept;
  std::string_view bytes;
  if (use.content && use.version == version) {
    bytes = use.content->bytes();
  } else {
    result<std::string> read = query.kept->read_reference(version);
    if (!read) return read.error();
    kept = std::move(*read);
    bytes = kept;
  }
  use.loaded = -1;
  const bool is_new = version.batch == plan.batch;
  reference_rows rows(query, router, node, plan, is_new);
  rows.begin();
  reference_reader reader(extract, bytes, query.kept == nullptr ? extract.name : query.kept->place_of(version));
  if (result<void> done = reader.give(rows); !done) return done;
  use.version = version;
  use.loaded = version.batch;
  use.content.reset();
  if (is_new) {
    counted.valid = static_cast<std::int64_t>(reader.valid_rows());
    counted.invalid = static_cast<std::int64_t>(reader.invalid_rows());
    counted.read = counted.valid + counted.invalid;
    counted.bytes = version.bytes;
  }
  return {};
}

}  // namespace detail

[[gnu::used]] inline result<void> plan_references(const batch_setting& query, plan_record& plan) {
  for (std::size_t i = 0; i < query.pipeline.references.size(); ++i) {
    if (!query.pipeline.references[i]) continue;
    if (result<void> done = detail::plan_reference(query, i, plan); !done) return done;
    plan.references.push_back(*query.state.references[i].version);
  }
  return {};
}

[[gnu::used]] inline result<void> load_references(const batch_setting& query, const plan_record& plan,
                                                  batch_router& router, progress& done) {
  std::size_t extract = 0;
  for (std::size_t i = 0; i < query.pipeline.references.size(); ++i) {
    const program_node& node = query.pipeline.what.nodes[i];
    if (node.kind != node_kind::extract) continue;
    extract_progress& counted = done.extracts[extract++];
    if (!query.pipeline.references[i]) continue;
    const auto version = std::find_if(plan.references.begin(), plan.references.end(),
                                      [&](const reference_version& each) { return each.node == node.name; });
    if (version == plan.references.end())
      return failure{failure_class::checkpoint, "PMSTREAM465",
                     "batch " + std::to_string(plan.batch) + " was planned when '" + node.name + "' was no reference",
                     node.name, "Run the pipeline as it was before the change until the batch is done."};
    if (result<void> loaded = detail::load_reference(query, i, *version, plan, router, counted); !loaded) return loaded;
  }
  return {};
}

}  // namespace etlantic
