"""Tests libPureAttestC.so: c_abi.py LIBRARY VECTORS [EXTRA_VECTORS]. A failed check raises an exception. The last line of output counts the checks."""

import base64
import ctypes
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time

from c_library import VERIFIED, ReceiptResult, Result, Verifier, library, span

MALFORMED_ARGUMENT = 254
# The reason codes of `PureAttestError.Reason` and `X509Error.Reason`.
INPUT_TOO_LARGE, NONCE_MISMATCH, KEY_ID_MISMATCH, APP_ID_MISMATCH, ENVIRONMENT_MISMATCH = 1, 21, 23, 24, 27
INVALID_SIGNATURE, COUNTER_NOT_INCREASED, CHALLENGE_MISMATCH, CATEGORY_NOT_ALLOWED = 33, 34, 36, 38
MALFORMED_KEY_RECORD, INVALID_PUBLIC_KEY = 6, 8
MALFORMED_CBOR, CERTIFICATE_EXPIRED = 9, 18 | 24 << 8
TIME_MISSING, SYSTEM_VERSION_NOT_ALLOWED, SYSTEM_BUILD_NOT_ALLOWED, PRERELEASE_NOT_ALLOWED = 57, 58, 59, 60
ATTESTATION_TOO_OLD, KEY_TOO_OLD, COUNTER_STEP_TOO_LARGE, BUILD_NOT_ALLOWED = 61, 62, 63, 64


def equal(found, expected, what):
    assert found == expected, f"{what}: found {found}, expected {expected}"


def check_file(path):
    """Verifies one device's objects; returns the number of valid attestations, assertions and receipts."""
    file = json.loads(path.read_text())
    name, decode = file["name"], base64.b64decode
    attestation, key_id, client_data_hash = (decode(file[key]) for key in ("attestation", "keyID", "clientDataHash"))
    moment, expect = file["verifyAt"], file["expect"]
    verifier = Verifier(file["appID"], file["environment"])

    code, result = verifier.attestation(attestation, key_id, client_data_hash, moment)
    equal(code, VERIFIED, name)
    record = result.record
    equal(record[34:99], decode(expect["publicKeyX963"]), name)
    category = expect.get("validationCategory")
    # In Apple's sample, the ED flag is clear, so its launch information is unverified.
    believed = result.validation_category >= 0
    sent = result.validation_category if believed else result.unverified_validation_category
    equal(sent, -1 if category is None else category, name)
    version = result.text("bundle_version" if believed else "unverified_bundle_version")
    equal(version, expect.get("bundleVersion"), name)
    equal(result.text("os_version"), expect.get("osVersion"), name)
    equal(result.text("platform"), "iphoneos" if name.startswith("apple-guide") else None, name)
    receipt = attestation[result.receipt_offset : result.receipt_offset + result.receipt_count]

    other_environment = {"production": "development", "development": "production"}[file["environment"]]
    refusals = [
        (NONCE_MISMATCH, verifier, (attestation, key_id, b"other", moment)),
        (KEY_ID_MISMATCH, verifier, (attestation, bytes(32), client_data_hash, moment)),
        (MALFORMED_CBOR, verifier, (attestation[:-1], key_id, client_data_hash, moment)),
        (CERTIFICATE_EXPIRED, verifier, (attestation, key_id, client_data_hash, expect["leafNotAfter"] + 1)),
        (INPUT_TOO_LARGE, verifier, (bytes(65_537), key_id, client_data_hash, moment)),
        (APP_ID_MISMATCH, Verifier("other", file["environment"]), (attestation, key_id, client_data_hash, moment)),
        (ENVIRONMENT_MISMATCH, Verifier(file["appID"], other_environment), (attestation, key_id, client_data_hash, moment)),
    ]
    for expected, by, arguments in refusals:
        equal(by.attestation(*arguments)[0], expected, f"{name}, rejection {expected}")
    strict = Verifier(file["appID"], file["environment"])
    library.pure_attest_verifier_accept_missing(strict.handle, 0)
    expected = VERIFIED if believed else CATEGORY_NOT_ALLOWED
    equal(strict.attestation(attestation, key_id, client_data_hash, moment)[0], expected, name)
    library.pure_attest_verifier_believe_forgeable(strict.handle, 1)
    expected = CATEGORY_NOT_ALLOWED if category is None else VERIFIED
    equal(strict.attestation(attestation, key_id, client_data_hash, moment)[0], expected, name)

    check_policies(file, (attestation, key_id, client_data_hash, moment), record)
    check_import(record, file)

    receipts = 0
    for item in file["receipts"]:
        code, _ = verifier.receipt(decode(item["receipt"]) if item["receipt"] else receipt, record, item["verifyAt"])
        equal(code == VERIFIED, item.get("verifies", True), f"{name}, receipt")
        receipts += code == VERIFIED
    for item in file["assertions"]:
        assertion, client_data = decode(item["assertion"]), decode(item["clientData"])
        code, result = verifier.assertion(assertion, client_data, record)
        equal((code, result.counter), (VERIFIED, item["counter"]), name)
        equal(verifier.assertion(assertion, client_data, record, client_data)[0], VERIFIED, name)
        equal(verifier.assertion(assertion, client_data, record, b"other")[0], CHALLENGE_MISMATCH, name)
        equal(verifier.assertion(assertion, b"other", record)[0], INVALID_SIGNATURE, name)
        equal(verifier.assertion(assertion, client_data, result.record)[0], COUNTER_NOT_INCREASED, name)
        check_multiples(verifier, (assertion, client_data), record, name)
    return 1, len(file["assertions"]), receipts


