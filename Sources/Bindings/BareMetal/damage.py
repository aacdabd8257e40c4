#!/usr/bin/env python3
"""Copies an image and flips one bit in a constant of the verifier. The image's self-test must detect the wrong bit.

    damage.py {--list | PLACE IMAGE FILE}

`--list` prints each PLACE and the part of the self-test that detects the wrong bit. The script reads the
numbers of the constant in its Swift file. The image must contain these numbers exactly once. Exit status: 0 on success,
1 if the image does not contain the numbers exactly once, 2 for wrong usage.
"""
import pathlib
import re
import struct
import sys

SOURCES = pathlib.Path(__file__).resolve().parents[2]
# For each PLACE: the file, the text before the list of numbers, the format of one number, and the self-test part that must fail.
PLACES = {
    "P-256-table": ("PureECDSA/Generated/P256GeneratorTable.swift", "part0: InlineArray<64, UInt64> = [", "<Q", "generatorTableP256"),
    "SHA-256": ("PureSHA2/SHA256State.swift", "roundConstants: InlineArray<64, UInt32> = [", "<I", "signatureP256"),
    "P-384-table": ("PureECDSA/Generated/P384GeneratorTable.swift", "part0: InlineArray<96, UInt64> = [", "<Q", "generatorTableP384"),
    "SHA-384": ("PureSHA2/SHA512State.swift", "roundConstants: InlineArray<80, UInt64> = [", "<Q", "appleCertificates"),
    "certificate": ("PureAttest/AppleRoots.swift", "appAttestationCA1: [UInt8] = [", "<B", "appleCertificates"),
}


def constant(path, declaration, form):
    source = (SOURCES / path).read_text()
    start = source.index(declaration) + len(declaration)
    numbers = re.findall(r"0x([0-9a-f_]+)", source[start:re.compile(r"[\])]\n").search(source, start).start()])
    return b"".join(struct.pack(form, int(number.replace("_", ""), 16)) for number in numbers)


def main():
    if sys.argv[1:] == ["--list"]:
        for place, (*_, part) in PLACES.items():
            print(place, part)
        return 0
    if len(sys.argv) != 4 or sys.argv[1] not in PLACES:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    place, (path, declaration, form, _) = sys.argv[1], PLACES[sys.argv[1]]
    image, bytes_of_it = bytearray(pathlib.Path(sys.argv[2]).read_bytes()), constant(path, declaration, form)
    if image.count(bytes_of_it) != 1:
        print(f"damage.py: the image must contain {place} once, but contains it {image.count(bytes_of_it)} times", file=sys.stderr)
        return 1
    # The bit is near the end of the constant, so that a test of only the first numbers would miss it.
    image[image.index(bytes_of_it) + len(bytes_of_it) * 7 // 8] ^= 0x10
    pathlib.Path(sys.argv[3]).write_bytes(image)
    return 0


if __name__ == "__main__":
    sys.exit(main())
