"""Schedules the measurements and evaluates the samples."""
import collections
import contextlib
import os
import platform
import statistics
import sys
import time

SHA = " with the SHA extensions off"


class Operation:
    """One row of the table: the operation of PureAttest, and the matching operation of each peer."""

    def __init__(self, title, ours, masked=False, extended=False, **peers):
        self.title, self.ours, self.masked, self.extended = title, ours, masked, extended
        self.peers = {name.replace("_", "-"): operation for name, operation in peers.items()}


def verifications(name, openssl):
    """Returns the name under which each peer measures a signature verification."""
    return {"OpenSSL": openssl, "BoringSSL": f"swift-crypto/{name}", "AWS_LC": f"awscrt/{name}",
            "cryptography": f"cryptography/{name}", "Go": f"go/{name}", "wolfSSL": f"wolfssl/{name}",
            "mbedTLS": f"mbedtls/{name}"}


P256 = verifications("p256-verify", "ecdsap256")
P384 = verifications("p384-verify", "ecdsap384")
RSA_2048, RSA_4096 = ({peer: name for peer, name in verifications(f"rsa{bits}-verify", f"rsa{bits}").items()
                       if peer not in ("AWS_LC", "cryptography")} for bits in (2048, 4096))
ASSERTION = {"swift_certificates": "swift-certificates/assertion", "pyattest": "pyattest/assertion"}
OPERATIONS = [
    Operation("P-256 verification", "pure/p256-verify", **P256),
    Operation("P-256, precomputed key", "pure/p256-verify-precomputed", **P256),
    Operation("P-256, batches of 64", "pure/p256-batch", extended=True, **P256),
    Operation("P-256, batches of 64, precomputed keys", "pure/p256-batch-precomputed", extended=True, **P256),
    Operation("P-384 verification", "pure/p384-verify", **P384),
    Operation("P-384, precomputed key", "pure/p384-verify-precomputed", **P384),
    Operation("RSA-2048 verification", "pure/rsa2048-verify", **RSA_2048),
    Operation("RSA-4096 verification", "pure/rsa4096-verify", **RSA_4096),
    Operation("SHA-256, 16 KiB" + SHA, "pure/sha256/16384", masked=True, OpenSSL="sha256/16384",
              BoringSSL="swift-crypto/sha256/16384", AWS_LC="awscrt/sha256/16384",
              cryptography="cryptography/sha256/16384"),
    Operation("SHA-256, 16 KiB", "pure/sha256/16384", OpenSSL="sha256/16384", BoringSSL="swift-crypto/sha256/16384",
              AWS_LC="awscrt/sha256/16384", cryptography="cryptography/sha256/16384"),
    Operation("SHA-512, 16 KiB", "pure/sha512/16384", OpenSSL="sha512/16384", BoringSSL="swift-crypto/sha512/16384",
              cryptography="cryptography/sha512/16384"),
    Operation("Attestation, Apple's intermediate", "pure/attestation",
              swift_certificates="swift-certificates/attestation", pyattest="pyattest/attestation"),
    Operation("Attestation, unknown intermediate", "pure/attestation-unprepared",
              swift_certificates="swift-certificates/attestation-unprepared", pyattest="pyattest/attestation"),
    Operation("Assertion", "pure/assertion", **ASSERTION),
    Operation("Assertion, returning device", "pure/assertion-multiples", **ASSERTION),
    Operation("Assertion, key with a table", "pure/assertion-table", **ASSERTION),
    Operation("Transaction, Apple's intermediate", "pure/transaction",
              app_store_server_library="app-store-server-library/transaction",
              app_store_server_library_swift="app-store-server-library-swift/transaction"),
    Operation("Assertions, batches of 64", "pure/batch/64/unknown/one", extended=True, **ASSERTION),
    Operation("Assertions, batches of 64, returning devices", "pure/batch/64/multiples/one", extended=True, **ASSERTION),
]
MESSAGE_SIZES = [16, 64, 256, 1_024, 4_096, 16_384, 65_536, 1_048_576]
BATCH_SIZES = [1, 10, 100, 1_000, 10_000, 100_000]
# Batches of assertions by many keys: the number of assertions, and which keys have precomputed multiples.
KEY_BATCHES = [(size, keys) for size in (64, 1_000) for keys in ("unknown", "half", "multiples")]


def summaries(lists):
    return {key: {"median": statistics.median(samples), "minimum": min(samples), "maximum": max(samples), "samples": samples}
            for key, samples in lists.items()}


def progress(text):
    if sys.stderr.isatty():
        print(f"\r{text:<78}", end="" if text else "\r", file=sys.stderr, flush=True)