def multiples(public_key):
    """Returns x ‖ y of 2⁶⁴·Q, 2¹²⁸·Q and 2¹⁹²·Q, by the textbook formula for 2·Q."""
    p = 2**256 - 2**224 + 2**192 + 2**96 - 1
    x, y = int.from_bytes(public_key[1:33], "big"), int.from_bytes(public_key[33:], "big")
    encoded = b""
    for doublings in range(1, 193):
        slope = (3 * x * x - 3) * pow(2 * y, -1, p)
        x, y = (slope * slope - 2 * x) % p, (slope * (3 * x - slope * slope) - y) % p
        if doublings % 64 == 0:
            encoded += x.to_bytes(32, "big") + y.to_bytes(32, "big")
    return encoded


def check_multiples(verifier, assertion, record, name):
    """Checks that the library keeps a key record's precomputed public-key multiples, and rejects multiples that are not on the curve."""
    field = bytes([6, 192]) + multiples(record[34:99])
    code, result = verifier.assertion(*assertion, b"\2" + record[1:] + field)
    equal((code, result.record[-194:], len(result.record)), (VERIFIED, field, len(record) + 194), f"{name}, multiples")
    for index in (2, 65, 193):
        damaged = bytearray(field)
        damaged[index] ^= 1
        code, _ = verifier.assertion(*assertion, b"\2" + record[1:] + bytes(damaged))
        equal(code, MALFORMED_KEY_RECORD, f"{name}, multiples with byte {index} changed")


