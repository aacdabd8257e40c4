"""Runs the tests on mutants, and finds the test that kills each mutant."""

import collections
import concurrent.futures
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading

import schemata

# (factor, seconds). The time limit of a mutant is `factor` times the normal time of its tests, plus `seconds`. The limit counts processor time, because the
# machine may run other programs. A second limit, ten times as long, counts elapsed time, because a mutant may wait without using a processor.
PATIENCE = (8, 10)
MEMORY = 6 << 30
# The test targets that must detect a module's mutants: the module's own tests, if it has any. For some modules, also the tests of modules that use it. For
# example, PureAttest's receipt tests cover CMS in PureX509.
KILLERS = {
    "PureDER": ["PureDERTests"], "PureCBOR": ["PureCBORTests"], "PureX509": ["PureX509Tests", "PureX509PathsTests", "PureAttestTests"],
    "PureX509Paths": ["PureX509PathsTests"],
    "PureSignedContent": ["PureAttestTests", "PureKeyAttestationTests"],
    "PureAttest": ["PureAttestTests", "PureAttestTestingTests"],
    "PureRSA": ["PureRSATests"], "PureKeyAttestation": ["PureKeyAttestationTests"],
    "PureAttestServerCore": ["PureAttestServerTests", "PureAttestPurchasesTests"], "PureAttestPurchasesCore": ["PureAttestPurchasesTests"],
    "PureJSON": ["PureJSONTests", "PureJWSTests", "PureAppStoreTests"], "PureJWS": ["PureJWSTests", "PureAppStoreTests"],
    "PureAppStore": ["PureAppStoreTests"],
}
# Omits tests that need more than this number of processor seconds. Such tests change every byte of an input, or many random bytes, and would need more time
# than all other tests together.
LONGEST = 1
FAILED = "\u2718"  # Swift Testing's mark in front of a failure.


