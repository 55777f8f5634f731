// How long a row takes from where it is produced to where it is seen: a thread produces at an even rate, a query with
// the trigger low_latency and a checkpoint reads the topic and hands rows over to a sink in memory, which notes when
// its commit makes them visible. Prints what was produced, what was seen and how long it took as JSON. tools/bench
// latency starts it.
#include <data/options.hpp>
#include <support/digest.hpp>
#include <support/kafka.hpp>

#include <etlantic/etlantic.hpp>
#include <etlantic/runtime/query.hpp>

#include <librdkafka/rdkafka.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace etlantic;

struct Tick {
  checked<std::int64_t, ge<0>> number;
  std::int64_t produced_at;  // microseconds since 1970
  text note;
};

struct options {
  std::string brokers, topic, folder;
  std::uint32_t rate = 50'000;  ///< records in a second
  std::uint32_t seconds = 10;
  std::uint32_t warm_up = 10;  ///< seconds before those that count
  int partitions = 1;
  std::map<std::string, std::string> librdkafka;  ///< of the reading client
  // One request at a time collects what comes meanwhile. With many on their way the broker does not keep up with them.
  std::map<std::string, std::string> producer{
      {"linger.ms", "0.5"}, {"max.in.flight", "1"}, {"socket.nagle.disable", "true"}};

  std::uint32_t records() const { return rate * (seconds + warm_up); }
};

