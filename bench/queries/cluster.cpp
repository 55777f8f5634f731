// The cluster monitoring queries of SABER and LightSaber, with tumbling windows of a minute.
#include <data/cluster.hpp>
#include <queries/query.hpp>

#include <etlantic/etlantic.hpp>

namespace bench {

namespace {

using namespace etlantic;
using namespace std::chrono_literals;

struct TaskEvent {
  timestamp time;
  std::int64_t job_id, task_id, machine_id;
  std::int32_t event_type, user_id, category, priority;
  float cpu, ram, disk;
  std::int32_t constraints;
};

struct CategoryLoad {
  std::int32_t category;
  timestamp window_start;
  double cpu;
};

struct JobLoad {
  std::int64_t job_id;
  timestamp window_start;
  double cpu;
};

program lower_cm1() {
  return *lower(from<TaskEvent>("in") | watermark<"time">(1s) | group_by<"category"> | tumbling<"time">(1min) |
                aggregate<CategoryLoad>(named<"cpu"> = sum(field<"cpu">)) | into<output_mode::update>("out"));
}

program lower_cm2() {
  return *lower(from<TaskEvent>("in") | watermark<"time">(1s) | where(field<"event_type"> == 3) | group_by<"job_id"> |
                tumbling<"time">(1min) | aggregate<JobLoad>(named<"cpu"> = sum(field<"cpu">)) |
                into<output_mode::update>("out"));
}

void fill_cluster(block& into, std::uint32_t first, const data_options& options) {
  for (std::size_t row = 0; row < into.rows; ++row) {
    const cluster_row made = make_cluster_row(options, first + static_cast<std::uint32_t>(row));
    std::size_t column = 0;
    const auto put = [&](auto value) { into.columns[column++].set(row, value); };
    put(made.time), put(made.job_id), put(made.task_id), put(made.machine_id);
    put(made.event_type), put(made.user_id), put(made.category), put(made.priority);
    put(made.cpu), put(made.ram), put(made.disk), put(made.constraints);
  }
}

}  // namespace

std::vector<query> cluster_queries() {
  return {{"cm1.tumbling", &schema_of<TaskEvent>(), lower_cm1, fill_cluster},
          {"cm2.tumbling", &schema_of<TaskEvent>(), lower_cm2, fill_cluster}};
}

}  // namespace bench
