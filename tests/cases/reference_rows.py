"""The operators of reference_model.py that work on rows: filters, columns and selections, rows that are kept by keys, and
lookups."""

import datetime
import zoneinfo

from reference_expressions import compared, evaluate

SECOND = 1_000_000
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
NEVER = float("inf")


class RowByRow:
    """Filters, derived columns and selections: no state, no late rows."""

    def __init__(self, step):
        self.step = step

    def apply(self, row):
        """The row that comes out, if one does."""
        step = self.step
        if step["op"] == "filter":
            return row if row.get(step["column"]) == step["equals"] else None
        if step["op"] == "where":
            return row if evaluate(step["is"], row) is True else None
        if step["op"] == "derive":
            return {**row, step["as"]: evaluate(step["is"], row)}
        hidden = {name: value for name, value in row.items() if name in ("#", "@", "line")}
        return {**hidden, **{name: evaluate(each, row) for name, each in step["columns"].items()}}

    def begin(self):
        pass

    def process(self, rows, late_watermark):
        made = [self.apply(row) for row in rows]
        return [row for row in made if row is not None], []

    def finish(self, watermark):
        return []

    def state_rows(self):
        return 0


class Split:
    """The last step: each output has the rows for which its predicate is true."""

    def __init__(self, step):
        self.outputs = step["outputs"]

    def begin(self):
        pass

    def process(self, rows, late_watermark):
        return [{**row, "output": name} for name, predicate in self.outputs.items() for row in rows
                if evaluate(predicate, row) is True], []

    def finish(self, watermark):
        return []

    def state_rows(self):
        return 0


def looked_up(step, rows, reference):
    """Each row with those of the reference that have its key."""
    made = []
    for row in rows:
        found = [other for other in reference
                 if all(row.get(name) is not None and row.get(name) == other.get(name) for name in step["keys"])]
        if "where" in step:
            found = [other for other in found if evaluate(step["where"], sides_of(row, other)) is True]
        if not found and step["type"] == "left":
            found = [{}]
        made += [{**row, **{f"right_{name}": other.get(name) for name in step["columns"]}} for other in found]
    return made


def sides_of(left, right):
    return {**{f"left.{name}": value for name, value in left.items()},
            **{f"right.{name}": value for name, value in right.items()}}


# ---- windows --------------------------------------------------------------------------------------------------------

def fixed_windows(step, time):
    """All windows of a length around a time."""
    size = step["size_us"]
    slide, offset = step.get("slide_us", size), step.get("offset_us", 0)
    start = time - (time - offset) % slide
    found = []
    while start + size > time:
        found.append((start, start + size))
        start -= slide
    return found


