#!/usr/bin/env python3
"""Tests that Tests/check reports failures and wrong usage. The tests use small tables of checks."""
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(Path(__file__).parent))
import touched_tests  # noqa: E402

TABLE = """
[[check]]
name = "good"
shows = "all is well"
minutes = 1
tiers = ["quick", "ci", "full"]
run = "echo good {objects}"

[[check]]
name = "slow"
shows = "in a lane of its own"
minutes = 1
tiers = ["ci"]
lane = "programs"
run = "sleep 1; echo slow; exit 4"

[[check]]
name = "bad"
shows = "a failure in the middle of a script"
minutes = 1
tiers = ["ci", "full"]
run = '''
false
echo not reached
'''

[[check]]
name = "last"
shows = "what follows a failure"
minutes = 1
tiers = ["ci", "full"]
lane = "programs"
after = ["good"]
full = "echo last {mutants} {budget_minutes}"
run = "echo last"

[[check]]
name = "piped"
shows = "a failure in a pipe"
minutes = 1
tiers = ["full"]
run = "false | cat"

[[check]]
name = "endless"
shows = "a check that never ends"
minutes = 1
tiers = []
limit_minutes = 0.02
run = "sleep 600 & echo $!; wait"

[[check]]
name = "needy"
shows = "a tool that nobody has"
minutes = 1
tiers = []
needs = ["nothing"]
run = "true"

[tool.nothing]
probe = "command -v no-such-tool"
"""


