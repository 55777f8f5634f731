// The smart grid queries of SABER and LightSaber, with tumbling windows.
#include <data/smart_grid.hpp>
#include <queries/query.hpp>

#include <etlantic/etlantic.hpp>

namespace bench {

namespace {

using namespace etlantic;
using namespace std::chrono_literals;

struct PlugLoad {
  timestamp time;
  float value;
  std::int32_t property, plug, household, house;
};

struct GlobalLoad {
  timestamp window_start;
  double load;
};

struct LocalLoad {
  std::int32_t plug, household, house;
  timestamp window_start;
  double load;
};

program lower_sg1() {
  return *lower(from<PlugLoad>("in") | watermark<"time">(1s) | tumbling<"time">(1h) |
                aggregate<GlobalLoad>(named<"load"> = avg(field<"value">)) | into<output_mode::update>("out"));
}

program lower_sg2() {
  return *lower(from<PlugLoad>("in") | watermark<"time">(1s) | group_by<"plug", "household", "house"> |
                tumbling<"time">(128s) | aggregate<LocalLoad>(named<"load"> = avg(field<"value">)) |
                into<output_mode::update>("out"));
}

program lower_sg3() {
  return *lower(from<PlugLoad>("in") | watermark<"time">(1s) | where(field<"household"> == 3) |
                group_by<"plug", "household", "house"> | tumbling<"time">(1h) |
                aggregate<LocalLoad>(named<"load"> = avg(field<"value">)) | into<output_mode::update>("out"));
}

void fill_smart_grid(block& into, std::uint32_t first, const data_options& options) {
  for (std::size_t row = 0; row < into.rows; ++row) {
    const smart_grid_row made = make_smart_grid_row(options, first + static_cast<std::uint32_t>(row));
    into.columns[0].set(row, made.time);
    into.columns[1].set(row, made.value);
    into.columns[2].set(row, made.property);
    into.columns[3].set(row, made.plug);
    into.columns[4].set(row, made.household);
    into.columns[5].set(row, made.house);
  }
}

}  // namespace

std::vector<query> smart_grid_queries() {
  return {{"sg1.tumbling", &schema_of<PlugLoad>(), lower_sg1, fill_smart_grid},
          {"sg2.tumbling", &schema_of<PlugLoad>(), lower_sg2, fill_smart_grid},
          {"sg3.tumbling", &schema_of<PlugLoad>(), lower_sg3, fill_smart_grid}};
}

}  // namespace bench
