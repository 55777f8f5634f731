"""A plain model of pipelines over event time: what comes out of each batch, by loops over lists.

It shares nothing with the library but the format of case.json, and does everything anew for every batch that can be done
anew. Times are whole microseconds."""

import collections
import fractions
import math
import math

from reference_expressions import compared, evaluate
from reference_rows import CountVisits, Lag, LatestBy, RowByRow, Split, Top, looked_up, sides_of, windows_of

FOREVER = math.inf


def floor_millisecond(time):
    return time - time % 1000


class Aggregation:
    """Groups with the rows that are in them, in source order."""

    def __init__(self, step, time_column, mode):
        self.step = step
        self.time_column = time_column
        self.mode = mode
        self.groups = collections.OrderedDict()  # (window start, window end, key) -> rows
        self.changed = []

    def key_of(self, row):
        return tuple(row.get(name) for name in self.step["keys"])

    def begin(self):
        self.changed = []

    def touch(self, group):
        if group not in self.changed:
            self.changed.append(group)

    def values_of(self, group):
        start, end, key = group
        rows = self.groups[group]
        values = dict(zip(self.step["keys"], key))
        if start is not None:
            values["window_start"], values["window_end"] = start, end
        for each in self.step["aggregates"]:
            values[each["as"]] = self.aggregate(each, rows)
        return values

    def aggregate(self, each, rows):
        function, of = each["fn"], each.get("of")
        if function == "count" and of is None:
            return len(rows)
        if function == "count_if":
            return sum(evaluate(each["is"], row) is True for row in rows)
        if function in ("first", "last"):
            return rows[0 if function == "first" else -1].get(of)
        if function in ("latest", "min_by", "max_by"):
            return self.value_of_best(rows, of, each.get("by", self.time_column), function == "min_by")
        present = [row[of] for row in rows if row.get(of) is not None]
        if function == "count":
            return len(present)
        if function in ("count_distinct", "approximate_count_distinct"):  # exact up to 256 values
            return len(set(present))
        if function == "collect_list":
            return present[:each["limit"]]
        if not present:
            return None
        if function == "sum":
            return sum(present)
        if function == "min":
            return min(present, key=compared)
        if function == "max":
            return max(present, key=compared)
        if function == "avg":
            return float(sum(present)) / len(present)
        if function in ("variance", "stddev"):
            if len(present) < 2:
                return None
            mean = fractions.Fraction(sum(present), len(present))
            variance = float(sum((value - mean) ** 2 for value in present) / (len(present) - 1))
            return variance if function == "variance" else math.sqrt(variance)
        if function == "approximate_quantile":  # exact: integers up to 127
            return sorted(present)[max(1, -(-len(present) * each["percent"] // 100)) - 1]
        if function == "sum_of_squares":
            return sum(value * value for value in present)
        raise ValueError(function)

    def value_of_best(self, rows, of, by, least):
        """Of the row where `by` is greatest or least, the last of several."""
        best = None
        for row in (row for row in rows if row.get(by) is not None):
            if best is None or (compared(row[by]) <= compared(best[by]) if least else compared(row[by]) >= compared(best[by])):
                best = row
        return None if best is None else best.get(of)

    def emit(self, closed):
        """What a batch gives out, when `closed` tells the groups that are final."""
        if self.mode == "complete":
            return [self.values_of(group) for group in self.groups]
        due = [group for group in self.groups if closed(group)]
        shown = [group for group in self.changed if group in self.groups] if self.mode == "update" else due
        results = [self.values_of(group) for group in shown]
        for group in due:
            del self.groups[group]
        return results

    def state_rows(self):
        return len(self.groups)


class Windows(Aggregation):
    def process(self, rows, late_watermark):
        late = []
        for row in rows:
            time = row[self.time_column]
            if time is None:
                continue
            windows = windows_of(self.step, time)
            accepted = self.step.get("accept_late_us", 0)
            open_windows = windows if self.mode == "complete" else [w for w in windows if w[1] + accepted > late_watermark]
            if not open_windows:
                late.append(row)
            for start, end in open_windows:
                group = (start, end, self.key_of(row))
                self.groups.setdefault(group, []).append(row)
                self.touch(group)
        return [], late

    def finish(self, watermark):
        accepted = self.step.get("accept_late_us", 0)
        return self.emit(lambda group: group[1] + accepted <= watermark)


class Groups(Aggregation):
    def process(self, rows, late_watermark):
        late = []
        by_time = self.time_column is not None and self.time_column in self.step["keys"]
        for row in rows:
            if by_time and self.mode != "complete" and row[self.time_column] is not None:
                if row[self.time_column] <= late_watermark:
                    late.append(row)
                    continue
            group = (None, None, self.key_of(row))
            self.groups.setdefault(group, []).append(row)
            self.touch(group)
        return [], late

    def finish(self, watermark):
        def is_closed(group):
            if self.time_column is None or self.time_column not in self.step["keys"]:
                return False
            time = group[2][self.step["keys"].index(self.time_column)]
            return time is not None and time <= watermark
        return self.emit(is_closed)


class Sessions(Aggregation):
    def process(self, rows, late_watermark):
        late = []
        for row in rows:
            time = row[self.time_column]
            gap = self.step.get("gap_us")
            if gap is None:
                seconds = row.get(self.step["gap_seconds_column"])
                gap = None if seconds is None else seconds * 1_000_000
            if time is None or gap is None or gap <= 0:
                continue
            if self.mode != "complete" and time + gap <= late_watermark:
                late.append(row)
                continue
            start, end, key = time, time + gap, self.key_of(row)
            together = []
            for group in [g for g in self.groups if g[2] == key and g[0] <= end and start <= g[1]]:
                together += self.groups.pop(group)
                start, end = min(start, group[0]), max(end, group[1])
            # Rows know their place in the source, so that the latest of equals can be told.
            self.groups[(start, end, key)] = sorted(together + [row], key=lambda each: each.get("#", 0))
        return [], late

    def finish(self, watermark):
        return self.emit(lambda group: group[1] <= watermark)


class Deduplication:
    def __init__(self, step, time_column, delay):
        self.step = step
        self.time_column = time_column
        self.delay = delay
        self.keys = {}  # key -> the watermark that forgets it

    def begin(self):
        pass

    def process(self, rows, late_watermark):
        given, late = [], []
        for row in rows:
            time = row[self.time_column] if self.time_column is not None else None
            if time is not None and time <= late_watermark:
                late.append(row)
                continue
            key = tuple(row.get(name) for name in self.step["keys"])
            if key in self.keys:
                continue
            if self.step["within_watermark"]:
                self.keys[key] = time + self.delay
            elif self.time_column in self.step["keys"]:
                self.keys[key] = time
            else:
                self.keys[key] = FOREVER
            given.append(row)
        return given, late

    def finish(self, watermark):
        self.keys = {key: ends for key, ends in self.keys.items() if ends > watermark}
        return []

    def state_rows(self):
        return len(self.keys)


class Join:
    """Both sides, each row with whether it has matched."""

    def __init__(self, step, time_columns):
        self.step = step
        self.time_columns = dict(zip(("left", "right"), time_columns))
        self.waiting = {"left": [], "right": []}  # [row, has matched]
        self.gives_left_rows = step["type"] in ("left_semi", "left_anti")

    def time_of(self, side, row):
        column = self.time_columns[side]
        return None if column is None else row[column]

    def matches(self, left, right):
        keys = [(left.get(name), right.get(name)) for name in self.step["keys"]]
        if any(one is None or one != other for one, other in keys):
            return False
        if "where" in self.step and evaluate(self.step["where"], sides_of(left, right)) is not True:
            return False
        left_time, right_time = self.time_of("left", left), self.time_of("right", right)
        if "time" in self.step:
            return left_time == right_time
        if "same_tumbling_window_us" in self.step:
            length = self.step["same_tumbling_window_us"]
            return left_time // length == right_time // length
        if "right_ts_minus_left_ts" in self.step:
            bounds, distance = self.step["right_ts_minus_left_ts"], right_time - left_time
            return bounds["min_us"] <= distance <= bounds["max_us"]
        return True

    def leaves(self, side, row, watermark):
        """Whether no row of the other side that is not late can match any more."""
        time = self.time_of(side, row)
        if "time" in self.step:
            return time <= watermark
        if "same_tumbling_window_us" in self.step:
            length = self.step["same_tumbling_window_us"]
            return time - time % length + length <= watermark
        if "right_ts_minus_left_ts" in self.step:
            bounds = self.step["right_ts_minus_left_ts"]
            # A bound that is inside keeps the row a millisecond longer.
            return time + (bounds["max_us"] if side == "left" else -bounds["min_us"]) + 1000 <= watermark
        return False

    def may_leave(self):
        return any(name in self.step for name in ("time", "same_tumbling_window_us", "right_ts_minus_left_ts"))

    def joined(self, left, right):
        values = {}
        for side, row in (("left", left), ("right", right)):
            if side == "right" and self.gives_left_rows:
                continue
            for name in self.columns:
                values[f"{side}_{name}"] = None if row is None else row.get(name)
        return values

    def process(self, rows_by_side, late_watermark):
        results, late = [], []
        for side, rows in rows_by_side.items():
            other = "right" if side == "left" else "left"
            for row in rows:
                time = self.time_of(side, row)
                if time is not None and time <= late_watermark:
                    late.append(row)
                    continue
                entry = [row, False]
                for waiting in self.waiting[other]:
                    pair = (row, waiting[0]) if side == "left" else (waiting[0], row)
                    if self.matches(*pair):
                        of_left = entry if side == "left" else waiting
                        if not self.gives_left_rows or (self.step["type"] == "left_semi" and not of_left[1]):
                            results.append(self.joined(*pair))
                        entry[1] = waiting[1] = True
                if self.may_leave() or all(row.get(name) is not None for name in self.step["keys"]):
                    self.waiting[side].append(entry)
        return results, late

    def finish(self, watermark):
        results = []
        if self.gives_left_rows:
            self.waiting["left"] = [entry for entry in self.waiting["left"] if not entry[1]]
        for side in ("left", "right"):
            going = [entry for entry in self.waiting[side] if self.leaves(side, entry[0], watermark)]
            self.waiting[side] = [entry for entry in self.waiting[side] if not self.leaves(side, entry[0], watermark)]
            if self.step["type"] in (side, "full") or (self.step["type"] == "left_anti" and side == "left"):
                results += [self.joined(row, None) if side == "left" else self.joined(None, row)
                            for row, matched in going if not matched]
        return results

    def state_rows(self):
        return [len(self.waiting["left"]), len(self.waiting["right"])]


ROW_BY_ROW = ("filter", "where", "derive", "select")


class Model:
    def __init__(self, case):
        self.case = case
        self.before, self.steps = [], []  # what works on single rows in front of all state, and the rest
        self.join = self.lookup = None
        time = case["sources"][0].get("event_time")
        delay = max(source.get("watermark_delay_us", 0) for source in case["sources"])
        columns = list(case["columns"])
        stateful = [step for step in case["steps"] if step["op"] not in ROW_BY_ROW]
        for step in case["steps"]:
            own_mode = case["output_mode"] if stateful and step is stateful[-1] else "append"
            if step["op"] == "join":
                self.join = Join(step, [source.get("event_time") for source in case["sources"]])
                self.join.columns = columns
                columns = [f"{side}_{name}" for side in ("left", "right") for name in columns]
            elif step["op"] == "lookup_join":
                self.lookup = step
                columns = columns + [f"right_{name}" for name in step["columns"]]
            elif step["op"] in ROW_BY_ROW and not self.steps:
                self.before.append(RowByRow(step))
            else:
                self.steps.append(self.made(step, time, delay, columns, own_mode))
            columns = columns_behind(step, columns)
            if step["op"] == "window":
                time = "window_time"
        self.watermark = self.in_force = 0
        self.marks = {source["name"]: 0 for source in case["sources"]}
        self.late = {source["name"]: [] for source in case["sources"]}

    @staticmethod
    def made(step, time, delay, columns, mode):
        if step["op"] == "dedup":
            return Deduplication(step, time, delay)
        if step["op"] == "group":
            return Groups(step, time, mode)
        if step["op"] == "window":
            return (Sessions if step["kind"] == "session" else Windows)(step, time, mode)
        if step["op"] in ROW_BY_ROW:
            return RowByRow(step)
        if step["op"] == "split":
            return Split(step)
        return {"top": Top, "latest_by": LatestBy, "lag": Lag, "process": CountVisits}[step["op"]](step, time, columns)

    def run(self, rows):
        results = []
        late_watermark, watermark = self.in_force, self.watermark
        for step in self.steps:
            step.watermark = watermark
            step.begin()
        for index, step in enumerate(self.steps):
            given, late = step.process(rows, late_watermark)
            if all(isinstance(before, (Deduplication, RowByRow)) for before in self.steps[:index]):
                for row in late:
                    self.late[row["@"]].append(row["line"])
            rows = given + step.finish(watermark)
            for row in rows:
                if "window_end" in row:
                    row["window_time"] = row["window_end"] - 1
            results = rows
        self.in_force = watermark
        return results if self.steps else rows

    def run_join(self, rows_by_source):
        results, late = self.join.process(dict(zip(("left", "right"), rows_by_source.values())), self.in_force)
        for row in late:
            self.late[row["@"]].append(row["line"])
        results += self.join.finish(self.watermark)
        self.in_force = self.watermark
        return results

    def kept(self, rows):
        """What is left in front of the first step with state."""
        for step in self.before:
            rows, _ = step.process(rows, 0)
        return rows

    def batch(self, rows_by_source, reference=()):
        """The rows that a batch and the one without data behind it give out."""
        if not any(rows_by_source.values()):
            return []
        if self.lookup is not None:
            rows_by_source = {name: looked_up(self.lookup, rows, reference) for name, rows in rows_by_source.items()}
        kept = [row for rows in rows_by_source.values() for row in self.kept(rows)]
        results = self.run_join(rows_by_source) if self.join else self.run(kept)
        for source in self.case["sources"]:
            if source.get("event_time") is None:
                continue
            times = [row[source["event_time"]] for row in kept
                     if row["@"] == source["name"] and row[source["event_time"]] is not None]
            if times:
                mark = floor_millisecond(max(times) - source["watermark_delay_us"])
                self.marks[source["name"]] = max(self.marks[source["name"]], mark)
        choose = max if self.case.get("watermark_policy") == "max" else min
        moved = max(self.watermark, choose(self.marks.values()))
        has_moved, self.watermark = moved > self.watermark, moved
        if has_moved and self.case.get("no_data_batches", True):
            more = self.run_join({name: [] for name in rows_by_source}) if self.join else self.run([])
            results = more if self.case["output_mode"] == "complete" else results + more
        return results

    def state_rows(self):
        if self.join:
            return self.join.state_rows()
        counts = [step.state_rows() for step in self.steps]
        return counts[0] if len(counts) == 1 else counts


def columns_behind(step, columns):
    """The names that a step's results have."""
    if step["op"] in ("window", "group"):
        bounds = ["window_start", "window_end"] if step["op"] == "window" else []
        return [*step["keys"], *bounds, *(each["as"] for each in step["aggregates"])]
    if step["op"] == "select":
        return list(step["columns"])
    if step["op"] == "derive":
        return columns + [step["as"]]
    return columns
