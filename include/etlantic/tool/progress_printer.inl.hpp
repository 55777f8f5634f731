#pragma once
#include <etlantic/tool/progress_printer.hpp>
#include <etlantic/tool/summary.hpp>

#include <algorithm>
#include <cerrno>

namespace etlantic {

namespace detail {

inline bool prints_rows(const program& what, const profile& where) {
  return std::any_of(what.nodes.begin(), what.nodes.end(), [&](const program_node& node) {
    const auto bound = where.assets.find(node.asset);
    return node.kind == node_kind::load && bound != where.assets.end() && bound->second.connector == "console";
  });
}

}  // namespace detail

[[gnu::used]] inline progress_printer::progress_printer(const program& what, const profile& where, progress_display how,
                                                        const console& to)
    : program_(what), console_(to) {
  // Rows that a console sink prints own the standard output; records between them would belong to neither.
  std::FILE* out = detail::prints_rows(what, where) ? to.error : to.out;
  const bool out_is_terminal = out == to.out ? to.out_is_terminal : to.error_is_terminal;
  switch (how) {
    case progress_display::automatic:
      if (!out_is_terminal) records_ = out;
      if (out_is_terminal || to.error_is_terminal) table_ = live_ = to.error_is_terminal ? to.error : out;
      break;
    case progress_display::json: records_ = out; break;
    case progress_display::live: table_ = live_ = to.error_is_terminal ? to.error : out; break;
    case progress_display::none: table_ = out; break;
  }
}

[[gnu::used]] inline void progress_printer::write_record(const std::string& record) {
  errno = 0;
  if (records_ == nullptr || print(records_, record + "\n")) return;
  if (errno != EPIPE) lost_ = true;
}

[[gnu::used]] inline void progress_printer::show_batch(const progress& batch) { write_record(batch_record(batch)); }

[[gnu::used]] inline void progress_printer::show_retry(const query_failure& what) { write_record(retry_record(what)); }

[[gnu::used]] inline void progress_printer::show_split(const split_move& what) { write_record(split_record(what)); }

[[gnu::used]] inline void progress_printer::show_live(const progress& totals, const progress& last) {
  if (live_ == nullptr) return;
  std::string line = live_text(totals, last, rate_at(clock::now(), totals.rows_read()), console_.columns);
  const std::size_t length = line.size();
  if (length < drawn_) line.append(drawn_ - length, ' ');
  drawn_ = length;
  print(live_, "\r" + line);
}

[[gnu::used]] inline void progress_printer::erase_live() {
  if (drawn_ == 0) return;
  print(live_, "\r" + std::string(drawn_, ' ') + "\r");
  drawn_ = 0;
}

// Over the last two seconds: steady enough to read, quick enough to show a stall.
[[gnu::used]] inline double progress_printer::rate_at(clock::time_point now, std::int64_t rows) {
  samples_.push_back({now, rows});
  while (samples_.size() > 2 && now - samples_.front().when > std::chrono::seconds(2)) samples_.pop_front();
  const double seconds = std::chrono::duration<double>(now - samples_.front().when).count();
  return seconds > 0 ? static_cast<double>(rows - samples_.front().rows) / seconds : 0;
}

[[gnu::used]] inline void progress_printer::show_summary(const run_summary& run) {
  erase_live();
  if (table_ != nullptr && !print(table_, summary_text(program_, run))) lost_ = true;
  write_record(summary_record(run));
}

[[gnu::used]] inline void progress_printer::show_failure(const failure& why) {
  erase_live();
  print(console_.error, to_text(why));
  write_record(failure_record(why));
}

[[gnu::used]] inline void progress_printer::show_diagnostic(const diagnostic& what) {
  erase_live();
  print(console_.error, to_text(what));
  if (what.weight == severity::error)
    write_record(failure_record({failure_class::configuration, what.code, what.message, what.path, what.help}));
}

[[gnu::used]] inline void progress_printer::note(std::string_view sentence) {
  erase_live();
  print(console_.error, std::string(sentence) + "\n");
}

}  // namespace etlantic
