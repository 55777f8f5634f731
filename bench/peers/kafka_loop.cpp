// The loop over librdkafka that costs least: one queue for all partitions, many messages a call, each payload touched
// and nothing done with it. What a program that reads the same topic cannot be faster than. With --fill it makes the
// topic instead: row n of the house data into partition n % partitions.
#include <data/house.hpp>
#include <peers/house_by_hand.hpp>
#include <support/clock.hpp>
#include <support/kafka.hpp>
#include <support/peer.hpp>

#include <librdkafka/rdkafka.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>

namespace {

struct options {
  bench::data_options data;
  std::string brokers, topic;
  int partitions = 1;
  bool fill = false;
};

// ---- filling

void produce(rd_kafka_t* to, rd_kafka_topic_t* topic, int partition, const std::string& line) {
  while (rd_kafka_produce(topic, partition, RD_KAFKA_MSG_F_COPY, const_cast<char*>(line.data()), line.size(), nullptr,
                          0, nullptr) != 0) {
    if (rd_kafka_last_error() != RD_KAFKA_RESP_ERR__QUEUE_FULL)
      throw std::runtime_error(rd_kafka_err2str(rd_kafka_last_error()));
    rd_kafka_poll(to, 20);
  }
}

void fill(const options& given) {
  rd_kafka_t* to = bench::open_handle(RD_KAFKA_PRODUCER, {{"bootstrap.servers", given.brokers},
                                                          {"enable.idempotence", "true"},
                                                          {"linger.ms", "50"},
                                                          {"batch.size", "262144"}});
  bench::create_topic(to, given.topic, given.partitions);
  rd_kafka_topic_t* topic = rd_kafka_topic_new(to, given.topic.c_str(), nullptr);
  std::string line;
  for (std::uint32_t number = 0; number < given.data.rows; ++number) {
    line.clear();
    bench::append_house_line(line, given.data, number);
    line.pop_back();  // a message has no line feed
    produce(to, topic, static_cast<int>(number % static_cast<std::uint32_t>(given.partitions)), line);
  }
  if (rd_kafka_flush(to, 120'000) != RD_KAFKA_RESP_ERR_NO_ERROR) throw std::runtime_error("records did not arrive");
  rd_kafka_topic_destroy(topic);
  rd_kafka_destroy(to);
}

// ---- reading

struct touched {
  std::uint32_t messages = 0;
  std::uint64_t sum = 0;
};

/// A byte of each line of the cache, as the cheapest parser would have to.
void touch(const rd_kafka_message_t& message, touched& into) {
  const auto* bytes = static_cast<const unsigned char*>(message.payload);
  for (std::size_t at = 0; at < message.len; at += 64) into.sum += bytes[at];
  ++into.messages;
}

touched read_all(const options& given) {
  rd_kafka_t* from = bench::open_handle(RD_KAFKA_CONSUMER, {{"bootstrap.servers", given.brokers},
                                                            {"group.id", "kafka-loop"},
                                                            {"enable.auto.commit", "false"},
                                                            {"enable.auto.offset.store", "false"},
                                                            {"auto.offset.reset", "error"}});
  rd_kafka_poll_set_consumer(from);
  rd_kafka_topic_partition_list_t* all = rd_kafka_topic_partition_list_new(given.partitions);
  for (int number = 0; number < given.partitions; ++number)
    rd_kafka_topic_partition_list_add(all, given.topic.c_str(), number)->offset = 0;
  rd_kafka_assign(from, all);
  rd_kafka_topic_partition_list_destroy(all);
  rd_kafka_queue_t* queue = rd_kafka_queue_get_consumer(from);
  touched found;
  std::array<rd_kafka_message_t*, 1024> messages;
  while (found.messages < given.data.rows) {
    const ::ssize_t got = rd_kafka_consume_batch_queue(queue, 100, messages.data(), messages.size());
    for (::ssize_t i = 0; i < got; ++i) {
      rd_kafka_message_t* const each = messages[static_cast<std::size_t>(i)];
      if (each->err == RD_KAFKA_RESP_ERR_NO_ERROR) touch(*each, found);
      rd_kafka_message_destroy(each);
    }
  }
  rd_kafka_queue_destroy(queue);
  rd_kafka_consumer_close(from);
  rd_kafka_destroy(from);
  return found;
}

/// The answer to the query, from the rows that the topic was made of.
std::string answer_of(const bench::data_options& data) {
  bench::house_by_hand query;
  for (std::uint32_t number = 0; number < data.rows; ++number) {
    const bench::house_row row = bench::make_house_row(data, number);
    query.add(&row.customer_id, &row.order_cents, &row.status, &row.event_time, 1);
  }
  return query.result();
}

bench::peer make_peer(const options& given) {
  return {.name = "kafka_loop",
          .rows = given.data.rows,
          .run =
              [=] {
                touched found;
                const double seconds = bench::seconds_of([&] { found = read_all(given); });
                if (found.messages != given.data.rows || found.sum == 0)
                  throw std::runtime_error("the topic has " + std::to_string(found.messages) + " messages");
                return seconds;
              },
          .result = [=] { return answer_of(given.data); }};
}

options parse(bench::command_line line) {
  options made;
  while (line.has_next()) {
    const std::string_view name = line.name();
    if (bench::take_option(name, line, made.data)) continue;
    if (name == "--brokers")
      made.brokers = line.value();
    else if (name == "--topic")
      made.topic = line.value();
    else if (name == "--partitions")
      made.partitions = static_cast<int>(line.number());
    else if (name == "--fill")
      made.fill = true;
    else
      throw std::invalid_argument("there is no option " + std::string(name));
  }
  return made;
}

}  // namespace

int main(int argument_count, char** arguments) {
  try {
    const options given = parse({argument_count, arguments});
    if (given.fill)
      fill(given);
    else
      bench::serve(make_peer(given));
    return 0;
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "kafka_loop: %s\n", failure.what());
    return 1;
  }
}