def check_policies(file, attestation, record):
    """Checks that each policy accepts or rejects this device as expected."""
    name, device = file["name"], 0
    version = [int(number) for number in file["expect"]["osVersion"].split(".")] + [0, 0]
    later = version[:2] + [version[2] + 1]
    is_sample = name.startswith("apple-guide")
    leaf_made = file["expect"]["leafNotBefore"] + 86_400
    build, other = bytes(range(32)), "2X123"
    cases = [
        (VERIFIED, [("require_system", device, *version[:3])]),
        (VERIFIED, [("require_system", 1, 99, 0, 0)]),
        (SYSTEM_VERSION_NOT_ALLOWED, [("require_system", device, *later)]),
        (SYSTEM_VERSION_NOT_ALLOWED, [("require_system", device, *later), ("accept_unknown_systems", 1)]),
        (SYSTEM_BUILD_NOT_ALLOWED, [("accept_system_build", *span(other.encode()))]),
        (PRERELEASE_NOT_ALLOWED if is_sample else VERIFIED, [("accept_prereleases", 0)]),
        (VERIFIED, [("limit_attestation_age", max(attestation[3] - leaf_made, 0))]),
        (VERIFIED, [("accept_build", *span(build))]),
        (BUILD_NOT_ALLOWED if file["expect"].get("validationCategory") is not None else CATEGORY_NOT_ALLOWED,
         [("accept_build", *span(build)), ("accept_missing", 0), ("believe_forgeable", 1)]),
        # These policies apply to a single app. The verifier uses the second app, which is added for devices, because
        # the certificate names a device or no platform.
        (SYSTEM_VERSION_NOT_ALLOWED, [("select_app", 1), ("require_system", device, *later)]),
        (VERIFIED, [("select_app", 0), ("require_system", device, *later)]),
        (VERIFIED, [("select_app", 1), ("select_app", -1), ("require_system", device, *later)]),
        (SYSTEM_VERSION_NOT_ALLOWED, [("require_system", device, *later), ("select_app", 1), ("limit_key_age", 5)]),
    ]
    if attestation[3] > leaf_made:
        cases.append((ATTESTATION_TOO_OLD, [("limit_attestation_age", attestation[3] - leaf_made - 1)]))
    for expected, calls in cases:
        verifier = Verifier(file["appID"], file["environment"])
        for call in calls:
            equal(verifier.set(*call), VERIFIED, f"{name}, {call[0]}")
        code, result = verifier.attestation(*attestation)
        equal(code, expected, f"{name}, {[call[0] for call in calls]}")
        if code == VERIFIED:
            # The genuine objects of this test contain no build hash.
            for field in ("code_directory_hash", "unverified_launch_code_directory_hash", "unverified_code_directory_hash"):
                equal((getattr(result, field).count, getattr(result, field).type), (-1, 0), f"{name}, {field}")

    for item in file["assertions"]:
        assertion, client_data = base64.b64decode(item["assertion"]), base64.b64decode(item["clientData"])
        moment = attestation[3]
        for expected, call, at in [
            (VERIFIED, ("limit_key_age", 60), moment + 60),
            (KEY_TOO_OLD, ("limit_key_age", 60), moment + 61),
            (TIME_MISSING, ("limit_key_age", 60), 0),
            (TIME_MISSING, ("limit_key_age", 60), -1),
            (VERIFIED, ("limit_key_age", -1), 0),
            (VERIFIED, ("limit_counter_step", item["counter"]), 0),
            (COUNTER_STEP_TOO_LARGE, ("limit_counter_step", item["counter"] - 1), 0),
        ]:
            verifier = Verifier(file["appID"], file["environment"])
            equal(verifier.set(*call), VERIFIED, call[0])
            equal(verifier.assertion(assertion, client_data, record, moment=at)[0], expected, f"{name}, {call}")


