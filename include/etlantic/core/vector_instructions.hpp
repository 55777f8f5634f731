#pragma once

// The vector instructions of x86-64, for functions that are compiled for more than the rest of the program: each names
// its set in an attribute, so that no flag leaks into other code.

#if defined(__x86_64__)
#if defined(__GNUC__) && !defined(__clang__)  // gcc 12 warns about its own header (its bug 105593)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#define ETLANTIC_AVX2 gnu::target("avx2,bmi,bmi2,popcnt")
#define ETLANTIC_AVX512 gnu::target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi,bmi2,popcnt")
#endif
