#pragma once
#include <etlantic/runtime/connector.hpp>

#include <cstddef>
#include <cstdio>
#include <memory>

namespace etlantic {

/// Options of the console sink.
inline constexpr connector_option console_sink_options[] = {
    {"rows", false, "how many rows of a batch are printed; default 20"},
};

struct console_settings {
  std::FILE* file = stdout;
  std::size_t rows = 20;
};

/// Prints a small table of each batch, for people who try things. What is printed cannot be taken back: a batch whose
/// process ended between printing and the commit record is printed again (at least once). Batches without rows print
/// nothing, unless they replace the result (complete mode). Characters that could drive the terminal are escaped.
result<std::shared_ptr<sink>> make_console_sink(const asset_binding& binding);
std::shared_ptr<sink> make_console_sink(const console_settings& settings);

}  // namespace etlantic