def progress(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


class Runner:
    """Runs the tests of the package's copy with at most one mutant enabled."""

    def __init__(self, binary, test_targets):
        self.binary = binary
        listing = subprocess.run([binary, "--testing-library", "swift-testing", "--list-tests"], capture_output=True, text=True, check=True)
        self.tests = [t for t in listing.stdout.split("\n") if t.split(".")[0] in test_targets]
        if not self.tests:
            raise schemata.Failure("the copy has no tests")

    def run(self, tests, mutant=None, reached=None, limit=600, used=None):
        """Returns None if all tests pass, else the first failure: a test's name, `crash` or `time`. Appends the run's time to `used`. Times are in
        processor seconds.
        """
        # Backtraces are off, because printing one after a crash takes seconds and may never end.
        environment = dict(os.environ, NO_COLOR="1", SWIFT_BACKTRACE="enable=no")
        if mutant is not None:
            environment["PUREATTEST_MUTANT"] = str(mutant)
        if reached:
            environment["PUREATTEST_REACHED"] = reached
        filters = [f"--filter=^{re.escape(t)}(/|$)" for t in tests]
        process = subprocess.Popen(
            ["prlimit", f"--as={MEMORY}", f"--cpu={limit:.0f}", self.binary, "--testing-library", "swift-testing", *filters],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, env=environment, text=True, errors="replace")
        expired = threading.Event()

        def stop():
            expired.set()
            process.kill()

        timer = threading.Timer(10 * limit, stop)
        timer.start()
        failure, count = None, None
        try:
            for line in process.stdout:
                match = re.match(rf"(?:\x1b\[\d+m)?{FAILED}(?:\x1b\[0m)?\s+Test (?!run|case)(\S+\)|\"[^\"]*\")", line)
                if match:
                    failure = match.group(1)
                    process.kill()
                    break
                match = re.search(r"Test run with (\d+) tests?", line)
                if match:
                    count = int(match.group(1))
        finally:
            timer.cancel()
            process.stdout.close()
            if used is None:
                status = process.wait()
            else:
                _, waited, usage = os.wait4(process.pid, 0)
                status = process.returncode = os.waitstatus_to_exitcode(waited)
                used.append(usage.ru_utime + usage.ru_stime)
        if failure:
            return failure
        if expired.is_set() or status in (-signal.SIGXCPU, -signal.SIGKILL):
            return "time"
        if status != 0:
            return "crash"
        if count != len(tests):
            raise schemata.Failure(f"{count} tests ran, not {len(tests)}: {tests[:3]}")
        return None


def measure(runner, jobs):
    """Measures each test's processor seconds, and which mutants the test reaches. Stores the results beside the binary."""
    kept = runner.binary + ".reached.json"
    if os.path.exists(kept) and os.path.getmtime(kept) > os.path.getmtime(runner.binary):
        with open(kept, encoding="utf-8") as file:
            return {test: (seconds, set(numbers)) for test, (seconds, numbers) in json.load(file).items()}
    measured = {}

    def one(test):
        with tempfile.NamedTemporaryFile() as file:
            used = []
            failure = runner.run([test], reached=file.name, used=used, limit=LONGEST + 2)
            # `batches` omits a test that exceeds LONGEST, so it does not matter which mutants the test reaches.
            if failure == "time":
                return test, LONGEST + 2, set()
            if failure:
                raise schemata.Failure(f"{test} fails without a mutant: {failure}")
            with open(file.name, "rb") as reached:
                numbers = {n for n, byte in enumerate(reached.read()) if byte}
            return test, used[0], numbers

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for count, (test, seconds, numbers) in enumerate(pool.map(one, runner.tests), 1):
            measured[test] = (seconds, numbers)
            progress(f"what tests reach: {count} of {len(runner.tests)}")
    with open(kept, "w", encoding="utf-8") as file:
        json.dump({test: (seconds, sorted(numbers)) for test, (seconds, numbers) in measured.items()}, file)
    return measured


def batches(measured, mutant):
    """Yields batches of the tests in KILLERS that reach a mutant, the fastest tests first."""
    targets = KILLERS[mutant.file.split("/")[0]]
    reaching = sorted((seconds, test) for test, (seconds, numbers) in measured.items()
                      if mutant.number in numbers and seconds < LONGEST and test.split(".")[0] in targets)
    for target in targets:
        for low, high in ((0, 0.15), (0.15, LONGEST)):
            batch = [(seconds, test) for seconds, test in reaching if low <= seconds < high and test.startswith(target + ".")]
            if batch:
                yield [test for _, test in batch], sum(seconds for seconds, _ in batch) * PATIENCE[0] + PATIENCE[1]


def runs(runner, mutant, measured, likely):
    """Yields the tests that must kill a mutant, and their time limit, in batches. The tests in `likely` come first."""
    for names in likely:
        tests = [t for name in names for t in runner.by_name.get(name, [])]
        if tests:
            yield tests, 30
    if measured is not None:
        yield from batches(measured, mutant)
        return
    for target in KILLERS[mutant.file.split("/")[0]]:
        yield [t for t in runner.tests if t.startswith(target + ".")], 120


def judge(runner, mutant, measured, likely):
    """Returns the test or failure that kills a mutant, with the tests and the time limit of its run; `None` if the mutant survives."""
    for tests, limit in runs(runner, mutant, measured, likely):
        failure = runner.run(tests, mutant.number, limit=limit)
        if failure:
            return failure, tests, limit
    return None


def check_killers(runner, kills):
    """Raises an error if the tests that killed mutants fail without a mutant too, because such tests kill every mutant."""
    # Repeats each run that exceeded its time limit, without a mutant and with the same limit. Runs all other killing tests once, together.
    exceeded, others = set(), set()
    for failure, tests, limit in kills:
        if failure == "time":
            exceeded.add((tuple(tests), limit))
        else:
            others.update([t for t in tests if t.split("/")[-1] == failure] or tests)
    for tests, limit in [(tuple(others), 600)] * bool(others) + sorted(exceeded):
        failure = runner.run(tests, limit=limit)
        if failure:
            raise schemata.Failure(f"tests that killed mutants fail without a mutant too ({failure}): {len(tests)} tests, such as {tests[0]}")


def likely_killers(mutants, results):
    """Returns two lists of tests for each mutant: the test that killed the mutant last time, and the tests that most often kill mutants of the same file."""
    of_file = collections.defaultdict(collections.Counter)
    for mutant in mutants:
        of_file[mutant.file][results.get(mutant.identity)] += 1
    neighbours = {file: [t for t, _ in counts.most_common(20)] for file, counts in of_file.items()}
    return {m.identity: ([results.get(m.identity)], neighbours[m.file]) for m in mutants}