class CheckTests(unittest.TestCase):
    def run_check(self, *arguments, table=TABLE, extra=""):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "checks.toml"
            path.write_text(table)
            environment = dict(os.environ, PUREATTEST_CHECKS=str(path), PUREATTEST_EXTRA_VECTORS=extra)
            log = [] if "--list" in arguments or "--help" in arguments else ["--log", str(Path(folder) / "log")]
            result = subprocess.run(
                [ROOT / "Tests/check", *log, *arguments], env=environment, capture_output=True, text=True, timeout=60)
            self.logs = {file.stem: file.read_text() for file in (Path(folder) / "log").glob("*.log")}
            return result

    def test_a_tier_stops_at_the_first_failure_and_names_the_command(self):
        result = self.run_check("ci")
        self.assertEqual(result.returncode, 1)
        self.assertIn("good: passed", result.stdout)
        self.assertIn("bad: FAILED", result.stdout)
        self.assertIn("To repeat it: Tests/check bad", result.stdout)
        self.assertIn("1 passed, 1 failed, 2 not finished", result.stdout)
        self.assertNotIn("not reached", self.logs["bad"])
        self.assertEqual(self.logs["slow"], "")
        self.assertNotIn("last", self.logs)

    def test_lanes_are_concurrent(self):
        result = self.run_check("ci", "--keep-going")
        self.assertIn("2 passed, 2 failed, 0 not finished", result.stdout)
        ends = re.findall(r"^=== (\w+): (?:passed|FAILED)", result.stdout, re.MULTILINE)
        self.assertEqual(ends, ["good", "bad", "slow", "last"])

    def test_a_check_waits_for_those_that_it_needs(self):
        table = TABLE.replace('run = "echo good {objects}"', 'run = "sleep 1; echo good"').replace('"sleep 1; echo slow; exit 4"', '"true"')
        result = self.run_check("ci", "--keep-going", table=table)
        self.assertLess(result.stdout.index("good: passed"), result.stdout.index("=== last: what"))

    def test_full_goes_on_and_fills_in_its_sizes(self):
        result = self.run_check("full", "--short", "--mutants", "7")
        self.assertEqual(result.returncode, 1)
        self.assertIn("2 passed, 2 failed, 0 not finished", result.stdout)
        self.assertEqual(self.logs["good"], "good 2000\n")
        self.assertEqual(self.logs["last"], "last 7 10\n")

    def test_a_check_alone(self):
        result = self.run_check("last", "--verbose")
        self.assertEqual(result.returncode, 0)
        self.assertIn("last\n", result.stdout)
        self.assertIn("1 passed, 0 failed, 0 not finished", result.stdout)
        self.assertEqual(self.run_check("piped").returncode, 1)
        self.assertEqual(self.run_check("slow").returncode, 1)

    def test_a_check_that_never_ends_fails(self):
        for options in ([], ["--verbose"]):
            start = time.monotonic()
            result = self.run_check("endless", *options)
            self.assertEqual(result.returncode, 1)
            self.assertLess(time.monotonic() - start, 30)
            self.assertIn("stopped at its limit", self.logs["endless"])

    def test_a_stopped_run_leaves_no_process(self):
        with tempfile.TemporaryDirectory() as folder:
            path, log = Path(folder) / "checks.toml", Path(folder) / "log" / "endless.log"
            path.write_text(TABLE.replace("0.02", "1"))
            environment = dict(os.environ, PUREATTEST_CHECKS=str(path), PUREATTEST_EXTRA_VECTORS="")
            process = subprocess.Popen(
                [ROOT / "Tests/check", "--log", str(log.parent), "endless"], env=environment, stdout=subprocess.DEVNULL)
            started = time.monotonic()
            while not (log.exists() and log.read_text().endswith("\n")):
                self.assertLess(time.monotonic() - started, 30)
                time.sleep(0.1)
            process.terminate()
            self.assertEqual(process.wait(timeout=30), 128 + 15)
            # The stopped check remains a zombie until its new parent process reaps it.
            state = Path(f"/proc/{log.read_text().split()[0]}/stat")
            while state.exists() and state.read_text().rsplit(")", 1)[1].split()[0] not in "ZX":
                self.assertLess(time.monotonic() - started, 60)
                time.sleep(0.1)

    def test_wrong_usage(self):
        for arguments, part in [
            (["nonsense"], "no such check: nonsense"), ([], "name a tier"), (["ci", "good"], "one tier"),
            (["--colour"], "unrecognized"), (["ci", "--objects", "x"], "not a whole number"),
            (["quick", "--record"], "tier ci or full"), (["ci", "--json"], "--list"), (["needy"], "missing tools: nothing"),
            (["--install", "needy"], "install nothing yourself"),
        ]:
            result = self.run_check(*arguments)
            self.assertEqual(result.returncode, 2, arguments)
            self.assertIn(part, result.stderr)
            self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)

    def test_the_folder_of_extra_vectors(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("app-attest", "vectors"):
                result = self.run_check("good", extra=folder)
                self.assertEqual(result.returncode, 2)
                self.assertRegex(result.stderr, f"^Tests/check: .* has no folder {name};.*\n$")
                (Path(folder) / name).mkdir()
            self.assertEqual(self.run_check("good", extra=folder).returncode, 0)

    def test_a_wrong_table(self):
        for old, new in [
            ('after = ["good"]', 'after = ["piped"]'), ('lane = "programs"', 'lane = "program"'), ('tiers = ["ci"]', 'tiers = ["night"]'), ("minutes", "hours"),
            ('name = "last"', 'name = "good"'), ('name = "last"', 'name = "full"'), ('["nothing"]', '["more"]'),
        ]:
            result = self.run_check("--list", table=TABLE.replace(old, new, 1))
            self.assertEqual(result.returncode, 2, new)
            self.assertIn("wrong", result.stderr)

    def test_the_list(self):
        self.assertEqual(len(json.loads(self.run_check("--list", "--json").stdout)), 7)
        self.assertEqual(len(json.loads(self.run_check("--list", "--json", "ci").stdout)), 4)
        self.assertIn("7 checks", self.run_check("--list").stdout)
        self.assertIn("Usage", self.run_check("--help").stdout)

    def test_touched_modules(self):
        self.assertEqual(
            touched_tests.touched([
                "Sources/PureDER/DERReader.swift", "Tests/PureCBORTests/CBORTests.swift", "README.md", "Sources/Site/docs.sh",
                "Sources/pure-attest/Main.swift", "Tests/ClientTests/A.swift", "Sources/Apps/Service/Package.swift",
            ]),
            ["PureAttestToolTests", "PureCBORTests", "PureDERTests"])
        self.assertEqual(
            touched_tests.touched(["Sources/PureSHA2Hardware/include/A.h", "Sources/PureAttestServerMessages/A.swift"]),
            ["PureAttestServerTests", "PureSHA2Tests"])
        self.assertEqual(touched_tests.touched(["Sources/PureDeleted/A.swift"]), [])

    def test_each_module_has_a_test_target(self):
        modules = [path.name for path in (ROOT / "Sources").glob("Pure*")]
        self.assertGreater(len(modules), 20)
        for module in modules:
            self.assertEqual(len(touched_tests.touched([f"Sources/{module}/A.swift"])), 1, module)

    def test_scripts_of_the_table_exist(self):
        names = json.loads(subprocess.run(
            [ROOT / "Tests/check", "--list", "--json"], capture_output=True, text=True, check=True).stdout)
        scripts = {
            path for check in names for text in (check["run"], check.get("full", ""))
            for path in re.findall(r"\b(?:Tests|Sources|Benchmarks)/[\w./-]+", text) if ".build" not in path}
        self.assertGreater(len(scripts), 25)
        for path in scripts:
            self.assertTrue((ROOT / path).exists(), path)

    def test_each_folder_has_the_same_entry_point(self):
        folders = [path for path in (ROOT / "Tests/Checks").iterdir() if path.is_dir() and path.name != "__pycache__"]
        self.assertGreater(len(folders), 10)
        for folder in folders:
            self.assertTrue(os.access(folder / "run.sh", os.X_OK), folder)


if __name__ == "__main__":
    unittest.main()
