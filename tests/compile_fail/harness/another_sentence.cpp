// expect: this sentence is not in the error
// refused: the error does not say: etlantic: this sentence is not in the error
#ifdef ETLANTIC_MUST_FAIL
static_assert(sizeof(char) == 2, "etlantic: another sentence");
#endif
