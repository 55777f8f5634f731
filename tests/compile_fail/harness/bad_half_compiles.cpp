// expect: nothing is wrong here
// refused: the bad half compiles
static_assert(sizeof(char) == 1, "etlantic: nothing is wrong here");
