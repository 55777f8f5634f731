#pragma once
#include <etlantic/core/result.hpp>
#include <etlantic/core/time.hpp>
#include <etlantic/runtime/program.hpp>

#include <string>
#include <vector>

namespace etlantic {

/// What a checkpoint remembers of one node, so that a changed pipeline can be told what changed.
struct identity_node {
  std::string name;
  node_kind kind = node_kind::step;
  std::string meaning;       ///< what state and positions depend on: inputs, operators; never predicates or delays
  std::string settings;      ///< what may change between runs: predicates, delays, parameters; all of a load
  std::string state_schema;  ///< of a stateful step

  friend bool operator==(const identity_node&, const identity_node&) = default;
};

/// What the state of a step held in snapshots of before, when it was read and kept on in another form. A restart may
/// have to read one of them: a crash came before the next snapshot, or the checkpoint was set back.
struct earlier_state {
  std::int64_t last_batch = 0;  ///< snapshots up to that of this batch
  std::string step;
  std::string state_schema;

  friend bool operator==(const earlier_state&, const earlier_state&) = default;
};

/// What a step calls a field that had another name before.
struct renamed_field {
  std::string step;
  std::string before;
  std::string now;

  friend bool operator==(const renamed_field&, const renamed_field&) = default;
};

/// Whose checkpoint it is. Written first, under the lock; a directory with records and without it is refused.
struct checkpoint_identity {
  std::string query;  ///< 128 random bits in hexadecimal; stays the same over restarts
  std::string pipeline;
  std::string pipeline_version;
  std::string plan_fingerprint;   ///< nodes, edges, operators, parameters
  std::string state_fingerprint;  ///< state schemas of the stateful steps, by name
  timestamp created;
  std::vector<identity_node> nodes;
  std::vector<earlier_state> earlier;  ///< oldest first
  std::vector<renamed_field> renames;  ///< of the program, to read what a checkpoint has; not written

  friend bool operator==(const checkpoint_identity&, const checkpoint_identity&) = default;
};

/// The identity that a fresh checkpoint of the program would have; `query` is given, not made.
checkpoint_identity identify(const program& what, std::string query, timestamp created);

/// 128 random bits in hexadecimal.
result<std::string> make_query_id();

/// Whether a program may go on from a checkpoint. Refuses another pipeline, changed state and, while there is state,
/// changed meaning of what led to it; names each difference. What changed and is harmless comes back as sentences.
result<std::vector<std::string>> compare(const checkpoint_identity& stored, const checkpoint_identity& wanted,
                                         const std::string& directory);

/// Whether a program computes what that of a checkpoint did, which batches that are computed again need: refuses every
/// change but that of loads.
result<void> verify_computation(const checkpoint_identity& stored, const checkpoint_identity& wanted,
                                std::int64_t first_batch, std::int64_t last_batch, const std::string& directory);

/// What the state of a step holds in the snapshot of a batch.
std::string state_schema_at(const checkpoint_identity& stored, const std::string& step, std::int64_t batch);

/// Notes what snapshots up to that of a batch hold, where `wanted` keeps the state on in another form than `stored`
/// did.
void note_earlier_states(const checkpoint_identity& stored, checkpoint_identity& wanted, std::int64_t last_batch);

/// Whether the pipeline of a checkpoint had this load, into the same asset.
bool had_load(const checkpoint_identity& stored, const program_node& load);

std::string to_record(const checkpoint_identity& identity);
result<checkpoint_identity> read_identity_record(std::string_view bytes, const std::string& path);

}  // namespace etlantic
