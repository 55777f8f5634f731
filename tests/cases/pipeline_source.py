"""The C++ program of a pipeline case: case.json as contracts, a transformation and a pipeline.

Two cases that differ in durations only have the same program; the durations are given to it when it runs."""

import hashlib
import re

from expression_source import UnknownExpression, expression_source, type_of_expression


class NotExpressible(Exception):
    """A case asks for something that the library, or this translation, cannot say."""


KEYS_OF_CASE = {
    "case", "about", "note", "depends_on_pin", "columns", "sources", "watermark_policy", "steps", "select", "output_mode",
    "late_policy", "no_data_batches", "restart_before_batch", "watermark_after_us", "late_lines", "state_rows_after",
    "trigger", "self_join", "default_zone", "columns_added_after_restart", "input_order_after_restart",
    "watermark_policy_asked_for_after_restart", "watermark_policy_in_force_after_restart",
    "watermark_after_us_if_only_the_global_value_is_stored", "program", "required", "reference", "significant_digits",
}
KEYS_OF_SOURCE = {"name", "file", "event_time", "watermark_delay_us", "watermark_delay_text", "rows_per_batch"}
KEYS_OF_STEP = {
    "filter": {"op", "column", "equals"},
    "window": {"op", "kind", "size_us", "slide_us", "offset_us", "gap_us", "gap_seconds_column", "keys", "aggregates",
               "period", "zone", "accept_late_us"},
    "group": {"op", "keys", "aggregates"},
    "dedup": {"op", "keys", "within_watermark"},
    "join": {"op", "type", "keys", "time", "right_ts_minus_left_ts", "same_tumbling_window_us",
             "and_left_value_greater_than", "where"},
    "lookup_join": {"op", "type", "keys", "columns", "where"},
    "where": {"op", "is"},
    "derive": {"op", "as", "is"},
    "select": {"op", "columns"},
    "split": {"op", "outputs"},
    "top": {"op", "keys", "of", "count", "ascending", "size_us", "slide_us", "offset_us", "of_results"},
    "latest_by": {"op", "keys", "keeping_every_key"},
    "lag": {"op", "keys", "of", "rows", "as", "forget_after_us"},
    "process": {"op", "keys", "pause_us"},
}
SIMPLE_TYPES = {
    "string": "text", "binary": "binary", "bool": "bool", "boolean": "bool", "int8": "std::int8_t", "int16": "std::int16_t",
    "int32": "std::int32_t", "int64": "std::int64_t", "uint8": "std::uint8_t", "uint16": "std::uint16_t",
    "uint32": "std::uint32_t", "uint64": "std::uint64_t", "float": "float", "double": "double", "date": "date",
    "timestamp": "timestamp",
}
INTEGERS = {name for name in SIMPLE_TYPES.values() if name.startswith("std::")}
MODES = {"append", "update", "complete"}
KEYWORDS = set("""alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t char8_t class
co_await co_return co_yield compl concept const const_cast consteval constexpr constinit continue decltype default delete do
double dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable namespace new
noexcept not not_eq nullptr operator or or_eq private protected public register reinterpret_cast requires return short
signed sizeof static static_assert static_cast struct switch template this thread_local throw true try typedef typeid
typename union unsigned using virtual void volatile wchar_t while xor xor_eq""".split())


def check_keys(given, known, where):
    unknown = sorted(set(given) - known)
    if unknown:
        raise NotExpressible(f"{where} has {', '.join(unknown)}, which has no translation")


def type_of(name):
    if name in SIMPLE_TYPES:
        return SIMPLE_TYPES[name]
    decimal = re.fullmatch(r"decimal\((\d+), ?(\d+)\)", name)
    if decimal is None:
        raise NotExpressible(f"there is no type {name}")
    return f"decimal<{int(decimal[1])}, {int(decimal[2])}>"


def digits_of(cpp_type):
    found = re.fullmatch(r"decimal<(\d+), (\d+)>", cpp_type)
    return (int(found[1]), int(found[2])) if found else None


def type_of_sum(cpp_type):
    if cpp_type in INTEGERS:
        return "std::int64_t"
    if cpp_type in ("float", "double"):
        return "double"
    digits = digits_of(cpp_type)
    if digits is None:
        raise NotExpressible(f"there is no sum of {cpp_type}")
    return f"decimal<{min(digits[0] + 10, 38)}, {digits[1]}>"


