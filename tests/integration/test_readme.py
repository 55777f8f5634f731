"""The README shows what is there: its program is the example, and what it names exists.

usage: test_readme.py <01_customer_orders>
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

EXAMPLE = os.path.abspath(sys.argv[1])
ROOT = pathlib.Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text()


class Readme(unittest.TestCase):
    def test_the_program_is_the_example(self):
        shown = re.search(r"<!-- code: (\S+) -->\n```cpp\n(.*?)```\n<!-- end -->", README, re.S)
        self.assertEqual(shown.group(2).strip(), (ROOT / shown.group(1)).read_text().strip())

    def test_every_link_leads_somewhere(self):
        for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *ROOT.glob("docs/**/*.md")]:
            for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
                self.assertTrue((page.parent / target).exists(), f"{page.name} names {target}")

    def test_the_commands_it_shows_are_known_to_the_program(self):
        asked = subprocess.run([EXAMPLE, "table", "show", "."], capture_output=True, text=True, timeout=60)
        has_delta = "built without Delta tables" not in asked.stderr
        windows = "{connector: delta, path: lake/orders}" if has_delta else "{connector: console}"
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "order_events.ndjson").write_text(
                '{"event_id":"a","order_id":1,"customer_id":2,"order_total":3.50,"status":"paid",'
                '"event_time":"2026-01-01T00:00:00Z"}\n')
            pathlib.Path(folder, "local.yaml").write_text(
                "assets:\n"
                "  order_events: {connector: file, path: order_events.ndjson}\n"
                f"  customer_order_windows: {windows}\n"
                "  rejected_order_events: {connector: console}\n"
                "  late_order_events: {connector: console}\n"
                "trigger: {kind: available_now}\n")
            commands = re.findall(r"^01_customer_orders ([^#\n]*)", README, re.M)
            self.assertGreaterEqual(len(commands), 4)
            for command in commands:
                if command.startswith("table ") and not has_delta:
                    print("not run, because there is no etlantic::delta:", command)
                    continue
                done = subprocess.run([EXAMPLE, *command.split()], cwd=folder, capture_output=True, text=True, timeout=60)
                self.assertEqual(done.returncode, 0, command + "\n" + done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