def check_arguments():
    digest = (ctypes.c_uint8 * 32)()
    for message in (b"", b"abc", bytes(100_000)):
        equal(library.pure_attest_sha256(*span(message), digest), VERIFIED, "SHA-256")
        equal(bytes(digest), hashlib.sha256(message).digest(), "SHA-256")
    equal(library.pure_attest_sha256(None, 1, digest), MALFORMED_ARGUMENT, "null")
    equal(library.pure_attest_sha256(b"abc", -1, digest), MALFORMED_ARGUMENT, "negative count")
    equal(library.pure_attest_sha256(b"abc", 1 << 30, digest), INPUT_TOO_LARGE, "count beyond the limit")
    equal(library.pure_attest_sha256(b"abc", 3, None), MALFORMED_ARGUMENT, "no room for the result")
    equal(library.pure_attest_verifier_create(3), None, "environment 3")
    verifier = Verifier("app", "production")
    for name, values in [
        ("accept_build", span(bytes(31))), ("accept_build", span(b"")), ("accept_build", (None, 32)),
        ("accept_truncated_builds", (2,)), ("accept_missing", (-1,)), ("believe_forgeable", (2,)),
        ("require_system", (2, 27, 0, 0)), ("require_system", (0, 65_536, 0, 0)), ("require_system", (0, 27, -1, 0)),
        ("require_system", (0, 27, 0, 65_536)), ("accept_system_build", span(b"")), ("accept_system_build", span(bytes(33))),
        ("accept_system_build", span(b"24B9\n")), ("accept_prereleases", (2,)), ("accept_unknown_systems", (-1,)),
        ("limit_attestation_age", (-2,)), ("limit_key_age", (-2,)), ("limit_counter_step", (-2,)), ("select_app", (2,)),
        ("select_app", (-2,)),
    ]:
        equal(verifier.set(name, *values), MALFORMED_ARGUMENT, f"{name} of {values}")


# For each curve: the order, and the base point (SP 800-186 §3.2.1), which is the public key for the private key 1.
CURVES = [
    (library.pure_attest_verify_p256, hashlib.sha256,
     0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551,
     "6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296"
     "4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5"),
    (library.pure_attest_verify_p384, hashlib.sha384,
     0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFC7634D81F4372DDF581A0DB248B0A77AECEC196ACCC52973,
     "AA87CA22BE8B05378EB1C71EF320AD746E1D3B628BA79B9859F741E082542A385502F25DBF55296C3A545E3872760AB7"
     "3617DE4A96262C6F5D9E98BF9292DC29F8F41DBD289A147CE9DA3113B5F0B8C00A60B1CE1D7E819D7A431D7C90EA0E5F"),
]


