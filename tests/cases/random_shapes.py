"""The shapes of the random cases. Each is one pipeline: what is random in it is data and durations. Shapes of one
`program` are compiled together."""

SECOND = 1_000_000
COLUMNS = {"id": "string", "ts": "timestamp", "value": "int64", "status": "string"}
REFERENCE = {"id": "string", "value": "int64", "name": "string"}

COUNT = {"fn": "count", "as": "count"}
NUMBERS = [COUNT, {"fn": "sum", "of": "value", "as": "sum"}, {"fn": "min", "of": "value", "as": "min"},
           {"fn": "max", "of": "value", "as": "max"}, {"fn": "avg", "of": "value", "as": "avg"},
           {"fn": "count", "of": "value", "as": "present"}]
OTHERS = [{"fn": "latest", "of": "value", "as": "latest"},
          {"fn": "count_if", "is": ["or", [">", "value", 0], ["==", "status", {"text": "paid"}]], "as": "chosen"},
          {"fn": "count_distinct", "of": "value", "as": "different"}, {"fn": "first", "of": "status", "as": "first"},
          {"fn": "last", "of": "value", "as": "last"}, {"fn": "min_by", "of": "status", "by": "value", "as": "of_least"},
          {"fn": "max_by", "of": "ts", "by": "value", "as": "of_greatest"},
          {"fn": "variance", "of": "value", "as": "variance"},
          {"fn": "collect_list", "of": "value", "limit": 3, "as": "list"},
          {"fn": "max", "of": "status", "as": "greatest_text"}]
ALL = NUMBERS + OTHERS
SKETCHES = [COUNT, {"fn": "stddev", "of": "value", "as": "deviation"},
            {"fn": "approximate_count_distinct", "of": "value", "as": "different"},
            {"fn": "approximate_count_distinct", "of": "status", "as": "different_texts"},
            {"fn": "approximate_quantile", "of": "value", "percent": 50, "as": "median"},
            {"fn": "approximate_quantile", "of": "value", "percent": 90, "as": "high"},
            {"fn": "sum_of_squares", "of": "value", "as": "squares"}]
SUM_OF_COUNTS = [{"fn": "count", "as": "windows"}, {"fn": "sum", "of": "count", "as": "total"}]

IS_PAID = {"op": "filter", "column": "status", "equals": "paid"}
LEFT_IS_LESS = ["<=", "left.value", "right.value"]

# What the rows of `expressions` come to.
WHERE = {"op": "where", "is": ["or", ["and", [">", "value", 0], ["is_not_null", "id"]],
                               ["otherwise", ["==", "status", {"text": "paid"}], ["<", ["*", "value", "value"], 50]]]}
DERIVE = {"op": "derive", "as": "twice", "is": ["+", ["*", ["coalesce", "value", 7], 2], ["%", "value", 3]]}
SELECT = {"op": "select", "columns": {
    "id": ["upper_ascii", "id"], "ts": "ts", "value": "twice",
    "status": ["case", ["between", "value", -3, 3], {"text": "small"}, [">", "value", 50], {"text": "large"},
               ["coalesce", "status", {"text": "none"}]],
    "length": ["length", ["concat", "id", {"text": "-"}, "status"]], "best": ["greatest", "value", "twice", 0],
    "worst": ["least", "value", ["abs", "twice"]], "in_set": ["in", "value", 1, 2, 3],
    "not_paid": ["not", ["==", "status", {"text": "paid"}]], "no_zero": ["null_if", ["-", "value", "value"], 0],
    "has_key": ["and", ["is_not_null", "id"], ["!=", "id", {"text": ""}]]}}
# Texts such as "-7,paid,b" and what functions of text make of them.
PARTS = ["concat", ["coalesce", ["cast_text", "value"], {"text": "x"}], {"text": ","}, ["coalesce", "status", {"text": " "}],
         {"text": ","}, "id"]
