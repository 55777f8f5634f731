#pragma once
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace etlantic {

#if defined(__GNUC__) && !defined(__clang__)  // gcc 12 takes a scoped enumerator for a shadow of a name outside
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif
/// The vector instructions that a program may use beyond those it was compiled for. Each one includes those before.
enum class instruction_set : std::uint8_t {
  baseline,  ///< what the compiler was told
  avx2,      ///< with BMI1, BMI2 and POPCNT: x86-64-v3
  avx512,    ///< F, BW, DQ, VL, VBMI and VBMI2: Ice Lake, Zen 4 and later
};
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

constexpr std::string_view name_of(instruction_set set) {
  constexpr std::string_view names[] = {"baseline", "avx2", "avx512"};
  return names[static_cast<int>(set)];
}

namespace detail {

inline instruction_set detect_instruction_set() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi") || !__builtin_cpu_supports("bmi2") ||
      !__builtin_cpu_supports("popcnt"))
    return instruction_set::baseline;
  const bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                    __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                    __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2");
  return wide ? instruction_set::avx512 : instruction_set::avx2;
#else
  return instruction_set::baseline;
#endif
}

}  // namespace detail

/// The best set that this machine has, found once. The environment variable ETLANTIC_INSTRUCTION_SET (`baseline`,
/// `avx2` or `avx512`) chooses a lesser one, to compare them; a set that the machine lacks is never chosen.
inline instruction_set available_instruction_set() {
  static const instruction_set chosen = [] {
    const instruction_set found = detail::detect_instruction_set();
    const char* const wanted = std::getenv("ETLANTIC_INSTRUCTION_SET");
    if (wanted == nullptr) return found;
    for (const instruction_set each : {instruction_set::baseline, instruction_set::avx2})
      if (each < found && name_of(each) == wanted) return each;
    return found;
  }();
  return chosen;
}

}  // namespace etlantic
