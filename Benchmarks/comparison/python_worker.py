"""Measures the Python peers, and C libraries through ctypes. Answers each line `NAME SECONDS` with a line of JSON, like the Swift worker.

`--list` prints the names, and `--versions` prints the packages. Both omit packages that are not installed. The results
include Python's own overhead, a fraction of a microsecond for each call. The environment variable PUREATTEST_OBJECTS
contains the output of `peers --objects`.
"""
import asyncio
import base64
import contextlib
import importlib.metadata
import json
import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from comparison import c_libraries


def cryptography_operations():
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec, utils

    def verification(curve, algorithm):
        key = ec.generate_private_key(curve)
        digest = os.urandom(algorithm.digest_size)
        prehashed = ec.ECDSA(utils.Prehashed(algorithm))
        signature = key.sign(digest, prehashed)
        public = key.public_key()
        return lambda: public.verify(signature, digest, prehashed)

    def digest(algorithm):
        message = bytes(16_384)

        def run():
            state = hashes.Hash(algorithm)
            state.update(message)
            state.finalize()
        return run

    return {
        "cryptography/p256-verify": verification(ec.SECP256R1(), hashes.SHA256()),
        "cryptography/p384-verify": verification(ec.SECP384R1(), hashes.SHA384()),
        "cryptography/sha256/16384": digest(hashes.SHA256()),
        "cryptography/sha512/16384": digest(hashes.SHA512()),
    }


def awscrt_operations():
    from awscrt import crypto

    def verification(kind, size):
        key = crypto.EC.new_generate(kind)
        digest = os.urandom(size)
        signature = key.sign(digest)

        def run():
            if not key.verify(digest, signature):
                raise AssertionError("a valid signature did not verify")
        return run

    def sha256():
        state = crypto.Hash.sha256_new()
        state.update(message)
        state.digest()

    message = bytes(16_384)
    return {
        "awscrt/p256-verify": verification(crypto.ECType.P_256, 32),
        "awscrt/p384-verify": verification(crypto.ECType.P_384, 48),
        "awscrt/sha256/16384": sha256,
    }


def pyattest_operations():
    import hashlib

    from asn1crypto import pem
    from cryptography.hazmat.primitives.asymmetric import ec
    from pyattest.assertion import Assertion
    from pyattest.attestation import Attestation
    from pyattest.configs.apple import AppleConfig

    given = json.loads(os.environ["PUREATTEST_OBJECTS"])
    objects = {name: base64.b64decode(value) for name, value in given.items() if name not in ("appID", "transaction", "bundleID")}
    root = pem.armor("CERTIFICATE", objects["root"])
    config = AppleConfig(key_id=objects["keyID"], app_id=given["appID"], production=True, root_ca=root)
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), objects["publicKey"])
    loop = asyncio.new_event_loop()

    def attestation(raw=objects["attestation"]):
        loop.run_until_complete(Attestation(raw, objects["challenge"], config).verify())

    def assertion(raw=objects["assertion"]):
        Assertion(raw, hashlib.sha256(objects["clientData"]).digest(), key, config).verify()

    # Checks that pyattest really verifies: it must reject an object whose last byte is changed.
    for operation, raw in ((attestation, objects["attestation"]), (assertion, objects["assertion"])):
        changed = bytearray(raw)
        changed[-1] ^= 1
        try:
            operation(bytes(changed))
        except Exception:  # pylint: disable=broad-except
            continue
        raise AssertionError("pyattest accepted a changed object")
    return {"pyattest/attestation": attestation, "pyattest/assertion": assertion}


def app_store_operations():
    from appstoreserverlibrary.models.Environment import Environment
    from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier, VerificationException

    given = json.loads(os.environ["PUREATTEST_OBJECTS"])
    verifier = SignedDataVerifier([base64.b64decode(given["appStoreRoot"])], False, Environment.SANDBOX, given["bundleID"])
    jws = given["transaction"]

    def transaction(text=jws):
        verifier.verify_and_decode_signed_transaction(text)

    # Checks that Apple's library really verifies: it must reject a changed signature.
    try:
        transaction(jws[:-6] + ("AAAAAA" if jws[-6:] != "AAAAAA" else "BBBBBB"))
    except VerificationException:
        return {"app-store-server-library/transaction": transaction}
    raise AssertionError("app-store-server-library accepted a changed signature")


def versions():
    found = {}
    with contextlib.suppress(ImportError):
        import cryptography
        from cryptography.hazmat.backends.openssl import backend
        found["cryptography"] = f"{cryptography.__version__}, {' '.join(backend.openssl_version_text().split()[:2])}"
    with contextlib.suppress(ImportError):
        import awscrt
        found["awscrt"] = f"awscrt {awscrt.__version__}"
    with contextlib.suppress(ImportError):
        from pyattest.__version__ import __version__
        found["pyattest"] = f"pyattest {__version__}"
    with contextlib.suppress(ImportError):
        import appstoreserverlibrary  # pylint: disable=unused-import
        found["app-store-server-library"] = f"app-store-server-library {importlib.metadata.version('app-store-server-library')}"
    return found | (c_libraries.versions() if "cryptography" in found else {})


def measure(run, seconds):
    operations, chunk = 0, 1
    cpu_start, wall_start = time.process_time(), time.perf_counter()
    while True:
        for _ in range(chunk):
            run()
        operations += chunk
        cpu = time.process_time() - cpu_start
        if cpu >= seconds:
            return {"operations": operations, "cpu": cpu, "wall": time.perf_counter() - wall_start}
        chunk = max(1, min(operations, int(operations * (seconds - cpu) / max(cpu, 1e-6)) + 1))


def main():
    found = versions()
    if sys.argv[1:] == ["--versions"]:
        print(json.dumps(found))
        return
    operations = {}
    if "cryptography" in found:
        operations |= cryptography_operations() | c_libraries.operations()
    if "awscrt" in found:
        operations |= awscrt_operations()
    if "pyattest" in found and "PUREATTEST_OBJECTS" in os.environ:
        operations |= pyattest_operations()
    if "app-store-server-library" in found and "PUREATTEST_OBJECTS" in os.environ:
        operations |= app_store_operations()
    if sys.argv[1:] == ["--list"]:
        print("\n".join(operations))
        return
    for line in sys.stdin:
        name, seconds = line.split()
        print(json.dumps(measure(operations[name], float(seconds))), flush=True)


main()
