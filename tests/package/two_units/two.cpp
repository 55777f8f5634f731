#include "everything.hpp"

int two();
int two() { return 0; }
