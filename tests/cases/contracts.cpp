// run_contract_cases DIR [--no-fast-path] [--many]: decodes the input.ndjson of every folder under DIR whose case.json
// has a `contract` and compares with expected.csv. One line per folder: PASS, or FAIL with the first differences. The
// status is 1 when a folder fails, 2 when there is nothing to run.
#include <etlantic/column/format.hpp>
#include <etlantic/connect/json/decoder.hpp>
#include <etlantic/core/decimal.hpp>
#include <etlantic/core/format_decimal.hpp>
#include <etlantic/core/format_number.hpp>
#include <etlantic/core/parse_number.hpp>
#include <etlantic/core/time_zone.hpp>

#include <simdjson.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

namespace fs = std::filesystem;
using namespace etlantic;

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A schema from case.json, with the storage that its views need.
struct case_contract {
  std::deque<std::string> texts;
  std::deque<std::vector<constant_description>> constants;
  std::deque<std::vector<constraint_description>> constraints;
  std::vector<field_description> fields;
  schema described;

  std::string_view keep(std::string_view text) { return texts.emplace_back(text); }

  static constant_description constant_of(const std::string& number, const field_description& field) {
    constant_description constant;
    constant.real = std::strtod(number.c_str(), nullptr);
    if (field.type == logical_type::float32 || field.type == logical_type::float64) return constant;
    const auto exact = parse_decimal(number, 38, field.scale);
    if (!exact.ok()) throw std::runtime_error(number + " is no bound of the field " + std::string(field.name));
    constant.exact = exact.value;
    return constant;
  }

  static logical_type type_of(std::string_view name) {
    if (name == "string") return logical_type::text;
    if (name == "double") return logical_type::float64;
    if (name == "float") return logical_type::float32;
    if (name == "boolean") return logical_type::boolean;
    for (auto type = logical_type::boolean; type != logical_type::structure;
         type = static_cast<logical_type>(static_cast<int>(type) + 1))
      if (name_of(type) == name) return type;
    throw std::runtime_error("unknown type " + std::string(name));
  }

  void add(simdjson::dom::element member) {
    field_description field;
    field.name = field.data_name = keep(member["name"].get_string().value());
    field.type = type_of(member["type"].get_string().value());
    bool optional = false;
    if (member["optional"].get(optional) == simdjson::SUCCESS) field.nullable = optional;
    if (field.type == logical_type::decimal) {
      field.precision = static_cast<std::uint8_t>(member["precision"].get_int64().value());
      field.scale = static_cast<std::uint8_t>(member["scale"].get_int64().value());
      field.rounds = true;  // the expected values are those of rounded<decimal<P, S>>
    }
    auto& rules = constraints.emplace_back();
    for (const auto& [name, kind] : {std::pair{"greater_than", constraint_kind::gt},
                                     {"at_least", constraint_kind::ge},
                                     {"less_than", constraint_kind::lt},
                                     {"at_most", constraint_kind::le},
                                     {"min_length", constraint_kind::min_length},
                                     {"max_length", constraint_kind::max_length}}) {
      simdjson::dom::element number;
      if (member[name].get(number) != simdjson::SUCCESS) continue;
      rules.push_back({kind, constants.emplace_back(1, constant_of(simdjson::to_string(number), field))});
    }
    simdjson::dom::array set;
    if (member["one_of"].get(set) == simdjson::SUCCESS) {
      auto& values = constants.emplace_back();
      for (simdjson::dom::element each : set) {
        std::string_view text;
        if (each.get(text) == simdjson::SUCCESS)
          values.push_back({.characters = keep(text)});
        else
          values.push_back(constant_of(simdjson::to_string(each), field));
      }
      rules.push_back({constraint_kind::one_of, values});
    }
    field.constraints = rules;
    fields.push_back(field);
  }

  /// Of `zone` are the times that name none; it may be empty.
  case_contract(simdjson::dom::array members, std::string_view zone) {
    for (simdjson::dom::element member : members) add(member);
    for (field_description& each : fields)
      if (each.type == logical_type::timestamp && !zone.empty()) {
        each.form = time_form::local;
        each.zone = keep(zone);
      }
    described = {.id = "case", .version = "1.0.0", .fields = fields};
  }
};

