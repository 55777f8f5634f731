#!/usr/bin/env python3
"""How tools/bench judges what it measured, on measurements that are made up."""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "bench" / "suite"))

import latency  # noqa: E402
import prepare  # noqa: E402
import ratios  # noqa: E402
import report  # noqa: E402
import run  # noqa: E402
import workloads  # noqa: E402


def outcome(name, seconds, results=None):
    """A workload of the suite in which each peer took these seconds."""
    workload = next(each for each in workloads.all_workloads() if each.name == name)
    results = results or {}
    peers = {peer: run.Measurement(taken, results.get(peer, {"rows": 1})) for peer, taken in seconds.items()}
    return run.Outcome(workload, 1_000, 10_000, peers, [])


def ratio(of, peer):
    return next(each for each in ratios.comparisons(of) if each.peer == peer)


class Ratios(unittest.TestCase):
    def test_the_best_turns_are_divided(self):
        found = outcome("house.columns.10k.1h", {"etlantic": [3, 2, 9], "duckdb": [20, 16, 30]})
        self.assertEqual(ratio(found, "duckdb").ratio, 8)

    def test_a_goal_is_reached_at_its_value(self):
        slow = outcome("house.columns.10k.1h", {"etlantic": [2], "duckdb": [15.9]})
        right = outcome("house.columns.10k.1h", {"etlantic": [2], "duckdb": [16]})
        self.assertIn("SHORT", report.line_of(ratio(slow, "duckdb"), slow)[-1])
        self.assertIn("reached", report.line_of(ratio(right, "duckdb"), right)[-1])

    def test_what_is_slower_than_a_peer_comes_first_and_the_slowest_of_all_before_it(self):
        outcomes = [
            outcome("house.columns.10k.1h", {"etlantic": [1], "duckdb": [8], "by_hand": [0.9]}),
            outcome("decode", {"etlantic": [1], "simdjson": [2], "simdjson.stage_1": [0.4]}),
        ]
        peers = [line.split("|")[6].strip() for line in report.table(outcomes).splitlines()[2:]]
        self.assertEqual(peers, ["simdjson.stage_1", "by_hand", "duckdb", "simdjson"])


class Peers(unittest.TestCase):
    @unittest.skipUnless(prepare.SETUP.exists(), "DuckDB is not installed; tools/setup does it")
    def test_duckdb_answers_with_its_time_and_its_result(self):
        peer = [str(prepare.SETUP), str(prepare.peers / "duckdb_peer.py"), "--query", "house", "--rows", "1000"]
        said = subprocess.run(peer, input="run\nresult\nstop\n", capture_output=True, text=True, timeout=120)
        self.assertEqual(said.returncode, 0, said.stderr)
        ready, took, result = map(json.loads, said.stdout.splitlines())
        self.assertIn("duckdb", ready["ready"])
        self.assertGreater(took["seconds"], 0)
        self.assertGreater(result["rows"], 0)


class Latency(unittest.TestCase):
    measured = {"rate": 2, "rows": 4, "batches": 2, "machine": {"load": 0.25},
                "batch_milliseconds": {"plan": 0.5, "process": 0.125},
                "produced": {"rows": 8, "checksum": 17}, "seen": {"rows": 8, "checksum": 17},
                "milliseconds": {"p50": 2.0, "p90": 3.0, "p99": 5.1, "p99.9": 6, "max": 7},
                "histogram": [{"below_ms": 2.0, "rows": 3}, {"below_ms": 8.0, "rows": 1}]}

    def test_percentiles_are_judged_by_their_goals(self):
        told = latency.text_of(self.measured)
        self.assertIn("4 rows at 2 a second, 2 batches, load 0.2", told)
        self.assertIn("plan 0.50 ms, process 0.12 ms", told)
        self.assertIn("2.000 ms  goal 2 reached", told)
        self.assertIn("5.100 ms  goal 5 SHORT", told)
        self.assertIn("3 " + "#" * 60 + "\n", told)

    def test_rows_that_are_missing_or_others_are_no_measurement(self):
        self.assertIsNone(latency.difference(self.measured))
        missing = latency.difference({**self.measured, "seen": {"rows": 7, "checksum": 17}})
        self.assertIn("8 records were produced (checksum 17), and 7 rows were seen", missing)
        self.assertIsNotNone(latency.difference({**self.measured, "seen": {"rows": 8, "checksum": 18}}))


