// expect: all of it fits on a screen
// refused: lines are more than 20
#ifdef ETLANTIC_MUST_FAIL
static_assert(sizeof(char) == 2, "etlantic: all of it fits on a screen");
#warning "each of these is three lines"
#warning "each of these is three lines"
#warning "each of these is three lines"
#warning "each of these is three lines"
#warning "each of these is three lines"
#warning "each of these is three lines"
#endif
