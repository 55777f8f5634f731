// NDJSON to columns: our decoder, a loop by hand over simdjson's On-Demand interface that checks the same, and
// simdjson's structural index alone. Without --peer it compares all of them in one process, turn by turn.
#include <data/house.hpp>
#include <peers/house_digest.hpp>
#include <peers/on_demand.hpp>
#include <queries/house_contract.hpp>
#include <support/lines.hpp>
#include <support/peer.hpp>

#include <etlantic/connect/json/decoder.hpp>
#include <etlantic/etlantic.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace etlantic;

using bench::HouseOrder;

std::string to_json(const bench::house_digest& digest) {
  std::string text = "{";
  const auto add = [&](const char* name, std::int64_t value) {
    text.append(text.size() > 1 ? ",\"" : "\"").append(name).append("\":").append(std::to_string(value));
  };
  add("valid", digest.valid), add("invalid", digest.invalid), add("customers", digest.customers);
  add("cents", digest.cents), add("statuses", digest.statuses), add("times", digest.times),
      add("orders", digest.orders);
  return text + "}";
}

/// Takes blocks; adds them to a digest when asked to, which is not done while time is taken.
struct block_receiver final : row_receiver {
  bool digesting = false;
  bench::house_digest digest;

  result<void> valid(const block& rows) override {
    digest.valid += static_cast<std::int64_t>(rows.rows);
    for (std::size_t row = 0; digesting && row < rows.rows; ++row) {
      digest.customers += rows.columns[0].value<std::int64_t>(row);
      digest.cents += rows.columns[1].value<std::int64_t>(row);
      digest.statuses += rows.columns[2].value<std::int8_t>(row);
      digest.times += rows.columns[3].value<std::int64_t>(row) % 1'000'000'007;
      digest.orders += rows.columns[4].value<std::int64_t>(row);
    }
    return {};
  }
  result<void> invalid(const block& rows) override {
    digest.invalid += static_cast<std::int64_t>(rows.rows);
    return {};
  }
};

/// The lines of an input and the messages in them, which is how Kafka would bring the same rows.
struct house_lines {
  std::string_view text;
  std::vector<std::string_view> messages;

  explicit house_lines(std::string_view given) : text(given) {
    const std::string_view all = text;
    for (std::size_t begin = 0; begin < all.size();) {
      const std::size_t end = std::min(all.find('\n', begin), all.size());
      messages.push_back(all.substr(begin, end - begin));
      begin = end + 1;
    }
  }
};

struct our_decoder {
  const house_lines& from;
  block_receiver receiver;
  std::unique_ptr<json_decoder> decoder =
      make_json_decoder(schema_of<HouseOrder>(), schema_of<rejected<HouseOrder>>(), {"bench", "HouseOrder 0.0.0", {}});
  std::string gathered;

  void decode(std::size_t begin, std::string_view lines) {
    const auto done = decoder->decode("input", static_cast<std::int64_t>(begin), lines, receiver);
    if (!done) throw std::runtime_error(done.error().message);
  }

  void decode_lines() {
    bench::for_each_chunk(from.text, bench::usual_chunk,
                          [&](std::size_t begin, std::string_view lines) { decode(begin, lines); });
  }

  /// Messages are gathered into chunks of lines; the copy is part of the price.
  void decode_messages() {
    gathered.resize(bench::usual_chunk + bench::padding);
    std::size_t used = 0;
    std::size_t begin = 0;
    const auto flush = [&] {
      if (used != 0) decode(begin, {gathered.data(), used});
      begin += std::exchange(used, 0);
    };
    for (const std::string_view message : from.messages) {
      if (used + message.size() + 1 > bench::usual_chunk) flush();
      std::copy(message.begin(), message.end(), gathered.data() + used);
      used += message.size();
      gathered[used++] = '\n';
    }
    flush();
  }

  std::string result_of(void (our_decoder::*decode_all)()) {
    receiver = {};
    receiver.digesting = true;
    (this->*decode_all)();
    receiver.digesting = false;
    return to_json(receiver.digest);
  }
};

bench::peer make_ours(const house_lines& from, bool messages) {
  const auto self = std::make_shared<our_decoder>(our_decoder{.from = from, .receiver = {}, .gathered = {}});
  const auto decode_all = messages ? &our_decoder::decode_messages : &our_decoder::decode_lines;
  return {.name = messages ? "etlantic.messages" : "etlantic",
          .run = [self, decode_all] { return bench::seconds_of([&] { ((*self).*decode_all)(); }); },
          .result = [self, decode_all] { return self->result_of(decode_all); }};
}

void decode_with(bench::on_demand_decoder& decoder, const house_lines& from, bool messages) {
  if (messages)
    for (const std::string_view message : from.messages) decoder.decode_message(message);
  else
    bench::for_each_chunk(from.text, bench::usual_chunk,
                          [&](std::size_t, std::string_view lines) { decoder.decode(lines); });
}

void add_to(bench::house_digest& digest, const bench::house_columns& block) {
  for (std::size_t row = 0; row < block.rows; ++row) {
    digest.customers += block.customer_id[row];
    digest.cents += block.order_cents[row];
    digest.statuses += block.status[row];
    digest.times += block.event_time[row] % 1'000'000'007;
    digest.orders += block.order_id[row];
  }
}

