#!/usr/bin/env python3
"""Packs the objects that an image verifies. Each object is written as a length in four big-endian bytes, then its bytes.

    objects.py {full|assertion} {genuine|damaged} FILE

`full` packs Apple's published attestation (Vectors/app-attest/apple-guide-2026.json), then an assertion; `assertion`
packs only the assertion. If PUREATTEST_EXTRA_VECTORS names a directory with a genuine assertion, the script packs this
assertion. Otherwise the script signs an assertion itself, which requires `cryptography` and `cbor2`. `damaged` flips one
bit in the signed bytes of each object. Prints the origin of the assertion. Exit status: 0 on success, 2 for wrong usage.
"""
import base64
import hashlib
import json
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]


def attestation():
    o = json.loads((ROOT / "Vectors/app-attest/apple-guide-2026.json").read_text())
    decoded = [base64.b64decode(o[k]) for k in ("attestation", "keyID", "clientDataHash")]
    return [o["appID"].encode(), *decoded, o["verifyAt"].to_bytes(8, "big")]


def genuine_assertion(directory):
    o = json.loads((pathlib.Path(directory) / "app-attest/veehaitch-ios-14.4.json").read_text())
    a = o["assertions"][0]
    environment = {"production": 1, "development": 2}[o["environment"]]
    decoded = [base64.b64decode(x) for x in (o["expect"]["publicKeyX963"], a["clientData"], a["assertion"])]
    return [o["appID"].encode(), bytes([environment]), *decoded]


def made_assertion():
    import cbor2
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    app, client_data = b"1234567890.com.example.myapp", b"a challenge"
    key = ec.derive_private_key(0xC9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721, ec.SECP256R1())
    data = hashlib.sha256(app).digest() + b"\x40" + (1).to_bytes(4, "big")
    nonce = hashlib.sha256(data + hashlib.sha256(client_data).digest()).digest()
    signature = key.sign(nonce, ec.ECDSA(hashes.SHA256()))
    public = key.public_key().public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
    return [app, b"\x01", public, client_data, cbor2.dumps({"signature": signature, "authenticatorData": data})]


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in ("full", "assertion") or sys.argv[2] not in ("genuine", "damaged"):
        print(__doc__.strip(), file=sys.stderr)
        sys.exit(2)
    extra = os.environ.get("PUREATTEST_EXTRA_VECTORS")
    assertion = genuine_assertion(extra) if extra else made_assertion()
    objects = (attestation() if sys.argv[1] == "full" else []) + assertion
    if sys.argv[2] == "damaged":
        damaged = len(objects) - 2  # the assertion's client data
        objects[damaged] = bytes([objects[damaged][0] ^ 1]) + objects[damaged][1:]
        if sys.argv[1] == "full":
            objects[3] = bytes([objects[3][0] ^ 1]) + objects[3][1:]
    with open(sys.argv[3], "wb") as file:
        for o in objects:
            file.write(len(o).to_bytes(4, "big") + o)
    print("genuine" if extra else "made by this script")


if __name__ == "__main__":
    main()
