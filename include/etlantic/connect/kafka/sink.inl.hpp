#pragma once
#include <etlantic/connect/kafka/client.inl.hpp>
#include <etlantic/connect/kafka/dead_letter.hpp>
#include <etlantic/connect/kafka/failure.hpp>
#include <etlantic/connect/kafka/ledger_record.hpp>
#include <etlantic/connect/kafka/producer.inl.hpp>
#include <etlantic/connect/kafka/read_partition.hpp>
#include <etlantic/connect/kafka/record_writer.hpp>
#include <etlantic/connect/kafka/settings.inl.hpp>
#include <etlantic/connect/kafka/sink.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace etlantic::kafka {

struct sink_settings {
  client_settings reaching;
  std::string topic;
  bool exactly_once = true;
  bool dead_letters = false;  ///< of rejected rows: payloads as they came, and in headers what is wrong with them
  std::string ledger_topic = "etlantic-ledger";
};

namespace detail {

class topic_sink final : public sink {
 public:
  explicit topic_sink(sink_settings settings) : settings_(std::move(settings)) {}

  result<void> take_over(const publisher& who) override;
  result<std::optional<std::int64_t>> published(const publisher& who) override;
  result<void> open(const schema& contract, output_mode mode, const publisher& who) override;
  result<void> prepare(const publication& what) override;
  result<void> commit(std::int64_t batch) override;
  void abort() override;
  bool wants_origins() const override { return settings_.dead_letters; }
  std::string describe() const override {
    return "Kafka topic " + settings_.topic + " of " + settings_.reaching.bootstrap_servers;
  }

 private:
  struct waiting_record {
    std::size_t key_end = 0;  // in the bytes
    std::size_t value_end = 0;
  };

  result<void> publish_as(const publisher& who);
  result<bool> is_there(client& in, const std::string& topic);
  result<void> create_if_missing(const std::string& topic, bool is_compacted);
  result<void> verify_ledger();
  result<std::int64_t> newest_in_ledger(const publisher& who);
  result<void> wait_until_decided(client& decided, const std::vector<partition>& ledger);
  result<void> send_in_transaction(const publication& what);
  result<void> note_in_ledger(std::int64_t batch);
  void keep(const publication& what);
  result<void> send_kept(std::int64_t batch);
  void forget_kept();
  std::vector<outgoing_record> letters_of(const publication& what) const;

