#include "everything.hpp"

int two();

int main() { return two(); }
