#!/usr/bin/env python3
"""Compares `pure-attest cdhash` with an independent implementation, on genuine signed files.

    swift build --product pure-attest
    python3 Tests/Checks/Interoperability/check_cdhash.py .build/debug/pure-attest

Downloads 26 MB of Python wheels for macOS from PyPI, each pinned to its SHA-256. Reads the code directories, page hashes and blob hashes of every Mach-O file
in the wheels, with `struct` and `hashlib`. With --wheels FOLDER, keeps the wheels in this folder and reuses them.

Then signs one executable as an app with Info.plist and resources. `pure-attest cdhash` reads this app from folders and from .ipa files in several forms. It
must return the expected values for the unchanged app. It must reject each copy with a changed or missing file, and each damaged archive.

Fails if a download fails, or if the number of compared files is below the required minimum.
"""

import argparse
import hashlib
import io
import json
import pathlib
import plistlib
import struct
import subprocess
import sys
import tempfile
import zipfile
import zlib

# Name: (pip's platform, SHA-256). The comment above each wheel states the case that the wheel covers.
WHEELS = {
    # Many files, some signed by the linker and some by codesign.
    "numpy==1.26.4": ("macosx_11_0_arm64", "edd8b5fe47dab091176d21bb6de568acdd906d1887a4584a15a9a96a1dca06ef"),
    # Fat files with two signed architectures.
    "pyzmq==26.2.0": ("macosx_10_15_universal2", "8f7e66c7113c684c2b3f1c83cdd3376103ee0ce4c49ff80a648643e57fb22218"),
    # SHA-1 and SHA-256 code directories.
    "shapely==2.0.1": ("macosx_10_9_x86_64", "7d3bbeefd8a6a1a1017265d2d36f8ff2d79d0162d8c141aa0d37a87063525656"),
    # Signed by a team, with the hardened runtime.
    "ruff==0.17.6": ("macosx_11_0_arm64", "9fbddc08577592e283c265d865e0182de6e33db185494db7b06290d989d888e5"),
    # A fat executable with one unsigned architecture.
    "ninja==1.13.2": ("macosx_10_9_universal2", "fd82e26c0706ad4ab88e5fdd26f3fab0a987a90f810160f6c322e752c6af298b"),
}
# Minimum counts. The second line is for the apps that this script signs.
MINIMUM = {
    "files": 33, "signed": 36, "unsigned": 1, "fat": 4, "two directories": 5, "teams": 1, "executables": 2,
    "apps": 10, "damaged": 18,
}

NAMES = {(0x0100000C, 0): "arm64", (0x0100000C, 2): "arm64e", (0x01000007, 3): "x86_64"}
HASHES = {
    1: ("SHA-1", lambda data: hashlib.sha1(data).digest()),
    2: ("SHA-256", lambda data: hashlib.sha256(data).digest()),
    3: ("SHA-256 truncated to 20 bytes", lambda data: hashlib.sha256(data).digest()[:20]),
    4: ("SHA-384", lambda data: hashlib.sha384(data).digest()),
}
FLAGS = {0x2: "adhoc", 0x100: "hard", 0x200: "kill", 0x10000: "runtime", 0x20000: "linker-signed"}
EMPTY_REQUIREMENTS = struct.pack(">III", 0xFADE0C01, 12, 0)


def slices(data):
    """Returns the Mach-O images in a file. A fat (universal) file contains several images."""
    if data[:4] != b"\xca\xfe\xba\xbe":
        return [data]
    count, = struct.unpack_from(">I", data, 4)
    entries = [struct.unpack_from(">5I", data, 8 + 20 * index) for index in range(count)]
    return [data[offset:offset + size] for _, _, offset, size, _ in sorted(entries, key=lambda entry: entry[2])]


def is_macho(data):
    thin = data[:4] in (b"\xcf\xfa\xed\xfe", b"\xce\xfa\xed\xfe")
    return thin or data[:4] == b"\xca\xfe\xba\xbe" and int.from_bytes(data[4:8], "big") < 43


def commands(macho):
    """Returns the CPU, the file type, and the offsets of load commands by command number. Files are 64-bit little-endian."""
    magic, cpu, subtype, kind, count, _, _, _ = struct.unpack_from("<8I", macho)
    assert magic == 0xFEEDFACF
    found, offset = {}, 32
    for _ in range(count):
        command, size = struct.unpack_from("<II", macho, offset)
        found.setdefault(command, []).append(offset)
        offset += size
    return (cpu, subtype & 0xFFFFFF), kind, found


