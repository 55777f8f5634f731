"""Results for programs and for people."""

import json

import ratios


def record_of(outcome, machine):
    """One measurement as bench/results.json holds it."""
    record = {
        "workload": outcome.workload.name,
        "about": outcome.workload.about,
        "rows": outcome.rows,
        "bytes": outcome.bytes,
        "peers": {
            name: {
                "best_ns_per_row": round(found.best / outcome.rows * 1e9, 3),
                "median_ns_per_row": round(found.median / outcome.rows * 1e9, 3),
                "spread": round(spread(found), 3),
            }
            for name, found in outcome.peers.items()
        },
        "ratios": {ratios.key_of(each): round(each.ratio, 3) for each in ratios.comparisons(outcome)},
        "problems": outcome.problems,
        "machine": machine,
    }
    if ratios.bytes_per_group(outcome) is not None:
        record["bytes_per_group"] = round(ratios.bytes_per_group(outcome), 1)
    if ratios.latencies(outcome):
        record["milliseconds"] = {
            name: {"median": round(median, 2), "p99": round(p99, 2)}
            for name, (median, p99) in ratios.latencies(outcome).items()
        }
    return record


def spread(measurement):
    """How much longer the slowest turn took than the fastest, as a part of that."""
    return max(measurement.seconds) / measurement.best - 1


def write_records(path, outcomes, machine):
    path.write_text(json.dumps([record_of(each, machine) for each in outcomes], indent=2) + "\n")


def judged(value, goal, least):
    if goal is None:
        return ""
    reached = value >= goal if least else value <= goal
    return f"{goal:.2f} {'reached' if reached else 'SHORT'}"


def line_of(comparison, outcome):
    one, other = outcome.peers[comparison.ours], outcome.peers[comparison.peer]
    per_row = 1e9 / outcome.rows
    return [
        comparison.workload,
        comparison.ours,
        f"{one.best * per_row:.2f}",
        f"{one.median * per_row:.2f}",
        f"{spread(one):.0%}",
        comparison.peer,
        f"{other.best * per_row:.2f}",
        f"{spread(other):.0%}",
        f"{comparison.ratio:.2f}",
        judged(comparison.ratio, ratios.goal_of(comparison), least=True),
    ]


HEADINGS = ["workload", "ours", "best ns/row", "median", "spread", "peer", "best ns/row", "spread", "ratio", "goal"]


def table(outcomes):
    """What is slower than a peer comes first."""
    pairs = [(each, outcome) for outcome in outcomes for each in ratios.comparisons(outcome)]
    pairs.sort(key=lambda pair: (pair[0].ratio >= 1, pair[0].ratio if pair[0].ratio < 1 else 0))
    return markdown(HEADINGS, [line_of(*pair) for pair in pairs])


def memory_table(outcomes):
    lines = [
        [each.workload.name, f"{ratios.bytes_per_group(each):.0f}",
         judged(ratios.bytes_per_group(each), ratios.MOST_BYTES_PER_GROUP, least=False)
         if each.workload.name.startswith("house.columns.1m") else ""]
        for each in outcomes
        if ratios.bytes_per_group(each) is not None
    ]
    return markdown(["workload", "bytes of state per group", "goal: at most"], lines) if lines else ""


def markdown(headings, lines):
    rows = [headings, *lines]
    widths = [max(len(row[i]) for row in rows) for i in range(len(headings))]

    def text(row):
        return "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |"

    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return "\n".join([text(headings), rule, *map(text, lines)])


def latency_table(outcomes):
    lines = [
        [each.workload.name, name, f"{median:.1f}", f"{p99:.1f}",
         judged(median, ratios.MOST_MILLISECONDS, least=False) if name == "etlantic" else ""]
        for each in outcomes
        for name, (median, p99) in ratios.latencies(each).items()
    ]
    return markdown(["workload", "peer", "median ms per batch", "p99", "goal: median at most"], lines) if lines else ""
