#pragma once
#include <etlantic/column/state_io.hpp>
#include <etlantic/kernel/group_key.hpp>
#include <etlantic/kernel/group_table.hpp>
#include <etlantic/kernel/row_values.hpp>

#include <boost/hana/tuple.hpp>

#include <cstdint>
#include <memory>

namespace etlantic::kernel {

/// The different values of a group, by the same equality as keys have. Copies of a state share the values until one of
/// them changes, since groups are copied to be looked at.
template <class Value>
class distinct_state {
 public:
  void add(const row_values<Value>& from, std::size_t row) {
    if (!from.is_present(row)) return;
    const auto chosen = static_cast<std::uint16_t>(row);
    std::uint16_t added = 0;
    own().add_first_rows(boost::hana::make_tuple(from), boost::hana::tuple<>{}, &chosen, 1, &added);
  }
  void merge(const distinct_state& other) {
    if (other.values_ == nullptr || other.values_ == values_) return;
    if (values_ == nullptr)
      values_ = other.values_;
    else
      own().merge(*other.values_);
  }

  std::int64_t count() const { return values_ == nullptr ? 0 : static_cast<std::int64_t>(values_->size()); }
  std::size_t heap_bytes() const { return values_ == nullptr ? 0 : sizeof(table) + values_->bytes(); }

  void save(state_writer& into) const { values_ == nullptr ? table().save(into) : values_->save(into); }
  void restore(state_reader& from) { own().restore(from); }

 private:
  using table = group_table<boost::hana::tuple<key_part<Value, false>>, boost::hana::tuple<>>;

  table& own() {
    if (values_ == nullptr)
      values_ = std::make_shared<table>();
    else if (values_.use_count() > 1)
      values_ = std::make_shared<table>(values_->copy());
    return *values_;
  }

  std::shared_ptr<table> values_;
};

}  // namespace etlantic::kernel