def type_of_average(cpp_type):
    digits = digits_of(cpp_type)
    if digits is not None:
        return f"decimal<{min(digits[0] + 4, 38)}, {min(digits[1] + 4, 38)}>"
    if cpp_type in INTEGERS or cpp_type in ("float", "double"):
        return "double"
    raise NotExpressible(f"there is no average of {cpp_type}")


def literal(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, str) and re.fullmatch(r"[ -~]*", value):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    raise NotExpressible(f"there is no literal {value!r}")


def qualified(cpp_type):
    """A member may be called like its type, if that is not named alone."""
    return re.sub(r"(?<![\w:])(text|binary|date|timestamp|decimal|local_time)\b", r"etlantic::\1", cpp_type)


def member_names(case):
    """The columns whose names cannot be those of members, with the members' names."""
    has_key = any("accept_late_us" in step or step.get("op") == "latest_by" for step in case["steps"])
    reserved = KEYWORDS | ({"key"} if has_key else set())
    columns = [*case["columns"], *case.get("reference", {}).get("columns", ())]
    for step in case["steps"]:
        columns += [each["as"] for each in [*step.get("aggregates", ()), step] if "as" in each]
        columns += step["columns"] if step.get("op") == "select" else []
    return {name: re.sub(r"\W", "_", name) + "_" for name in columns
            if name in reserved or not re.fullmatch(r"[A-Za-z_]\w*", name)}


def with_member_names(given, members, where=""):
    """The case with the members' names for those columns; types, and what texts columns are compared with, stay."""
    if where == "types":
        return {members.get(name, name): kind for name, kind in given.items()}
    if isinstance(given, dict):
        inside = "columns" if "op" in given else "types"
        return {(members.get(key, key) if where == "columns" else key):
                with_member_names(each, members, inside if key == "columns" else key) for key, each in given.items()}
    if isinstance(given, list):
        return [with_member_names(each, members, where) for each in given]
    return given if where in ("equals", "text", "name", "file") or not isinstance(given, str) else members.get(given, given)


def names(columns):
    return ", ".join(f'"{name}"' for name in columns)


def expression(given):
    try:
        return expression_source(given)
    except UnknownExpression as reason:
        raise NotExpressible(str(reason)) from None


def digest_of(text, length=12):
    return hashlib.sha256(text.encode()).hexdigest()[:length]


# What `process` does in the cases; reference_rows.py says it in plain loops.
BEHAVIOUR = """struct CountVisits {
  using state = VisitsSoFar;
  using result = VISITS;
  duration pause{};

  void on_row(VisitsSoFar& so_far, const ROW& row, process_context<VISITS>& context) const {
    so_far.id = row.id;
    ++so_far.visits;
    so_far.total += row.value.value_or(0);
    if (row.ts) {
      const timestamp until{row.ts->microseconds + pause.count()};
      if (!so_far.until || so_far.until->microseconds < until.microseconds) {
        context.clear_timers();
        context.set_timer(until);
        so_far.until = until;
      }
    }
    if (so_far.visits % 3 == 0) context.emit({row.id, so_far.visits, so_far.total, context.watermark()});
    if (row.value && *row.value < -80) context.forget();
  }
  void on_timer(VisitsSoFar& so_far, timestamp time, process_context<VISITS>& context) const {
    context.emit({so_far.id, so_far.visits, so_far.total, time});
    context.forget();
  }
};"""


