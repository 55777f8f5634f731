// expect: one mistake gives one error
// refused: 2 errors instead of one
#ifdef ETLANTIC_MUST_FAIL
static_assert(sizeof(char) == 2, "etlantic: one mistake gives one error");
static_assert(sizeof(char) == 3, "etlantic: one mistake gives one error");
#endif
