#pragma once
#include <etlantic/connect/delta/action_reader.hpp>
#include <etlantic/connect/delta/failure.hpp>
#include <etlantic/connect/delta/json_values.hpp>

#include <utility>

namespace etlantic::delta {

namespace detail {

/// Fills the members of one action; a member of a wrong kind is remembered, and makes the line unreadable.
class member_taker {
 public:
  explicit member_taker(const json_token& value) : value_(value) {}

  bool ok() const { return ok_; }
  bool is_given() const { return value_.kind != json_kind::null; }

  void into(std::string& to) {
    if (is_given() && expect(json_kind::string)) to = text_of(value_);
  }
  void into(std::int64_t& to) {
    if (!is_given()) return;
    if (const auto number = integer_of(value_))
      to = *number;
    else
      ok_ = false;
  }
  void into(bool& to) {
    if (is_given() && expect(json_kind::boolean)) to = value_.text == "true";
  }
  template <class T>
  void into(std::optional<T>& to) {
    if (!is_given()) return;
    T read{};
    into(read);
    to = std::move(read);
  }
  void into(std::vector<std::string>& to) {
    if (is_given() && expect(json_kind::array))
      for_each_element(value_, [&](const json_token& each) { take(each, to.emplace_back()); });
  }
  template <class T>
  void into(std::map<std::string, T>& to) {
    if (is_given() && expect(json_kind::object))
      for_each_member(value_, [&](const std::string& name, const json_token& each) { take(each, to[name]); });
  }
  void into(deletion_vector& to) {
    if (expect(json_kind::object))
      for_each_member(value_, [&](const std::string& name, const json_token& each) {
        member_taker of(each);
        if (name == "storageType")
          of.into(to.storage);
        else if (name == "pathOrInlineDv")
          of.into(to.place);
        else if (name == "offset")
          of.into(to.offset);
        else if (name == "sizeInBytes")
          of.into(to.bytes);
        else if (name == "cardinality")
          of.into(to.rows);
        ok_ = ok_ && of.ok();
      });
  }

 private:
  template <class T>
  void take(const json_token& each, T& to) {
    member_taker of(each);
    of.into(to);
    ok_ = ok_ && of.ok();
  }
  bool expect(json_kind kind) {
    ok_ = ok_ && value_.kind == kind;
    return value_.kind == kind;
  }

  const json_token& value_;
  bool ok_ = true;
};

inline void take_member(add_file& to, const std::string& name, member_taker& value) {
  if (name == "path")
    value.into(to.path);
  else if (name == "partitionValues")
    value.into(to.partition);
  else if (name == "size")
    value.into(to.size);
  else if (name == "modificationTime")
    value.into(to.modified);
  else if (name == "dataChange")
    value.into(to.changes_data);
  else if (name == "stats")
    value.into(to.statistics);
  else if (name == "deletionVector")
    value.into(to.deleted);
}

inline void take_member(remove_file& to, const std::string& name, member_taker& value) {
  if (name == "path")
    value.into(to.path);
  else if (name == "deletionTimestamp")
    value.into(to.removed_at);
  else if (name == "dataChange")
    value.into(to.changes_data);
  else if (name == "partitionValues")
    value.into(to.partition);
  else if (name == "size")
    value.into(to.size);
  else if (name == "stats")
    value.into(to.statistics);
  else if (name == "deletionVector")
    value.into(to.deleted);
}

inline void take_member(table_metadata& to, const std::string& name, member_taker& value) {
  if (name == "id")
    value.into(to.id);
  else if (name == "name")
    value.into(to.name);
  else if (name == "description")
    value.into(to.description);
  else if (name == "schemaString")
    value.into(to.schema);
  else if (name == "partitionColumns")
    value.into(to.partition_columns);
  else if (name == "configuration")
    value.into(to.configuration);
  else if (name == "createdTime")
    value.into(to.created);
}

inline void take_member(table_protocol& to, const std::string& name, member_taker& value) {
  if (name == "minReaderVersion")
    value.into(to.reader);
  else if (name == "minWriterVersion")
    value.into(to.writer);
  else if (name == "readerFeatures")
    value.into(to.reader_features);
  else if (name == "writerFeatures")
    value.into(to.writer_features);
}

inline void take_member(transaction& to, const std::string& name, member_taker& value) {
  if (name == "appId")
    value.into(to.application);
  else if (name == "version")
    value.into(to.version);
  else if (name == "lastUpdated")
    value.into(to.updated);
}

inline void take_member(commit_information& to, const std::string& name, member_taker& value) {
  if (name == "timestamp")
    value.into(to.timestamp);
  else if (name == "operation")
    value.into(to.operation);
  else if (name == "txnId")
    value.into(to.id);
  else if (name == "isBlindAppend")
    value.into(to.blind_append);
  else if (name == "engineInfo")
    value.into(to.engine);
  else if (name == "inCommitTimestamp")
    value.into(to.in_commit_timestamp);
}

template <class Action>
bool read_action(Action& to, const json_token& object) {
  bool ok = object.kind == json_kind::object;
  for_each_member(object, [&](const std::string& name, const json_token& value) {
    member_taker taker(value);
    take_member(to, name, taker);
    ok = ok && taker.ok();
  });
  return ok;
}

/// What others put into a commit's information is their own affair: only what we understand counts.
inline bool read_action(commit_information& to, const json_token& object) {
  for_each_member(object, [&](const std::string& name, const json_token& value) {
    member_taker taker(value);
    take_member(to, name, taker);
  });
  return object.kind == json_kind::object;
}

inline bool read_line(commit_content& into, const json_token& line) {
  bool ok = line.kind == json_kind::object;
  for_each_member(line, [&](const std::string& name, const json_token& value) {
    if (value.kind == json_kind::null) return;
    if (name == "add")
      ok = read_action(into.added.emplace_back(), value) && !into.added.back().path.empty() && ok;
    else if (name == "remove")
      ok = read_action(into.removed.emplace_back(), value) && !into.removed.back().path.empty() && ok;
    else if (name == "cdc")
      ok = read_action(into.changes.emplace_back(), value) && !into.changes.back().path.empty() && ok;
    else if (name == "metaData")
      ok = read_action(into.metadata.emplace(), value) && ok;
    else if (name == "protocol")
      ok = read_action(into.protocol.emplace(), value) && ok;
    else if (name == "txn")
      ok = read_action(into.transactions.emplace_back(), value) && ok;
    else if (name == "commitInfo")
      ok = read_action(into.information.emplace(), value) && ok;
    else if (name == "sidecar")
      into.sidecars.push_back(text_of(member_of(value, "path")));
    else if (name == "domainMetadata")
      into.domains.push_back(text_of(member_of(value, "domain")));
  });
  return ok;
}

}  // namespace detail

[[gnu::used]] inline result<commit_content> read_commit(std::string_view text, const std::string& where) {
  commit_content content;
  std::size_t lines = 0;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const json_document document(line);
    const auto& value = document.value();
    if (!value || !detail::read_line(content, *value))
      return damaged_log("line " + std::to_string(number) + " is not an action of a Delta log" +
                             (end == std::string_view::npos ? "; the file may be cut" : ""),
                         where);
    ++lines;
  }
  if (lines == 0) return damaged_log("the commit is empty", where);
  return content;
}

}  // namespace etlantic::delta
