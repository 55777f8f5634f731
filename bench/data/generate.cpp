// Writes the lines of a workload to a file.
#include <data/house.hpp>
#include <data/ysb.hpp>

#include <cstdio>
#include <exception>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace {

using append_line = void (*)(std::string&, const bench::data_options&, std::uint32_t);

append_line writer_of(std::string_view data) {
  if (data == "house") return bench::append_house_line;
  if (data == "ysb") return bench::append_ysb_line;
  throw std::invalid_argument("--data is house or ysb");
}

void write_lines(const std::string& path, append_line append, const bench::data_options& options) {
  std::ofstream file(path, std::ios::binary);
  std::string lines;
  for (std::uint32_t number = 0; number < options.rows; ++number) {
    append(lines, options, number);
    if (lines.size() < (1U << 20) && number + 1 < options.rows) continue;
    file << lines;
    lines.clear();
  }
  file.close();
  if (!file) throw std::runtime_error("cannot write " + path);
}

}  // namespace

int main(int argument_count, char** arguments) {
  try {
    bench::command_line line(argument_count, arguments);
    bench::data_options options;
    std::string data, output;
    while (line.has_next()) {
      const std::string_view name = line.name();
      if (bench::take_option(name, line, options)) continue;
      if (name == "--data")
        data = line.value();
      else if (name == "--output")
        output = line.value();
      else
        throw std::invalid_argument("there is no option " + std::string(name));
    }
    write_lines(output, writer_of(data), options);
    return 0;
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "generate: %s\n", failure.what());
    return 1;
  }
}
