"""The C interface in Python. The program's first argument names the library."""

import ctypes
import pathlib
import sys

VERIFIED = 0


class Build(ctypes.Structure):
    """pure_attest_build."""

    _fields_ = [
        ("count", ctypes.c_int32),
        ("bytes", ctypes.c_uint8 * 64),
        ("type", ctypes.c_uint8),
        ("reserved", ctypes.c_uint8 * 3),
    ]


class Result(ctypes.Structure):
    """pure_attest_result."""

    _fields_ = [
        ("validation_category", ctypes.c_int64),
        ("app", ctypes.c_int32),
        ("counter", ctypes.c_uint32),
        ("receipt_offset", ctypes.c_int32),
        ("receipt_count", ctypes.c_int32),
        ("bundle_version_count", ctypes.c_int32),
        ("bundle_version", ctypes.c_uint8 * 64),
        ("os_version_count", ctypes.c_int32),
        ("os_version", ctypes.c_uint8 * 32),
        ("unverified_validation_category", ctypes.c_int64),
        ("unverified_bundle_version_count", ctypes.c_int32),
        ("unverified_bundle_version", ctypes.c_uint8 * 64),
        ("platform_count", ctypes.c_int32),
        ("platform", ctypes.c_uint8 * 32),
        ("build_count", ctypes.c_int32),
        ("build", ctypes.c_uint8 * 32),
        ("release_type_count", ctypes.c_int32),
        ("release_type", ctypes.c_uint8 * 32),
        ("code_directory_hash", Build),
        ("unverified_launch_code_directory_hash", Build),
        ("unverified_code_directory_hash", Build),
        ("key_record_count", ctypes.c_int32),
        ("key_record", ctypes.c_uint8 * 1024),
        ("reserved", ctypes.c_uint8 * 4),
    ]

    def text(self, name):
        count = getattr(self, name + "_count")
        return None if count < 0 else bytes(getattr(self, name)[:count]).decode()

    @property
    def record(self):
        return bytes(self.key_record[: self.key_record_count])


class ReceiptResult(ctypes.Structure):
    """pure_attest_receipt_result."""

    _fields_ = [(name, ctypes.c_int64) for name in ("creation", "not_before", "expiration", "risk_metric", "kind")]


assert ctypes.sizeof(Result) == 1560 and ctypes.sizeof(ReceiptResult) == 40

library = ctypes.CDLL(str(pathlib.Path(sys.argv[1]).resolve()))
library.pure_attest_verifier_create.restype = ctypes.c_void_p


def span(data):
    """Returns the bytes as two arguments: a pointer and a count."""
    return ctypes.c_char_p(bytes(data)), ctypes.c_int32(len(data))


class Verifier:
    def __init__(self, app_id, environment):
        handle = library.pure_attest_verifier_create({"production": 1, "development": 2}[environment])
        assert handle
        self.handle = ctypes.c_void_p(handle)
        # Accept the app on both platforms; the certificate says which platform applies.
        for platform in (1, 0):
            assert library.pure_attest_verifier_add_app(self.handle, *span(app_id.encode()), platform) == VERIFIED

    def __del__(self):
        library.pure_attest_verifier_destroy(self.handle)

    def set(self, name, *values):
        return getattr(library, f"pure_attest_verifier_{name}")(self.handle, *values)

    def attestation(self, attestation, key_id, client_data_hash, moment, options=1):
        result = Result()
        code = library.pure_attest_verify_attestation(
            self.handle, *span(attestation), *span(key_id), *span(client_data_hash), options, ctypes.c_int64(moment),
            ctypes.byref(result))
        return code, result

    def assertion(self, assertion, client_data, record, challenge=None, moment=0):
        result = Result()
        expected = span(challenge) if challenge is not None else (None, ctypes.c_int32(-1))
        code = library.pure_attest_verify_assertion(
            self.handle, *span(assertion), *span(client_data), *expected, *span(record), ctypes.c_int64(moment),
            ctypes.byref(result))
        return code, result

    def receipt(self, receipt, record, moment, maximum_age=-1):
        result = ReceiptResult()
        code = library.pure_attest_verify_receipt(
            self.handle, *span(receipt), *span(record), ctypes.c_int64(moment), maximum_age, ctypes.byref(result))
        return code, result
