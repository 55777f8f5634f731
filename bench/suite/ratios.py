"""What is compared with what: how many times as fast ours is as a peer, what is wanted, and what held before."""

import dataclasses
import json

# The best of several turns still differs from run to run; a ratio that fell by less is no news.
TOLERANCE = 0.15


@dataclasses.dataclass(frozen=True)
class Comparison:
    workload: str
    ours: str
    peer: str
    ratio: float  # the peer's time divided by ours: above 1, ours is faster


def comparisons(outcome):
    ours = [peer.name for peer in outcome.workload.peers if peer.is_ours and peer.name in outcome.peers]
    others = [peer.name for peer in outcome.workload.peers if not peer.is_ours and peer.name in outcome.peers]
    return [
        Comparison(outcome.workload.name, one, other, outcome.peers[other].best / outcome.peers[one].best)
        for one in ours
        for other in others
    ]


def goal_of(comparison):
    """The least ratio that is wanted, or None."""
    name, peer = comparison.workload, comparison.peer
    if comparison.ours == "etlantic.to_sqlite":
        return None
    if name.endswith(".two_workers"):
        return 1.8 if peer == "one_worker" else None
    if name.startswith("house.ndjson.") and peer == "duckdb" and not name.endswith((".half", ".text")):
        return 5 if name.endswith(".shuffled") else 8
    if name.startswith("house.columns.") and not name.endswith((".half", ".text")):
        return {"duckdb": 8 if name == "house.columns.10k.1h" else 6, "by_hand": 1 / 1.15}.get(peer)
    if name == "decode":
        return {"simdjson": 1 / 0.6, "simdjson.stage_1": 1 / 2.5}.get(peer)
    if name in ("delta.merge", "delta.merge.small"):
        return 2
    if name.startswith(("delta.append", "delta.open")):
        return 1
    if name == "kafka.ndjson":
        return {"raw_loop": 0.9, "flink": 10}.get(peer)
    if name == "ysb.columns" and peer == "read_loop":
        return 1 / 1.5
    return None


MOST_BYTES_PER_GROUP = 96


def bytes_per_group(outcome):
    """What state takes for each group of a query over columns; None where there is none, or where a run has so few
    groups that the least size of a table counts."""
    result = outcome.peers["etlantic"].result if "etlantic" in outcome.peers else {}
    if result.get("state_groups", 0) < 1_000:
        return None
    return result["state_bytes"] / result["state_groups"]


MOST_MILLISECONDS = 50


def latencies(outcome):
    """Peer -> median and 99th percentile in milliseconds, where the work is many small batches."""
    return {name: (found.result["median_ms"], found.result["p99_ms"])
            for name, found in outcome.peers.items()
            if outcome.workload.name == "delta.merge.small" and "median_ms" in found.result}


def key_of(comparison):
    return f"{comparison.ours} / {comparison.peer}"


def write_baseline(path, found, machine):
    """Keeps what was not measured this time."""
    ratios = json.loads(path.read_text())["ratios"] if path.exists() else {}
    for each in found:
        ratios.setdefault(each.workload, {})[key_of(each)] = round(each.ratio, 3)
    path.write_text(json.dumps({"machine": machine, "ratios": dict(sorted(ratios.items()))}, indent=2) + "\n")


def fallen(path, found):
    """Sentences about ratios that are lower than in the baseline."""
    ratios = json.loads(path.read_text())["ratios"]
    for each in found:
        before = ratios.get(each.workload, {}).get(key_of(each))
        if before is not None and each.ratio < before * (1 - TOLERANCE):
            yield f"{each.workload}: {key_of(each)} fell from {before:.2f} to {each.ratio:.2f}"