constexpr field_description rejected_fields[] = {
    {.name = "split", .data_name = "split", .type = logical_type::text},
    {.name = "position", .data_name = "position", .type = logical_type::int64},
    {.name = "code", .data_name = "code", .type = logical_type::text},
    {.name = "field", .data_name = "field", .type = logical_type::text},
    {.name = "reason", .data_name = "reason", .type = logical_type::text},
    {.name = "violations", .data_name = "violations", .type = logical_type::text},
    {.name = "payload", .data_name = "payload", .type = logical_type::binary},
    {.name = "observed_time", .data_name = "observed_time", .type = logical_type::timestamp},
    {.name = "pipeline", .data_name = "pipeline", .type = logical_type::text},
    {.name = "contract", .data_name = "contract", .type = logical_type::text},
};
constexpr schema rejected_schema{.id = "rejected", .version = "1.0.0", .fields = rejected_fields};

std::string value_text(const column& values, std::size_t row) {
  if (!values.is_valid(row)) return "\\N";
  switch (values.field->type) {
    case logical_type::boolean: return values.is_true(row) ? "true" : "false";
    case logical_type::float32: return format_floating(values.value<float>(row));
    case logical_type::float64: return format_floating(values.value<double>(row));
    case logical_type::decimal:
      return format_decimal(
          value_width(*values.field) == 8 ? values.value<std::int64_t>(row) : values.value<int128>(row),
          values.field->scale);
    case logical_type::text:
    case logical_type::binary: {
      std::string text = "hex:";
      for (char c : values.text_at(row)) {
        constexpr std::string_view digits = "0123456789abcdef";
        const auto byte = static_cast<unsigned char>(c);
        text.append({digits[byte >> 4], digits[byte & 15]});
      }
      return text;
    }
    case logical_type::timestamp:
    case logical_type::duration: return std::to_string(values.value<std::int64_t>(row));
    default: {
      char characters[scalar_text_size];
      return std::string(characters, write_scalar(characters, values, row));
    }
  }
}

/// Rows as expected.csv writes them, by the place of their line.
struct outcome final : row_receiver {
  std::map<std::int64_t, std::string> rows;

  result<void> valid(const block& given) override {
    for (std::size_t row = 0; row < given.rows; ++row) {
      std::string text = "valid,";
      for (const column& each : given.columns) text += "," + value_text(each, row);
      rows[given.positions[row]] = text;
    }
    return {};
  }

  result<void> invalid(const block& given) override {
    for (std::size_t row = 0; row < given.rows; ++row) {
      const bool malformed = given.columns[2].text_at(row) == "PMSTREAM201";
      rows[given.positions[row]] = malformed ? "malformed," : "invalid," + std::string(given.columns[5].text_at(row));
    }
    return {};
  }
};

/// A cell of a valid row as value_text writes it: a number may have another text that means the same, such as 4.0
/// for 4.
std::string notation_of(const std::string& cell, const field_description& field) {
  const bool is_single = field.type == logical_type::float32;
  if ((!is_single && field.type != logical_type::float64) || cell.empty() || cell == "\\N") return cell;
  char* end = nullptr;
  const double value = std::strtod(cell.c_str(), &end);
  if (*end != '\0') return cell;
  return is_single ? format_floating(std::strtof(cell.c_str(), nullptr)) : format_floating(value);
}

/// `valid,` and what is behind it.
std::string in_notation(const std::string& row, std::span<const field_description> fields) {
  std::string made = "valid,";
  std::size_t at = row.find(',', made.size());  // behind the violations, of which there are none
  for (std::size_t i = 0; i < fields.size() && at != std::string::npos; ++i) {
    const std::size_t end = row.find(',', at + 1);
    made += "," + notation_of(row.substr(at + 1, end - at - 1), fields[i]);
    at = end;
  }
  return at == std::string::npos ? made : made + row.substr(at);
}

std::map<std::string, std::string> expected_rows(const fs::path& path, const schema& contract) {
  std::map<std::string, std::string> rows;
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    if (line.ends_with('\r')) line.pop_back();
    const std::size_t comma = line.find(',');
    std::string row = line.substr(comma + 1);
    // The columns of values of rows that are not valid are empty.
    if (row.starts_with("valid,,"))
      row = in_notation(row, contract.fields);
    else {
      const std::size_t verdict_end = row.find(',');
      row.resize(row.find(',', verdict_end + 1));
    }
    rows[line.substr(0, comma)] = row;
  }
  return rows;
}

struct run_options {
  decoder_options decoding;
  int copies = 1;  ///< of every input, decoded at once: many lines go other ways than a few
};

