// expect: the culprit is in the output
// names: prcie
// names: nowhere
// refused: the output does not name: nowhere
#ifdef ETLANTIC_MUST_FAIL
template <class Culprit>
constexpr bool passed = false;
struct prcie {};
static_assert(passed<prcie>, "etlantic: the culprit is in the output");
#endif