  sink_settings settings_;
  publisher who_;
  std::optional<record_writer> writer_;
  std::unique_ptr<producer> producer_;
  bool has_taken_over_ = false;  // for the `published` and `open` to come
  std::int64_t newest_ = nothing_published;
  std::optional<std::int64_t> prepared_;
  bool in_transaction_ = false;
  std::string kept_bytes_;
  std::vector<waiting_record> kept_;
  std::optional<dead_letter_writer> letter_writer_;
  std::vector<outgoing_record> kept_letters_;
};

/// The id is that of the query and the load, so that whoever takes over ends what the one before has begun.
[[gnu::used]] inline result<void> topic_sink::publish_as(const publisher& who) {
  who_ = who;
  const std::string id = settings_.exactly_once ? "etlantic-" + who.query + "-" + who.node : std::string();
  auto made = producer::open(settings_.reaching, id);
  if (!made) return made.error();
  producer_ = std::move(*made);
  return settings_.exactly_once ? producer_->take_over() : result<void>();
}

[[gnu::used]] inline result<void> topic_sink::take_over(const publisher& who) {
  if (!settings_.exactly_once) return {};
  auto taken = publish_as(who);
  has_taken_over_ = taken.ok();
  return taken;
}

[[gnu::used]] inline result<bool> topic_sink::is_there(client& in, const std::string& topic) {
  const auto numbers = in.partitions_of(topic, false);
  if (numbers) return true;
  if (numbers.error().code == "PMSTREAM427") return false;
  return numbers.error();
}

[[gnu::used]] inline result<std::optional<std::int64_t>> topic_sink::published(const publisher& who) {
  if (!settings_.exactly_once) return std::optional<std::int64_t>();
  const auto made = make_client(settings_.reaching);
  if (!made) return made.error();
  for (const std::string* each : {&settings_.topic, &settings_.ledger_topic}) {
    const auto there = is_there(**made, *each);
    if (!there) return there.error();
    if (!*there) return std::optional<std::int64_t>(nothing_published);
  }
  // A transaction that the last process has left half done must be ended before the ledger can be believed.
  if (!has_taken_over_)
    if (auto taken = publish_as(who); !taken) return taken.error();
  const auto newest = newest_in_ledger(who);
  if (!newest) return newest.error();
  return std::optional<std::int64_t>(*newest);
}

/// A transaction of another load that is open hides what was committed after it began.
[[gnu::used]] inline result<void> topic_sink::wait_until_decided(client& decided,
                                                                 const std::vector<partition>& ledger) {
  client_settings all = settings_.reaching;
  all.undecided_too = true;
  const auto other = make_client(all);
  if (!other) return other.error();
  const auto written = (*other)->offsets(ledger, log_end::stable);
  if (!written) return written.error();
  // Of a process that is gone it is open until the time of transactions is over, for which the cluster looks every ten
  // seconds.
  const auto end =
      connection::clock::now() + std::chrono::milliseconds(std::max(60'000, settings_.reaching.timeout_ms) + 15'000);
  for (;;) {
    const auto stable = decided.offsets(ledger, log_end::stable);
    if (!stable) return stable.error();
    bool all_decided = true;
    for (std::size_t i = 0; i < ledger.size(); ++i) all_decided = all_decided && (*stable)[i] >= (*written)[i];
    if (all_decided) return {};
    if (connection::clock::now() > end)
      return unreachable("a transaction on the ledger topic `" + settings_.ledger_topic + "` is open and does not end",
                         describe());
    (void)decided.partitions_of(settings_.ledger_topic, true);
  }
}

[[gnu::used]] inline result<std::int64_t> topic_sink::newest_in_ledger(const publisher& who) {
  const auto made = make_client(settings_.reaching);
  if (!made) return made.error();
  client& from = **made;
  const auto numbers = from.partitions_of(settings_.ledger_topic, true);
  if (!numbers) return numbers.error();
  std::vector<partition> ledger;
  for (const std::int32_t number : *numbers) ledger.push_back({settings_.ledger_topic, number});
  if (auto waited = wait_until_decided(from, ledger); !waited) return waited.error();
  const auto begins = from.offsets(ledger, log_end::earliest);
  if (!begins) return begins.error();
  const auto ends = from.offsets(ledger, log_end::stable);
  if (!ends) return ends.error();
  const std::string prefix = ledger_prefix(who);
  std::int64_t newest = nothing_published;
  for (std::size_t i = 0; i < ledger.size(); ++i) {
    const auto note = [&](const record_view& each, partition_reader&) {
      if (each.value != nullptr)
        if (const auto batch = batch_in_ledger({each.value, each.size}, prefix)) newest = std::max(newest, *batch);
      return true;
    };
    if (auto read =
            read_partition(from, ledger[i], (*begins)[i], (*ends)[i], settings_.reaching.timeout_ms, describe(), note);
        !read)
      return read.error();
  }
  return newest;
}

[[gnu::used]] inline result<void> topic_sink::create_if_missing(const std::string& topic, bool is_compacted) {
  const auto made = make_client(settings_.reaching);
  if (!made) return made.error();
  const auto there = is_there(**made, topic);
  if (!there) return there.error();
  return *there ? result<void>() : producer_->create_topic(topic, is_compacted);
}

/// Any other policy removes notes by their age, also the only one of a load that was stopped for longer.
[[gnu::used]] inline result<void> topic_sink::verify_ledger() {
  const auto policy = producer_->setting_of(settings_.ledger_topic, "cleanup.policy");
  if (!policy) return policy.error();
  if (!*policy || **policy == "compact") return {};
  return failure{failure_class::configuration, "PMSTREAM429",
                 "the ledger topic `" + settings_.ledger_topic + "` has cleanup.policy `" + **policy +
                     "`: its notes of what is published would be lost",
                 describe(),
                 "set cleanup.policy of the topic to compact, or name another one with the option ledger_topic"};
}

[[gnu::used]] inline result<void> topic_sink::open(const schema& contract, output_mode mode, const publisher& who) {
  if (mode == output_mode::complete)
    return failure{failure_class::configuration, "PMSTREAM429",
                   "a topic cannot be replaced, so that a load in complete mode cannot go there", describe(),
                   "use update mode, in which consumers see the newest row of each key"};
  if (settings_.dead_letters && !dead_letter_writer::fits(contract))
    return failure{
        failure_class::configuration, "PMSTREAM429",
        "the rows of the load \"" + who.node + "\" are no rejected ones, of which alone dead letters are made",
        describe(), "remove format: dead_letter, or bind a load of the output invalid of an extract or a step"};
  writer_.emplace(contract);
  if (settings_.dead_letters) letter_writer_.emplace(contract);
  prepared_.reset();
  in_transaction_ = false;
  if (!std::exchange(has_taken_over_, false))
    if (auto taken = publish_as(who); !taken) return taken;
  if (auto there = create_if_missing(settings_.topic, false); !there) return there;
  if (!settings_.exactly_once) return {};
  if (auto there = create_if_missing(settings_.ledger_topic, true); !there) return there;
  if (auto kept = verify_ledger(); !kept) return kept;
  const auto newest = newest_in_ledger(who);
  if (!newest) return newest.error();
  newest_ = *newest;
  return {};
}

[[gnu::used]] inline result<void> topic_sink::prepare(const publication& what) {
  abort();
  if (what.batch <= newest_) return {};
  if (settings_.exactly_once) {
    if (auto sent = send_in_transaction(what); !sent) return sent;
  } else {
    keep(what);
  }
  prepared_ = what.batch;
  return {};
}

[[gnu::used]] inline result<void> topic_sink::send_in_transaction(const publication& what) {
  if (auto begun = producer_->begin(); !begun) return begun;
  in_transaction_ = true;
  std::string key;
  std::string value;
  for (const outgoing_record& each : letters_of(what))
    if (auto sent = producer_->send(settings_.topic, each); !sent) return sent;
  if (letter_writer_) return note_in_ledger(what.batch);
  for (const block& rows : what.blocks)
    for (std::size_t row = 0; row < rows.rows; ++row) {
      key.clear();
      value.clear();
      if (writer_->has_key()) writer_->append_key(key, rows, row);
      writer_->append_value(value, rows, row);
      const std::optional<std::string_view> sent_key =
          writer_->has_key() ? std::optional<std::string_view>(key) : std::nullopt;
      if (auto sent = producer_->send(settings_.topic, sent_key, value); !sent) return sent;
    }
  return note_in_ledger(what.batch);
}

[[gnu::used]] inline result<void> topic_sink::note_in_ledger(std::int64_t batch) {
  if (auto done = producer_->finish(); !done) return done;
  if (auto sent = producer_->send(settings_.ledger_topic, ledger_key(who_), ledger_value(who_, batch)); !sent)
    return sent;
  return producer_->finish();
}

/// None unless the sink is for dead letters.
[[gnu::used]] inline std::vector<outgoing_record> topic_sink::letters_of(const publication& what) const {
  std::vector<outgoing_record> made;
  if (!letter_writer_) return made;
  for (const block& rows : what.blocks)
    for (std::size_t row = 0; row < rows.rows; ++row) {
      outgoing_record& each = made.emplace_back(letter_writer_->letter_of(rows, row));
      each.headers.push_back({"etlantic-query", who_.query});
      each.headers.push_back({"etlantic-load", who_.node});
      each.headers.push_back({"etlantic-batch", std::to_string(what.batch)});
      each.headers.push_back({"etlantic-index", std::to_string(made.size() - 1)});
    }
  return made;
}

[[gnu::used]] inline void topic_sink::keep(const publication& what) {
  kept_letters_ = letters_of(what);
  if (letter_writer_) return;
  for (const block& rows : what.blocks)
    for (std::size_t row = 0; row < rows.rows; ++row) {
      waiting_record& made = kept_.emplace_back();
      if (writer_->has_key()) writer_->append_key(kept_bytes_, rows, row);
      made.key_end = kept_bytes_.size();
      writer_->append_value(kept_bytes_, rows, row);
      made.value_end = kept_bytes_.size();
    }
}

/// Without a transaction nothing may be sent before the other sinks are prepared too.
[[gnu::used]] inline result<void> topic_sink::send_kept(std::int64_t batch) {
  for (const outgoing_record& each : kept_letters_)
    if (auto sent = producer_->send(settings_.topic, each); !sent) return sent;
  const record_headers headers{who_.query, who_.node, std::to_string(batch)};
  const std::string_view bytes = kept_bytes_;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    const waiting_record& each = kept_[i];
    const std::string_view key = bytes.substr(begin, each.key_end - begin);
    const std::string_view value = bytes.substr(each.key_end, each.value_end - each.key_end);
    const std::optional<std::string_view> sent_key = writer_->has_key() ? std::optional(key) : std::nullopt;
    if (auto sent = producer_->send(settings_.topic, sent_key, value, &headers, static_cast<std::int64_t>(i)); !sent)
      return sent;
    begin = each.value_end;
  }
  return producer_->finish();
}

[[gnu::used]] inline result<void> topic_sink::commit(std::int64_t batch) {
  if (!prepared_ || *prepared_ != batch) {
    if (batch <= newest_) return {};
    return failure{failure_class::internal, "PMSTREAM414",
                   "batch " + std::to_string(batch) + " is to be committed and was not prepared", describe(), ""};
  }
  auto done = settings_.exactly_once ? producer_->commit() : send_kept(batch);
  if (!done) return done;
  in_transaction_ = false;
  newest_ = batch;
  prepared_.reset();
  forget_kept();
  return {};
}

[[gnu::used]] inline void topic_sink::abort() {
  if (in_transaction_ && producer_ != nullptr) producer_->abort();
  in_transaction_ = false;
  prepared_.reset();
  forget_kept();
}

[[gnu::used]] inline void topic_sink::forget_kept() {
  kept_.clear();
  kept_bytes_.clear();
  kept_letters_.clear();
}

}  // namespace detail

}  // namespace etlantic::kafka

namespace etlantic {

[[gnu::used]] inline result<std::shared_ptr<sink>> make_kafka_sink(const asset_binding& binding) {
  auto reaching = kafka::client_settings_of(binding, kafka::client_role::producer);
  if (!reaching) return reaching.error();
  kafka::sink_settings settings;
  settings.reaching = std::move(*reaching);
  settings.topic = option_of(binding, "topic");
  if (settings.topic.empty()) return kafka::wrong_option("the option topic is missing", "name the topic of the rows");
  settings.exactly_once = option_of(binding, "delivery") != "at_least_once";
  settings.dead_letters = option_of(binding, "format") == "dead_letter";
  if (const std::string ledger = option_of(binding, "ledger_topic"); !ledger.empty()) settings.ledger_topic = ledger;
  return std::shared_ptr<sink>(std::make_shared<kafka::detail::topic_sink>(std::move(settings)));
}

}  // namespace etlantic
