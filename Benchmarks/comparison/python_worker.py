"""The peers that Python reaches, with the protocol of the Swift worker: a line `NAME SECONDS` is answered with a line of JSON.

`--list` prints the names, `--versions` what answers to them; a package that is missing is left out of both. What Python itself
costs, a fraction of a microsecond a call, is part of the result.
"""
import json
import os
import sys
import time


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


def versions():
    found = {}
    try:
        import cryptography
        from cryptography.hazmat.backends.openssl import backend
        found["cryptography"] = f"{cryptography.__version__}, {' '.join(backend.openssl_version_text().split()[:2])}"
    except ImportError:
        pass
    try:
        import awscrt
        found["awscrt"] = f"awscrt {awscrt.__version__}"
    except ImportError:
        pass
    return found


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
        operations |= cryptography_operations()
    if "awscrt" in found:
        operations |= awscrt_operations()
    if sys.argv[1:] == ["--list"]:
        print("\n".join(operations))
        return
    for line in sys.stdin:
        name, seconds = line.split()
        print(json.dumps(measure(operations[name], float(seconds))), flush=True)


main()