def signature_of(digest, order, point):
    """Signs with the private key 1 and the nonce 1: r is the base point's x and s is e + r (FIPS 186-5 §6.4.1)."""
    r = int.from_bytes(point[: len(point) // 2], "big") % order
    parts = b""
    for number in (r, (int.from_bytes(digest, "big") + r) % order):
        content = number.to_bytes(number.bit_length() // 8 + 1, "big")
        parts += bytes([2, len(content)]) + content
    return bytes([0x30, len(parts)]) + parts


def check_message_bound():
    """Checks the documented bound of 16 MiB: each function with a message argument accepts this length, and rejects one byte more."""
    bound = 1 << 24
    header = (pathlib.Path(__file__).parent.parent / "include/pure_attest.h").read_text()
    for name in ("verify_attestation", "verify_assertion", "verify_p256", "verify_p384", "sha256", "verifier_add_app"):
        comment = re.search(rf"((?:///.*\n)+)int32_t pure_attest_{name}\(", header)[1].replace("\n/// ", " ")
        equal("16 MiB" in comment, True, f"the documented bound of {name}")
    verifier = Verifier("app", "production")
    digest = (ctypes.c_uint8 * 32)()
    for count, fits in ((bound, True), (bound + 1, False)):
        message = bytes(count)
        for verify, hashed, order, point in CURVES:
            point = bytes.fromhex(point)
            signature = signature_of(hashed(message).digest(), order, point)
            equal(verify(*span(b"\4" + point), *span(signature), *span(message)), int(fits), f"{verify.__name__}, {count}")
            equal(verify(*span(b"\4" + point), *span(signature), *span(message[1:] + b"1")), 0, "another message")
        equal(library.pure_attest_sha256(*span(message), digest), VERIFIED if fits else INPUT_TOO_LARGE, f"SHA-256 of {count}")
        # A message within the bound passes the size check, so a different argument causes the rejection.
        for refused in (
            verifier.assertion(b"", message, b"")[0], verifier.assertion(b"", b"", b"", challenge=message)[0],
            verifier.attestation(b"", b"", message, 0)[0], verifier.set("add_app", *span(message), 2),
        ):
            equal(refused == INPUT_TOO_LARGE, not fits, f"{count} bytes")


def check_null_and_unknown():
    """Checks that null verifiers, null results and undefined option bits are rejected, without access to the null pointers."""
    null, result, block = ctypes.c_void_p(None), Result(), span(b"12345678")
    calls = [
        ("add_app", *block, 0), ("set_counter_policy", 1), ("set_clock_skew", 5), ("select_app", -1), ("accept_category", 4),
        ("accept_version", *block), ("require_version", *block), ("accept_build", *span(bytes(32))), ("accept_truncated_builds", 1),
        ("accept_missing", 0), ("believe_forgeable", 1), ("require_system", 0, 27, 0, 0), ("accept_system_build", *block),
        ("accept_prereleases", 1), ("accept_unknown_systems", 1), ("limit_attestation_age", 5), ("limit_key_age", 5),
        ("limit_counter_step", 5),
    ]
    for name, *values in calls:
        equal(getattr(library, f"pure_attest_verifier_{name}")(null, *values), MALFORMED_ARGUMENT, f"{name}, null verifier")
    moment, three = ctypes.c_int64(5), block * 3
    attest, check, receipt = (
        getattr(library, f"pure_attest_verify_{name}") for name in ("attestation", "assertion", "receipt"))
    equal(attest(null, *three, 0, moment, ctypes.byref(result)), MALFORMED_ARGUMENT, "attestation, null verifier")
    equal(check(null, *three, *block, moment, ctypes.byref(result)), MALFORMED_ARGUMENT, "assertion, null verifier")
    equal(receipt(null, *block, *block, moment, 5, ctypes.byref(ReceiptResult())), MALFORMED_ARGUMENT, "receipt, null verifier")
    library.pure_attest_verifier_destroy(null)
    verifier = Verifier("app", "production")
    for options in (4, 7, 8, 1 << 30, -1):
        equal(attest(verifier.handle, *three, options, moment, ctypes.byref(result)), MALFORMED_ARGUMENT, f"options {options}")
    for options in range(4):
        assert attest(verifier.handle, *three, options, moment, ctypes.byref(result)) != MALFORMED_ARGUMENT
    equal(attest(verifier.handle, *three, 0, moment, None), MALFORMED_ARGUMENT, "no room for the result")
    equal(verifier.attestation(b"", bytes(33), b"x", 5)[0], INPUT_TOO_LARGE, "a key identifier of 33 bytes")
    equal(verifier.assertion(b"", b"", bytes(1025))[0], INPUT_TOO_LARGE, "a record of 1,025 bytes")


def check_self_test(path):
    """Checks that the self-test passes, and that it fails with one wrong bit in SHA-256's constants (FIPS 180-4 §4.2.2)."""
    equal(library.pure_attest_self_test(), 0, "self-test")
    image = bytearray(pathlib.Path(path).read_bytes())
    constants = b"".join(number.to_bytes(4, "little") for number in (0x428A2F98, 0x71374491, 0xB5C0FBCF, 0xE9B5DBA5))
    places = [place for place in range(0, len(image) - 16, 4) if image[place : place + 16] == constants]
    assert places, "the library must contain SHA-256's constants"
    for place in places:
        image[place + 5] ^= 0x10
    with tempfile.TemporaryDirectory() as folder:
        damaged = pathlib.Path(folder) / "damaged.so"
        damaged.write_bytes(image)
        equal(ctypes.CDLL(str(damaged)).pure_attest_self_test(), 2, "self-test of a damaged library")


def check_import(record, file):
    """Checks that importing a key creates the same record from each encoding of the key."""
    point = record[34:99]
    spki = bytes.fromhex("3059301306072a8648ce3d020106082a8648ce3d030107034200") + point
    environment = {"production": 1, "development": 2}[file["environment"]]

    def imported(key, counter, at=environment, room=True):
        result = (ctypes.c_uint8 * 1028)()
        code = library.pure_attest_import_key(
            *span(key), *span(file["appID"].encode()), at, ctypes.c_uint32(counter), result if room else None)
        return code, bytes(result[4 : 4 + int.from_bytes(bytes(result[:4]), "little")])

    for counter in (0, 5, 62, 63, 4_294_967_295):
        window = min((2 << min(counter, 63)) - 1, 2**64 - 1)
        expected = b"\1" + record[1:99] + counter.to_bytes(4, "big") + window.to_bytes(8, "big")
        for key in (point, point[1:], spki):
            equal(imported(key, counter), (VERIFIED, expected), f"import of {len(key)} bytes")
    damaged = point[:-1] + bytes([point[-1] ^ 1])
    for key in (damaged, damaged[1:], spki[:-1], spki[1:], b"\2" + point[1:33], bytes(65), b""):
        equal(imported(key, 0)[0], INVALID_PUBLIC_KEY, "import of an invalid key")
    equal(imported(bytes(257), 0)[0], INPUT_TOO_LARGE, "import of 257 bytes")
    equal(imported(point, 0, at=3)[0], MALFORMED_ARGUMENT, "environment 3")
    equal(imported(point, 0, room=False)[0], MALFORMED_ARGUMENT, "no room for the record")


def check_threads(path):
    """Makes the first calls of a process from 16 threads, each with its own verifier. The calls run concurrently, because ctypes releases Python's lock."""
    file = json.loads(path.read_text())
    arguments = [base64.b64decode(file[key]) for key in ("attestation", "keyID", "clientDataHash")] + [file["verifyAt"]]
    start, found = threading.Barrier(16), []

    def verify():
        start.wait()
        verifier = Verifier(file["appID"], file["environment"])
        for _ in range(3):
            code, result = verifier.attestation(*arguments)
            refused, _ = verifier.attestation(arguments[0], arguments[1], b"other", arguments[3])
            found.append((code, refused, result.record))

    threads = [threading.Thread(target=verify) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    equal(len(found), 48, "calls from threads")
    equal({item[:2] for item in found}, {(VERIFIED, NONCE_MISMATCH)}, "calls from threads")
    equal(len({item[2] for item in found}), 1, "records from threads")


def main():
    if sys.argv[2] == "--threads":
        check_threads(pathlib.Path(sys.argv[3]))
        return
    vectors = pathlib.Path(sys.argv[2]) / "app-attest"
    extra = pathlib.Path(sys.argv[3]) / "app-attest" if len(sys.argv) > 3 else None
    check_arguments()
    check_message_bound()
    check_null_and_unknown()
    check_self_test(sys.argv[1])
    paths = sorted(vectors.glob("*.json"))
    if extra and extra.is_dir():
        paths += sorted(path for path in extra.glob("*.json") if path.name not in {known.name for known in paths})
    else:
        print("Not run: all genuine objects but one; set PUREATTEST_EXTRA_VECTORS to run them.")
    counts = [sum(column) for column in zip(*map(check_file, paths))]
    if extra and extra.is_dir():
        equal(counts, [8, 3, 14], "genuine objects")

    # Starts a new process each time, so that the one-time setup of the first call runs again.
    for _ in range(10):
        subprocess.run([sys.executable, __file__, sys.argv[1], "--threads", paths[0]], check=True)

    file = json.loads(paths[0].read_text())
    verifier = Verifier(file["appID"], file["environment"])
    arguments = [base64.b64decode(file[key]) for key in ("attestation", "keyID", "clientDataHash")] + [file["verifyAt"]]
    start, rounds = time.process_time(), 200
    for _ in range(rounds):
        equal(verifier.attestation(*arguments)[0], VERIFIED, "repeated")
    rate = rounds / (time.process_time() - start)
    print(f"{counts[0]} genuine attestations, {counts[1]} assertions, {counts[2]} receipts verified from Python, and their "
          f"changes rejected, in 10 processes with 16 concurrent threads; {rate:.0f} attestations/s")


main()
