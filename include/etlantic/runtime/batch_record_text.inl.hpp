#pragma once
#include <etlantic/runtime/batch_record_text.hpp>
#include <etlantic/runtime/checksum.hpp>

#include <charconv>
#include <utility>

namespace etlantic {

namespace detail {

inline constexpr std::string_view damage_cure =
    "Nothing has been read or written. Put back a copy of the whole checkpoint directory from before the damage, or "
    "name "
    "a new checkpoint directory in the profile: the query then reads its sources from the beginning.";

inline bool is_plain(char character) {
  return character >= ' ' && character <= '~' && character != '%' && character != '"' && character != '\\';
}

inline int hexadecimal_digit(char character) {
  if (character >= '0' && character <= '9') return character - '0';
  if (character >= 'a' && character <= 'f') return character - 'a' + 10;
  return -1;
}

inline void append_escaped(std::string& into, std::string_view text) {
  for (char character : text) {
    if (is_plain(character)) {
      into += character;
      continue;
    }
    const auto byte = static_cast<unsigned char>(character);
    into += '%';
    into += "0123456789abcdef"[byte >> 4];
    into += "0123456789abcdef"[byte & 0xfu];
  }
}

inline bool unescape(std::string_view escaped, std::string& into) {
  for (std::size_t i = 0; i < escaped.size(); ++i) {
    if (escaped[i] != '%') {
      if (!is_plain(escaped[i])) return false;
      into += escaped[i];
      continue;
    }
    if (escaped.size() - i < 3) return false;
    const int high = hexadecimal_digit(escaped[i + 1]);
    const int low = hexadecimal_digit(escaped[i + 2]);
    if (high < 0 || low < 0) return false;
    into += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return true;
}

}  // namespace detail

[[gnu::used]] inline record_writer& record_writer::line() {
  if (in_line_) bytes_ += "}\n";
  bytes_ += '{';
  in_line_ = true;
  return *this;
}

[[gnu::used]] inline void record_writer::key(std::string_view name) {
  if (bytes_.back() != '{') bytes_ += ',';
  bytes_.append("\"").append(name).append("\":");
}

[[gnu::used]] inline record_writer& record_writer::put(std::string_view name, std::int64_t value) {
  key(name);
  bytes_ += std::to_string(value);
  return *this;
}

[[gnu::used]] inline record_writer& record_writer::put(std::string_view name, std::string_view value) {
  key(name);
  bytes_ += '"';
  detail::append_escaped(bytes_, value);
  bytes_ += '"';
  return *this;
}

[[gnu::used]] inline std::string record_writer::close() && {
  bytes_ += "}\n";
  in_line_ = false;
  const auto length = static_cast<std::int64_t>(bytes_.size());
  const std::uint32_t checksum = crc32c(bytes_);
  line().put("length", length).put("crc32c", to_text(checksum));
  bytes_ += "}\n";
  return std::move(bytes_);
}

[[gnu::used]] inline std::uint32_t record_checksum(std::string_view record) {
  return crc32c(record.substr(0, record.rfind('{')));
}

[[gnu::used]] inline failure damaged_file(const std::string& path, std::size_t offset, const std::string& what) {
  return {failure_class::checkpoint, "PMSTREAM461",
          "checkpoint file '" + path + "' is damaged at byte " + std::to_string(offset) + ": " + what, path,
          std::string(detail::damage_cure)};
}

[[gnu::used]] inline failure foreign_file(const std::string& path, const std::string& what) {
  return {failure_class::checkpoint, "PMSTREAM463", "checkpoint file '" + path + "' does not belong here: " + what,
          path,
          "Nothing has been read or written. Move the file away if it came here by mistake, or name another checkpoint "
          "directory in the profile."};
}

[[gnu::used]] inline failure missing_file(const std::string& path, const std::string& what) {
  return {failure_class::checkpoint, "PMSTREAM462", "checkpoint file '" + path + "' is missing: " + what, path,
          std::string(detail::damage_cure)};
}

[[gnu::used]] inline failure interrupted_rewind(const std::string& directory, std::int64_t to) {
  return {
      failure_class::checkpoint, "PMSTREAM485",
      "checkpoint '" + directory + "' was being rewound to batch " + std::to_string(to) + " and that was interrupted",
      directory,
      "Nothing is lost: run `checkpoint rewind --to " + std::to_string(to) + " --confirm` again, which completes it."};
}

[[gnu::used]] inline failure newer_file(const std::string& path, std::int64_t version, std::int64_t newest_version) {
  return {failure_class::checkpoint, "PMSTREAM464",
          "checkpoint file '" + path + "' has format version " + std::to_string(version) +
              "; this program reads versions up to " + std::to_string(newest_version),
          path, "Run the newer program that wrote it, or name another checkpoint directory in the profile."};
}

[[gnu::used]] inline result<record_reader> record_reader::open(std::string_view bytes, std::string_view kind,
                                                               std::int64_t newest_version, std::string path,
                                                               std::size_t begin) {
  record_reader reader(bytes, std::move(path), begin);
  if (result<void> verified = reader.verify(kind, newest_version); !verified) return verified.error();
  return reader;
}

[[gnu::used]] inline result<void> record_reader::verify(std::string_view kind, std::int64_t newest_version) {
  constexpr std::string_view opening = "{\"etlantic\":\"";
  constexpr std::string_view closing = "\n{\"length\":";
  if (bytes_.empty()) return damaged(0, "it is empty");
  if (bytes_.substr(0, opening.size()) != opening.substr(0, bytes_.size()))
    return foreign_file(path_, "it does not begin like a file of a checkpoint");
  const std::size_t end_of_first = bytes_.find('\n');
  if (end_of_first == std::string_view::npos) return damaged(bytes_.size(), "it is cut in its first line");

  line();
  const std::string found = text("etlantic");
  version_ = integer("version");
  if (!mistake_.empty()) return finish();
  if (version_ > newest_version) return newer_file(path_, version_, newest_version);
  if (found != kind)
    return foreign_file(path_, "it is a '" + found + "' record, not a '" + std::string(kind) + "' record");

  const std::size_t end = bytes_.find(closing, end_of_first);
  const std::size_t end_of_last = end == std::string_view::npos ? end : bytes_.find('\n', end + 1);
  if (end_of_last == std::string_view::npos) return damaged(bytes_.size(), "it is cut, its closing line is not there");
  const std::size_t length = end + 1;
  size_ = end_of_last + 1;

  record_reader last(bytes_.substr(0, size_), path_, begin_);
  last.at_ = length;
  last.line();
  const std::int64_t stored_length = last.integer("length");
  const std::string stored_checksum = last.text("crc32c");
  if (result<void> whole = last.finish(); !whole) return whole;
  if (stored_length != static_cast<std::int64_t>(length))
    return damaged(length, "it has " + std::to_string(length) + " bytes before its closing line, written were " +
                               std::to_string(stored_length));
  bytes_ = bytes_.substr(0, length);
  checksum_ = crc32c(bytes_);
  if (const checksum_text actual = to_text(checksum_); stored_checksum != std::string_view(actual))
    return damaged(0, "its contents have the checksum " + std::string(actual) + ", written was " + stored_checksum);
  return {};
}

[[gnu::used]] inline bool record_reader::next_line_starts_with(std::string_view key) const {
  if (!mistake_.empty()) return false;
  std::string_view rest = bytes_.substr(at_);
  const std::string_view end_of_line = "}\n";
  if (in_line_) {
    if (rest.substr(0, 2) != end_of_line) return false;
    rest.remove_prefix(2);
  }
  if (rest.substr(0, 2) != "{\"") return false;
  rest.remove_prefix(2);
  return rest.substr(0, key.size()) == key && rest.substr(key.size(), 2) == "\":";
}

[[gnu::used]] inline record_reader& record_reader::line() {
  close_line();
  in_line_ = take("{");
  first_member_ = true;
  return *this;
}

[[gnu::used]] inline std::int64_t record_reader::integer(std::string_view key) {
  if (!take_key(key)) return 0;
  std::int64_t value = 0;
  const char* begin = bytes_.data() + at_;
  const auto [end, error] = std::from_chars(begin, bytes_.data() + bytes_.size(), value);
  if (error != std::errc()) {
    fail("'" + std::string(key) + "' is not an integer of 64 bits");
    return 0;
  }
  at_ += static_cast<std::size_t>(end - begin);
  return value;
}

[[gnu::used]] inline std::string record_reader::text(std::string_view key) {
  std::string value;
  if (!take_key(key) || !take("\"")) return value;
  const std::size_t end = bytes_.find('"', at_);
  if (end == std::string_view::npos || !detail::unescape(bytes_.substr(at_, end - at_), value)) {
    fail("the value of '" + std::string(key) + "' is not written as it should be");
    return {};
  }
  at_ = end + 1;
  return value;
}

[[gnu::used]] inline result<void> record_reader::finish() {
  close_line();
  if (mistake_.empty() && at_ != bytes_.size()) fail("more follows than belongs there");
  if (!mistake_.empty()) return damaged(at_, mistake_);
  return {};
}

[[gnu::used]] inline bool record_reader::take(std::string_view expected) {
  if (!mistake_.empty()) return false;
  if (bytes_.substr(at_, expected.size()) != expected) {
    fail("expected '" + std::string(expected == "}\n" ? "}" : expected) + "'");
    return false;
  }
  at_ += expected.size();
  return true;
}

[[gnu::used]] inline bool record_reader::take_key(std::string_view name) {
  if (!std::exchange(first_member_, false) && !take(",")) return false;
  return take("\"" + std::string(name) + "\":");
}

[[gnu::used]] inline void record_reader::close_line() {
  if (std::exchange(in_line_, false)) take("}\n");
}

[[gnu::used]] inline failure record_reader::damaged(std::size_t at, const std::string& what) const {
  return damaged_file(path_, begin_ + at, what);
}

[[gnu::used]] inline void record_reader::fail(std::string what) {
  if (mistake_.empty()) mistake_ = std::move(what);
}

}  // namespace etlantic
