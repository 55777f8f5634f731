#pragma once
#include <etlantic/tool/yaml_tree.hpp>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <map>
#include <sstream>

namespace etlantic {
namespace detail {

// Thrown out of the parser, and caught in read_yaml.
struct yaml_refused {
  diagnostic why;
};

class yaml_tree_builder final : public YAML::EventHandler {
 public:
  yaml_tree_builder(std::string file, report& into) : file_(std::move(file)), report_(into) {}

  std::shared_ptr<const yaml_tree> root() const { return root_; }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { add(node_at(mark), anchor); }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    // an alias inside the value that it names has no finished value to stand for
    if (found == anchors_.end()) refuse(mark, "this alias refers to itself", "write the value out");
    place(found->second, mark);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    auto made = node_at(mark);
    made->what = yaml_tree::kind::scalar;
    made->scalar = value;
    made->quoted = tag == "!";
    add(made, anchor);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, anchor, yaml_tree::kind::sequence);
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, anchor, yaml_tree::kind::mapping);
  }
  void OnMapEnd() override { close(); }

 private:
  struct unfinished {
    std::shared_ptr<yaml_tree> node;
    YAML::anchor_t anchor;
    YAML::Mark mark;
    bool has_key = false;
    yaml_tree::entry pending{};
  };

  std::string file_;
  report& report_;
  std::shared_ptr<const yaml_tree> root_;
  std::vector<unfinished> open_;
  std::size_t values_ = 0;
  std::map<YAML::anchor_t, std::shared_ptr<const yaml_tree>> anchors_;

  static std::shared_ptr<yaml_tree> node_at(const YAML::Mark& mark) {
    auto made = std::make_shared<yaml_tree>();
    made->line = mark.line + 1;
    made->column = mark.column + 1;
    return made;
  }

  [[noreturn]] void refuse(const YAML::Mark& mark, std::string message, std::string help,
                           std::string_view which = code::yaml_syntax) const {
    throw yaml_refused{{.code = std::string(which),
                        .message = std::move(message),
                        .path = {},
                        .help = std::move(help),
                        .place = {file_, mark.line + 1, mark.column + 1}}};
  }

  void open(const YAML::Mark& mark, YAML::anchor_t anchor, yaml_tree::kind what) {
    if (open_.size() >= profile_depth_at_most)
      refuse(mark, "this is nested more than " + std::to_string(profile_depth_at_most) + " levels deep",
             "a profile needs three levels", code::profile_too_large);
    auto made = node_at(mark);
    made->what = what;
    open_.push_back({std::move(made), anchor, mark, false, {}});
  }

  void close() {
    unfinished done = std::move(open_.back());
    open_.pop_back();
    if (done.anchor != 0) anchors_[done.anchor] = done.node;
    place(done.node, done.mark);
  }

  void add(std::shared_ptr<yaml_tree> made, YAML::anchor_t anchor) {
    const YAML::Mark mark = mark_of(*made);
    if (anchor != 0) anchors_[anchor] = made;
    place(std::move(made), mark);
  }

  static YAML::Mark mark_of(const yaml_tree& node) {
    YAML::Mark mark;
    mark.line = node.line - 1;
    mark.column = node.column - 1;
    return mark;
  }

  void place(std::shared_ptr<const yaml_tree> value, const YAML::Mark& mark) {
    if (++values_ > profile_values_at_most)
      refuse(mark, "this has more than " + std::to_string(profile_values_at_most) + " keys and values",
             "is this the right file?", code::profile_too_large);
    if (open_.empty()) {
      root_ = std::move(value);
      return;
    }
    unfinished& parent = open_.back();
    if (parent.node->what == yaml_tree::kind::sequence) {
      parent.node->items.push_back(std::move(value));
    } else if (!parent.has_key) {
      begin_entry(parent, *value, mark);
    } else {
      parent.has_key = false;
      parent.pending.value = std::move(value);
      end_entry(parent);
    }
  }

  void begin_entry(unfinished& parent, const yaml_tree& key, const YAML::Mark& mark) const {
    if (key.what == yaml_tree::kind::sequence || key.what == yaml_tree::kind::mapping)
      refuse(mark, "a list or a mapping cannot be a key", "write key: value, one a line");
    parent.pending = {key.scalar, mark.line + 1, mark.column + 1, nullptr};
    parent.has_key = true;
  }

  void end_entry(unfinished& parent) {
    yaml_tree::entry& next = parent.pending;
    for (const yaml_tree::entry& before : parent.node->entries) {
      if (before.key != next.key) continue;
      report_.add({.code = std::string(code::duplicate_key),
                   .message = "\"" + next.key + "\" appears twice in this mapping",
                   .path = next.key,
                   .help = "it stands in line " + std::to_string(before.line) + " already; remove one of the two",
                   .place = {file_, next.line, next.column}});
      return;
    }
    parent.node->entries.push_back(std::move(next));
  }
};

}  // namespace detail

[[gnu::used]] inline std::shared_ptr<const yaml_tree> read_yaml(const std::string& text, const std::string& file,
                                                                report& into) {
  const auto refuse = [&](std::string_view code, std::string message, std::string help, int line, int column) {
    into.add({.code = std::string(code),
              .message = std::move(message),
              .path = {},
              .help = std::move(help),
              .place = {file, line, column}});
    return nullptr;
  };
  if (text.size() > profile_bytes_at_most)
    return refuse(code::profile_too_large, "a profile of more than 1 MiB is not read", "is this the right file?", 0, 0);
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    detail::yaml_tree_builder builder(file, into);
    parser.HandleNextDocument(builder);
    detail::yaml_tree_builder second(file, into);
    if (builder.root() && parser.HandleNextDocument(second) && second.root())
      return refuse(code::yaml_syntax, "the file holds more than one document",
                    "keep the part before the second \"---\"", second.root()->line, second.root()->column);
    return builder.root();
  } catch (const detail::yaml_refused& refused) {
    into.add(refused.why);
    return nullptr;
  } catch (const YAML::Exception& wrong) {
    const bool somewhere = !wrong.mark.is_null();
    return refuse(
        code::yaml_syntax, "this is not YAML: " + wrong.msg,
        "look at the line and the one before it: indentation by spaces, a space after each colon, quotes closed",
        somewhere ? wrong.mark.line + 1 : 0, somewhere ? wrong.mark.column + 1 : 0);
  } catch (const std::exception& wrong) {
    return refuse(code::yaml_syntax, std::string("this cannot be read as YAML: ") + wrong.what(), "is it a text file?",
                  0, 0);
  }
}

}  // namespace etlantic
