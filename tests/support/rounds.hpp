#pragma once

namespace etlantic::test {

/// How often a test over random input goes round: `all` times in an optimised build, an eighth of that, at least once,
/// in others. They have sanitizers or another compiler, which look for other mistakes, in any round, at a tenth of the
/// speed.
constexpr unsigned rounds(unsigned all) {
#ifdef __OPTIMIZE__
  return all;
#else
  return all < 8 ? 1 : all / 8;
#endif
}

}  // namespace etlantic::test
