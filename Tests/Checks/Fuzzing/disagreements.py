"""Finds the unexplained disagreements between PureAttest and another implementation.

A disagreement without a reason is a finding. A reason that matches no disagreement in a run is stale, which is also an error.
"""

import collections
import json
import re
import subprocess
import sys

import cryptography


class Reason:
    """A pattern for the text "our answer / their answer", and the reason why the answers differ. An unmatched `rare` reason is stale only in a run of at least
    20,000 inputs. `until` is the first version of cryptography that agrees with PureAttest. From that version on, the reason is never stale.
    """

    def __init__(self, pattern, reason, rare=False, until=None):
        self.pattern, self.reason, self.rare = re.compile(pattern), reason, rare
        self.is_past = until is not None and int(cryptography.__version__.split(".")[0]) >= until

    def matches(self, ours, theirs):
        return self.pattern.search(f"{ours} / {theirs}") is not None


def stricter(error, reason, rare=False, until=None):
    """Explains the disagreements in which PureAttest rejects the input with `error` and the other implementation accepts it."""
    return Reason(rf"^refused {error}.* / accepted", reason, rare, until)


def looser(error, reason, ours="", rare=False):
    """Explains the disagreements in which PureAttest accepts the input and the other implementation rejects it with `error`.

    `ours` is a pattern for PureAttest's values.
    """
    return Reason(rf"^accepted .*{ours + '.*' if ours else ''} / refused {error}", reason, rare)


class Tool:
    """A process that answers questions: `fuzz --answer`, or a peer with the same protocol."""

    def __init__(self, *command):
        self.command = " ".join(map(str, command))
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, letter, data):
        question = letter.encode() + data
        self.process.stdin.write(len(question).to_bytes(4, "big") + question)
        self.process.stdin.flush()
        answer = self.process.stdout.readline().decode()
        if not answer:
            raise SystemExit(f"{self.command} exited at input {question.hex()}")
        return answer.rstrip("\n").rstrip()


class Comparison:

    def __init__(self, explained):
        self.reasons = explained
        self.explained, self.findings, self.summary = collections.Counter(), [], {}
        # Maps each reason to the name of a comparison and the shortest input that the reason explains.
        self.shortest = {}

    def record(self, name, ours, theirs, data, kind=None, otherwise=None):
        """Records two answers. If no pattern matches them, calls `otherwise`, which may return a reason."""
        kind = kind or name.split()[0]
        tally = self.summary.setdefault(name, collections.Counter())
        verdicts = ours.split()[0], theirs.split()[0]
        if verdicts == ("refused", "refused") or ours == theirs:
            tally["both accept" if verdicts[0] == "accepted" else "both refuse"] += 1
            return
        reason = next((r.reason for r in self.reasons.get(kind, []) if r.matches(ours, theirs)), None)
        reason = reason or otherwise and otherwise(ours, theirs)
        if reason:
            self.explained[kind, reason] += 1
            self.shortest[kind, reason] = min((name, data), self.shortest.get((kind, reason), (name, data)), key=lambda kept: len(kept[1]))
            tally["explained"] += 1
        else:
            tally["unexplained"] += 1
            self.findings.append((name, ours, theirs, data.hex()))

    def stale(self, runs, kinds=None):
        return [
            f"{kind}: {reason.reason}" for kind, reasons in self.reasons.items() for reason in reasons
            if (kinds is None or kind in kinds) and not self.explained[kind, reason.reason]
            and not reason.is_past and not (reason.rare and runs < 20_000)]

    def survey(self):
        """Counts the unexplained disagreements by text."""
        counts = collections.Counter()
        for name, ours, theirs, _ in self.findings:
            where = "value" if ours[:8] == theirs[:8] else ""
            ours, theirs = (re.sub(r"[0-9a-f]{9,}", "…", text) for text in (ours, theirs))
            counts[name.split()[0], ours[:140] + " / " + theirs[:120] + where] += 1
        for (name, text), count in counts.most_common():
            print(count, name, text)

    def report(self, stale, as_json):
        if as_json:
            inputs = {name: dict(tally) for name, tally in self.summary.items()}
            print(json.dumps({"inputs": inputs, "findings": self.findings, "stale": stale}))
        else:
            for name, tally in self.summary.items():
                counts = ", ".join(f"{tally[k]} {k}" for k in ("both accept", "both refuse", "explained", "unexplained"))
                print(f"{name:25} {counts}")
            for (kind, reason), count in sorted(self.explained.items()):
                print(f"  {kind}, {count} times: {reason}")
        for name, ours, theirs, data in self.findings[:20]:
            print(f"{name}: PureAttest: {ours[:200]}\n  peer: {theirs[:200]}\n  input: {data}", file=sys.stderr)
        for reason in stale:
            print(f"stale reason; remove it: {reason}", file=sys.stderr)
        total = sum(sum(tally.values()) for tally in self.summary.values())
        print(f"{total} inputs, {len(self.findings)} findings, {len(stale)} stale reasons",
              file=sys.stderr if as_json else sys.stdout)
        return 1 if self.findings or stale else 0