std::int64_t now() {
  return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

void add(bench::digest& into, std::int64_t number, std::int64_t produced_at) {
  into.begin_row();
  into.add(number);
  into.add(produced_at);
  into.end_row();
}

/// Notes how long rows took, once a batch is visible.
class clock_sink final : public sink {
 public:
  explicit clock_sink(std::int64_t warm_up) : warm_up_(warm_up) {}

  std::vector<std::int64_t> waited;  // microseconds, of the rows that count
  bench::digest rows;
  std::int64_t batches = 0;
  std::atomic<std::int64_t> seen = 0;

  result<void> open(const schema&, output_mode, const publisher&) override { return {}; }
  result<void> prepare(const publication& what) override {
    staged_.clear();
    for (const block& each : what.blocks)
      for (std::size_t row = 0; row < each.rows; ++row)
        staged_.emplace_back(each.columns[0].value<std::int64_t>(row), each.columns[1].value<std::int64_t>(row));
    return {};
  }
  result<void> commit(std::int64_t) override {
    const std::int64_t visible = now();
    for (const auto& [number, produced] : staged_) {
      if (number >= warm_up_) waited.push_back(visible - produced);
      add(rows, number, produced);
    }
    ++batches;
    seen += static_cast<std::int64_t>(staged_.size());
    return {};
  }
  void abort() override { staged_.clear(); }
  std::string describe() const override { return "memory"; }

 private:
  std::int64_t warm_up_;
  std::vector<std::pair<std::int64_t, std::int64_t>> staged_;
};

rd_kafka_t* open_producer(const options& given) {
  std::map<std::string, std::string> settings = given.producer;
  settings["bootstrap.servers"] = given.brokers;
  return bench::open_handle(RD_KAFKA_PRODUCER, settings);
}

void send(rd_kafka_t* to, rd_kafka_topic_t* topic, const options& given, std::uint32_t number, bench::digest& sent) {
  const std::int64_t produced_at = now();
  add(sent, number, produced_at);
  const std::string line =
      R"({"number":)" + std::to_string(number) + R"(,"produced_at":)" + std::to_string(produced_at) +
      R"(,"note":"what a record of about a hundred and fifty bytes has besides, and no query asks )" + R"(for"})";
  const auto partition = static_cast<std::int32_t>(number % static_cast<std::uint32_t>(given.partitions));
  // What waits for a broker that does not keep up waits in the record's time.
  while (rd_kafka_produce(topic, partition, RD_KAFKA_MSG_F_COPY, const_cast<char*>(line.data()), line.size(), nullptr,
                          0, nullptr) != 0) {
    if (rd_kafka_last_error() != RD_KAFKA_RESP_ERR__QUEUE_FULL)
      throw std::runtime_error(rd_kafka_err2str(rd_kafka_last_error()));
    rd_kafka_poll(to, 1);
  }
}

/// As many as should be there by now, every 100 microseconds.
bench::digest produce_evenly(rd_kafka_t* to, rd_kafka_topic_t* topic, const options& given) {
  bench::digest produced;
  const auto begin = std::chrono::steady_clock::now();
  std::uint32_t sent = 0;
  while (sent < given.records()) {
    const std::chrono::duration<double> since = std::chrono::steady_clock::now() - begin;
    const auto due =
        static_cast<std::uint32_t>(std::min(since.count() * given.rate, static_cast<double>(given.records())));
    for (; sent < due; ++sent) send(to, topic, given, sent, produced);
    rd_kafka_poll(to, 0);
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  rd_kafka_flush(to, 60'000);
  return produced;
}

profile low_latency_profile(const options& given, std::shared_ptr<sink> into) {
  profile made;
  made.trigger.kind = trigger_kind::low_latency;
  made.checkpoint = given.folder + "/checkpoint";
  made.assets["ticks"] = {.connector = "kafka",
                          .options = {{"bootstrap_servers", given.brokers}, {"topics", given.topic}}};
  for (const auto& [name, value] : given.librdkafka)
    made.assets["ticks"].options.insert_or_assign("librdkafka." + name, value);
  made.assets["seen"].made_sink = std::move(into);
  return made;
}

std::int64_t at_share(const std::vector<std::int64_t>& sorted, double share) {
  const auto place = static_cast<std::size_t>(share * static_cast<double>(sorted.size()));
  return sorted[std::min(place, sorted.size() - 1)];
}

/// Four bars for each doubling.
void print_histogram(const std::vector<std::int64_t>& sorted) {
  constexpr double fourth_root_of_two = 1.189207115;
  bool first = true;
  double edge = 100;
  for (std::size_t at = 0; at < sorted.size(); edge *= fourth_root_of_two) {
    const std::size_t begin = at;
    while (at < sorted.size() && static_cast<double>(sorted[at]) < edge) ++at;
    if (at == begin) continue;
    std::printf("%s{\"below_ms\":%.3f,\"rows\":%zu}", first ? "" : ",", edge / 1000, at - begin);
    first = false;
  }
}

/// The mean of the batches, warm-up and all.
void print_parts(const progress& all, std::int64_t batches) {
  const std::pair<const char*, double> parts[] = {{"plan", all.plan_seconds},
                                                  {"process", all.process_seconds},
                                                  {"publish", all.publish_seconds},
                                                  {"checkpoint", all.checkpoint_seconds}};
  for (const auto& [name, seconds] : parts)
    std::printf("%s\"%s\":%.3f", name == parts[0].first ? "" : ",", name,
                seconds * 1000 / static_cast<double>(std::max<std::int64_t>(batches, 1)));
}

void print(const bench::digest& produced, clock_sink& seen, const progress& all, const options& given) {
  std::vector<std::int64_t>& waited = seen.waited;
  std::sort(waited.begin(), waited.end());
  std::printf("{\"rate\":%u,\"seconds\":%u,\"partitions\":%d,\"produced\":%s,\"seen\":%s,", given.rate, given.seconds,
              given.partitions, produced.to_json().c_str(), seen.rows.to_json().c_str());
  std::printf("\"batches\":%lld,\"batch_milliseconds\":{", static_cast<long long>(seen.batches));
  print_parts(all, seen.batches);
  std::printf("},\"rows\":%zu,\"milliseconds\":{", waited.size());
  const std::pair<const char*, double> shares[] = {{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"p99.9", 0.999}};
  for (const auto& [name, share] : shares)
    std::printf("\"%s\":%.3f,", name, waited.empty() ? 0 : static_cast<double>(at_share(waited, share)) / 1000);
  std::printf("\"max\":%.3f},\"histogram\":[", waited.empty() ? 0 : static_cast<double>(waited.back()) / 1000);
  print_histogram(waited);
  std::printf("]}\n");
}

void measure(const options& given) {
  rd_kafka_t* to = open_producer(given);
  bench::create_topic(to, given.topic, given.partitions);
  rd_kafka_topic_t* topic = rd_kafka_topic_new(to, given.topic.c_str(), nullptr);
  const auto into = std::make_shared<clock_sink>(std::int64_t{given.rate} * given.warm_up);
  auto started = start_program(*lower(from<Tick>("ticks") | where(field<"number"> >= 0) | etlantic::into("seen")),
                               low_latency_profile(given, into));
  if (!started) throw std::runtime_error(started.error().message + " (" + started.error().where + ")");
  const bench::digest produced = produce_evenly(to, topic, given);
  for (int patience = 300; into->seen < std::int64_t{given.records()} && patience > 0; --patience)
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  if (const auto stopped = started->stop(); !stopped) throw std::runtime_error(stopped.error().message);
  rd_kafka_topic_destroy(topic);
  rd_kafka_destroy(to);
  print(produced, *into, started->totals(), given);
}

options parse(bench::command_line line) {
  options made;
  while (line.has_next()) {
    const std::string_view name = line.name();
    if (name == "--brokers")
      made.brokers = line.value();
    else if (name == "--topic")
      made.topic = line.value();
    else if (name == "--folder")
      made.folder = line.value();
    else if (name == "--rate")
      made.rate = line.number();
    else if (name == "--seconds")
      made.seconds = line.number();
    else if (name == "--warm-up")
      made.warm_up = line.number();
    else if (name == "--partitions")
      made.partitions = static_cast<int>(line.number());
    else if (name == "--librdkafka")
      line.add_setting(made.librdkafka);
    else if (name == "--producer")
      line.add_setting(made.producer);
    else
      throw std::invalid_argument("there is no option " + std::string(name));
  }
  return made;
}

}  // namespace

int main(int argument_count, char** arguments) {
  try {
    measure(parse({argument_count, arguments}));
    return 0;
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "latency: %s\n", failure.what());
    return 1;
  }
}
