"""Verifies App Store data, independently of PureAppStore.

The oracle is simple and slow on purpose. `cryptography` parses X.509 and checks ECDSA. This file, chain.py and
strict_encodings.py implement every other rule. Order of the checks:

1. the JWS has three segments in strict Base64url;
2. the header is an object: alg is "ES256", x5c has three certificates, and crit, b64, jku, jwk and x5u are absent;
3. the payload is an object with the members that its kind requires, and the signature is 64 bytes long;
4. the third certificate has the same subject and key as a trusted root;
5. the chain is correct: Apple's marker extensions, CA flags, names, keys, keyUsage, certificate signatures;
6. leaf and intermediate are valid at the signing time, or at the current time if the case requires that;
7. the signature over "header.payload" is valid;
8. the bundle ID, the app's Apple ID (Production only) and the environment match the server's;
9. the signing time is not in the future;
10. each JWS inside a notification passes the same checks.

The oracle does not check revocation. It checks the type of a member only if one of these checks reads the member.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any

from chain import check_chain, check_validity
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from strict_encodings import Rejected, decode_base64, decode_base64url, parse_object

FORBIDDEN_HEADER_MEMBERS = ("crit", "b64", "jku", "jwk", "x5u")
# The maximum number of seconds by which the signing time may be in the future.
CLOCK_SKEW = 300
# The required members of each kind of payload. If several names form a tuple, at least one of them is required.
REQUIRED: dict[str, list[str | tuple[str, ...]]] = {
    "transaction": ["transactionId", "originalTransactionId", "bundleId", "productId",
                    "purchaseDate", "signedDate", "environment"],
    "renewalInfo": ["originalTransactionId", "signedDate", "environment",
                    ("autoRenewStatus", "autoRenewProductId")],
    "appTransaction": ["receiptType", "bundleId", "receiptCreationDate"],
    "notification": ["notificationType", "notificationUUID", "signedDate"],
}
NOTIFICATION_PARTS = ("data", "summary", "externalPurchaseToken", "appData")
INNER = {"signedTransactionInfo": "transaction", "signedRenewalInfo": "renewalInfo",
         "signedAppTransactionInfo": "appTransaction"}


@dataclasses.dataclass(frozen=True)
class Verifier:
    roots: list[bytes]
    bundle_id: str
    app_apple_id: int | None
    environment: str
    now: int
    uses_current_time: bool = False

    def verify(self, jws: bytes, kind: str) -> dict[str, Any]:
        """Returns the payload of one compact JWS, or raises Rejected."""
        segments = jws.split(b".")
        if len(segments) != 3:
            raise Rejected("segments")
        header, body, mac = (
            decode_base64url(part, f"{name}-base64url") for name, part
            in zip(("header", "payload", "signature"), segments, strict=True))
        ders = certificates(header)
        payload = parse_object(body, "payload")
        check_members(payload, kind)
        if len(mac) != 64:
            raise Rejected("signature-length")
        chain = check_chain(ders, self.roots)
        signed = signing_time(payload, kind)
        check_validity(chain, self.now if self.uses_current_time else signed)
        key = chain[0].public_key()
        assert isinstance(key, ec.EllipticCurvePublicKey)
        signature = encode_dss_signature(
            int.from_bytes(mac[:32], "big"), int.from_bytes(mac[32:], "big"))
        try:
            key.verify(signature, segments[0] + b"." + segments[1],
                       ec.ECDSA(hashes.SHA256()))
        except InvalidSignature:
            raise Rejected("signature") from None
        self.check_identity(payload, kind)
        if signed > self.now + CLOCK_SKEW:
            raise Rejected("signed-in-future")
        if kind == "notification":
            self.check_inner(notification_part(payload)[1])
        return payload

    def check_identity(self, payload: dict[str, Any], kind: str) -> None:
        """Compares the payload's app and environment with the server's."""
        source, stated = payload, payload.get(
            "receiptType" if kind == "appTransaction" else "environment")
        if kind == "notification":
            name, source = notification_part(payload)
            stated = source.get("environment")
            if name == "externalPurchaseToken":
                token = source.get("externalPurchaseId")
                sandbox = isinstance(token, str) and token.startswith("SANDBOX")
                stated = "Sandbox" if sandbox else "Production"
        # Renewal information has no bundle ID.
        if kind != "renewalInfo" and source.get("bundleId") != self.bundle_id:
            raise Rejected("bundle-id")
        if kind in ("notification", "appTransaction") and stated == "Production":
            found = source.get("appAppleId")
            if isinstance(found, bool) or found != self.app_apple_id:
                raise Rejected("app-apple-id")
        if stated != self.environment:
            raise Rejected("environment")

    def check_inner(self, part: dict[str, Any]) -> None:
        """Verifies each JWS inside a notification."""
        for name, kind in INNER.items():
            text = part.get(name)
            if text is None:
                continue
            if not isinstance(text, str):
                raise Rejected(f"{name}-type")
            try:
                self.verify(text.encode(), kind)
            except Rejected as rejection:
                # Apple has issued notifications with a signed `null` as renewal information, so `null` is accepted.
                if kind == "renewalInfo" and str(rejection) == "payload-not-object":
                    continue
                raise Rejected(f"{name}: {rejection}") from None


def certificates(data: bytes) -> list[bytes]:
    """Checks the header. Returns the three certificates of x5c as DER."""
    header = parse_object(data, "header")
    if header.get("alg") != "ES256":
        raise Rejected("alg")
    for name in FORBIDDEN_HEADER_MEMBERS:
        if name in header:
            raise Rejected(f"header-member-{name}")
    x5c = header.get("x5c")
    if not isinstance(x5c, list) or len(x5c) != 3:
        raise Rejected("x5c-count")
    chain = []
    for entry in x5c:
        if not isinstance(entry, str):
            raise Rejected("x5c-type")
        chain.append(decode_base64(entry, "x5c-base64"))
    return chain


def check_members(payload: dict[str, Any], kind: str) -> None:
    for names in REQUIRED[kind]:
        names = (names,) if isinstance(names, str) else names
        if all(payload.get(name) is None for name in names):
            raise Rejected(f"member-{names[0]}")
    if kind == "notification":
        notification_part(payload)


def notification_part(payload: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Returns (name, value) of the notification's part. A notification must contain exactly one member of
    NOTIFICATION_PARTS.
    """
    parts = [(name, payload[name]) for name in NOTIFICATION_PARTS
             if payload.get(name) is not None]
    if len(parts) != 1 or not isinstance(parts[0][1], dict):
        raise Rejected("notification-part")
    return parts[0]


def signing_time(payload: dict[str, Any], kind: str) -> int:
    """Returns the signing time in seconds since 1970."""
    name = "receiptCreationDate" if kind == "appTransaction" else "signedDate"
    value: Any = payload.get(name)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return math.trunc(value) // 1000
    raise Rejected("signed-date-type")