def cut(data, offset):
    """Returns the blob at `offset`, with its header."""
    _, size = struct.unpack_from(">II", data, offset)
    assert offset + size <= len(data)
    return data[offset:offset + size]


def zero_terminated(data, offset):
    return data[offset:data.index(b"\0", offset)].decode()


def directory(blob, macho, blobs):
    """Returns a code directory's values, after checking the hashes of its pages and embedded blobs."""
    magic, size, version, flags, hashes, identifier, special, pages, limit = struct.unpack_from(">9I", blob)
    hash_size, hash_type, platform, shift = struct.unpack_from("4B", blob, 36)
    assert (magic, size) == (0xFADE0C02, len(blob))
    name, function = HASHES[hash_type]
    team = struct.unpack_from(">I", blob, 48)[0] if version >= 0x20200 else 0
    size = 1 << shift
    for page in range(pages):
        expected = blob[hashes + page * hash_size:hashes + (page + 1) * hash_size]
        assert function(macho[page * size:min((page + 1) * size, limit)]) == expected, f"page {page}"
    assert (pages - 1) * size < limit <= pages * size
    present = {}
    for slot in range(1, special + 1):
        expected = blob[hashes - slot * hash_size:hashes - (slot - 1) * hash_size]
        if any(expected):
            present[-slot] = slot in blobs
            assert slot not in blobs or function(blobs[slot]) == expected, f"slot {slot}"
    assert {-slot for slot in blobs if 0 < slot < 0x1000} <= set(present)
    sha256 = hashlib.sha256(blob).hexdigest()
    names = [text for bit, text in FLAGS.items() if flags & bit]
    assert sum(bit for bit in FLAGS if flags & bit) == flags, hex(flags)
    return hash_type, {
        "codeDirectoryHash": sha256, "truncatedHash": function(blob)[:20].hex(), "hashType": name, "version": hex(version), "flags": names,
        "identifier": zero_terminated(blob, identifier), "teamIdentifier": zero_terminated(blob, team) if team else None,
        "platformIdentifier": platform, "codeLimit": limit, "pageSize": size, "pageCount": pages,
        "specialSlots": {str(slot): checked for slot, checked in present.items()},
    }


def read(macho):
    """Returns the values that the tool must print for one architecture. For an unsigned architecture, the only value is its name."""
    cpu, kind, found = commands(macho)
    result = {"architecture": NAMES[cpu]}
    if 0x1D not in found:
        return result
    start, size = struct.unpack_from("<II", macho, found[0x1D][0] + 8)
    signature = macho[start:start + size]
    magic, _, count = struct.unpack_from(">III", signature)
    assert magic == 0xFADE0CC0
    index = dict(struct.unpack_from(">II", signature, 12 + 8 * entry) for entry in range(count))
    assert len(index) == count
    blobs = {slot: cut(signature, offset) for slot, offset in index.items()}
    directories = [directory(blobs[slot], macho, blobs) for slot in sorted(blobs) if slot == 0 or 0x1000 <= slot < 0x1005]
    # Selects the strongest hash type. Truncated SHA-256 (type 3) is weaker than SHA-256 (type 2).
    best = max(directories, key=lambda item: (1, 3, 2, 4)[item[0] - 1])[1]
    return result | best | {
        "hashTypes": [item[1]["hashType"] for item in directories], "isExecutable": kind == 2, "reason": None, "isEncrypted": False,
    }


class Check:
    def __init__(self, tool):
        self.tool = tool
        self.counts = dict.fromkeys(MINIMUM, 0)
        self.failures = []

    def run(self, path, *options):
        result = subprocess.run([self.tool, "cdhash", *options, path], capture_output=True, text=True)
        return result.returncode, result.stdout, result.stderr

    def fail(self, name, what):
        self.failures.append(f"{name}: {what}")

    def compare(self, name, path, expected):
        """Compares the tool's answer for one path with `expected`, the result of `read` for each architecture."""
        status, output, errors = self.run(path, "--json")
        try:
            found = json.loads(output)
        except ValueError:
            return self.fail(name, f"status {status}: {errors.strip()}")
        if len(found["architectures"]) != len(expected):
            return self.fail(name, "wrong number of architectures")
        for item, wanted in zip(found["architectures"], expected):
            if "codeDirectoryHash" not in wanted:
                self.counts["unsigned"] += 1
                if item["codeDirectoryHash"] is not None or "not signed" not in item["reason"]:
                    self.fail(name, f"expected unsigned, found {item}")
                continue
            self.counts["signed"] += 1
            self.counts["two directories"] += len(wanted["hashTypes"]) == 2
            self.counts["teams"] += wanted["teamIdentifier"] is not None
            item = item | {"specialSlots": {str(slot["slot"]): slot["isChecked"] for slot in item.get("specialSlots", [])}}
            for key, value in wanted.items():
                if item.get(key) != value:
                    self.fail(name, f"{key} is {item.get(key)}, expected {value}")
        signed = [item for item in expected if "codeDirectoryHash" in item]
        if (status == 0) != (len(signed) == len(expected)) or (errors == "") != (status == 0):
            self.fail(name, f"status {status} with standard error: {errors.strip()}")
        # The text output has one line for each architecture.
        _, text, _ = self.run(path)
        wanted = [[item["architecture"], item["codeDirectoryHash"], item["identifier"]] for item in signed]
        if [line.split()[:3] for line in text.splitlines()] != wanted:
            self.fail(name, f"wrong text output: {text}")

    def refuse(self, name, path, status):
        self.counts["damaged"] += 1
        found, output, errors = self.run(path)
        if (found, output, len(errors.splitlines())) != (status, "", 1):
            self.fail(name, f"status {found}, expected {status}: {(output + errors)[:300]}")


