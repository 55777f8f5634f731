#pragma once
#include <etlantic/core/verdict.hpp>

namespace etlantic::rule {

struct contract_must_be_a_plain_aggregate {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>,
                  "etlantic: a contract must be a plain aggregate: public fields, no constructors, no bases, no "
                  "virtuals, no C arrays");
  }
};

struct field_type_must_be_known {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: this field has a type that a contract cannot hold");
  }
};

struct constraint_must_fit_its_field {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: this constraint does not fit the type of its field");
  }
};

struct local_time_must_name_a_zone {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>,
                  "etlantic: a local time needs the name of a time zone as the IANA data base has it, such as "
                  "Europe/Berlin");
  }
};

struct key_field_must_exist {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: the primary key names a field that this contract does not have");
  }
};

struct former_name_must_be_free {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>,
                  "etlantic: renamed_from names a field that this contract still has, or that another field was "
                  "renamed from");
  }
};

struct field_must_exist {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: this contract has no field with this name");
  }
};

struct record_details_must_be_of_a_record {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>,
                  "etlantic: the details of a record can be record_topic, record_partition, record_offset, "
                  "record_timestamp, record_key, record_header<\"name\"> and record_is_tombstone only");
  }
};

struct record_fields_must_differ {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>,
                  "etlantic: a record's value and its details have a field of the same name; give the record details "
                  "of your own, in which it has another one");
  }
};

struct data_names_must_differ {
  template <class Found>
  static consteval void enforce() {
    static_assert(passed<Found>, "etlantic: two fields of this contract have the same name in the data");
  }
};

}  // namespace etlantic::rule
