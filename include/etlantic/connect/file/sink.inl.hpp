#pragma once
#include <etlantic/connect/file/csv_writer.hpp>
#include <etlantic/connect/file/ndjson_writer.hpp>
#include <etlantic/connect/file/sink.hpp>
#include <etlantic/connect/file/sink_failure.hpp>
#include <etlantic/runtime/connector.hpp>
#include <etlantic/runtime/replacement_file.hpp>
#include <etlantic/runtime/sink.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

namespace etlantic::detail {

enum class file_format : std::uint8_t { ndjson, csv };

/// Text as part of a file name. Letters, digits, `_` and what `also` lists stay; other bytes become %XX, so that no
/// two texts get one name and none leaves the directory.
inline std::string in_file_name(std::string_view text, std::string_view also) {
  constexpr std::string_view hexadecimal = "0123456789ABCDEF";
  std::string made;
  for (char c : text) {
    const bool stays = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
                       also.find(c) != std::string_view::npos;
    if (stays) {
      made += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    made += '%';
    made += hexadecimal[byte >> 4];
    made += hexadecimal[byte & 15u];
  }
  return made;
}

/// The names of one publisher's files. The node has no `-` and the batch has 20 digits, so that the three parts can be
/// told apart whatever the query's id is.
struct part_names {
  std::string prefix;  ///< `part-<node>-<query>-`
  std::string whole;   ///< `<node>.ndjson`, in complete mode
  std::string extension;

  std::string of_batch(std::int64_t batch) const {
    const std::string digits = std::to_string(batch);
    return prefix + std::string(digits.size() < 20 ? 20 - digits.size() : 0, '0') + digits + extension;
  }

  static std::string temporary(const std::string& name) { return "." + name + ".tmp"; }

  /// Left behind by a process that ended between writing and renaming.
  bool is_leftover(std::string_view name) const {
    if (name == temporary(whole)) return true;
    if (!name.starts_with("." + prefix) || !name.ends_with(extension + ".tmp")) return false;
    const std::size_t start = 1 + prefix.size();
    if (name.size() != start + 20 + extension.size() + 4) return false;
    const std::string_view digits = name.substr(start, 20);
    return std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
  }
};

class file_sink final : public sink {
 public:
  file_sink(std::filesystem::path directory, file_format format) : directory_(std::move(directory)), format_(format) {}

  result<void> open(const schema& contract, output_mode mode, const publisher& who) override;
  result<void> prepare(const publication& what) override;
  result<void> commit(std::int64_t batch) override;
  void abort() override { prepared_.reset(); }
  std::string describe() const override { return "files in " + directory_.string(); }

 private:
  struct prepared_batch {
    std::int64_t batch = 0;
    std::optional<replacement_file> file;  // none if the batch has no rows
  };

  result<void> create_directory();
  result<void> remove_leftovers();
  result<void> write_rows(replacement_file& to, const publication& what);
  result<void> write_when_full(replacement_file& to, std::string& text, std::size_t limit);

  std::filesystem::path directory_;
  file_format format_;
  part_names names_;
  std::optional<ndjson_writer> ndjson_;
  std::optional<csv_writer> csv_;
  std::optional<prepared_batch> prepared_;
  std::optional<std::int64_t> committed_;
};

inline result<void> file_sink::open(const schema& contract, output_mode, const publisher& who) {
  if (format_ == file_format::ndjson) {
    ndjson_.emplace(contract);
  } else {
    csv_.emplace(contract);
    if (csv_->fields().size() == 1 && csv_->fields()[0].nullable)
      return failure{failure_class::contract, "PMSTREAM442",
                     "in CSV a single nullable column cannot tell a null from a blank line", describe(),
                     "use format ndjson"};
  }
  const std::string node = in_file_name(who.node, "");
  names_.extension = format_ == file_format::ndjson ? ".ndjson" : ".csv";
  names_.prefix = "part-" + node + "-" + in_file_name(who.query, "-.") + "-";
  names_.whole = node + names_.extension;
  if (auto created = create_directory(); !created) return created;
  return remove_leftovers();
}

inline result<void> file_sink::create_directory() {
  std::error_code error;
  const std::filesystem::file_status there = std::filesystem::status(directory_, error);  // once: others create it too
  if (std::filesystem::is_directory(there)) return {};
  if (std::filesystem::exists(there))
    return failure{failure_class::configuration, "PMSTREAM443", "the path is not a directory", directory_.string(),
                   "the file sink writes one file per batch: name a directory"};
  if (const auto failed = make_directories(directory_.string(), 0777)) return sink_failure(*failed);
  return {};
}

inline result<void> file_sink::remove_leftovers() {
  if (::access(directory_.c_str(), R_OK | W_OK | X_OK) != 0)
    return sink_failure("write into the directory", directory_.string(), errno);
  std::error_code error;
  std::vector<std::filesystem::path> leftovers;
  for (std::filesystem::directory_iterator each(directory_, error), end; !error && each != end; each.increment(error))
    if (names_.is_leftover(each->path().filename().native())) leftovers.push_back(each->path());
  for (const std::filesystem::path& each : leftovers) {
    if (error) break;
    std::filesystem::remove(each, error);
  }
  if (error) return sink_failure("clean the directory", directory_.string(), error.value());
  return {};
}

inline result<void> file_sink::write_when_full(replacement_file& to, std::string& text, std::size_t limit) {
  if (text.size() <= limit) return {};
  if (const auto failed = to.write(text)) return sink_failure(*failed);
  text.clear();
  return {};
}

inline result<void> file_sink::write_rows(replacement_file& to, const publication& what) {
  constexpr std::size_t enough = std::size_t{1} << 18;
  std::string text;
  text.reserve(enough + enough / 4);
  if (csv_) csv_->append_header(text);
  for (const block& each : what.blocks) {
    if (csv_) csv_->look_at(each);
    for (std::size_t row = 0; row < each.rows; ++row) {
      if (csv_)
        csv_->append_row(text, row);
      else
        ndjson_->append_row(text, each, row);
      if (auto written = write_when_full(to, text, enough); !written) return written;
    }
  }
  return write_when_full(to, text, 0);
}

inline result<void> file_sink::prepare(const publication& what) {
  prepared_.reset();
  if (committed_ && what.batch <= *committed_) return {};
  prepared_batch made{what.batch, std::nullopt};
  const bool replaces = what.mode == output_mode::complete;
  // An empty complete result replaces the one before it; otherwise there is nothing to say.
  if (replaces || what.rows() != 0) {
    const std::string name = replaces ? names_.whole : names_.of_batch(what.batch);
    made.file.emplace((directory_ / part_names::temporary(name)).string(), (directory_ / name).string());
    if (const auto failed = made.file->create(0666)) return sink_failure(*failed);
    if (auto written = write_rows(*made.file, what); !written) return written;
    if (const auto failed = made.file->finish()) return sink_failure(*failed);
  }
  prepared_.emplace(std::move(made));
  return {};
}

inline result<void> file_sink::commit(std::int64_t batch) {
  if (committed_ && batch <= *committed_) return {};
  if (!prepared_ || prepared_->batch != batch)
    return failure{failure_class::internal, "PMSTREAM448",
                   "batch " + std::to_string(batch) + " is to be committed and was not prepared", describe(), ""};
  if (prepared_->file)
    if (const auto failed = prepared_->file->publish()) return sink_failure(*failed);
  committed_ = batch;
  prepared_.reset();
  return {};
}

}  // namespace etlantic::detail

namespace etlantic {

[[gnu::used]] inline result<std::shared_ptr<sink>> make_file_sink(const asset_binding& binding) {
  const auto option = [&](const char* name) { return option_of(binding, name); };
  const std::string path = option("path");
  if (path.empty() || path.find('\0') != std::string::npos)
    return failure{failure_class::configuration, "PMSTREAM440", "option path is missing", "file sink",
                   "valid: the path of a directory"};
  const std::string format = option("format");
  if (!format.empty() && format != "ndjson" && format != "csv")
    return failure{failure_class::configuration, "PMSTREAM440", "option format of the file sink is `" + format + "`",
                   "file sink", "valid: ndjson, csv"};
  return std::shared_ptr<sink>(std::make_shared<detail::file_sink>(
      path, format == "csv" ? detail::file_format::csv : detail::file_format::ndjson));
}

}  // namespace etlantic