def download(folder):
    for requirement, (platform, digest) in WHEELS.items():
        if any(hashlib.sha256(path.read_bytes()).hexdigest() == digest for path in folder.glob("*.whl")):
            continue
        listed = folder / "requirements.txt"
        listed.write_text(f"{requirement} --hash=sha256:{digest}\n")
        subprocess.run(
            [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
             "--only-binary=:all:", "--require-hashes", "--platform", platform, "--python-version", "311", "--dest", folder,
             "--requirement", listed],
            check=True)


def check_wheels(check, wheels, folder):
    """Compares the tool's answer for every Mach-O file of the wheels. Returns the executables among these files."""
    executables = []
    digests = {digest for _, digest in WHEELS.values()}
    for wheel in sorted(wheels.glob("*.whl")):
        if hashlib.sha256(wheel.read_bytes()).hexdigest() not in digests:
            continue
        with zipfile.ZipFile(wheel) as archive:
            for name in archive.namelist():
                data = archive.read(name)
                if not is_macho(data):
                    continue
                path = folder / "file"
                path.write_bytes(data)
                parts = slices(data)
                expected = [read(part) for part in parts]
                check.counts["files"] += 1
                check.counts["fat"] += len(parts) > 1
                check.compare(f"{wheel.name}: {name}", path, expected)
                if any(item.get("isExecutable") for item in expected):
                    check.counts["executables"] += 1
                    executables.append(parts[-1])
    return executables