TEXTS = {"op": "select", "columns": {
    "id": "id", "all": PARTS, "number": ["try_cast_int64", ["split_part", PARTS, {"text": ","}, 1]],
    "last": ["split_part", PARTS, {"text": ","}, -1], "by_value": ["split_part", PARTS, {"text": "a"},
                                                                     ["+", ["*", "value", "value"], 1]],
    "piece": ["substring", PARTS, -4, 3], "trimmed": ["trim", ["split_part", PARTS, {"text": ","}, 2]],
    "is_negative": ["like", PARTS, {"text": "-_%,%"}], "has_open": ["contains", PARTS, {"text": "open"}],
    "from_one": ["starts_with", PARTS, {"text": "1"}], "to_b": ["ends_with", PARTS, {"text": ",b"}],
    "lower": ["lower_ascii", ["upper_ascii", PARTS]], "two_digits": ["matches_regex", PARTS, {"text": "^-?[0-9]{2},"}],
    "digits": ["extract_regex", PARTS, {"text": "([0-9]+),(paid|open)"}, 1],
    "masked": ["replace_regex", PARTS, {"text": "[0-9]"}, {"text": "#"}]}}
PAID, LARGE = ["==", "status", {"text": "paid"}], [">=", ["-", "value", 1], 2]
SPLIT = {"op": "split", "outputs": {"paid": PAID, "large": ["and", ["otherwise", PAID], LARGE],
                                    "rest": ["otherwise", PAID, LARGE]}}


def seconds(random_numbers, *choices):
    return random_numbers.choice(choices) * SECOND


def fixed(kind, keys=("id",), aggregates=ALL, accepts=False, offset=True):
    """A tumbling or sliding window."""
    def made(random_numbers):
        step = {"op": "window", "kind": kind, "keys": list(keys), "aggregates": aggregates,
                "size_us": seconds(random_numbers, 4, 5, 10)}
        if kind == "sliding":
            step["slide_us"] = seconds(random_numbers, 1, 2, 3, 4)
        if offset:
            step["offset_us"] = seconds(random_numbers, 0, 0, 1) * random_numbers.choice([-1, 1]) // 2
        if accepts:
            step["accept_late_us"] = seconds(random_numbers, 1, 4, 10)
        return step
    return made


def tumbling(**given):
    return fixed("tumbling", **given)


def sliding(**given):
    return fixed("sliding", **given)


def session(keys=("id",), aggregates=ALL):
    return lambda random_numbers: {"op": "window", "kind": "session", "keys": list(keys), "aggregates": aggregates,
                                   "gap_us": seconds(random_numbers, 1, 3, 7)}


def calendar(period, zone=None, accepts=False):
    def made(random_numbers):
        step = {"op": "window", "kind": "calendar", "period": period, "keys": ["id"], "aggregates": NUMBERS}
        if zone is not None:
            step["zone"] = zone
        if accepts:
            step["accept_late_us"] = random_numbers.choice([20_000, 200_000, 2_000_000]) * SECOND
        return step
    return made


def outer(random_numbers):
    """Windows over windows."""
    return {"op": "window", "kind": "tumbling", "size_us": seconds(random_numbers, 20, 30), "offset_us": 0, "keys": [],
            "aggregates": SUM_OF_COUNTS}


def outer_sessions(random_numbers):
    return {"op": "window", "kind": "session", "gap_us": seconds(random_numbers, 3, 8), "keys": ["id"],
            "aggregates": SUM_OF_COUNTS}


def group(*keys, aggregates=ALL):
    return lambda random_numbers: {"op": "group", "keys": list(keys), "aggregates": aggregates}


def dedup(*keys, within=False):
    return lambda random_numbers: {"op": "dedup", "keys": list(keys), "within_watermark": within}


def join(kind, time=None, where=None):
    def made(random_numbers):
        step = {"op": "join", "type": kind, "keys": ["id"]}
        if where is not None:
            step["where"] = where
        if time == "range":
            step["right_ts_minus_left_ts"] = {
                "min_us": seconds(random_numbers, -7, -3, 0), "min_inclusive": True,
                "max_us": seconds(random_numbers, 0, 2, 5), "max_inclusive": True}
        elif time == "window":
            step["same_tumbling_window_us"] = seconds(random_numbers, 2, 5, 10)
        elif time == "equal":
            step["time"] = "left.ts = right.ts"
        return step
    return made


