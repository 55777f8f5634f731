#pragma once
#include <etlantic/runtime/connector.hpp>
#include <etlantic/runtime/program.hpp>

namespace sample {

using namespace etlantic;

inline constexpr constant_description zero[] = {{.exact = 0}};
inline constexpr constant_description forty[] = {{.exact = 40}};
inline constexpr constant_description half[] = {{.exact = 50}};
inline constexpr constraint_description above_zero[] = {{constraint_kind::gt, zero}};
inline constexpr constraint_description from_zero[] = {{constraint_kind::ge, zero}};
inline constexpr constraint_description short_text[] = {{constraint_kind::max_length, forty}};
inline constexpr constraint_description from_half[] = {{constraint_kind::ge, half}};
inline constexpr std::string_view statuses[] = {"paid", "cancelled", "refunded"};

inline constexpr field_description order_fields[] = {
    {.name = "event_id", .data_name = "id", .type = logical_type::text, .constraints = short_text},
    {.name = "customer_id", .data_name = "customer_id", .type = logical_type::int64, .constraints = above_zero},
    {.name = "order_total",
     .data_name = "order_total",
     .type = logical_type::decimal,
     .precision = 18,
     .scale = 2,
     .constraints = from_half},
    {.name = "status", .data_name = "status", .type = logical_type::enumeration, .enumerators = statuses},
    {.name = "note", .data_name = "note", .type = logical_type::text, .nullable = true},
    {.name = "event_time",
     .data_name = "event_time",
     .type = logical_type::timestamp,
     .form = time_form::epoch_milliseconds},
};
inline constexpr schema order_event{"OrderEvent", "1.2.0", "One change of an order.", order_fields};

inline constexpr field_description window_fields[] = {
    {.name = "customer_id", .data_name = "customer_id", .type = logical_type::int64, .key_position = 0},
    {.name = "window_start", .data_name = "window_start", .type = logical_type::timestamp, .key_position = 1},
    {.name = "paid_order_count",
     .data_name = "paid_order_count",
     .type = logical_type::int64,
     .constraints = from_zero},
};
inline constexpr schema order_window{"CustomerOrderWindow", "1.0.0", "", window_fields};

inline constexpr field_description rejected_fields[] = {
    {.name = "reason", .data_name = "reason", .type = logical_type::text},
    {.name = "payload", .data_name = "payload", .type = logical_type::binary},
};
inline constexpr schema rejected_event{"rejected<OrderEvent>", "1.2.0", "", rejected_fields};

inline program_node orders_extract() {
  program_node node;
  node.kind = node_kind::extract;
  node.name = "orders";
  node.asset = "order_events";
  node.contract = &order_event;
  node.outputs = {{"valid", &order_event}, {"invalid", &rejected_event}};
  return node;
}

inline program_node aggregates_step() {
  program_node node;
  node.name = "aggregates";
  node.input_names = {"orders"};
  node.inputs = {{0, 0}};
  node.outputs = {{"result", &order_window}, {"late", nullptr}};
  node.operators = {{"watermark", {{"field", "event_time"}, {"delay", "15min"}}},
                    {"where", {{"", "status == paid"}}},
                    {"group_by", {{"fields", "customer_id"}}},
                    {"tumbling", {{"field", "event_time"}, {"size", "1h"}}},
                    {"aggregate", {{"paid_order_count", "count()"}}}};
  node.parameters = {{"watermark_delay", "15min"}, {"window_duration", "1h"}};
  node.watermarks = {{node.name, "orders", "event_time", std::chrono::minutes(15)}};
  node.state_schema = "customer_id int64, window_start timestamp, paid_order_count int64";
  return node;
}

inline program_node load_of(std::string name, std::string asset, const schema& contract, port_reference from,
                            output_mode mode) {
  program_node node;
  node.kind = node_kind::load;
  node.name = std::move(name);
  node.asset = std::move(asset);
  node.contract = &contract;
  node.mode = mode;
  node.input_names = {"rows"};
  node.inputs = {from};
  return node;
}

/// The shape of the orders pipeline: one extract, one windowed step whose late output nobody reads, two loads.
inline program customer_orders() {
  program made;
  made.id = "CustomerOrders";
  made.version = "2.0.0";
  made.nodes = {orders_extract(), aggregates_step(),
                load_of("curated", "customer_order_windows", order_window, {1, 0}, output_mode::update),
                load_of("quarantine", "rejected_order_events", rejected_event, {0, 1}, output_mode::append)};
  made.warnings = {"nothing reads the output aggregates.late"};
  return made;
}

inline result<std::shared_ptr<source>> no_source(const asset_binding&) { return std::shared_ptr<source>(); }
inline result<std::shared_ptr<sink>> no_sink(const asset_binding&) { return std::shared_ptr<sink>(); }

inline constexpr connector_option file_options[] = {{"path", true, "a file, a folder or a pattern"},
                                                    {"format", false, "ndjson or csv"}};
inline constexpr connector_option sqlite_options[] = {
    {"path", true, "the database file"}, {"table", true, "the table"}, {"password", false, "of the database"}};

/// Connectors that can be named and checked, and make nothing.
inline constexpr connector connectors[] = {
    {"console", {}, {}, nullptr, no_sink},
    {"file", file_options, file_options, no_source, no_sink},
    {"sqlite", {}, sqlite_options, nullptr, no_sink, nullptr, true},
};

}  // namespace sample
