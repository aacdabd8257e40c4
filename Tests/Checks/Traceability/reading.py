"""Maintains the reading order in the auditor's guide, with files and line counts. Part of run.sh."""

import os
import re

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
ARTICLE = os.path.join(ROOT, "Sources", "PureAttest", "PureAttest.docc", "Auditing.md")
START, END = "<!-- reading order -->", "<!-- end of reading order -->"
# The article is stale if a count is off by more than a fifth and by more than 40 lines. Small changes need no update.
TOLERANCE = (0.2, 40)

# The parts to read, and the questions for each part. A folder covers its files that no other entry names.
ORDER = [
    ("PureBytes", "Is every read checked? What does comparison in constant time rest on?"),
    ("PureSHA2", "FIPS 180-4 line by line; where is memory read without a check, and who has checked it?"),
    ("PureProcessor", "Only with the trait ProcessorExtensions, as the next: which instructions does the processor have?"),
    ("PureSHA2Hardware", "Is the processor asked before each use?"),
    ("PureDER", "Which encodings are accepted: is it one for each value? Does any length reach an allocation?"),
    ("PureCBOR", "Which encodings are accepted? Are depth, items and size limited?"),
    ("PureECDSA/Field", "Bounds in, bounds out; the proofs cover the values."),
    ("PureECDSA/Curve", "Exceptional cases: equal, opposite, infinity."),
    ("PureECDSA/ECDSA", "FIPS 186-5 §6.4.2, and who may make a `SignatureScalars`."),
    ("PureECDSALanes", "Only with the trait ProcessorExtensions: bounds in, bounds out; which lanes are left undecided?"),
    ("PureECDSA", "The public face: which digest with which curve."),
    ("PureRSA", "RFC 8017 §8.2.2; PureAttest does not link it. Is the whole encoding compared?"),
    ("PureX509", "The fields of one certificate, then `Certificate+PathChecks`."),
    ("PureX509/CMS", "Which bytes are signed, and by whom?"),
    ("PureX509Paths", "RFC 5280 §6.1 in general; neither verifier links it."),
    ("PureJSON", "RFC 8259 and RFC 7493: is every text read in one way, or rejected? Android's revocation list uses it."),
    ("PureJWS", "Who chooses algorithm and key? Neither verifier links it."),
    ("PureAppStore", "Purchases; no verifier of devices links it. Which step trusts the content, and what says that a certificate may sign it?"),
    ("PureSignedContent", "Which bytes were signed, and is the challenge compared with them only?"),
    ("PureKeyAttestation", "Android; PureAttest does not link it. Which list does each value come from, and who wrote it?"),
    ("PureAttest/Attestation", "Apple's steps, in Apple's order, and the leaf's extensions."),
    ("PureAttest/Assertion", "Apple's steps, in Apple's order; the nonce is hashed once more. The counter."),
    ("PureAttest/Chain", "Both chains under the pinned roots: what must leaf, intermediate and anchor fulfil?"),
    ("PureAttest/Policy", "Which apps, systems, builds and ages are accepted?"),
    ("PureAttest/Key", "The stored key: every field that is written is read."),
    ("PureAttest", "The verifier, the pinned roots, authenticator data."),
    ("PureAttest/Receipt", "Receipts: no step of an attestation covers them."),
    ("PureAttest/Report", "Explains; decides nothing."),
    ("PureAttestServerCore/Decisions", "Each request from its arrival to its answer: in which order is the store asked, and which step consumes the challenge?"),
    ("PureAttestServerCore", "Challenges and tokens: which bytes does each tag cover? Which reasons does a client learn?"),
    ("PureAttestServerMessages", "Messages for a shell in another language: does each question have the parameters of its statement?"),
    ("PureAttestPurchasesCore", "Purchases on a relying party: is the later state the same in every order, and how many keys count?"),
    ("PureAttestPurchasesMessages", "Messages for a shell in another language: does each question have the parameters of its statement?"),
]
MODULES = ["PureBytes", "PureSHA2", "PureProcessor", "PureSHA2Hardware", "PureDER", "PureCBOR", "PureECDSA", "PureECDSALanes", "PureRSA", "PureX509", "PureX509Paths", "PureJSON", "PureJWS", "PureAppStore", "PureSignedContent", "PureKeyAttestation", "PureAttest", "PureAttestServerCore", "PureAttestServerMessages", "PureAttestPurchasesCore", "PureAttestPurchasesMessages"]


def code_lines(path):
    """Counts lines that are neither blank nor a comment."""
    with open(path, encoding="utf-8") as file:
        return sum(bool(line.strip()) and not line.strip().startswith("//") for line in file)


def counts():
    """Returns entry → files and lines. A source file belongs to the longest entry that names it or a parent folder."""
    found = {entry: [0, 0] for entry, _ in ORDER}
    for module in MODULES:
        for folder, folders, names in os.walk(os.path.join(ROOT, "Sources", module)):
            folders[:] = [f for f in folders if f != "Generated" and not f.endswith(".docc")]
            for name in names:
                if name.endswith(".swift"):
                    path = os.path.join(folder, name)
                    relative = os.path.relpath(path, os.path.join(ROOT, "Sources"))
                    entry = max((e for e in found if relative == e or relative.startswith(e + "/")), key=len)
                    found[entry][0] += 1
                    found[entry][1] += code_lines(path)
    return found


def rows(found):
    lines = ["| | part | files | lines | questions |", "|---|---|---|---|---|"]
    for number, (entry, question) in enumerate(ORDER, 1):
        files, code = found[entry]
        lines.append(f"| {number} | `{entry}` | {files} | {code} | {question} |")
    files, code = (sum(f[i] for f in found.values()) for i in (0, 1))
    return lines + [f"| | in all | {files} | {code} | |"]


def write():
    with open(ARTICLE, encoding="utf-8") as file:
        text = file.read()
    before, rest = text.split(START)
    after = rest.split(END)[1]
    with open(ARTICLE, "w", encoding="utf-8") as file:
        file.write(before + "\n".join([START, *rows(counts()), END]) + after)


def check():
    """Returns the errors in the article's table."""
    with open(ARTICLE, encoding="utf-8") as file:
        text = file.read()
    if START not in text or END not in text:
        return ["Auditing.md has no reading order"]
    listed = dict(re.findall(r"^\| \d+ \| `([^`]+)` \| \d+ \| (\d+) \|", text, re.MULTILINE))
    errors = []
    found = counts()
    if list(listed) != [entry for entry, _ in ORDER]:
        errors.append("the reading order in Auditing.md differs from Tests/Checks/Traceability/reading.py (Tests/Checks/Traceability/run.sh --write)")
    for entry, (_, code) in found.items():
        stated = int(listed.get(entry, 0))
        if not code:
            errors.append(f"the reading order names {entry}, which does not exist or has no code")
        elif abs(stated - code) > max(TOLERANCE[1], TOLERANCE[0] * code):
            errors.append(f"Auditing.md gives {stated} lines for {entry}, which has {code} (Tests/Checks/Traceability/run.sh --write)")
    return errors
