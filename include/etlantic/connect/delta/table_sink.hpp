#pragma once
#include <etlantic/connect/delta/check_constraint.hpp>
#include <etlantic/connect/delta/conflict.hpp>
#include <etlantic/connect/delta/delete_flag.hpp>
#include <etlantic/connect/delta/features.hpp>
#include <etlantic/connect/delta/file_writer.hpp>
#include <etlantic/connect/delta/log_upkeep.hpp>
#include <etlantic/connect/delta/sink_settings.hpp>
#include <etlantic/connect/delta/transaction.hpp>
#include <etlantic/runtime/sink.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace etlantic::delta {

/// How often a commit or a merge is tried again when others are faster.
inline constexpr int most_commit_attempts = 100;
inline constexpr int most_merge_attempts = 10;

class table_sink final : public sink {
 public:
  explicit table_sink(sink_settings settings)
      : settings_(std::move(settings)), store_(settings_.path), upkeep_(settings_.checkpoint_interval) {}
  ~table_sink() override { abort(); }

  result<std::optional<std::int64_t>> published(const publisher& who) override;
  result<void> open(const schema& contract, output_mode mode, const publisher& who) override;
  result<void> prepare(const publication& what) override;
  result<void> commit(std::int64_t batch) override;
  void abort() override;
  std::string describe() const override { return "delta " + settings_.path; }

 private:
  /// A batch whose files are written and that no commit names yet.
  struct prepared_batch {
    std::int64_t batch = 0;
    output_mode mode = output_mode::append;
    std::vector<block> rows;  // as the table has them; kept of a merge, which may have to be done again
    std::vector<std::vector<bool>> deletes{};  // of each block, if rows can say that their key is to be gone
    commit_content content;
    pending_write depends;
    std::vector<std::string> written;
  };

  /// Whoever writes the table knows its batches by this name in the log.
  static std::string application_of(const publisher& who) { return "etlantic/" + who.query + '/' + who.node; }

  result<void> create_table();
  result<void> check_table();
  result<void> take_layout(const table_metadata& table);
  bool has_constraint(const std::string& expression) const;
  failure misfit(const std::vector<std::string>& differences) const;
  result<void> find_key();
  result<void> check_partition() const;
  write_intent intent() const {
    return key_names_.empty() && mode_ != output_mode::complete ? write_intent::add_rows : write_intent::change_rows;
  }
  bool merges(output_mode mode) const { return !key_.empty() && mode != output_mode::complete; }
  result<void> convert(const publication& what, prepared_batch& batch) const;
  result<void> write_files(prepared_batch& batch, std::span<const block> rows);
  result<void> catch_up();
  result<commit_outcome> try_commit(const prepared_batch& batch);
  failure overtaken(conflict why, const std::string& by) const;
  void forget_files(std::vector<std::string>& written);
  commit_description description_of(const prepared_batch& batch, std::string id) const;

  sink_settings settings_;
  folder_store store_;
  table_state table_;
  delete_flag flag_;
  schema contract_;                     // without the flag
  std::vector<check_constraint> met_;   // by every row, because the contract says so
  table_layout layout_;                 // with what the next batch changes of the schema
  std::string schema_;                  // of the table, for which the layout was made
  std::optional<std::string> evolved_;  // the schema that the next batch with rows gives the table
  std::string table_id_;
  std::string application_;
  std::vector<std::string> key_names_;
  std::vector<std::size_t> key_;  // columns of the table
  std::vector<bool> given_;       // columns of the table that the contract has
  output_mode mode_ = output_mode::append;
  log_upkeep upkeep_;
  std::optional<prepared_batch> prepared_;
};

}  // namespace etlantic::delta