class Program:
    """What one case comes to, put together step by step."""

    def __init__(self, case):
        self.members = {member: name for name, member in member_names(case).items()}
        self.members.update({f"{side}_{member}": f"{side}_{name}" for member, name in list(self.members.items())
                             for side in ("left", "right")})
        case = self.case = with_member_names(case, member_names(case))
        self.is_shared = "program" in case  # contracts are those of other pipelines of the program too
        self.declarations = []  # (name, text)
        self.durations = []   # in microseconds, in the order of the parameters
        self.defaults = []    # in seconds
        self.sources = case["sources"]
        by_name = {source["name"]: source for source in self.sources}
        self.extracts = [by_name[name] for name in case.get("input_order_after_restart") or by_name]
        self.event_time = None
        self.name = "Case"
        check_keys(case, KEYS_OF_CASE, "the case")
        for source in self.sources:
            check_keys(source, KEYS_OF_SOURCE, "a source")
        for step in case["steps"]:
            if step.get("op") not in KEYS_OF_STEP:
                raise NotExpressible(f"there is no step {step.get('op')}")
            check_keys(step, KEYS_OF_STEP[step["op"]], f"a step {step['op']}")
        if case["output_mode"] not in MODES:
            raise NotExpressible(f"there is no output mode {case['output_mode']}")
        if case.get("late_policy", "drop and count") != "drop and count":
            raise NotExpressible(f"there is no late policy {case['late_policy']}")
        self.reference, self.looked_up = case.get("reference"), None
        if self.reference:
            looked_up = [(name, type_of(kind), True) for name, kind in self.reference["columns"].items()]
            self.looked_up = self.add_contract("Reference", looked_up)
        required = case.get("required", ())
        fields = [(name, self.type_of_column(kind), name not in required) for name, kind in case["columns"].items()]
        self.input_contract = self.add_contract("Row", fields)

    def type_of_column(self, kind):
        zone = self.case.get("default_zone")
        if zone is None or kind != "timestamp":
            return type_of(kind)
        if not re.fullmatch(r"[A-Za-z0-9_+/-]+", zone):
            raise NotExpressible(f"{zone} is not the name of a time zone")
        return f'local_time<"{zone}">'

    def declare(self, name, text):
        """Writes NAME where the declaration calls itself so. Equal ones of a shared program have one name."""
        if self.is_shared:
            name += "_" + digest_of(text, 8)
        text = text.replace("NAME", name)
        if (name, text) not in self.declarations:
            self.declarations.append((name, text))
        return name

    def add_contract(self, name, fields, key=()):
        lines = ["struct NAME {"]
        lines += [f"  {self.member_type(*each)} {each[0]};" for each in fields]
        lines += [f"  using key = primary_key<{names(key)}>;"] if key else []
        self.row = self.declared_row = fields
        self.row_contract = self.declare(name, "\n".join([*lines, "};"]))
        return self.row_contract

    def member_type(self, field, kind, nullable):
        made = f"std::optional<{qualified(kind)}>" if nullable else qualified(kind)
        return f'checked<{made}, named_as<{literal(self.members[field])}>>' if field in self.members else made

    def duration(self, microseconds, default=1):
        """A parameter of the transformation. Its default is one of those seconds that every rule takes; the case's own
        value comes when the program runs."""
        self.durations.append(int(microseconds))
        self.defaults.append(default)
        return f"t.duration_{len(self.durations) - 1}"

    def field_type(self, name):
        for field, kind, nullable in self.row:
            if field == name:
                return kind, nullable
        raise NotExpressible(f"there is no column {name}")

    # ---- sources ----------------------------------------------------------------------------------------------------

    def part(self, source):
        text = f"t.{source['name']}"
        if source.get("event_time"):
            text += f' | watermark<"{source["event_time"]}">({self.duration(source["watermark_delay_us"])})'
        return text

    def start(self):
        times = {source.get("event_time") for source in self.sources}
        if len(times) > 1 and self.case["steps"][0]["op"] != "join":
            raise NotExpressible("the sources have different event times")
        self.event_time = next(iter(times)) if len(times) == 1 else None
        if self.case["steps"] and self.case["steps"][0]["op"] in ("join", "lookup_join"):
            return ""
        parts = [self.part(source) for source in self.sources]
        return parts[0] if len(parts) == 1 else f"union_all({', '.join(parts)})"

    # ---- steps ------------------------------------------------------------------------------------------------------

    def filter(self, step):
        kind, _ = self.field_type(step["column"])
        value = step["equals"]
        if value is None:
            return f' | where(is_null(field<"{step["column"]}">))'
        if kind == "text" and not isinstance(value, str):
            raise NotExpressible(f"{step['column']} is compared with {value!r}")
        return f' | where(field<"{step["column"]}"> == {literal(value)})'

    def where(self, step):
        return f" | where({expression(step['is'])})"

    def type_of(self, given):
        return type_of_expression(given, lambda name: self.field_type(name)[0])

    def derive(self, step):
        self.row = [*self.row, (step["as"], self.type_of(step["is"]), True)]
        return f' | derive<"{step["as"]}">({expression(step["is"])})'

    def select(self, step):
        fields = [(name, self.type_of(each), True) for name, each in step["columns"].items()]
        values = [f'named<"{name}"> = {expression(each)}' for name, each in step["columns"].items()]
        return f" | select<{self.add_contract('Selected', fields)}>({', '.join(values)})"

    def group_by(self, step):
        return f" | group_by<{names(step['keys'])}>" if step["keys"] else ""

    def aggregate_value(self, each):
        function, of = each["fn"], each.get("of")
        if function == "count":
            return ("count()" if of is None else f'count(field<"{of}">)'), "std::int64_t", False
        if function == "count_if":
            return f"count_if({expression(each['is'])})", "std::int64_t", False
        kind, nullable = self.field_type(of)
        value = f'field<"{of}">'
        if function == "sum":
            return f"sum({value})", type_of_sum(kind), nullable
        if function == "avg":
            return f"avg({value})", type_of_average(kind), nullable
        if function in ("min", "max"):
            return f"{function}({value})", kind, nullable
        if function == "latest":
            if self.event_time is None:
                raise NotExpressible("there is no latest value without an event time")
            return f'max_by({value}, field<"{self.event_time}">)', kind, True
        if function == "count_distinct":
            return f"count_distinct({value})", "std::int64_t", False
        if function in ("variance", "stddev"):
            return f"{function}({value})", "double", True
        if function == "approximate_count_distinct":
            return f"approximate_count_distinct({value})", "std::int64_t", False
        if function == "approximate_quantile":
            return f"approximate_quantile<{int(each['percent'])}>({value})", kind, True
        if function == "sum_of_squares":
            return f"aggregated_by<sum_of_squares>({value})", "std::int64_t", True
        if function in ("first", "last"):
            return f"{function}({value})", kind, True
        if function in ("min_by", "max_by"):
            return f'{function}({value}, field<"{each["by"]}">)', kind, True
        if function == "collect_list":
            return f"collect_list<{int(each['limit'])}>({value})", f"std::vector<{kind}>", False
        raise NotExpressible(f"there is no aggregate {function}")

    def aggregate(self, step, windowed):
        keys = step["keys"]
        fields = [(key, *self.field_type(key)) for key in keys]
        if windowed:
            fields += [("window_start", "timestamp", False), ("window_end", "timestamp", False)]
        values = []
        for each in step["aggregates"]:
            check_keys(each, {"fn", "of", "as", "scale", "by", "is", "limit", "percent"}, "an aggregate")
            expression, kind, nullable = self.aggregate_value(each)
            fields.append((each["as"], kind, nullable))
            values.append(f'named<"{each["as"]}"> = {expression}')
        key = [*keys, "window_start", "window_end"] if "accept_late_us" in step else ()
        contract = self.add_contract("Result" if self.is_shared else f"Result{len(self.declarations)}", fields, key)
        return (f" | group_by<{names(keys)}>" if keys else ""), f" | aggregate<{contract}>({', '.join(values)})"

    def window(self, step):
        time = self.event_time
        if time is None:
            raise NotExpressible("there is no window without an event time")
        kind = step["kind"]
        if kind == "calendar":
            kind, arguments = "tumbling", [f"calendar::{step['period']}"]
            if "zone" in step:
                arguments.append(f'in_zone<"{step["zone"]}">')
        elif kind == "tumbling":
            arguments = [self.duration(step["size_us"])]
        elif kind == "sliding":
            arguments = [self.duration(step["size_us"], 10), self.duration(step["slide_us"])]
        elif kind == "session":
            arguments = [f'field<"{step["gap_seconds_column"]}">' if "gap_seconds_column" in step
                         else self.duration(step["gap_us"])]
        else:
            raise NotExpressible(f"there is no window {kind}")
        if "offset_us" in step:
            if kind == "session":
                raise NotExpressible("a session has no offset")
            arguments.append(self.duration(step["offset_us"], 0))
        accepts = f" | accept_late({self.duration(step['accept_late_us'])})" if "accept_late_us" in step else ""
        group, aggregate = self.aggregate(step, True)
        self.event_time = "window_time"
        return f'{group} | {kind}<"{time}">({", ".join(arguments)}){accepts}{aggregate}'

    def group(self, step):
        by_time = self.event_time in step["keys"]
        group, aggregate = self.aggregate(step, False)
        if not by_time:
            self.event_time = None
        return group + aggregate

    def dedup(self, step):
        keys = step["keys"]
        if step.get("within_watermark"):
            return f" | deduplicate_within_watermark<{names(keys)}>"
        forgets = self.event_time is not None and self.event_time in keys
        return f" | deduplicate<{names(keys)}>" + ("" if forgets else ".keeping_every_key()")

    def join_time(self, step):
        forms = [key for key in ("time", "right_ts_minus_left_ts", "same_tumbling_window_us") if key in step]
        if len(forms) > 1:
            raise NotExpressible(f"a join has both {' and '.join(forms)}")
        if not forms:
            return "unbounded()"
        if forms[0] == "same_tumbling_window_us":
            return f"same_window({self.duration(step['same_tumbling_window_us'])})"
        if forms[0] == "time":
            if not re.fullmatch(r"left\.(\w+) = right\.\1", step["time"]):
                raise NotExpressible(f"there is no join by {step['time']}")
            return "same_time()"
        bounds = step["right_ts_minus_left_ts"]
        check_keys(bounds, {"min_us", "min_inclusive", "max_us", "max_inclusive"}, "right_ts_minus_left_ts")
        if bounds.get("min_us") is None or bounds.get("max_us") is None:
            raise NotExpressible("a join has a bound on one side only")

        def bound(which):
            text = self.duration(bounds[which + "_us"], 0 if which == "min" else 1)
            return text + ".value" if bounds.get(which + "_inclusive", True) else f"exclusive({text}.value)"

        return f"within({bound('min')}, {bound('max')})"

    def join(self, step):
        if self.case["steps"][0] is not step:
            raise NotExpressible("a join stands behind another step")
        join_kind = {"left_semi": "semi", "left_anti": "anti"}.get(step["type"], step["type"])
        if join_kind not in ("inner", "left", "right", "full", "semi", "anti"):
            raise NotExpressible(f"there is no join {step['type']}")
        gives_left_rows = join_kind in ("semi", "anti")
        if len(self.sources) != (1 if self.case.get("self_join") else 2):
            raise NotExpressible("a join takes two sources")
        left, right = self.sources[0], self.sources[-1]
        arguments = [self.part(left), self.part(right), f"on<{names(step['keys'])}>", self.join_time(step)]
        if "and_left_value_greater_than" in step:
            arguments.append(f'where_matched(left<"value"> > {literal(step["and_left_value_greater_than"])})')
        if "where" in step:
            arguments.append(f"where_matched({expression(step['where'])})")
        fields, values = [], []
        for side in ("left",) if gives_left_rows else ("left", "right"):
            missing = join_kind in ("full", "right" if side == "left" else "left")
            for name, kind, nullable in self.row:
                fields.append((f"{side}_{name}", kind, nullable or missing))
                values.append(f'named<"{side}_{name}"> = {"field" if gives_left_rows else side}<"{name}">')
        contract = self.add_contract("Joined", fields)
        self.event_time = None
        return f"{join_kind}_join({', '.join(arguments)}) | select<{contract}>({', '.join(values)})"

    def lookup_join(self, step):
        if self.case["steps"][0] is not step or len(self.sources) != 1 or self.reference is None:
            raise NotExpressible("a lookup join is the first step, of one source and a reference")
        if step["type"] not in ("inner", "left"):
            raise NotExpressible(f"there is no lookup join {step['type']}")
        source, looked_up, given = self.sources[0], self.reference["columns"], self.row
        arguments = [f"t.{source['name']}", f"t.{self.reference['name']}", f"on<{names(step['keys'])}>"]
        if "where" in step:
            arguments.append(f"where_matched({expression(step['where'])})")
        fields = given + [(f"right_{name}", type_of(looked_up[name]), True) for name in step["columns"]]
        values = [f'named<"{name}"> = left<"{name}">' for name, _, _ in given]
        values += [f'named<"right_{name}"> = right<"{name}">' for name in step["columns"]]
        text = f"{'left_' if step['type'] == 'left' else ''}lookup_join({', '.join(arguments)})"
        text += f" | select<{self.add_contract('Joined', fields)}>({', '.join(values)})"
        return text

    # ---- rows kept by keys ------------------------------------------------------------------------------------------

    def top(self, step):
        text = self.group_by(step)
        if "of_results" not in step:
            window, arguments = "tumbling", [self.duration(step["size_us"], 10)]
            if "slide_us" in step:
                window = "sliding"
                arguments.append(self.duration(step["slide_us"]))
            if "offset_us" in step:
                arguments.append(self.duration(step["offset_us"], 0))
            text += f' | {window}<"{self.event_time}">({", ".join(arguments)})'
        text += f' | top<{int(step["count"])}, "{step["of"]}">' + (".ascending()" if step["ascending"] else "")
        bounds = [(name, "timestamp", False) for name in ("window_start", "window_end")]
        fields = [("rank", "std::int64_t", False), *(each for each in self.row if each not in bounds), *bounds]
        self.event_time = None
        return f"{text} | select<{self.add_contract('Ranked', fields)}>()"

    def latest_by(self, step):
        keeping = ".keeping_every_key()" if step["keeping_every_key"] else ""
        text = f" | latest_by<{names(step['keys'])}>{keeping}"
        self.event_time = None
        return f"{text} | select<{self.add_contract('Latest', self.row, step['keys'])}>()"

    def lag(self, step):
        forgets = (f".forget_after({self.duration(step['forget_after_us'])})" if "forget_after_us" in step
                   else ".keeping_every_key()")
        text = self.group_by(step) + f' | lag<"{step["of"]}", {int(step["rows"])}>.as<"{step["as"]}">(){forgets}'
        fields = [*self.row, (step["as"], self.field_type(step["of"])[0], True)]
        self.event_time = None
        return f"{text} | select<{self.add_contract('Lagged', fields)}>()"

    def process(self, step):
        if step["keys"] != ["id"]:
            raise NotExpressible("the behaviour of process knows the key `id` only")
        kind, nullable = self.field_type("id")
        row = self.row_contract
        counts = [("visits", "std::int64_t", False), ("total", "std::int64_t", False)]
        so_far = self.add_contract("VisitsSoFar", [("id", kind, nullable), *counts, ("until", "timestamp", True)])
        visits = self.add_contract("Visits", [("id", kind, nullable), *counts, ("until", "timestamp", False)])
        text = BEHAVIOUR.replace("CountVisits", "NAME").replace("VisitsSoFar", so_far).replace("VISITS", visits)
        behaviour = self.declare("CountVisits", text.replace("ROW", row))
        self.event_time = None
        return self.group_by(step) + f" | process({behaviour}{{.pause = {self.duration(step['pause_us'])}}})"

    # ---- the program ------------------------------------------------------------------------------------------------

    def outputs(self, chain):
        """What the transformation returns, and the names of its outputs. A split is the last step."""
        last = self.case["steps"][-1]
        if last["op"] != "split":
            return [f"  return {chain};"], ["result"]
        made = [f'named<"{name}"> = split | etlantic::where({expression(each)})' for name, each in last["outputs"].items()]
        return [f"  const auto split = {chain};", f"  return outputs({', '.join(made)});"], list(last["outputs"])

    def lines(self):
        chain = self.start()
        for step in self.case["steps"]:
            if step["op"] != "split":
                chain += getattr(self, step["op"])(step)
        if self.row is not self.declared_row:
            chain += f" | select<{self.add_contract('Derived', self.row)}>()"
        if "select" in self.case:
            fields = [(name, *self.field_type(name)) for name in self.case["select"]]
            chain += f" | select<{self.add_contract('Selected', fields)}>()"
        lines = [] if self.is_shared else [line for _, text in self.declarations for line in text.split("\n")]
        result, mode = self.row_contract, f"output_mode::{self.case['output_mode']}"
        returned, outputs = self.outputs(chain)
        sources = [source["name"] for source in self.sources]
        references = [self.reference["name"]] if self.reference else []
        lines += ["struct Steps {"]
        lines += [f"  etlantic::input<{self.input_contract}> {name};" for name in sources]
        lines += [f"  etlantic::reference<{self.looked_up}> {name};" for name in references]
        lines += [f"  etlantic::parameter<etlantic::duration> duration_{i}{{etlantic::duration{{{default * 1_000_000}}}}};"
                  for i, default in enumerate(self.defaults)]
        lines += [f"  etlantic::output<{result}> {', '.join(outputs)};", "};",
                  "constexpr auto implement([[maybe_unused]] const Steps& t) {", *returned, "}",
                  f"struct {self.name} {{"]
        lines += [f'  etlantic::extract<{self.input_contract}, "{source["name"]}"> {source["name"]};'
                  for source in self.extracts]
        lines += [f'  etlantic::extract<{self.looked_up}, "{name}"> {name};' for name in references]
        reads = ", ".join(f'"{name}.valid"' for name in sources + references)
        lines += [f"  etlantic::step<Steps, {reads}> steps;"]
        for name in outputs:
            asset = "out" if name == "result" else name
            lines += [f'  etlantic::load<{result}, "{asset}", "steps.{name}", {mode}> {asset if name == "result" else "to_" + name};']
        lines += ["};", "",
                  "program lowered([[maybe_unused]] const std::vector<duration>& durations) {", f"  {self.name} made;"]
        lines += [f"  made.steps.with.duration_{i}.value = durations.at({i});" for i in range(len(self.durations))]
        lines += ["  return *lower(made);", "}"]
        return lines


