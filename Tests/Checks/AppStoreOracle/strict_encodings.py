"""Decodes Base64 and JSON by the strict rules of RFC 4648 and RFC 7493."""

from __future__ import annotations

import json
import math
from typing import Any

COMMON = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
BASE64URL_VALUES = {ord(c): i for i, c in enumerate(COMMON + "-_")}
BASE64_VALUES = {ord(c): i for i, c in enumerate(COMMON + "+/")}


class Rejected(Exception):
    """The data violates a rule, which the message names."""


def decode_sextets(text: bytes, values: dict[int, int], reason: str) -> bytes:
    """Decodes unpadded Base64 in the alphabet `values`. The unused bits of the last character must be zero."""
    if len(text) % 4 == 1:
        raise Rejected(reason)
    out = bytearray()
    buffer = bits = 0
    for byte in text:
        value = values.get(byte)
        if value is None:
            raise Rejected(reason)
        buffer = (buffer << 6) | value
        bits += 6
        if bits >= 8:
            bits -= 8
            out.append(buffer >> bits)
            buffer &= (1 << bits) - 1
    if buffer:
        raise Rejected(reason)
    return bytes(out)


def decode_base64url(text: bytes, reason: str) -> bytes:
    """Decodes Base64url without padding (RFC 7515 section 2)."""
    return decode_sextets(text, BASE64URL_VALUES, reason)


def decode_base64(text: str, reason: str) -> bytes:
    """Decodes standard Base64 with padding (RFC 4648 section 4)."""
    try:
        raw = text.encode("ascii")
    except UnicodeEncodeError:
        raise Rejected(reason) from None
    if not raw or len(raw) % 4:
        raise Rejected(reason)
    padding = 2 if raw.endswith(b"==") else 1 if raw.endswith(b"=") else 0
    return decode_sextets(raw[:len(raw) - padding], BASE64_VALUES, reason)


def unique_members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Builds a JSON object. Rejects two members with the same name."""
    members: dict[str, Any] = {}
    for name, value in pairs:
        if name in members:
            raise ValueError("duplicate member")
        members[name] = value
    return members


class NumberTooLarge(Exception):
    """A JSON number is too large for a double."""


def finite_number(text: str) -> float:
    """Parses a number with a fraction or an exponent. Rejects a number that is too large for a double."""
    value = float(text)
    if not math.isfinite(value):
        raise NumberTooLarge
    return value


def no_constant(_: str) -> None:
    """Rejects NaN, Infinity and -Infinity, which are not JSON."""
    raise ValueError("not a JSON value")


def parse_object(data: bytes, what: str) -> dict[str, Any]:
    """Parses UTF-8 JSON whose outermost value is an object."""
    try:
        value = json.loads(
            data.decode("utf-8", "strict"), object_pairs_hook=unique_members,
            parse_constant=no_constant, parse_float=finite_number)
        # Rejects unpaired surrogates, which cannot be encoded as UTF-8.
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except NumberTooLarge:
        raise Rejected(f"{what}-number-range") from None
    except (ValueError, RecursionError) as error:
        duplicate = "duplicate member" in str(error)
        reason = "duplicate-member" if duplicate else "not-json"
        raise Rejected(f"{what}-{reason}") from None
    if not isinstance(value, dict):
        raise Rejected(f"{what}-not-object")
    return value