def lookup(kind, where=None):
    step = {"op": "lookup_join", "type": kind, "keys": ["id"], "columns": ["value", "name"]}
    return {**step, "where": where} if where is not None else step


def top(count, of="value", keys=("id",), ascending=False, slides=False, of_results=False):
    def made(random_numbers):
        step = {"op": "top", "keys": list(keys), "of": of, "count": count, "ascending": ascending}
        if of_results:
            return {**step, "of_results": True}
        step["size_us"] = seconds(random_numbers, 4, 5, 10)
        if slides:
            step["slide_us"] = seconds(random_numbers, 1, 2, 3)
        return step
    return made


def latest_by(keeping=False):
    return {"op": "latest_by", "keys": ["id"], "keeping_every_key": keeping}


def lag(rows, of="value", keys=("id",), forgets=True):
    def made(random_numbers):
        step = {"op": "lag", "keys": list(keys), "of": of, "rows": rows, "as": "before"}
        return {**step, "forget_after_us": seconds(random_numbers, 1, 4, 9)} if forgets else step
    return made


def process(random_numbers):
    return {"op": "process", "keys": ["id"], "pause_us": seconds(random_numbers, 1, 3, 8)}


def shape(program, *steps, mode="append", sources=1, timed=True, null_times=False, required=(), of_calendar=False,
          looks_up=False):
    """`of_calendar`: a second of the others is hours or days here, at some time between 1985 and 2015."""
    def made(random_numbers):
        return {"program": program, "mode": mode, "sources": sources, "timed": timed, "null_times": null_times,
                "required": list(required), "looks_up": looks_up,
                "begin": random_numbers.randint(180, 540) * 30 * 86_400 * SECOND if of_calendar else 0,
                "scale": random_numbers.choice([1_800, 7_200, 86_400, 700_000]) if of_calendar else 1,
                "steps": [each(random_numbers) if callable(each) else dict(each) for each in steps]}
    return made


JOINS = {f"{kind}_join_by_{time}": shape("joins", join(kind, time), sources=2)
         for kind in ("inner", "left", "right", "full") for time in ("range", "window", "equal")}
JOINS |= {f"{kind}_join_by_{time}": shape("joins", join(f"left_{kind}", time), sources=2)
          for kind in ("semi", "anti") for time in ("range", "window", "equal")}