class Skipping(unittest.TestCase):
    def test_where_no_broker_can_be_had_the_workload_is_skipped_with_the_reason(self):
        def nowhere(*_, **__):
            raise run.broker.NotAvailable("there is no java")
        workload = next(each for each in workloads.all_workloads() if each.name == "kafka.ndjson")
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.object(run.broker, "Broker", nowhere):
            places = run.Places(pathlib.Path(folder), {}, pathlib.Path(folder))
            with self.assertRaisesRegex(run.Skipped, "there is no java"):
                run.measure(workload, places, argparse.Namespace(rows=10, quick=True))


class Baseline(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "baseline.json"
        self.keep("house.columns.10k.1h", 10)

    def keep(self, name, duckdb):
        ratios.write_baseline(self.path, ratios.comparisons(outcome(name, {"etlantic": [1], "duckdb": [duckdb]})), {})

    def fallen(self, name, duckdb):
        return list(ratios.fallen(self.path, ratios.comparisons(outcome(name, {"etlantic": [1], "duckdb": [duckdb]}))))

    def test_a_fall_within_the_noise_is_none(self):
        self.assertEqual(self.fallen("house.columns.10k.1h", 8.6), [])

    def test_a_fall_beyond_it_names_both_ratios(self):
        (sentence,) = self.fallen("house.columns.10k.1h", 8.4)
        self.assertIn("house.columns.10k.1h: etlantic / duckdb fell from 10.00 to 8.40", sentence)

    def test_what_is_new_has_not_fallen(self):
        self.assertEqual(self.fallen("house.columns.1m.1h", 1), [])

    def test_writing_some_workloads_keeps_the_others(self):
        self.keep("house.columns.1m.1h", 5)
        self.assertEqual(
            json.loads(self.path.read_text())["ratios"],
            {"house.columns.10k.1h": {"etlantic / duckdb": 10}, "house.columns.1m.1h": {"etlantic / duckdb": 5}},
        )


class Results(unittest.TestCase):
    def differences(self, one, other):
        found = outcome("sg1.tumbling", {"etlantic": [1], "duckdb": [1]}, {"etlantic": one, "duckdb": other})
        run.compare_results(found.workload, found.peers, found.problems)
        return len(found.problems)

    def test_whole_numbers_must_be_equal(self):
        one = {"rows": 5, "checksum": 17, "reals": []}
        self.assertEqual(self.differences(one, dict(one)), 0)
        self.assertEqual(self.differences(one, {**one, "checksum": 18}), 1)

    def test_sums_of_floating_point_may_differ_by_their_order_only(self):
        one = {"rows": 5, "checksum": 17, "reals": [998930.009035927]}
        self.assertEqual(self.differences(one, {**one, "reals": [998930.00903592701]}), 0)
        self.assertEqual(self.differences(one, {**one, "reals": [998930.1]}), 1)
        self.assertEqual(self.differences(one, {**one, "reals": []}), 1)

    def test_the_size_of_state_is_no_result(self):
        one = {"rows": 5, "checksum": 17, "reals": []}
        self.assertEqual(self.differences({**one, "state_bytes": 100, "state_groups": 5}, one), 0)


class Memory(unittest.TestCase):
    def test_bytes_are_divided_by_groups_where_there_are_many(self):
        def of(groups):
            state = {"rows": 1, "state_groups": groups, "state_bytes": 96 * groups}
            return outcome("house.columns.1m.1h", {"etlantic": [1]}, {"etlantic": state})

        self.assertEqual(ratios.bytes_per_group(of(1_000_000)), 96)
        self.assertIsNone(ratios.bytes_per_group(of(10)))


if __name__ == "__main__":
    unittest.main()
