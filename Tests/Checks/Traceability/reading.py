"""Maintains the reading order in the auditor's guide, with files and line counts. Part of run.sh."""

import os
import re

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
ARTICLE = os.path.join(ROOT, "Sources", "PureAttest", "PureAttest.docc", "Auditing.md")
START, END = "<!-- reading order -->", "<!-- end of reading order -->"
# The article is stale if a line count is wrong by more than a fifth and by more than 40 lines. Small changes need no update.
TOLERANCE = (0.2, 40)

# The parts to read, and the questions for each part. An entry for a folder covers the folder's files, except files that an entry with a longer path covers.
ORDER = [
    ("PureBytes", "Is every read checked? Why is the comparison of secrets constant time?"),
    ("PureSHA2", "Does it follow FIPS 180-4 line by line? Where is memory read without a bounds check, and which code checked the bounds before?"),
    ("PureProcessor", "Built only with the trait ProcessorExtensions, like PureSHA2Hardware. Which instructions does the processor support?"),
    ("PureSHA2Hardware", "Does the code query the processor before each use?"),
    ("PureDER", "Which encodings are accepted, and is it exactly one per value? Can a declared length cause an allocation?"),
    ("PureCBOR", "Which encodings are accepted? Are depth, item count and size limited?"),
    ("PureECDSA/Field", "Do the results stay in bounds if the operands do? (Proofs cover the values.)"),
    ("PureECDSA/Curve", "Are the exceptional cases handled: equal points, opposite points, the point at infinity?"),
    ("PureECDSA/ECDSA", "Does it follow FIPS 186-5 §6.4.2? Which code can create `SignatureScalars`?"),
    ("PureECDSALanes", "Built only with the trait ProcessorExtensions. Do results stay in bounds? Which lanes get no verdict and need the scalar code?"),
    ("PureECDSA", "The public interface. Which digest is used with which curve?"),
    ("PureRSA", "Follows RFC 8017 §8.2.2; PureAttest does not link this module. Is the whole encoding compared?"),
    ("PureX509", "Read the fields of one certificate first, then `Certificate+PathChecks`."),
    ("PureX509/CMS", "Which bytes are signed, and by whom?"),
    ("PureX509Paths", "General path validation by RFC 5280 §6.1; neither verifier links this module."),
    ("PureJSON", "RFC 8259 and RFC 7493: does every text have exactly one reading, or is it rejected? The parser of Android's revocation list uses this module."),
    ("PureJWS", "Who chooses the algorithm and the key? Neither verifier links this module."),
    ("PureAppStore", "Verifies purchases; neither device verifier links this module. After which step is the content trusted, and what shows that a certificate may sign it?"),
    ("PureSignedContent", "Which bytes were signed, and is the challenge compared only with these bytes?"),
    ("PureKeyAttestation", "Verifies Android attestations; PureAttest does not link this module. From which list does each value come, and who wrote that list?"),
    ("PureAttest/Attestation", "Are Apple's steps run in Apple's order? How are the leaf's extensions read?"),
    ("PureAttest/Assertion", "Are Apple's steps run in Apple's order? Is the nonce hashed again? Which counter values are accepted?"),
    ("PureAttest/Chain", "For both chains under the pinned roots: which rules must leaf, intermediate and trust anchor satisfy?"),
    ("PureAttest/Policy", "Which apps, systems, builds and ages are accepted?"),
    ("PureAttest/Key", "The stored key. Is every field that is written also read?"),
    ("PureAttest", "The verifier, the pinned roots, and the authenticator data."),
    ("PureAttest/Receipt", "Receipts, which the steps of an attestation do not verify."),
    ("PureAttest/Report", "Reports explain verdicts but decide nothing."),
    ("PureAttestServerCore/Decisions", "Follow each request from arrival to answer. In which order is the store queried, and which step consumes the challenge?"),
    ("PureAttestServerCore", "Which bytes does the tag of each challenge and token cover? Which rejection reasons does a client learn?"),
    ("PureAttestServerMessages", "Messages for a program in another language that does the I/O. Does each message to the store contain the parameters of its SQL statement?"),
    ("PureAttestPurchasesCore", "Purchases on a relying party. Is the final state the same in whatever order notifications arrive? How many keys may use a purchase?"),
    ("PureAttestPurchasesMessages", "Messages for a program in another language that does the I/O. Does each message to the store contain the parameters of its SQL statement?"),
]
MODULES = {entry.split("/")[0] for entry, _ in ORDER}


def code_lines(path):
    """Counts the lines except blank lines and comments."""
    with open(path, encoding="utf-8") as file:
        return sum(bool(line.strip()) and not line.strip().startswith("//") for line in file)


def counts():
    """Returns {entry: [number of files, number of lines]}. A source file belongs to the entry with the longest path that is the file or a parent folder."""
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
