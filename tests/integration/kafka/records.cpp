// Writes and reads records of a real broker, by librdkafka alone.
//
//   records produce BROKERS TOPIC FILE FIRST END PARTITIONS [commit|abort|leave]
//     Lines FIRST to END of a file, line n into partition n % PARTITIONS, in their order; prints `partition offset` of
//     each. With the last word they are a transaction, which is committed, aborted or left open when the program ends.
//   records fill BROKERS TOPIC FILE
//     The lines of a file behind the first tab, each into the partition whose number stands before it.
//   records read BROKERS TOPIC PARTITION
//     Every committed record: key, a tab, value; `-` for null.
//   records forget BROKERS TOPIC PARTITION OFFSET
//     Deletes the records before an offset.
//   records create BROKERS TOPIC PARTITIONS [NAME=VALUE ...]
//   records remove BROKERS TOPIC...
//   records grow BROKERS TOPIC PARTITIONS
//   records set BROKERS TOPIC NAME=VALUE
//   records version BROKERS
//     Of librdkafka.
//   records group BROKERS GROUP
//     Prints `topic partition offset` of all that the group has committed.

#include "administration.hpp"

#include <librdkafka/rdkafka.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

using administration::fail;

void check(const std::string& what, rd_kafka_error_t* error) {
  if (error != nullptr) fail(what, rd_kafka_error_string(error));
}

void note_offset(rd_kafka_t*, const rd_kafka_message_t* message, void*) {
  if (message->err != RD_KAFKA_RESP_ERR_NO_ERROR) fail("produce", rd_kafka_err2str(message->err));
  const auto line = reinterpret_cast<std::size_t>(message->_private);
  std::printf("%zu %d %lld\n", line, static_cast<int>(message->partition), static_cast<long long>(message->offset));
}

rd_kafka_t* handle(rd_kafka_type_t type, const char* brokers,
                   const std::vector<std::pair<const char*, const char*>>& settings) {
  char reason[512];
  rd_kafka_conf_t* made = rd_kafka_conf_new();
  if (rd_kafka_conf_set(made, "bootstrap.servers", brokers, reason, sizeof reason) != RD_KAFKA_CONF_OK)
    fail("brokers", reason);
  for (const auto& [name, value] : settings)
    if (rd_kafka_conf_set(made, name, value, reason, sizeof reason) != RD_KAFKA_CONF_OK) fail(name, reason);
  if (type == RD_KAFKA_PRODUCER) rd_kafka_conf_set_dr_msg_cb(made, note_offset);
  rd_kafka_t* opened = rd_kafka_new(type, made, reason, sizeof reason);
  if (opened == nullptr) fail("client", reason);
  return opened;
}

