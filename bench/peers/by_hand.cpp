// Programs by hand for one query each, as peers of tools/bench: what the machine can do. They know nothing of the
// library and are built for the machine they run on.
#include <data/house.hpp>
#include <data/ysb.hpp>
#include <peers/house_by_hand.hpp>
#include <peers/on_demand.hpp>
#include <peers/ysb_by_hand.hpp>
#include <support/lines.hpp>
#include <support/peer.hpp>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

/// NDJSON through simdjson's On-Demand interface into the aggregation by hand.
bench::peer house_lines_peer(const std::string& path) {
  const std::string_view lines = bench::map_lines(path);
  const auto result = std::make_shared<std::string>();
  return {.name = "house.lines",
          .bytes = static_cast<std::int64_t>(lines.size()),
          .run =
              [=] {
                bench::house_by_hand query;
                bench::on_demand_decoder decoder;
                decoder.set_receiver([&](const bench::house_columns& block) {
                  query.add(block.customer_id.data(), block.order_cents.data(), block.status.data(),
                            block.event_time.data(), block.rows);
                });
                const double seconds = bench::seconds_of([&] {
                  bench::for_each_chunk(lines, bench::usual_chunk,
                                        [&](std::size_t, std::string_view chunk) { decoder.decode(chunk); });
                  decoder.finish();
                });
                *result = query.result();
                return seconds;
              },
          .result = [=] { return *result; }};
}

struct house_arrays {
  std::vector<std::int64_t> customers, cents, times;
  std::vector<std::uint8_t> statuses;
};

bench::peer house_columns_peer(const bench::data_options& options) {
  const auto rows = std::make_shared<house_arrays>();
  for (std::uint32_t i = 0; i < options.rows; ++i) {
    const bench::house_row made = bench::make_house_row(options, i);
    rows->customers.push_back(made.customer_id);
    rows->cents.push_back(made.order_cents);
    rows->times.push_back(made.event_time);
    rows->statuses.push_back(made.status);
  }
  const auto result = std::make_shared<std::string>();
  return {.name = "house.columns",
          .run =
              [=] {
                bench::house_by_hand query;
                const double seconds = bench::seconds_of([&] {
                  query.add(rows->customers.data(), rows->cents.data(), rows->statuses.data(), rows->times.data(),
                            rows->times.size());
                });
                *result = query.result();
                return seconds;
              },
          .result = [=] { return *result; }};
}

struct ysb_arrays {
  std::vector<std::int32_t> campaigns;
  std::vector<std::uint8_t> types;
  std::vector<std::int64_t> times;
};

std::shared_ptr<ysb_arrays> make_ysb_arrays(const bench::data_options& options) {
  auto rows = std::make_shared<ysb_arrays>();
  for (std::uint32_t i = 0; i < options.rows; ++i) {
    const bench::ysb_row made = bench::make_ysb_row(options, i);
    rows->campaigns.push_back(made.campaign_id);
    rows->types.push_back(made.event_type);
    rows->times.push_back(made.event_time * 1'000);
  }
  return rows;
}

bench::peer ysb_columns_peer(const bench::data_options& options) {
  const auto rows = make_ysb_arrays(options);
  const auto result = std::make_shared<std::string>();
  return {.name = "ysb.columns",
          .run =
              [=] {
                bench::ysb_by_hand query;
                const double seconds = bench::seconds_of([&] {
                  query.add(rows->campaigns.data(), rows->types.data(), rows->times.data(), rows->times.size());
                });
                *result = query.result();
                return seconds;
              },
          .result = [=] { return *result; }};
}

/// Reads the columns that the query needs and does nothing with them, in the machine's vectors.
bench::peer ysb_read_peer(const bench::data_options& options) {
  const auto rows = make_ysb_arrays(options);
  const auto sum = std::make_shared<std::int64_t>();
  return {.name = "ysb.read",
          .run =
              [=] {
                return bench::seconds_of([&] {
                  std::int64_t times = 0;
                  std::uint32_t campaigns = 0;
                  std::uint8_t types = 0;
                  for (std::size_t i = 0; i < rows->times.size(); ++i) {
                    times ^= rows->times[i];
                    campaigns ^= static_cast<std::uint32_t>(rows->campaigns[i]);
                    types ^= rows->types[i];
                  }
                  *sum = times + campaigns + types;
                });
              },
          .result = [=] { return "{\"read\":" + std::to_string(*sum) + "}"; }};
}

bench::peer make_peer(std::string_view query, std::string_view way, const std::string& input,
                      const bench::data_options& options) {
  if (query == "house" && way == "lines") return house_lines_peer(input);
  if (query == "house" && way == "columns") return house_columns_peer(options);
  if (query == "ysb" && way == "columns") return ysb_columns_peer(options);
  if (query == "ysb" && way == "read") return ysb_read_peer(options);
  throw std::invalid_argument("there is no program for this query and way");
}

}  // namespace

int main(int argument_count, char** arguments) {
  try {
    bench::command_line line(argument_count, arguments);
    bench::data_options options;
    std::string query, way, input;
    while (line.has_next()) {
      const std::string_view name = line.name();
      if (bench::take_option(name, line, options)) continue;
      if (name == "--query")
        query = line.value();
      else if (name == "--way")
        way = line.value();
      else if (name == "--input")
        input = line.value();
      else
        throw std::invalid_argument("there is no option " + std::string(name));
    }
    bench::peer self = make_peer(query, way, input, options);
    self.rows = options.rows;
    bench::serve(self);
    return 0;
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "by_hand: %s\n", failure.what());
    return 1;
  }
}
