"""Mutates the parts of attestations and assertions, and verification times, for end_to_end.py."""

import cbor2

import elements

LAUNCH = [
    ("apple_validation_category_01", [b"\4\0\0\0", b"\1\0\0\0", b"\0\0\0\4", b"\4\0\0", b"\4\0\0\0\0", 4, 0, 2**32 - 1, 2**32, -1, "4", None]),
    ("validationCategory", [b"\4\0\0\0", 4]),
    ("apple_bundle_version_01", ["1", "1.2.3", "", "x" * 255, "é", b"1", 1]),
    ("bundleVersion", ["1"]),
    ("apple_cd_hash_hash_01", [bytes(32), bytes(20), bytes(31), bytes(33), b"", "text"]),
    ("apple_cd_hash_type_01", [b"\2", b"\1", b"", b"\2\2", 2]),
    ("unknown", [1, "x", [1], {"a": 1}, True]),
    (1, [1]),
]


def launch_map(rng):
    """Returns the CBOR encoding of a map with random extensions, which may be invalid."""
    found = {name: rng.choice(values) for name, values in LAUNCH if rng.randrange(3) == 0}
    if rng.randrange(2):
        found |= {"apple_validation_category_01": b"\4\0\0\0", "apple_bundle_version_01": "1.0"}
    return cbor2.dumps(found)


def changed_data(data, size, rng):
    """Returns mutated authenticator data. `size` is the number of bytes before the extensions."""
    match rng.randrange(6):
        case 0:
            return elements.flip(data, rng)
        case 1:
            return data[:32] + bytes([rng.choice([0, 0x40, 0x80, 0xC0, 0xC1, 0xFF, 0x45])]) + data[33:]
        case 2:
            return data[:33] + rng.choice([0, 1, 70, 71, 72, 2**31, 2**32 - 1]).to_bytes(4, "big") + data[37:]
        case 3:
            return data[:rng.randrange(len(data) + 1)] + rng.choice([b"", b"\0", b"\xa0", rng.randbytes(3)])
        case _:
            flags = rng.choice([data[32:33], b"\xC0", b"\xC0", b"\x40"])
            return data[:32] + flags + data[33:size] + launch_map(rng)


def changed_object(item, rng):
    """Mutates the structure of an object, and returns the CBOR encoding."""
    item = dict(item)
    match rng.randrange(8):
        case 0:
            names = list(item)
            rng.shuffle(names)
            item = {name: item[name] for name in names}
        case 1:
            item.pop(rng.choice(list(item)))
        case 2:
            item[rng.choice(["extra", "Fmt", "cdHash"])] = rng.choice([1, {"hash": bytes(20), "type": b"\2"}, {"hash": bytes(32), "type": b"\2"}, {}])
        case 3:
            item[rng.choice(list(item))] = rng.choice([b"", "apple-appattest", 1, [], {}, None, True])
        case 4 if "attStmt" in item:
            statement = dict(item["attStmt"])
            chain = statement["x5c"]
            statement["x5c"] = rng.choice([chain[:1], chain[::-1], chain + chain[1:], [], chain + [chain[0]], chain[1:], [chain[0] + b"\0", chain[1]]])
            item["attStmt"] = statement
        case 5 if "attStmt" in item:
            item["attStmt"] = {**item["attStmt"], rng.choice(["receipt", "x", "alg", "x5c"]): rng.choice([b"", b"x", "", 0, []])}
        case 6:
            # Adds a duplicate key, or encodes the map with a longer head.
            whole = cbor2.dumps(item)
            if rng.randrange(2):
                return bytes([whole[0] + 1]) + whole[1:] + cbor2.dumps(next(iter(item))) + cbor2.dumps(next(iter(item.values())))
            return bytes([0xB8, whole[0] & 0x1F]) + whole[1:]
        case _:
            return elements.flip(cbor2.dumps(item), rng)
    return cbor2.dumps(item)


def other_time(time, rng):
    day = 86_400
    return time + rng.choice([1, -1, 299, 300, 301, day, -day, 3 * day, 400 * day, -400 * day, 20 * 365 * day, -20 * 365 * day])
