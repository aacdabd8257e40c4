"""Writes the report of a comparison in Markdown."""
from .peers import PEERS

TIMING = """\
Verification here takes variable time, as signatures, messages and public keys are public. Of the peers, as their sources have
it: OpenSSL, BoringSSL and AWS-LC multiply on P-256 with the fixed windows of signing, in constant time (BoringSSL and AWS-LC
invert `s` in variable time); on P-384 OpenSSL 3.0 (`ossl_ec_wNAF_mul`), BoringSSL (`ec_GFp_mont_mul_public_batch`) and AWS-LC
(`ec_GFp_nistp384_point_mul_public`) take variable time too. swift-certificates is as BoringSSL; the newer OpenSSL in
cryptography was not looked into, nor Go, wolfSSL and mbedTLS. Hashes take constant time everywhere."""

BATCHES = """\
Peers verify one signature at a time. Rows of batches verify 64 in one call on one core, with the trait ProcessorExtensions; the
ratio is per signature. Intel's crypto_mb also verifies eight at once. Debian does not have it; a third party measured about
10.8 µs a signature on another machine (issue 4767 of commonwarexyz/monorepo).

Debian's wolfSSL stores multiples of keys that return (FP_ECC), so its figures are not for unknown keys.

Not compared: RustCrypto and libcrux (neither Debian 12 nor PyPI has them as libraries), swift-crypto 5 (not on this machine)."""

KEYS = {"unknown": "unknown", "half": "every other one with its multiples", "multiples": "each with its multiples"}


def spread(value):
    return f"**{value['median']:.2f}** ({value['minimum']:.2f} to {value['maximum']:.2f})"


def operations_table(result):
    names = [peer for peer in PEERS if peer in result["versions"]]
    lines = [
        "| operation | PureAttest, a second | × the fastest peer | which | " + " | ".join(f"× {name}" for name in names) + " |",
        "|---" * (4 + len(names)) + "|",
    ]
    for row in result["operations"]:
        fastest = row["fastestPeer"]
        cells = [row["title"], f"{row['operationsPerSecond']['PureAttest']['median']:,.0f}"]
        cells += [spread(row["ratios"][fastest]), fastest] if fastest else ["", "none present"]
        cells += [f"{row['ratios'][name]['median']:.2f}" if name in row["ratios"] else "" for name in names]
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def growth_tables(result):
    cost = {(item["what"], item["who"], item["bytes"]): item["microseconds"]["median"] for item in result["messages"]}
    lines = ["| message, bytes | SHA-256, µs | BoringSSL, µs | P-256 with the hash, µs | BoringSSL, µs |", "|---" * 5 + "|"]
    for size in sorted({key[2] for key in cost}):
        cells = [cost[what, who, size] for what in ("sha256", "p256-verify-message") for who in ("pure", "swift-crypto")]
        lines.append(f"| {size:,} | " + " | ".join(f"{cell:,.2f}" if cell < 10 else f"{cell:,.1f}" for cell in cells) + " |")
    batches = {(item["tasks"], item["assertions"]): item["microsecondsEach"]["median"] for item in result["batches"]}
    columns = {"one": "one task", "all": "many tasks", "lanes": "one task, in lanes"}
    columns = {tasks: title for tasks, title in columns.items() if any(key[0] == tasks for key in batches)}
    lines += ["", "| assertions in a batch | " + " | ".join(f"{title}, µs each" for title in columns.values()) + " |",
              "|---" * (1 + len(columns)) + "|"]
    for size in sorted({key[1] for key in batches}):
        lines.append(f"| {size:,} | " + " | ".join(f"{batches[tasks, size]:.1f}" for tasks in columns) + " |")
    keys = {(item["tasks"], item["assertions"], item["keys"]): item["microsecondsEach"]["median"]
            for item in result.get("keyBatches", [])}
    if keys:
        lines += ["", "| assertions by 64 keys | keys | one task, µs each | many tasks, µs each |", "|---|---|---|---|"]
    for size, which in dict.fromkeys(key[1:] for key in keys):
        lines.append(f"| {size:,} | {KEYS[which]} | {keys['one', size, which]:.1f} | {keys['all', size, which]:.1f} |")
    return lines


def cores_text(result):
    cores = result["cores"]
    text = f"By the clock a second core makes a batch {spread(cores['PureAttest'])} times as fast"
    if "ratio" in cores:
        text += (f", and `openssl speed -multi 2` {spread(cores['OpenSSL'])} times; the ratio of the two in a round is "
                 f"{spread(cores['ratio'])}")
    return text + "."


def markdown(result, svg=None):
    method, machine = result["method"], result["machine"]
    load = method["loadAverage"]
    lines = [
        "# PureAttest and its peers",
        "",
        f"Written by `Benchmarks/compare.py`. Measured on {method['date']} on {machine['processor']}, {machine['cores']} cores, "
        f"{machine['system']}. "
        f"{method['rounds']} {'round' if method['rounds'] == 1 else 'rounds'} of {method['secondsPerRun']} s a run, {method['secondsInAll']} s in all. The load "
        f"of the machine was {min(load)} to {max(load)}; the measurement itself contributed 1. Ratios are medians of interleaved "
        "runs in CPU time, with the lowest and the highest of all rounds.",
    ]
    if max(load) > 2:
        lines += ["", "**Other work ran on the machine at the same time**: rates are low, ratios are what to look at, and the gain of a "
                  "second core, which others had, says little."]
    lines += [""] + operations_table(result) + [""]
    for name, what in PEERS.items():
        state = result["versions"].get(name) or f"**absent** ({result['absent'].get(name, 'unknown')})"
        lines.append(f"* {name}: {state}; {what}.")
    if "PureAttest in lanes" in result["absent"]:
        lines.append(f"* PureAttest in lanes: **absent** ({result['absent']['PureAttest in lanes']}).")
    lines += ["", BATCHES, "", TIMING, ""]
    if svg:
        lines += [f"![Ratios to each peer, and how cost grows]({svg})", ""]
    lines += ["## How cost grows", "", "In CPU time, medians, SHA extensions off.", ""] + growth_tables(result)
    lines += ["", cores_text(result), ""]
    return "\n".join(lines)
