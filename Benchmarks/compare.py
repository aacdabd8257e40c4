#!/usr/bin/env python3
"""Compares PureAttest with its peers on this machine, in interleaved rounds. Prints the median and the range of the ratios.

    python3 Benchmarks/compare.py --install

Peers: OpenSSL (`openssl speed`), BoringSSL (in swift-crypto), AWS-LC (in awscrt), Python's cryptography, Go, wolfSSL
and mbedTLS. The peers for whole attestations and assertions are swift-certificates with swift-crypto, and pyattest.
The peer for transactions is Apple's App Store Server Library for Python. Its Swift version is included if
PUREATTEST_APPLE_LIBRARY names a checkout. The report lists the peers that are unavailable.
--install puts the Python packages in a virtual environment under Benchmarks/Peers/.build. Without this option, the
script uses the packages of the Python that runs it.

Each round runs PureAttest and then every peer. A ratio compares two rates of the same round, so that a drift of the
processor's clock affects both. A rate is the number of operations per second of CPU time, as in `openssl speed`, so that
other processes disturb it less. Only the speed-up by a second core is measured in elapsed time, for PureAttest and for the peers.
By default, Swift builds do not use the SHA instructions. Therefore hashes are compared twice: with the peers' SHA
instructions switched off (OPENSSL_ia32cap=:~0x20000000), and with them on. Run the script on an otherwise idle machine.

Prints a Markdown table. Requires `swift`. Exit status: 0 on success; 2 for wrong usage, or if a tool is missing or fails.
"""
import argparse
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from comparison import plot, report, runs
from comparison.peers import PeerError, Peers
from comparison.schedule import compare


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, help="number of rounds, 1 to 1000 (5)")
    parser.add_argument("--seconds", type=float, default=0.5, help="seconds of each run, 0.01 to 60 (0.5)")
    parser.add_argument("--quick", action="store_true", help="run one round of short runs, to test that everything works")
    parser.add_argument("--install", action="store_true", help="install the Python peers in a virtual environment first")
    parser.add_argument("--markdown", metavar="FILE", help="write the report to FILE instead of standard output")
    parser.add_argument("--json", metavar="FILE", help="write every sample to FILE")
    parser.add_argument("--record", action="store_true", help="also store the medians in Benchmarks/runs")
    parser.add_argument("--table", action="store_true", help="only print the Performance article's table from peers.json")
    parser.add_argument("--svg", metavar="FILE", help="write a plot to FILE")
    chosen = parser.parse_args()
    if not (1 <= chosen.rounds <= 1000 and 0.01 <= chosen.seconds <= 60):
        parser.error("--rounds must be 1 to 1000, and --seconds 0.01 to 60")
    if chosen.quick:
        chosen.rounds, chosen.seconds = 1, 0.02
    return chosen


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def main():
    chosen = arguments()
    try:
        if chosen.table:
            print(runs.table(), end="")
            return
        peers = Peers(chosen.install)
        result = compare(peers, chosen.rounds, chosen.seconds, chosen.quick)
        peers.stop()
        if chosen.json:
            write(chosen.json, json.dumps(result, indent=1, ensure_ascii=False) + "\n")
        if chosen.record:
            print(f"compare.py: stored in {os.path.relpath(runs.record(result))}", file=sys.stderr)
        if chosen.svg:
            write(chosen.svg, plot.svg(result))
        markdown = report.markdown(result, os.path.basename(chosen.svg) if chosen.svg else None)
        if chosen.markdown:
            write(chosen.markdown, markdown)
        else:
            print(markdown, end="")
    except (PeerError, OSError) as error:
        print(f"compare.py: {error}", file=sys.stderr)
        sys.exit(2)


main()