SHAPES = {
    **JOINS,
    "unbounded_join": shape("joins", join("inner"), sources=2),
    "unbounded_semi_join": shape("joins", join("left_semi"), sources=2),
    "conditional_inner_join": shape("joins", join("inner", "range", LEFT_IS_LESS), sources=2),
    "conditional_full_join": shape("joins", join("full", "range", LEFT_IS_LESS), sources=2),
    "conditional_semi_join": shape("joins", join("left_semi", "range", LEFT_IS_LESS), sources=2),
    "conditional_anti_join": shape("joins", join("left_anti", "window", LEFT_IS_LESS), sources=2),

    "tumbling_append": shape("windows", tumbling(), null_times=True),
    "tumbling_update": shape("windows", tumbling(), mode="update"),
    "tumbling_complete": shape("windows", tumbling(), mode="complete"),
    "tumbling_of_two": shape("windows", tumbling(), sources=2, null_times=True),
    "sliding_append": shape("windows", sliding(), null_times=True),
    "sliding_update": shape("windows", sliding(), mode="update"),
    "sliding_of_two": shape("windows", sliding(), sources=2),
    "filtered_windows": shape("windows", IS_PAID, tumbling(), sources=2),
    "sketched_windows": shape("windows", tumbling(aggregates=SKETCHES)),
    "sketched_slides": shape("windows", sliding(aggregates=SKETCHES), sources=2),
    "accepting_tumbling": shape("windows", tumbling(accepts=True), mode="update", required=("id",)),
    "accepting_sliding": shape("windows", sliding(accepts=True), mode="update", required=("id",)),

    "calendar_days": shape("calendar", calendar("day"), of_calendar=True, null_times=True),
    "calendar_days_of_sao_paulo": shape("calendar", calendar("day", "America/Sao_Paulo"), of_calendar=True),
    "calendar_days_of_havana": shape("calendar", calendar("day", "America/Havana"), of_calendar=True, mode="update"),
    "calendar_weeks": shape("calendar", calendar("week", "Europe/Berlin"), of_calendar=True, sources=2),
    "calendar_months": shape("calendar", calendar("month", "Europe/Berlin"), of_calendar=True, mode="complete"),
    "calendar_quarters": shape("calendar", calendar("quarter"), of_calendar=True),
    "accepting_calendar": shape("calendar", calendar("day", "Europe/Berlin", accepts=True), of_calendar=True,
                                mode="update", required=("id",)),

    "session_append": shape("sessions", session(), null_times=True),
    "session_complete": shape("sessions", session(), mode="complete"),
    "session_of_three": shape("sessions", session(), sources=3),
    "filtered_sessions": shape("sessions", IS_PAID, session()),
    "sketched_sessions": shape("sessions", session(aggregates=SKETCHES)),
    "dedup_into_sessions": shape("sessions", dedup("id", "ts"), session(), sources=2),

    "by_time_append": shape("groups", group("ts", "id", aggregates=NUMBERS), null_times=True),
    "by_key_update": shape("groups", group("id"), mode="update", null_times=True),
    "sketched_groups": shape("groups", group("id", aggregates=SKETCHES), mode="update", sources=2),
    "by_key_complete": shape("groups", group("id"), mode="complete", sources=2),
    "derived_groups": shape("groups", WHERE, DERIVE, group("id", aggregates=[
        COUNT, {"fn": "sum", "of": "twice", "as": "sum"}, {"fn": "max_by", "of": "status", "by": "twice", "as": "best"}]),
        mode="update"),
    "dedup_by_time": shape("groups", dedup("id", "ts")),
    "dedup_of_two": shape("groups", dedup("id", "ts"), sources=2),
    "dedup_within": shape("groups", dedup("id", within=True)),
    "dedup_within_of_two": shape("groups", dedup("id", within=True), sources=2),
    "dedup_for_ever": shape("groups", dedup("id")),
    "dedup_for_ever_of_two": shape("groups", IS_PAID, dedup("id", "status"), sources=2),

    "dedup_into_windows": shape("chains", dedup("id", "ts"), tumbling(aggregates=NUMBERS)),
    "dedup_within_into_windows": shape("chains", dedup("id", within=True), tumbling(aggregates=NUMBERS), sources=2),
    "windows_of_windows": shape("chains", tumbling(aggregates=[COUNT]), outer),
    "windows_of_two_updated": shape("chains", tumbling(aggregates=[COUNT]), outer, sources=2, mode="update"),
    "windows_of_sessions": shape("chains", session(aggregates=[COUNT]), outer),
    "sessions_of_windows": shape("chains", tumbling(aggregates=[COUNT]), outer_sessions),
    "windows_of_slides": shape("chains", sliding(aggregates=[COUNT]), outer),
    "top_of_windows": shape("chains", tumbling(aggregates=[COUNT]), top(2, of="count", keys=(), of_results=True)),
    "top_of_sessions": shape("chains", session(aggregates=[COUNT]), top(2, of="count", keys=(), of_results=True)),
    "top_of_windows_of_windows": shape("chains", tumbling(aggregates=[COUNT]), outer,
                                       top(1, of="total", keys=(), of_results=True)),

    "top": shape("keyed", top(2), null_times=True),
    "top_ascending": shape("keyed", top(3, keys=(), ascending=True), sources=2),
    "top_of_slides": shape("keyed", top(2, slides=True)),
    "top_by_text": shape("keyed", IS_PAID, top(2, of="status")),
    "latest_by": shape("keyed", latest_by(), mode="update", required=("id",), null_times=True),
    "latest_by_for_ever": shape("keyed", latest_by(True), mode="update", required=("id",), sources=2),
    "lag": shape("keyed", lag(1), null_times=True),
    "lag_of_two": shape("keyed", lag(2, of="status"), sources=2),
    "lag_for_ever": shape("keyed", lag(2, keys=("id", "status"), forgets=False)),
    "lag_of_all": shape("keyed", IS_PAID, lag(1, keys=(), forgets=False)),
    "process": shape("keyed", process, null_times=True),
    "process_of_two": shape("keyed", process, sources=2),

    "expressions": shape("rows", WHERE, DERIVE, SELECT, timed=False, null_times=True),
    "texts": shape("rows", TEXTS, timed=False, null_times=True),
    "split": shape("rows", SPLIT, timed=False, null_times=True),
    "split_of_two": shape("rows", DERIVE, SPLIT, timed=False, sources=2),
    "lookup": shape("rows", lookup("inner"), timed=False, looks_up=True, null_times=True),
    "left_lookup": shape("rows", lookup("left"), timed=False, looks_up=True),
    "conditional_lookup": shape("rows", lookup("left", LEFT_IS_LESS), timed=False, looks_up=True),
}


