#pragma once
#include "order_mistakes.hpp"
#include "order_options.hpp"
#include "order_row.hpp"
#include "random.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace orders {

/// Writes rows as lines of JSON. Layout has random numbers of its own, so that the same seed gives the same orders
/// however they are written, and answers that differ in nothing but offsets.
class order_line {
 public:
  explicit order_line(const order_options& options)
      : random_(~options.seed), shuffled_keys_(options.shuffled_keys), extra_fields_(options.extra_fields) {}

  /// Without the line end; stays until the next call.
  std::string_view write(const order_row& row) {
    fill_values(row);
    wrong_field_ = make_mistake(row);
    join();
    if (row.kind == row_kind::malformed && !breaks_value(row)) break_line(row.variant % mistakes, random_, line_);
    return line_;
  }

  /// Of the last row, if it is invalid and not malformed.
  std::optional<order_field> wrong_field() const { return wrong_field_; }

 private:
  static constexpr std::size_t mistakes = line_mistakes + value_mistakes;

  // An unknown member must be stepped over whole: names of the contract inside it, brackets inside its strings.
  static constexpr std::array<std::string_view, 9> extras = {
      R"("channel":"web")",
      R"("discount":null)",
      R"("ratio":-1.5e-3)",
      R"("gift":false)",
      R"("tags":["a","b,c",[],{}])",
      R"("note":"ends with } or ]\", \"status\":\"lost\"")",
      R"("previous":{"order_id":-1,"status":"lost","event_time":"yesterday"})",
      R"("device":{"os":"linux","sizes":[1,2,{"depth":[3,[4]]}],"order_total":-5})",
      R"("Status":"PAID")",
  };

  static bool breaks_value(const order_row& row) { return row.variant % mistakes >= line_mistakes; }

  void fill_values(const order_row& row) {
    for (std::string& value : values_) value.clear();
    std::string& event_id = value_of(order_field::event_id);
    event_id += '"';
    append_event_id_json(event_id, row);
    event_id += '"';
    append_number(value_of(order_field::order_id), row.order_id());
    append_number(value_of(order_field::customer_id), row.customer_id);
    append_cents(value_of(order_field::order_total), row.order_cents);
    std::string& status = value_of(order_field::status);
    status += '"';
    status += row.status;
    status += '"';
    std::string& event_time = value_of(order_field::event_time);
    event_time += '"';
    append_time(event_time, row.event_time);
    event_time += '"';
  }

  std::string& value_of(order_field field) { return values_[index_of(field)]; }

  std::optional<order_field> make_mistake(const order_row& row) {
    switch (row.kind) {
      case row_kind::paid:
      case row_kind::unpaid:
      case row_kind::late: break;
      case row_kind::malformed:
        if (breaks_value(row)) break_value(row.variant % mistakes - line_mistakes, values_);
        break;
      case row_kind::missing: return leave_out(row, values_);
      case row_kind::not_in_set: return leave_the_set(row, values_);
      case row_kind::constraint: return break_constraint(row, values_);
      case row_kind::bad_text: return spoil_time(row, values_);
      case row_kind::wrong_type: return change_type(row, values_);
    }
    return std::nullopt;
  }

  void join() {
    std::array<std::size_t, order_fields + extra_members> order;
    std::iota(order.begin(), order.end(), std::size_t{0});
    const std::size_t members = order_fields + (extra_fields_ ? extra_members : 0);
    if (shuffled_keys_) shuffle(order, members);
    const std::size_t first_extra = extra_fields_ ? random_.below(extras.size()) : 0;

    line_ = "{";
    for (std::size_t place = 0; place < members; ++place) {
      const std::size_t member = order[place];
      if (member < order_fields && values_[member].empty()) continue;
      if (line_.size() > 1) line_ += ',';
      if (member >= order_fields) {
        line_ += extras[(first_extra + member) % extras.size()];
        continue;
      }
      line_ += '"';
      line_ += name_of(static_cast<order_field>(member));
      line_ += "\":";
      line_ += values_[member];
    }
    line_ += '}';
  }

  template <std::size_t Size>
  void shuffle(std::array<std::size_t, Size>& order, std::size_t members) {
    for (std::size_t left = members; left > 1; --left) std::swap(order[left - 1], order[random_.below(left)]);
  }

  static constexpr std::size_t extra_members = 2;

  random_source random_;
  bool shuffled_keys_;
  bool extra_fields_;
  order_values values_;
  std::string line_;
  std::optional<order_field> wrong_field_;
};

}  // namespace orders