def before_restart(case):
    """The pipeline as it was before a restart that changes it."""
    added = set(case.get("columns_added_after_restart", ()))
    columns = {name: kind for name, kind in case["columns"].items() if name not in added}
    return {**case, "columns": columns, "input_order_after_restart": None}


def head_of(lines):
    """The includes of a program with these lines."""
    text = "\n".join(lines)
    own = ['#include "cases/sum_of_squares.hpp"'] if "sum_of_squares" in text else []
    regular = ["#include <etlantic/kernel/re2/regular_expressions.hpp>"] if "_regex(" in text else []
    return [*own, "", "#include <etlantic/etlantic.hpp>", *regular, "", "using namespace etlantic;", ""]


def check_names(case):
    for source in [*case["sources"], *([case["reference"]] if "reference" in case else [])]:
        if not re.fullmatch(r"[A-Za-z_]\w*", source["name"]):
            raise NotExpressible(f"{source['name']} cannot be the name of an input")


def translate(case):
    """The program's text, its name, and the durations to run it with."""
    check_names(case)
    program = Program(case)
    lines = []
    variants = {"after": program}
    if case.get("columns_added_after_restart") or case.get("input_order_after_restart"):
        variants = {"before": Program(before_restart(case)), "after": program}
    for name, variant in variants.items():
        lines += [f"namespace {name} {{", "namespace {", "", *variant.lines(), "", "}  // namespace", f"}}  // namespace {name}", ""]
    first = "before" if "before" in variants else "after"
    lines += ["int main(int argument_count, char** arguments) {",
              f"  return pipeline_runner::main(argument_count, arguments, {first}::lowered, after::lowered);", "}", ""]
    text = "\n".join(['#include "cases/pipeline_runner.hpp"', *head_of(lines), *lines])
    return text, f"case_{digest_of(text)}", program.durations