def kinds_behind(case):
    """The columns of a case's results with their types."""
    kinds = dict(case["columns"])
    for step in case["steps"]:
        if step["op"] == "join":
            sides = ("left",) if step["type"] in ("left_semi", "left_anti") else ("left", "right")
            kinds = {f"{side}_{name}": kind for side in sides for name, kind in kinds.items()}
        elif step["op"] == "lookup_join":
            kinds |= {f"right_{name}": REFERENCE[name] for name in step["columns"]}
        elif step["op"] == "derive":
            kinds[step["as"]] = kind_of(step["is"], kinds)
        elif step["op"] == "select":
            kinds = {name: kind_of(each, kinds) for name, each in step["columns"].items()}
        elif step["op"] in ("window", "group"):
            bounds = {"window_start": "timestamp", "window_end": "timestamp"} if step["op"] == "window" else {}
            kinds = ({key: kinds[key] for key in step["keys"]} | bounds |
                     {each["as"]: kind_of_aggregate(each, kinds) for each in step["aggregates"]})
        elif step["op"] == "top":
            kinds = {"rank": "int64"} | kinds | {"window_start": "timestamp", "window_end": "timestamp"}
        elif step["op"] == "lag":
            kinds[step["as"]] = kinds[step["of"]]
        elif step["op"] == "process":
            kinds = {key: kinds[key] for key in step["keys"]} | {"visits": "int64", "total": "int64", "until": "timestamp"}
        elif step["op"] == "split":
            kinds["output"] = "string"
    return kinds


def kind_of_aggregate(each, kinds):
    if each["fn"] in ("min", "max", "latest", "first", "last", "min_by", "max_by"):
        return kinds[each["of"]]
    return {"avg": "double", "variance": "rounded", "stddev": "rounded", "collect_list": "list"}.get(each["fn"], "int64")


TEXT_FUNCTIONS = ("concat", "upper_ascii", "lower_ascii", "cast_text", "split_part", "substring", "trim", "extract_regex",
                  "replace_regex")


def kind_of(expression, kinds):
    if isinstance(expression, str):
        return kinds[expression]
    if isinstance(expression, dict):
        return "string"
    if not isinstance(expression, list):
        return "int64"
    if expression[0] in ("in", "not", "and", "or", "==", "!=", "<", "<=", ">", ">=", "is_null", "is_not_null", "between", "like",
                         "contains", "starts_with", "ends_with", "matches_regex"):
        return "bool"
    if expression[0] in TEXT_FUNCTIONS:
        return "string"
    if expression[0] in ("case", "coalesce", "null_if"):
        return kind_of(expression[2 if expression[0] == "case" else 1], kinds)
    return "int64"