int produce(const char* brokers, const char* topic, const char* file, std::size_t first, std::size_t end,
            int partitions, std::string_view transaction) {
  std::vector<std::pair<const char*, const char*>> settings{{"enable.idempotence", "true"}};
  if (!transaction.empty()) settings.emplace_back("transactional.id", "records");
  rd_kafka_t* to = handle(RD_KAFKA_PRODUCER, brokers, settings);
  if (!transaction.empty()) {
    check("init", rd_kafka_init_transactions(to, 30'000));
    check("begin", rd_kafka_begin_transaction(to));
  }
  rd_kafka_topic_t* opened = rd_kafka_topic_new(to, topic, nullptr);
  std::ifstream lines(file);
  std::string line;
  for (std::size_t i = 0; i < end && std::getline(lines, line); ++i) {
    if (i < first) continue;
    const int partition = static_cast<int>(i % static_cast<std::size_t>(partitions));
    while (rd_kafka_produce(opened, partition, RD_KAFKA_MSG_F_COPY, line.data(), line.size(), nullptr, 0,
                            reinterpret_cast<void*>(i)) != 0) {
      if (rd_kafka_last_error() != RD_KAFKA_RESP_ERR__QUEUE_FULL)
        fail("produce", rd_kafka_err2str(rd_kafka_last_error()));
      rd_kafka_poll(to, 20);
    }
    rd_kafka_poll(to, 0);
  }
  if (rd_kafka_flush(to, 60'000) != RD_KAFKA_RESP_ERR_NO_ERROR) fail("flush", "records are left");
  if (transaction == "leave") {
    std::fflush(stdout);
    std::_Exit(0);
  }
  if (transaction == "commit") check("commit", rd_kafka_commit_transaction(to, 30'000));
  if (transaction == "abort") check("abort", rd_kafka_abort_transaction(to, 30'000));
  rd_kafka_topic_destroy(opened);
  rd_kafka_destroy(to);
  return 0;
}

int fill(const char* brokers, const char* topic, const char* file) {
  rd_kafka_t* to = handle(RD_KAFKA_PRODUCER, brokers, {{"enable.idempotence", "true"}});
  rd_kafka_topic_t* opened = rd_kafka_topic_new(to, topic, nullptr);
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line); rd_kafka_poll(to, 0)) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos) fail("fill", "a line has no tab");
    char* const value = line.data() + tab + 1;
    while (rd_kafka_produce(opened, std::atoi(line.c_str()), RD_KAFKA_MSG_F_COPY, value, line.size() - tab - 1, nullptr,
                            0, nullptr) != 0) {
      if (rd_kafka_last_error() != RD_KAFKA_RESP_ERR__QUEUE_FULL) fail("fill", rd_kafka_err2str(rd_kafka_last_error()));
      rd_kafka_poll(to, 20);
    }
  }
  if (rd_kafka_flush(to, 60'000) != RD_KAFKA_RESP_ERR_NO_ERROR) fail("flush", "records are left");
  rd_kafka_topic_destroy(opened);
  rd_kafka_destroy(to);
  return 0;
}

int read(const char* brokers, const char* topic, int partition) {
  rd_kafka_t* from =
      handle(RD_KAFKA_CONSUMER, brokers, {{"enable.partition.eof", "true"}, {"isolation.level", "read_committed"}});
  rd_kafka_topic_t* opened = rd_kafka_topic_new(from, topic, nullptr);
  if (rd_kafka_consume_start(opened, partition, RD_KAFKA_OFFSET_BEGINNING) != 0) fail("read", topic);
  for (bool at_end = false; !at_end;) {
    rd_kafka_message_t* each = rd_kafka_consume(opened, partition, 30'000);
    if (each == nullptr) fail("read", "nothing comes");
    if (each->err == RD_KAFKA_RESP_ERR__PARTITION_EOF)
      at_end = true;
    else if (each->err != RD_KAFKA_RESP_ERR_NO_ERROR)
      fail("read", rd_kafka_message_errstr(each));
    else {
      const auto show = [](const void* bytes, std::size_t size) {
        if (bytes == nullptr)
          std::fputs("-", stdout);
        else
          std::fwrite(bytes, 1, size, stdout);
      };
      show(each->key, each->key_len);
      std::fputc('\t', stdout);
      show(each->payload, each->len);
      std::fputc('\n', stdout);
    }
    rd_kafka_message_destroy(each);
  }
  rd_kafka_consume_stop(opened, partition);
  rd_kafka_topic_destroy(opened);
  rd_kafka_destroy(from);
  return 0;
}

int forget(const char* brokers, const char* topic, int partition, long long offset) {
  rd_kafka_t* by = handle(RD_KAFKA_PRODUCER, brokers, {});
  rd_kafka_topic_partition_list_t* before = rd_kafka_topic_partition_list_new(1);
  rd_kafka_topic_partition_list_add(before, topic, partition)->offset = offset;
  rd_kafka_DeleteRecords_t* wanted = rd_kafka_DeleteRecords_new(before);
  rd_kafka_queue_t* answers = rd_kafka_queue_new(by);
  rd_kafka_DeleteRecords(by, &wanted, 1, nullptr, answers);
  rd_kafka_event_t* answer = rd_kafka_queue_poll(answers, 30'000);
  if (answer == nullptr || rd_kafka_event_error(answer) != RD_KAFKA_RESP_ERR_NO_ERROR) fail("forget", "refused");
  rd_kafka_event_destroy(answer);
  rd_kafka_queue_destroy(answers);
  rd_kafka_DeleteRecords_destroy(wanted);
  rd_kafka_topic_partition_list_destroy(before);
  rd_kafka_destroy(by);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() >= 7 && words[0] == "produce")
    return produce(argv[2], argv[3], argv[4], std::stoul(words[4]), std::stoul(words[5]), std::stoi(words[6]),
                   words.size() > 7 ? words[7] : "");
  if (words.size() == 4 && words[0] == "fill") return fill(argv[2], argv[3], argv[4]);
  if (words.size() == 4 && words[0] == "read") return read(argv[2], argv[3], std::stoi(words[3]));
  if (words.size() == 5 && words[0] == "forget")
    return forget(argv[2], argv[3], std::stoi(words[3]), std::stoll(words[4]));
  if (words.size() == 2 && words[0] == "version") return std::puts(rd_kafka_version_str()) < 0 ? 1 : 0;
  if (words.size() >= 3) {
    rd_kafka_t* by = handle(RD_KAFKA_PRODUCER, argv[2], {});
    if (words[0] == "create" && words.size() >= 4)
      return administration::create(by, argv[3], std::stoi(words[3]), {words.begin() + 4, words.end()});
    if (words[0] == "remove") return administration::remove(by, {words.begin() + 2, words.end()});
    if (words[0] == "grow" && words.size() == 4) return administration::grow(by, argv[3], std::stoul(words[3]));
    if (words[0] == "set" && words.size() == 4) return administration::set(by, argv[3], words[3]);
    if (words[0] == "group") return administration::group(by, argv[3]);
    rd_kafka_destroy(by);
  }
  std::fprintf(stderr, "records: see the beginning of its source\n");
  return 2;
}
