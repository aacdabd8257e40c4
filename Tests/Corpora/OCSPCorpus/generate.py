#!/usr/bin/env python3
"""Writes Vectors/ocsp/responses.json: OCSP responses with the certificate, its issuer, the time and the expected error.

Keys are derived from names and nonces follow RFC 6979, so the file is always the same. The script runs OpenSSL (`openssl ocsp -respin`) on each case
whose inputs OpenSSL supports. If OpenSSL disagrees, the case must state a reason. A reason that explains no disagreement is an error. Python's
cryptography must read the status "good" from every accepted response. Needs the Python package `cryptography` and the command openssl.
"""

import argparse
import base64
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

PATH = pathlib.Path(__file__).resolve().parents[3] / "Vectors" / "ocsp" / "responses.json"


def openssl(test, folder):
    """Returns (whether OpenSSL accepts the response and reports the status "good", OpenSSL's message)."""
    from chains import pem

    def write(name, encoded):
        path = pathlib.Path(folder) / name
        path.write_bytes(encoded)
        return str(path)

    issuer = write("issuer.pem", pem("CERTIFICATE", test["issuer"].encode()).encode())
    command = ["openssl", "ocsp", "-respin", write("response.der", test["response"]), "-issuer", issuer, "-CAfile", issuer,
               "-cert", write("leaf.pem", pem("CERTIFICATE", test["certificate"].encode()).encode()), "-no_nonce",
               "-attime", str(test["time"])]
    # Runs `openssl ocsp` once for each hash function, because one run compares only the CertIDs with one hash function.
    texts = []
    for name in ("sha1", "sha256", "sha384", "sha512", "sha224"):
        result = subprocess.run([command[0], command[1], f"-{name}", *command[2:]], capture_output=True, text=True, errors="replace")
        texts.append(result.stdout + result.stderr)
        if "Response verify OK" in texts[-1] and ": good" in texts[-1] and "WARNING" not in texts[-1]:
            return True, ""
        if "No Status found" not in texts[-1]:
            break
    return False, texts[0].strip().replace("\n", " | ")[-200:]


def cryptography(test):
    """Returns the status that cryptography reads from a response, or cryptography's error."""
    from cryptography.x509 import ocsp
    try:
        response = ocsp.load_der_ocsp_response(test["response"])
        if response.response_status.name != "SUCCESSFUL":
            return f"unsuccessful {response.response_status.value}"
        return ",".join(sorted({single.certificate_status.name for single in response.responses}))
    except Exception as error:
        return str(error)[:200]


def disagreements(tests):
    """Yields a line for each verdict that differs without a reason, and for each unused reason."""
    needed = {}
    with tempfile.TemporaryDirectory() as folder:
        for test in tests:
            reason, expected = test["openssl"], test["expected"] is None
            if expected and "GOOD" not in cryptography(test):
                yield f"{test['id']}: cryptography reads {cryptography(test)}"
            if reason == "":
                continue
            verdict, text = openssl(test, folder)
            if reason:
                needed[reason] = needed.get(reason, False) or verdict != expected
            elif verdict != expected:
                yield f"{test['id']}: OpenSSL {'accepts' if verdict else 'rejects'} it, and the case gives no reason. {text}"
    for reason, is_needed in needed.items():
        if not is_needed:
            yield f"stale reason; remove it: {reason}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if the file differs from what would be written")
    parser.add_argument("--no-oracles", action="store_true", help="do not run the other implementations")
    arguments = parser.parse_args()
    if not arguments.no_oracles and not shutil.which("openssl"):
        print("generate.py: openssl is missing", file=sys.stderr)
        return 2
    try:
        import cases
        from chains import encoded
        from writing import differs, document, require_unique
    except ImportError as error:
        print(f"generate.py: {error.name} is not installed: python3 -m pip install cryptography", file=sys.stderr)
        return 2
    tests = list(cases.cases())
    require_unique([test["id"] for test in tests])
    status = 0
    if not arguments.no_oracles:
        for line in disagreements(tests):
            print(line, file=sys.stderr)
            status = 1

    def line(test):
        members = {name: test[name] for name in test if name != "openssl"}
        members |= {name: base64.b64encode(encoded(test[name])).decode() for name in ("certificate", "issuer", "response")}
        return json.dumps(members, ensure_ascii=False)

    if not arguments.check:
        PATH.parent.mkdir(exist_ok=True)
    written = document({"version": 1, "generator": "Tests/Corpora/OCSPCorpus/generate.py"}, "ocspCases", map(line, tests))
    if differs(PATH, written, arguments.check):
        print(f"{PATH}: differs from what generate.py writes", file=sys.stderr)
        status = 1
    print(f"{PATH.name}: {len(tests)} cases, {len(written):,} bytes")
    return status


if __name__ == "__main__":
    sys.exit(main())
