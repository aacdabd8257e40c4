#!/usr/bin/env python3
"""Tests check.py with planted faults. check.py must find each fault, and accept correct prose."""

import pathlib
import unittest

from check import Finding, Phrases, findings, group_of, table, without_exceptions
from extract import paragraphs, sentences, word_count

PHRASES = Phrases((pathlib.Path(__file__).parent / "phrases.toml").read_text())
LONG = "The verifier " + "reads one more word and " * 10 + "stops."


def rules(path, text):
    return [(finding.line, finding.rule) for finding in findings(path, text, PHRASES)]


class PlantedFaults(unittest.TestCase):
    def test_every_phrase_has_advice_and_compiles(self):
        self.assertGreater(len(PHRASES.rules), 40)
        self.assertTrue(all(advice for _, advice in PHRASES.rules))

    def test_sentences_that_stopped_readers(self):
        for sentence in (
            "What is looked at before an object is verified; the challenge first that takes nothing.",
            "whoever is refused by one of the two takes nothing from the other",
            "A key of the other platform is none that these signatures could be of.",
            "How it stands with a key's receipt.",
            "No account is none of the accounts, the one with the empty name included.",
            "A name without a common name, or none at all, has words too.",
            "Around that decision servers are broken into.",
            "The same for a point with a table.",
            "Measured at 15:57 h with a load average of 3.",
        ):
            self.assertTrue(list(PHRASES.search(sentence)), sentence)

    def test_better_sentences_pass(self):
        for sentence in (
            "Checks that run before verification, cheapest first.",
            "A request rejected by one limiter does not consume the other's allowance.",
            "The revocation list, or `nil` if it is missing, stale, or dated in the future.",
            "Whatever the input declares, memory stays bounded.",
            "What does the verifier check?",
        ):
            self.assertEqual(list(PHRASES.search(sentence)), [], sentence)

    def test_swift(self):
        self.assertEqual(rules("a.swift", "let a = 1\n    /// Whoever\n    /// asks.\n"), [(2, "phrase")])
        self.assertEqual(rules("a.swift", "let a = 1  // the length alone\n"), [(1, "phrase")])
        self.assertEqual(rules("a.swift", f"/// Good.\n///\n/// {LONG}\n"), [(3, "length")])
        self.assertEqual(rules("aTests.swift", '@Suite("Refused keys")\nstruct A {\n    @Test func refusesKeys() {}\n}\n'), [(1, "phrase"), (3, "phrase")])
        self.assertEqual(rules("a.swift", '#expect(a == b, "whoever asks")\n'), [(1, "phrase")])

    def test_swift_that_is_not_prose(self):
        self.assertEqual(rules("a.swift", 'let url = "https://whoever.test  // no"\nlet refused = alone\n'), [])
        self.assertEqual(rules("a.swift", "/// ```\n/// alone whoever\n/// ```\n/// Calls `alone`.\n"), [])

    def test_python_and_shell(self):
        self.assertEqual(rules("a.py", 'def f():\n    """Returns it.\n\n    Whoever asks.\n    """\n    x = "# alone"  # whoever\n'), [(6, "phrase"), (4, "phrase")])
        self.assertEqual(rules("a.sh", "#!/bin/sh\n# Runs it.\n#   a.sh --all   whoever\necho '# alone'\n"), [(3, "phrase")])
        self.assertEqual(rules(".ci/run", "#!/bin/bash\n# Whoever\n"), [(2, "phrase")])

    def test_usage_lines_of_python(self):
        self.assertEqual(rules("a.py", f'"""Runs it.\n\n    a.py {LONG}\n"""\n'), [])

    def test_markdown(self):
        text = f"# What is trusted\n\nGood.\n\n- Keys alone\n  and more.\n\n| a | whoever |\n|---|---|\n\n```sh\nalone\n```\n\n{LONG}\n"
        self.assertEqual(rules("a.md", text), [(5, "phrase"), (8, "phrase"), (15, "length")])

    def test_sentences(self):
        text = [(1, "See RFC 1, e.g. this one. memcheck `a. b`"), (2, "runs. (Good.) n = 2·x.")]
        self.assertEqual([line for line, _ in sentences(text)], [1, 1, 2, 2])
        self.assertEqual(word_count("Σ cᵢ·βⁱ of x and a CODE"), 4)
        self.assertEqual(len(list(paragraphs("a.md", "one\n\n- two\n  three\n- four\n"))), 3)

    def test_exceptions(self):
        finding = Finding("A/b/c.swift", 1, "phrase", "the length alone", "")
        good = table("# comment\nA/b/c.swift\tphrase\tlength alone\tA paper's term\n")
        self.assertEqual(list(without_exceptions([finding], good, {"A/b"})), [])
        self.assertEqual(list(without_exceptions([finding], [], {"A/b"})), [finding])
        stale = list(without_exceptions([], good, {"A/b"}))
        self.assertEqual([f.rule for f in stale], ["exception"])
        self.assertEqual(list(without_exceptions([], good, {"other"})), [])
        no_reason = list(without_exceptions([finding], table("A/b/c.swift\tphrase\tlength alone\t \n"), {"A/b"}))
        self.assertEqual([f.rule for f in no_reason], ["exception"])

    def test_groups(self):
        self.assertEqual([group_of(p) for p in ("a.md", ".ci/run", "Tests/a.sh", "Tests/A/b/c.swift")], [".", ".ci", "Tests", "Tests/A"])


if __name__ == "__main__":
    unittest.main()