def machine():
    model = platform.processor() or platform.machine()
    with contextlib.suppress(OSError), open("/proc/cpuinfo", encoding="utf-8") as file:
        model = next((line.split(":", 1)[1].strip() for line in file if line.startswith("model name")), model)
    return {"processor": model, "cores": os.cpu_count(), "system": f"{platform.system()} {platform.machine()}"}


def compare(peers, rounds, seconds, quick):
    start, load = time.time(), [os.getloadavg()[0]]
    rates, ratios, sizes, batches, key_batches, cores = (collections.defaultdict(list) for _ in range(6))
    batch_sizes = BATCH_SIZES[:4] if quick else BATCH_SIZES
    operations = [operation for operation in OPERATIONS if peers.extended or not operation.extended]
    for number in range(rounds):
        label = f"round {number + 1} of {rounds}:"
        for operation in operations:
            progress(f"{label} {operation.title}")
            ours = peers.ours(operation.ours, seconds, masked=operation.masked, extended=operation.extended)
            rates[operation.title, "PureAttest"].append(ours)
            for peer, name in operation.peers.items():
                if peer in peers.versions:
                    rate = peers.rate(peer, name, seconds, operation.masked)
                    rates[operation.title, peer].append(rate)
                    ratios[operation.title, peer].append(ours / rate)
        for size in MESSAGE_SIZES:
            progress(f"{label} messages of {size} bytes")
            for what in ("sha256", "p256-verify-message"):
                for who in ("pure", "swift-crypto"):
                    # Both programs run without SHA extensions, because hashing takes a larger share of the time for longer messages.
                    sizes[what, who, size].append(1e6 / peers.ours(f"{who}/{what}/{size}", seconds, masked=True))
        for size in batch_sizes:
            progress(f"{label} batches of {size}")
            for tasks in ("one", "all"):
                batches[tasks, size].append(1e6 / peers.ours(f"pure/batch/{size}/{tasks}", seconds))
            if peers.extended:
                batches["lanes", size].append(1e6 / peers.ours(f"pure/batch/{size}/one", seconds, extended=True))
        for size, keys in KEY_BATCHES:
            progress(f"{label} batches of {size}, keys: {keys}")
            for tasks in ("one", "all"):
                key_batches[tasks, size, keys].append(1e6 / peers.ours(f"pure/batch/{size}/{keys}/{tasks}", seconds))
        progress(f"{label} a second core")
        measure_cores(peers, max(seconds, 0.1 if quick else 1), quick, cores)
        load.append(os.getloadavg()[0])
    progress("")
    return {
        "machine": machine(),
        "versions": peers.versions,
        "absent": peers.absent,
        "method": {"date": time.strftime("%Y-%m-%d"), "rounds": rounds, "secondsPerRun": seconds, "secondsInAll": round(time.time() - start),
                   "loadAverage": [round(value, 1) for value in load],
                   "rates": "operations in a second of CPU time", "quick": quick},
        "operations": [row(operation, summaries(rates), summaries(ratios)) for operation in operations],
        "messages": [{"what": what, "who": who, "bytes": size, "microseconds": value}
                     for (what, who, size), value in summaries(sizes).items()],
        "batches": [{"tasks": tasks, "assertions": size, "microsecondsEach": value}
                    for (tasks, size), value in summaries(batches).items()],
        "keyBatches": [{"tasks": tasks, "assertions": size, "keys": keys, "microsecondsEach": value}
                       for (tasks, size, keys), value in summaries(key_batches).items()],
        "cores": summaries(cores),
    }


def measure_cores(peers, seconds, quick, cores):
    """Measures how much a second core speeds up verification, in elapsed time. Compares a batch in many tasks with the same
    batch in one task, and two OpenSSL processes with one."""
    from .peers import openssl_rate
    size = 1_000 if quick else 10_000
    one = peers.ours(f"pure/batch/{size}/one", seconds, clock="wall")
    gain = peers.ours(f"pure/batch/{size}/all", 2 * seconds, clock="wall") / one
    cores["PureAttest"].append(gain)
    if "OpenSSL" in peers.versions:
        alone = openssl_rate("ecdsap256", seconds, processes=1)
        theirs = openssl_rate("ecdsap256", seconds, processes=2) / alone
        cores["OpenSSL"].append(theirs)
        cores["ratio"].append(gain / theirs)


def row(operation, rates, ratios):
    compared = {peer: ratios[operation.title, peer] for peer in operation.peers if (operation.title, peer) in ratios}
    return {
        "title": operation.title,
        "operationsPerSecond": {who: value for (title, who), value in rates.items() if title == operation.title},
        "ratios": compared,
        "fastestPeer": min(compared, key=lambda peer: compared[peer]["median"]) if compared else None,
        "notCompared": [peer for peer in operation.peers if peer not in compared],
    }
