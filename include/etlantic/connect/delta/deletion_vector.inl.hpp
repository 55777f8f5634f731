#pragma once
#include <etlantic/connect/delta/base85.hpp>
#include <etlantic/connect/delta/crc32.hpp>
#include <etlantic/connect/delta/deletion_vector.hpp>
#include <etlantic/connect/delta/failure.hpp>
#include <etlantic/connect/delta/partition.hpp>
#include <etlantic/connect/delta/roaring.hpp>

#include <optional>
#include <string_view>

namespace etlantic::delta {

namespace detail {

/// Two thousand million rows as plain bits.
inline constexpr std::int64_t largest_vector = std::int64_t{1} << 28;

inline failure damaged_vector(const std::string& message, const std::string& where) {
  return {failure_class::source_data, "PMSTREAM451", "the deletion vector cannot be read: " + message, where,
          "restore the file from a copy; without it deleted rows would come back"};
}

/// The name of a file of vectors, from 20 digits that are a UUID and the folder in front of them.
inline std::optional<std::string> vector_file_name(std::string_view place) {
  constexpr std::size_t digits = 20;
  if (place.size() < digits) return {};
  const auto bytes = from_base85(place.substr(place.size() - digits));
  if (!bytes) return {};
  std::string name(place.substr(0, place.size() - digits));
  if (!name.empty()) name += '/';
  name += "deletion_vector_";
  for (std::size_t i = 0; i < bytes->size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) name += '-';
    const auto byte = static_cast<unsigned char>((*bytes)[i]);
    name += "0123456789abcdef"[byte >> 4];
    name += "0123456789abcdef"[byte & 15u];
  }
  return name + ".bin";
}

inline std::uint32_t big_endian(std::string_view bytes) {
  std::uint32_t number = 0;
  for (const char c : bytes.substr(0, 4)) number = number << 8 | static_cast<unsigned char>(c);
  return number;
}

inline result<std::string> vector_in_log(const deletion_vector& vector, const std::string& of) {
  auto bytes = from_base85(vector.place);
  // Four bytes at a time: what is filled up lies behind the end.
  if (!bytes || static_cast<std::int64_t>(bytes->size()) < vector.bytes ||
      static_cast<std::int64_t>(bytes->size()) - vector.bytes > 3)
    return damaged_vector("its text in the log is no Base85 of " + std::to_string(vector.bytes) + " bytes", of);
  bytes->resize(static_cast<std::size_t>(vector.bytes));
  return std::move(*bytes);
}

/// In a file a vector stands between its size and its checksum.
inline result<std::string> vector_in_file(const folder_store& store, const deletion_vector& vector,
                                          const std::string& of) {
  const auto name = vector.storage == "p" ? decoded_path(vector.place) : vector_file_name(vector.place);
  if (!name || name->empty()) return damaged_vector("`" + vector.place + "` names no file", of);
  const std::string where = (name->starts_with('/') ? "" : store.describe() + '/') + *name;
  const std::int64_t offset = vector.offset.value_or(0);
  if (offset < 0) return damaged_vector("it begins at byte " + std::to_string(offset), where);
  auto bytes = store.read_part(*name, offset, vector.bytes + 8);
  if (!bytes) return bytes.error();
  const auto size = static_cast<std::size_t>(vector.bytes);
  if (bytes->size() != size + 8)
    return damaged_vector("the file ends in the midst of the " + std::to_string(vector.bytes) + " bytes from byte " +
                              std::to_string(offset) + " on",
                          where);
  if (big_endian(*bytes) != size)
    return damaged_vector("it has " + std::to_string(big_endian(*bytes)) + " bytes in the file and " +
                              std::to_string(size) + " in the log",
                          where);
  const std::uint32_t checksum = big_endian(std::string_view(*bytes).substr(size + 4));
  bytes->resize(size + 4);
  bytes->erase(0, 4);
  if (crc32(*bytes) != checksum) return damaged_vector("its checksum is wrong", where);
  return bytes;
}

}  // namespace detail

[[gnu::used]] inline result<std::vector<bool>> deleted_rows(const folder_store& store, const deletion_vector& vector,
                                                            std::int64_t rows, const std::string& of) {
  if (vector.storage != "i" && vector.storage != "u" && vector.storage != "p")
    return unsupported("a deletion vector is stored in the way `" + vector.storage + "`, which etlantic does not know",
                       of, "use a newer etlantic, or purge the table (REORG TABLE ... APPLY (PURGE))");
  if (vector.bytes < 4 || vector.bytes > detail::largest_vector)
    return detail::damaged_vector("it has " + std::to_string(vector.bytes) + " bytes; 4 to " +
                                      std::to_string(detail::largest_vector) + " are possible",
                                  of);
  auto bytes = vector.storage == "i" ? detail::vector_in_log(vector, of) : detail::vector_in_file(store, vector, of);
  if (!bytes) return bytes.error();
  constexpr std::string_view magic = "\xd1\xd3\x39\x64";  // 1681511377
  if (!bytes->starts_with(magic)) return detail::damaged_vector("it is of an unknown format", of);
  std::vector<bool> deleted(static_cast<std::size_t>(rows));
  std::int64_t count = 0;
  if (const auto wrong = mark_members(std::string_view(*bytes).substr(magic.size()), deleted, count); !wrong.empty())
    return detail::damaged_vector(std::string(wrong), of);
  if (count != vector.rows)
    return detail::damaged_vector(
        "it deletes " + std::to_string(count) + " rows, and " + std::to_string(vector.rows) + " by the log", of);
  return deleted;
}

}  // namespace etlantic::delta
