#pragma once
#include <cstddef>

// Names without definitions, for headers that only mention our types.

namespace etlantic {

template <std::size_t N>
struct fixed_string;
template <int Precision, int Scale>
struct decimal;
struct text;
struct binary;
struct timestamp;
struct date;
template <class T, class... Attributes>
struct checked;
template <class C>
struct input;
template <class C>
struct reference;
template <class C>
struct output;
template <class T>
struct parameter;
template <class C>
struct rejected;
template <class C>
struct late;

struct failure;
struct schema;
struct block;
struct program;
struct profile;
struct progress;
class query;
class source;
class sink;
class stage;

}  // namespace etlantic