class SharedProgram:
    """A program of several pipelines, which is named by their cases: those of one kind share what the compiler makes of
    their contracts."""

    def __init__(self):
        self.declarations = {}
        self.pipelines = {}

    def add(self, case):
        """The pipeline's name, and the durations to run it with."""
        check_names(case)
        if case.get("columns_added_after_restart") or case.get("input_order_after_restart"):
            raise NotExpressible("a pipeline that changes at a restart has a program of its own")
        program = Program(case)
        lines = program.lines()
        name = "pipeline_" + digest_of("\n".join(lines))
        self.declarations.update(program.declarations)
        self.pipelines[name] = lines
        return name, program.durations

    def text(self):
        lines = ["namespace {", ""]
        lines += [line for text in self.declarations.values() for line in [*text.split("\n"), ""]]
        for name, body in self.pipelines.items():
            lines += [f"namespace {name} {{", "", *body, "", f"}}  // namespace {name}", ""]
        lines += ["}  // namespace", "", "int main(int argument_count, char** arguments) {",
                  "  return pipeline_runner::main_of_group(argument_count, arguments, {"]
        lines += [f'      {{"{name}", {name}::lowered}},' for name in self.pipelines]
        return "\n".join(['#include "cases/pipeline_group.hpp"', *head_of(lines), *lines, "  });", "}", ""])