def sign(macho, info, resources, directories):
    """Signs a Mach-O file as an app, and returns the signed file. `directories` lists the hash types of the code directories."""
    _, _, found = commands(macho)
    command, = found[0x1D]
    start, _ = struct.unpack_from("<II", macho, command + 8)
    entitlements = b'<?xml version="1.0"?><plist version="1.0"><dict/></plist>'
    blobs = {
        2: EMPTY_REQUIREMENTS,
        5: struct.pack(">II", 0xFADE7171, 8 + len(entitlements)) + entitlements,
        7: struct.pack(">II", 0xFADE7172, 12) + b"\x70\x02\x02\x01",
        0x10000: struct.pack(">II", 0xFADE0B01, 8),
    }
    texts = b"com.example.demo\0TEAM123456\0"

    def build(code):
        all_blobs = dict(blobs)
        for index, kind in enumerate(directories):
            function = HASHES[kind][1]
            size, pages = len(function(b"")), -(-start // 16384)
            hashes = 88 + len(texts) + 7 * size
            head = struct.pack(
                ">9I4B4IQ3Q", 0xFADE0C02, hashes + pages * size, 0x20400, 0x10000, hashes, 88, 7, pages, start, size, kind, 0, 14,
                0, 0, 88 + 17, 0, 0, 0, start, 1)
            special = [blobs[7], None, blobs[5], None, resources, EMPTY_REQUIREMENTS, info]
            body = b"".join(bytes(size) if content is None else function(content) for content in special)
            body += b"".join(function(code[page * 16384:(page + 1) * 16384]) for page in range(pages))
            all_blobs[0 if index == 0 else 0xFFF + index] = head + texts + body
        table, content, offset = b"", b"", 12 + 8 * len(all_blobs)
        for slot, blob in sorted(all_blobs.items()):
            table += struct.pack(">II", slot, offset + len(content))
            content += blob
        return struct.pack(">III", 0xFADE0CC0, offset + len(content), len(all_blobs)) + table + content

    code = bytearray(macho[:start])
    struct.pack_into("<I", code, command + 12, len(build(code)))
    return bytes(code) + build(code)


def write_folder(root, files):
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return root


def write_ipa(path, files, method):
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr("Payload/", b"")
        for name, content in files.items():
            archive.writestr(f"Payload/Demo.app/{name}", content)
    return path


def app_files(macho, is_mac=False, is_binary=False, directories=(2,)):
    form = plistlib.FMT_BINARY if is_binary else plistlib.FMT_XML
    info = plistlib.dumps(
        {"CFBundleExecutable": "Demo", "CFBundleIdentifier": "com.example.demo", "CFBundleVersion": "42", "Others": [1, 2.5, b"x"]},
        fmt=form)
    resources = plistlib.dumps({"files2": {}})
    signed = sign(macho, info, resources, directories)
    contents, executables = ("Contents/", "Contents/MacOS/") if is_mac else ("", "")
    files = {
        f"{contents}Info.plist": info, f"{contents}_CodeSignature/CodeResources": resources, f"{contents}Assets.car": bytes(70000),
        f"{executables}Demo": signed,
    }
    wanted = read(signed)
    wanted["specialSlots"] |= {"-1": True, "-3": True}
    return files, [wanted]


def check_apps(check, macho, folder):
    def changed(files, name, offset=None):
        content = bytearray(files[name])
        content[len(content) // 2 if offset is None else offset] ^= 1
        return files | {name: bytes(content)}

    number = 0
    for is_mac in (False, True):
        for directories in ((2,), (1, 2), (3, 4), (1, 3)):
            files, wanted = app_files(macho, is_mac, directories != (2,), directories)
            number += 1
            check.counts["apps"] += 1
            check.compare(
                f"app {number}", write_folder(folder / f"{number}.app", files), wanted)
    files, wanted = app_files(macho)
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        check.counts["apps"] += 1
        check.compare(f"ipa {method}", write_ipa(folder / f"{method}.ipa", files, method), wanted)

    for name in ("Demo", "Info.plist", "_CodeSignature/CodeResources"):
        # Offset 20 is in the XML declaration of the property list. The offset None selects the middle byte, which is in a page of the executable.
        offset = 20 if name != "Demo" else None
        broken = changed(files, name, offset)
        check.refuse(f"changed {name}", write_folder(folder / f"changed-{name.split('/')[-1]}.app", broken), 1)
        check.refuse(f"changed {name}, ipa", write_ipa(folder / "changed.ipa", broken, zipfile.ZIP_DEFLATED), 1)
        missing = {other: content for other, content in files.items() if other != name}
        status = 1 if name == "_CodeSignature/CodeResources" else 2
        check.refuse(f"without {name}", write_folder(folder / f"without-{name.split('/')[-1]}.app", missing), status)
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        whole = write_ipa(folder / "whole.ipa", files, method).read_bytes()
        with zipfile.ZipFile(io.BytesIO(whole)) as archive:
            entry = archive.getinfo("Payload/Demo.app/Demo")
        damaged = bytearray(whole)
        damaged[entry.header_offset + entry.compress_size // 2] ^= 1
        path = folder / "damaged.ipa"
        path.write_bytes(damaged)
        check.refuse(f"damaged ipa {method}", path, 2)
        for size in (len(whole) - 1, len(whole) // 2, 3):
            path.write_bytes(whole[:size])
            check.refuse(f"ipa {method} cut to {size}", path, 2)
    stream = zlib.compress(files["Demo"])
    path = folder / "stream"
    path.write_bytes(stream)
    check.refuse("no Mach-O file", path, 2)


def main():
    parser = argparse.ArgumentParser(description="Compare pure-attest cdhash with an independent computation.")
    parser.add_argument("tool", type=pathlib.Path, help="the executable pure-attest")
    parser.add_argument("--wheels", type=pathlib.Path, help="folder for the wheels (a temporary one)")
    options = parser.parse_args()
    check = Check(options.tool.resolve())
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        wheels = options.wheels or folder / "wheels"
        wheels.mkdir(parents=True, exist_ok=True)
        try:
            download(wheels)
        except subprocess.CalledProcessError as error:
            print(f"cannot download a wheel, so nothing was compared: pip exited with status {error.returncode}", file=sys.stderr)
            return 1
        executables = check_wheels(check, wheels, folder)
        if executables:
            # Uses the smallest executable, because the script writes the app about thirty times.
            check_apps(check, min(executables, key=len), folder)
    print(", ".join(f"{count} {what}" for what, count in check.counts.items()))
    check.failures += [f"only {check.counts[what]} {what}" for what, least in MINIMUM.items() if check.counts[what] < least]
    for failure in check.failures:
        print(failure, file=sys.stderr)
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
