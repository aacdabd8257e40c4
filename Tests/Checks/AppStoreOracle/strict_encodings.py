"""Decodes Base64 and JSON by the strict rules of RFC 4648 and RFC 7493."""

from __future__ import annotations

import base64
import json
import math
from typing import Any


class Rejected(Exception):
    """The data violates a rule, which the message names."""


def decode_base64url(text: bytes, reason: str) -> bytes:
    """Decodes Base64url without padding (RFC 7515 section 2).

    Python accepts other characters and nonzero unused bits. Therefore the text must equal the encoding of its result.
    """
    try:
        data = base64.urlsafe_b64decode(text + b"=" * (-len(text) % 4))
    except ValueError:
        raise Rejected(reason) from None
    if base64.urlsafe_b64encode(data).rstrip(b"=") != text:
        raise Rejected(reason)
    return data


def decode_base64(text: str, reason: str) -> bytes:
    """Decodes standard Base64 with padding (RFC 4648 section 4), which must not be empty."""
    try:
        data = base64.b64decode(text)
    except ValueError:
        raise Rejected(reason) from None
    if not data or base64.b64encode(data).decode() != text:
        raise Rejected(reason)
    return data


def unique_members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Builds a JSON object. Rejects two members with the same name."""
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("duplicate member")
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
