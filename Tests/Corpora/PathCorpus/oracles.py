"""Compares the cases' verdicts with the verdicts of OpenSSL and Python's cryptography."""

import base64
import datetime
import ipaddress
import pathlib
import subprocess
import tempfile
import warnings

from cryptography import __version__ as cryptography_version
from cryptography import x509
from cryptography.x509 import verification

from chains import SECONDS, pem

warnings.simplefilter("ignore")


def decoded(items):
    return [base64.b64decode(item) for item in items]


def openssl(test, folder):
    """Returns (whether `openssl verify` accepts the path, its message)."""
    def write(name, label, items):
        path = pathlib.Path(folder) / name
        path.write_text("".join(pem(label, item) for item in items))
        return str(path)

    command = ["openssl", "verify", "-attime", str(SECONDS), "-policy_check",
               "-CAfile", write("root", "CERTIFICATE", decoded(test["trusted_certs"]))]
    if test["untrusted_intermediates"]:
        command += ["-untrusted", write("untrusted", "CERTIFICATE", decoded(test["untrusted_intermediates"]))]
    for policy in test.get("user_initial_policy_set", ["2.5.29.32.0"]):
        command += ["-policy", policy]
    for member, option in [("initial_explicit_policy", "-explicit_policy"), ("initial_policy_mapping_inhibit", "-inhibit_map"),
                           ("initial_any_policy_inhibit", "-inhibit_any")]:
        if test.get(member):
            command.append(option)
    if test.get("crls"):
        command += ["-crl_check_all", "-extended_crl", "-CRLfile", write("lists", "X509 CRL", decoded(test["crls"]))]
    peer = test.get("expected_peer_name")
    if peer:
        command += ["-verify_hostname" if peer["kind"] == "DNS" else "-verify_ip", peer["value"]]
    command.append(write("leaf", "CERTIFICATE", decoded([test["peer_certificate"]])))
    result = subprocess.run([part.encode() for part in command], capture_output=True)
    return result.returncode == 0, result.stderr.decode(errors="replace").strip().replace("\n", " | ")[-200:]


def cryptography(test):
    """Returns (whether cryptography accepts the path, or None if it does not support the inputs; its message)."""
    peer = test.get("expected_peer_name")
    inputs = ("user_initial_policy_set", "initial_explicit_policy", "initial_policy_mapping_inhibit", "initial_any_policy_inhibit", "crls",
              "key_usage", "extended_key_usage", "max_chain_depth")
    if any(test.get(name) for name in inputs):
        return None, ""
    try:
        store = verification.Store([x509.load_der_x509_certificate(c) for c in decoded(test["trusted_certs"])])
        # Omits the checks that RFC 5280 does not require for every path.
        allowed = verification.ExtensionPolicy.permit_all()
        authority = allowed.require_present(x509.BasicConstraints, verification.Criticality.AGNOSTIC, None)
        builder = verification.PolicyBuilder().store(store).time(datetime.datetime.fromtimestamp(SECONDS, datetime.timezone.utc)
                                                                 .replace(tzinfo=None))
        leaf_policy = allowed.require_present(x509.SubjectAlternativeName, verification.Criticality.AGNOSTIC, None) if peer else allowed
        builder = builder.extension_policies(ca_policy=authority, ee_policy=leaf_policy)
        intermediates = [x509.load_der_x509_certificate(c) for c in decoded(test["untrusted_intermediates"])]
        leaf = x509.load_der_x509_certificate(decoded([test["peer_certificate"]])[0])
        if peer:
            name = x509.DNSName(peer["value"]) if peer["kind"] == "DNS" else x509.IPAddress(ipaddress.ip_address(peer["value"]))
            builder.build_server_verifier(name).verify(leaf, intermediates)
        else:
            builder.build_client_verifier().verify(leaf, intermediates)
        return True, ""
    except Exception as error:
        return False, str(error)[:200]


def disagreements(made):
    """Yields a line for each verdict that differs without a reason, and for each unused reason."""
    needed = {}
    with tempfile.TemporaryDirectory() as folder:
        for test, reasons in made:
            expected = test["expected_result"] == "SUCCESS"
            verdicts = {}
            # An empty reason means that the validator does not support the inputs.
            if reasons["openssl"] != "":
                verdicts["openssl"] = openssl(test, folder)
            if test["id"].startswith(("path::server", "path::nc-dns", "path::building", "path::length")):
                verdicts["cryptography"] = cryptography(test)
            for who, (verdict, text) in verdicts.items():
                reason = reasons[who]
                if verdict is None:
                    continue
                if reason:
                    needed[who, reason] = needed.get((who, reason), False) or verdict != expected
                elif verdict != expected:
                    yield f"{test['id']}: {who} {'accepts' if verdict else 'rejects'} it, and the case gives no reason. {text}"
    for (who, reason), is_needed in needed.items():
        # Version 49 of cryptography fixes CVE-2026-34073.
        is_fixed = who == "cryptography" and "CVE-2026-34073" in reason and int(cryptography_version.split(".")[0]) >= 49
        if not is_needed and not is_fixed:
            yield f"stale reason for {who}; remove it: {reason}"