std::map<std::string, std::string> decoded_rows(const schema& contract, const fs::path& input,
                                                const run_options& options) {
  std::string bytes = read_file(input);
  const std::size_t once = bytes.size();
  // A byte order mark means nothing in the middle of a file.
  const int copies = bytes.starts_with("\xef\xbb\xbf") ? 1 : options.copies;
  if (copies > 1 && !bytes.ends_with('\n')) bytes += '\n';
  const std::size_t step = bytes.size();
  for (int copy = 1; copy < copies; ++copy) bytes.append(bytes, 0, step);
  if (copies == 1) bytes.resize(once);
  const std::size_t size = bytes.size();
  bytes.append(64, '\0');
  outcome seen;
  const auto decoder = make_json_decoder(contract, rejected_schema, {}, options.decoding);
  if (auto decoded = decoder->decode(input.string(), 0, {bytes.data(), size}, seen); !decoded)
    throw std::runtime_error(decoded.error().message);

  std::map<std::string, std::string> rows;
  for (int copy = 0; copy < copies; ++copy) {
    const std::size_t begin = static_cast<std::size_t>(copy) * step;
    std::size_t number = 0;
    for (std::size_t at = begin; at < std::min(begin + step, size); ++number) {
      const auto found = seen.rows.find(static_cast<std::int64_t>(at));
      const std::string row = found == seen.rows.end() ? std::string() : found->second;
      const std::string line = std::to_string(number + 1);
      // A copy that is decoded in another way than the first one gets a line of its own.
      if (!row.empty() && copy == 0) rows[line] = row;
      if (copy > 0 && rows.contains(line) != !row.empty()) rows[line + " in copy " + std::to_string(copy)] = row;
      if (copy > 0 && !row.empty() && rows[line] != row) rows[line + " in copy " + std::to_string(copy)] = row;
      const std::size_t feed = bytes.find('\n', at);
      at = feed == std::string::npos ? size : feed + 1;
    }
  }
  return rows;
}

/// The differences, at most three; empty when there are none.
std::string differences(const std::map<std::string, std::string>& expected,
                        const std::map<std::string, std::string>& decoded) {
  std::string text;
  int count = 0;
  const auto note = [&](const std::string& line, const std::string& wanted, const std::string& got) {
    if (++count <= 3) text += "\n  line " + line + "\n    expected " + wanted + "\n    got      " + got;
  };
  for (const auto& [line, row] : expected) {
    const auto found = decoded.find(line);
    if (found == decoded.end())
      note(line, row, "nothing");
    else if (found->second != row)
      note(line, row, found->second);
  }
  for (const auto& [line, row] : decoded)
    if (!expected.contains(line)) note(line, "nothing", row);
  return text;
}

bool passes(const fs::path& folder, simdjson::dom::element description, const run_options& options) {
  const std::string name = folder.filename().string();
  std::string_view zone;
  if (description["default_zone"].error() == simdjson::SUCCESS) zone = description["default_zone"].get_string().value();
  if (!zone.empty())
    if (const auto known = find_time_zone(zone); !known) {
      std::printf("FAIL %s: %s\n", name.c_str(), known.error().message.c_str());
      return false;
    }
  const case_contract contract(description["contract"].get_array().value(), zone);
  const auto expected = expected_rows(folder / "expected.csv", contract.described);
  const auto found = differences(expected, decoded_rows(contract.described, folder / "input.ndjson", options));
  std::printf("%s %s%s\n", found.empty() ? "PASS" : "FAIL", name.c_str(), found.c_str());
  return found.empty();
}

int run_all(const fs::path& root, const run_options& options) {
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(root))
    if (fs::exists(entry.path() / "case.json")) folders.push_back(entry.path());
  std::sort(folders.begin(), folders.end());

  int passed = 0;
  int failed = 0;
  for (const fs::path& folder : folders) {
    simdjson::dom::parser parser;
    auto description = parser.load((folder / "case.json").string());
    if (description["contract"].error() != simdjson::SUCCESS) continue;
    ++(passes(folder, description.value(), options) ? passed : failed);
  }
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed != 0 ? 1 : passed == 0 ? 2 : 0;
}

}  // namespace

int main(int argument_count, char** arguments) {
  const std::vector<std::string_view> given(arguments + 1, arguments + argument_count);
  run_options options;
  bool is_sound = !given.empty() && !given[0].starts_with("--");
  for (std::size_t i = 1; i < given.size(); ++i) {
    if (given[i] == "--no-fast-path")
      options.decoding.fast_path = false;
    else if (given[i] == "--many")
      options.copies = 100;
    else
      is_sound = false;
  }
  if (!is_sound) {
    std::fputs(
        "usage: run_contract_cases DIR [--no-fast-path] [--many]\n"
        "  --no-fast-path  decodes every line with the code for all of JSON\n"
        "  --many          decodes a hundred copies of each input at once\n"
        "ETLANTIC_INSTRUCTION_SET=baseline|avx2 decodes without the better instructions of this machine.\n",
        stderr);
    return 2;
  }
  try {
    return run_all(given[0], options);
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "run_contract_cases: %s\n", problem.what());
    return 2;
  }
}
