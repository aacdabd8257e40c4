#!/usr/bin/env python3
"""Plants faults in copies of a workflow. The check `workflows` must find each fault."""
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import workflows  # noqa: E402

TEXT = (workflows.ROOT / ".github/workflows/check.yml").read_text()


def replaced(old, new, text=TEXT):
    assert old in text, old
    return text.replace(old, new, 1)


class WorkflowTests(unittest.TestCase):
    def test_rules(self):
        self.assertEqual(list(workflows.findings("check.yml", TEXT)), [])
        for part, text in {
            "is not pinned": replaced("@3d3c42e5aac5ba805825da76410c181273ba90b1", "@v7"),
            "must start with": replaced("\npermissions: {}\n", "\npermissions: write-all\n"),
            "the job macos must say": replaced("  # Never run.\n  macos:", "  # A Mac.\n  macos:"),
            "the job linux has no time limit": replaced("    timeout-minutes: 45\n", ""),
            "the workflow has no jobs": replaced("\njobs:\n", "\nwork:\n"),
        }.items():
            found = list(workflows.findings("check.yml", text))
            self.assertEqual(len(found), 1, found)
            self.assertIn(part, found[0])

    def test_tools(self):
        text = replaced("          persist-credentials: false\n", "")
        text = replaced("- run: swift --version", "- run: echo ${{ github.head_ref }}", text)
        text = replaced("  pull_request:", "  pull_request_target:", text)
        parts = ["artipacked", "template-injection", "dangerous-triggers"]
        if shutil.which("actionlint"):
            text = replaced("runs-on: macos-26", "runs-on: no-such-machine", text)
            parts.append("no-such-machine")
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / ".github/workflows/check.yml"
            file.parent.mkdir(parents=True)
            file.write_text(text)
            result = subprocess.run([sys.executable, workflows.__file__, folder], capture_output=True, text=True)
        self.assertEqual(result.returncode, 1, result.stderr)
        for part in parts:
            self.assertIn(part, result.stdout)


if __name__ == "__main__":
    unittest.main()
