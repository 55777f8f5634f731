// expect: both halves are wrong
// refused: the good half does not compile
static_assert(sizeof(char) == 2, "etlantic: both halves are wrong");