bench::peer make_on_demand(const house_lines& from, bool messages) {
  const auto decoder = std::make_shared<bench::on_demand_decoder>();
  return {.name = messages ? "simdjson.messages" : "simdjson",
          .run = [=, &from] { return bench::seconds_of([&] { decode_with(*decoder, from, messages); }); },
          .result =
              [=, &from] {
                bench::on_demand_decoder fresh;
                bench::house_digest digest;
                fresh.set_receiver([&](const bench::house_columns& block) { add_to(digest, block); });
                decode_with(fresh, from, messages);
                fresh.finish();
                digest.valid = fresh.valid();
                digest.invalid = fresh.invalid();
                return to_json(digest);
              }};
}

bench::peer make_stage_1(const house_lines& from) {
  const auto indexer = std::make_shared<bench::structural_indexer>(bench::usual_chunk + bench::padding);
  const auto index_all = [=, &from] {
    std::int64_t found = 0;
    bench::for_each_chunk(from.text, bench::usual_chunk,
                          [&](std::size_t, std::string_view lines) { found += indexer->index(lines); });
    return found;
  };
  return {.name = "simdjson.stage_1",
          .run =
              [=] {
                std::int64_t found = 0;
                const double seconds = bench::seconds_of([&] { found = index_all(); });
                if (found == 0) throw std::runtime_error("no structure in the input");
                return seconds;
              },
          .result = [=] { return "{\"structurals\":" + std::to_string(index_all()) + "}"; }};
}

std::vector<bench::peer> make_peers(const house_lines& from, std::string_view wanted) {
  std::vector<bench::peer> peers = {make_ours(from, false), make_on_demand(from, false), make_stage_1(from),
                                    make_ours(from, true), make_on_demand(from, true)};
  for (bench::peer& each : peers) {
    each.rows = static_cast<std::int64_t>(from.messages.size());
    each.bytes = static_cast<std::int64_t>(from.text.size());
  }
  if (!wanted.empty()) std::erase_if(peers, [&](const bench::peer& each) { return each.name != wanted; });
  if (peers.empty()) throw std::runtime_error("there is no peer " + std::string(wanted));
  return peers;
}

/// A table for people; false if two results differ.
bool compare(const std::vector<bench::peer>& peers, int rounds) {
  std::vector<std::vector<double>> seconds(peers.size());
  for (int round = 0; round <= rounds; ++round)
    for (std::size_t i = 0; i < peers.size(); ++i) {
      const double taken = peers[i].run();
      if (round > 0) seconds[i].push_back(taken);  // the first round only warms up
    }
  std::printf("%-20s %10s %10s %8s %14s\n", "peer", "best ns", "median ns", "GB/s", "etlantic/peer");
  bool same = true;
  double ours = 0;
  const std::string expected = peers.front().result();
  for (std::size_t i = 0; i < peers.size(); ++i) {
    std::sort(seconds[i].begin(), seconds[i].end());
    const double best = seconds[i].front();
    if (i == 0) ours = best;
    const double rows = static_cast<double>(peers[i].rows);
    std::printf("%-20s %10.2f %10.2f %8.2f %14.2f\n", peers[i].name.c_str(), best / rows * 1e9,
                seconds[i][seconds[i].size() / 2] / rows * 1e9, static_cast<double>(peers[i].bytes) / best / 1e9,
                ours / best);
    const std::string found = peers[i].result();
    if (peers[i].name == "simdjson.stage_1" || found == expected) continue;
    same = false;
    std::printf("  differs: %s\n  from     %s\n", found.c_str(), expected.c_str());
  }
  return same;
}

struct options {
  bench::data_options house;
  std::string input;
  std::string peer;
  int rounds = 5;
};

options parse(bench::command_line line) {
  options made;
  while (line.has_next()) {
    const std::string_view name = line.name();
    if (bench::take_option(name, line, made.house)) continue;
    if (name == "--input")
      made.input = line.value();
    else if (name == "--peer")
      made.peer = line.value();
    else if (name == "--rounds")
      made.rounds = static_cast<int>(line.number());
    else
      throw std::invalid_argument("there is no option " + std::string(name));
  }
  return made;
}

house_lines read_lines(const options& given) {
  if (!given.input.empty()) return house_lines(bench::map_lines(given.input));
  static std::string lines;  // as long as the program, like a mapped file
  for (std::uint32_t row = 0; row < given.house.rows; ++row) bench::append_house_line(lines, given.house, row);
  const std::size_t size = lines.size();
  lines.append(bench::padding, '\0');
  return house_lines(std::string_view(lines).substr(0, size));
}

}  // namespace

int main(int argument_count, char** arguments) {
  try {
    const options given = parse({argument_count, arguments});
    const house_lines from = read_lines(given);
    const std::vector<bench::peer> peers = make_peers(from, given.peer);
    if (given.peer.empty()) return compare(peers, given.rounds) ? 0 : 1;
    bench::serve(peers.front());
    return 0;
  } catch (const std::invalid_argument& mistake) {
    std::fprintf(stderr,
                 "decode: %s\nusage: decode [--input FILE | --rows N [--shuffled]] [--peer NAME] [--rounds N]\n",
                 mistake.what());
    return 2;
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "decode: %s\n", failure.what());
    return 1;
  }
}