def first_days(period, day):
    """The first days of the period around a day and of those beside it, in order."""
    if period == "day":
        return [day + datetime.timedelta(days=i) for i in (-1, 0, 1, 2)]
    if period == "week":
        monday = day - datetime.timedelta(days=day.weekday())
        return [monday + datetime.timedelta(days=7 * i) for i in (-1, 0, 1, 2)]
    months = {"month": 1, "quarter": 3, "year": 12}[period]
    number = (day.year * 12 + day.month - 1) // months * months
    return [datetime.date((number + i * months) // 12, (number + i * months) % 12 + 1, 1) for i in (-1, 0, 1, 2)]


def calendar_windows(step, time):
    zone = zoneinfo.ZoneInfo(step.get("zone", "UTC"))
    local = (EPOCH + datetime.timedelta(microseconds=time)).astimezone(zone).date()
    starts = []
    for day in first_days(step["period"], local):
        # Of a midnight that comes twice the first one; one that is skipped is read as if the clocks had not moved yet,
        # which is when they move.
        midnight = datetime.datetime.combine(day, datetime.time(), tzinfo=zone)
        starts.append((midnight.astimezone(datetime.timezone.utc) - EPOCH) // datetime.timedelta(microseconds=1))
    return [(start, end) for start, end in zip(starts, starts[1:]) if start <= time < end]


def windows_of(step, time):
    return calendar_windows(step, time) if step.get("kind") == "calendar" else fixed_windows(step, time)


# ---- rows kept by keys ----------------------------------------------------------------------------------------------

def place_of(value):
    """Where a value stands in an order: nulls behind everything."""
    return (value is None, 0 if value is None else compared(value))


def places_of(row, columns):
    return tuple(place_of(row.get(name)) for name in columns)


class KeyedRows:
    def __init__(self, step, time_column, columns):
        self.step = step
        self.time_column = time_column
        self.columns = columns

    def begin(self):
        pass

    def key_of(self, row):
        return tuple(row.get(name) for name in self.step["keys"])

    def in_time(self, rows, late_watermark):
        """Those that are not late; rows without an event time count as filtered."""
        timed = [row for row in rows if row.get(self.time_column) is not None]
        return ([row for row in timed if row[self.time_column] > late_watermark],
                [row for row in timed if row[self.time_column] <= late_watermark])


class Top(KeyedRows):
    def __init__(self, step, time_column, columns):
        super().__init__(step, time_column, columns)
        self.open = {}  # (window start, window end, key) -> rows

    def windows_around(self, row):
        # Results of windows are ranked with those that end together.
        if "of_results" in self.step:
            return [(row["window_start"], row["window_end"], row["window_end"])]
        return [(start, end, start) for start, end in windows_of(self.step, row[self.time_column])]

    def process(self, rows, late_watermark):
        late = []
        for row in rows:
            if row.get(self.time_column) is None:
                continue
            windows = [each for each in self.windows_around(row) if each[1] > late_watermark]
            if not windows:
                late.append(row)
            for start, end, same in windows:
                self.open.setdefault((same, end, self.key_of(row)), []).append((start, row))
        return [], late

    def ranked(self, rows):
        of = self.step["of"]
        rows = sorted(rows, key=lambda each: places_of(each[1], self.columns))
        present = [each for each in rows if each[1].get(of) is not None]
        present.sort(key=lambda each: compared(each[1][of]), reverse=not self.step["ascending"])  # keeps ties in order
        return (present + [each for each in rows if each[1].get(of) is None])[:self.step["count"]]

    def finish(self, watermark):
        results = []
        for group in [group for group in self.open if group[1] <= watermark]:
            for rank, (start, row) in enumerate(self.ranked(self.open.pop(group)), 1):
                results.append({**{name: row.get(name) for name in self.columns}, "rank": rank, "window_start": start,
                                "window_end": group[1]})
        return results

    def state_rows(self):
        return sum(min(len(rows), self.step["count"]) for rows in self.open.values())


class LatestBy(KeyedRows):
    def __init__(self, step, time_column, columns):
        super().__init__(step, time_column, columns)
        self.newest = {}
        self.changed = []

    def begin(self):
        self.changed = []

    def process(self, rows, late_watermark):
        rows, late = self.in_time(rows, NEVER * -1 if self.step["keeping_every_key"] else late_watermark)
        for row in rows:
            key, known = self.key_of(row), self.newest.get(self.key_of(row))
            if known is not None and self.order_of(row) <= self.order_of(known):
                continue
            self.newest[key] = row
            if key not in self.changed:
                self.changed.append(key)
        return [], late

    def order_of(self, row):
        return row[self.time_column], places_of(row, self.columns)

    def finish(self, watermark):
        results = [self.newest[key] for key in self.changed]
        if not self.step["keeping_every_key"]:
            self.newest = {key: row for key, row in self.newest.items() if row[self.time_column] > watermark}
        return results

    def state_rows(self):
        return len(self.newest)


class Lag(KeyedRows):
    def __init__(self, step, time_column, columns):
        super().__init__(step, time_column, columns)
        self.waiting = []
        self.past = {}  # key -> rows, the newest last

    def process(self, rows, late_watermark):
        rows, late = self.in_time(rows, late_watermark)
        self.waiting += rows
        return [], late

    def forgets_at(self, rows):
        return rows[-1][self.time_column] + self.step["forget_after_us"] if "forget_after_us" in self.step else NEVER

    def finish(self, watermark):
        due = [row for row in self.waiting if row[self.time_column] <= watermark]
        self.waiting = [row for row in self.waiting if row[self.time_column] > watermark]
        results = []
        for row in sorted(due, key=lambda each: (each[self.time_column], places_of(each, self.columns))):
            before = self.past.get(self.key_of(row), [])
            if before and row[self.time_column] >= self.forgets_at(before):
                before = []
            found = before[-self.step["rows"]][self.step["of"]] if len(before) >= self.step["rows"] else None
            results.append({**row, self.step["as"]: found})
            self.past[self.key_of(row)] = before + [row]
        self.past = {key: rows for key, rows in self.past.items() if self.forgets_at(rows) > watermark}
        return results

    def state_rows(self):
        return len(self.waiting) + sum(min(len(rows), self.step["rows"]) for rows in self.past.values())


class CountVisits(KeyedRows):
    """The behaviour of `process` in the cases: counts the rows of a key until it has been silent for a while, tells every
    third one at once, and forgets the key when a row says so."""

    def __init__(self, step, time_column, columns):
        super().__init__(step, time_column, columns)
        self.states = {}  # key -> [rows, sum, when it is over]
        self.watermark = 0

    def process(self, rows, late_watermark):
        given, late = [], []
        for row in rows:
            time = row.get(self.time_column)
            if time is not None and time <= late_watermark:
                late.append(row)
                continue
            key = self.key_of(row)
            state = self.states.setdefault(key, [0, 0, None])
            state[0] += 1
            state[1] += row["value"] or 0
            if time is not None and (state[2] is None or state[2] < time + self.step["pause_us"]):
                state[2] = time + self.step["pause_us"]
            if state[0] % 3 == 0:
                given.append(self.result(key, state, self.watermark))
            if row["value"] is not None and row["value"] < -80:
                del self.states[key]
        return given, late

    def result(self, key, state, time):
        return {**dict(zip(self.step["keys"], key)), "visits": state[0], "total": state[1], "until": time}

    def finish(self, watermark):
        due = [key for key, state in self.states.items() if state[2] is not None and state[2] <= watermark]
        return [self.result(key, state, state[2]) for key, state in ((key, self.states.pop(key)) for key in due)]

    def state_rows(self):
        return len(self.states)
