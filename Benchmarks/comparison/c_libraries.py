"""Signature verification with the system's mbedTLS and wolfSSL, through ctypes.

The Python package `cryptography` creates the keys and signatures. Each library must reject a changed digest before it is measured.
"""
import ctypes
import os

# Larger than the public key structure of either library (mbedTLS: 16 bytes; wolfSSL's RsaKey: a few thousand bytes).
STRUCTURE_BYTES = 65_536
SHA256, SHA384 = 32, 48


def mbedtls_library():
    """Returns libmbedcrypto and its version, or None."""
    try:
        library = ctypes.CDLL("libmbedcrypto.so")
    except OSError:
        return None
    text = ctypes.create_string_buffer(32)
    library.mbedtls_version_get_string(text)
    return library, f"mbedTLS {text.value.decode()}"


def wolfssl_library():
    """Returns libwolfssl and its version, or None."""
    try:
        library = ctypes.CDLL("libwolfssl.so")
    except OSError:
        return None
    library.wolfSSL_lib_version.restype = ctypes.c_char_p
    library.wc_ecc_key_new.restype = ctypes.c_void_p
    return library, f"wolfSSL {library.wolfSSL_lib_version().decode()}"


def versions():
    found = {"mbedTLS": mbedtls_library(), "wolfSSL": wolfssl_library()}
    return {name: library[1] for name, library in found.items() if library}


def keys():
    """Yields for each operation: its name, a public key, a signature of a digest, and the digest."""
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa, utils
    for name, curve, algorithm in (("p256", ec.SECP256R1(), hashes.SHA256()), ("p384", ec.SECP384R1(), hashes.SHA384())):
        key, digest = ec.generate_private_key(curve), os.urandom(algorithm.digest_size)
        yield f"{name}-verify", key.public_key(), key.sign(digest, ec.ECDSA(utils.Prehashed(algorithm))), digest
    for bits in (2048, 4096):
        key, digest = rsa.generate_private_key(65_537, bits), os.urandom(SHA256)
        yield f"rsa{bits}-verify", key.public_key(), key.sign(digest, padding.PKCS1v15(), utils.Prehashed(hashes.SHA256())), digest


def encoded(key, raw):
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
    if raw:
        return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


def require(is_true, what):
    if not is_true:
        raise AssertionError(what)


def checked(name, verify, digest):
    """Returns a function that runs `verify` once. First checks that `verify` accepts the digest and rejects a changed digest."""
    require(verify(digest) and not verify(bytes([digest[0] ^ 1]) + digest[1:]), f"{name} does not verify")

    def run():
        require(verify(digest), f"{name}: a valid signature did not verify")
    return run


def mbedtls(library, key, signature, digest):
    context = ctypes.create_string_buffer(STRUCTURE_BYTES)
    der = encoded(key, raw=False)
    library.mbedtls_pk_init(context)
    require(library.mbedtls_pk_parse_public_key(context, der, ctypes.c_size_t(len(der))) == 0, "mbedTLS rejects the key")
    algorithm = {SHA256: 6, SHA384: 7}[len(digest)]  # mbedtls_md_type_t of mbedTLS 2
    lengths = ctypes.c_size_t(len(digest)), ctypes.c_size_t(len(signature))
    return lambda digest: library.mbedtls_pk_verify(context, algorithm, digest, lengths[0], signature, lengths[1]) == 0


def wolfssl_ecdsa(library, key, signature, digest):
    structure = ctypes.c_void_p(library.wc_ecc_key_new(None))
    point, verdict = encoded(key, raw=True), ctypes.c_int()
    require(library.wc_ecc_import_x963(point, len(point), structure) == 0, "wolfSSL rejects the key")

    def verify(digest):
        verdict.value = 0
        status = library.wc_ecc_verify_hash(
            signature, len(signature), digest, len(digest), ctypes.byref(verdict), structure)
        return status == 0 and verdict.value == 1
    return verify


def wolfssl_rsa(library, key, signature, digest):
    structure = ctypes.create_string_buffer(STRUCTURE_BYTES)
    numbers = key.public_numbers()
    n, e = numbers.n.to_bytes(key.key_size // 8, "big"), numbers.e.to_bytes(3, "big")
    require(library.wc_InitRsaKey(structure, None) == 0, "wolfSSL has no RSA")
    require(library.wc_RsaPublicKeyDecodeRaw(n, len(n), e, len(e), structure) == 0, "wolfSSL rejects the key")
    # The prefix of a SHA-256 DigestInfo (RFC 8017 §9.2, note 1). wolfSSL returns the DigestInfo, and the caller compares it.
    prefix = bytes.fromhex("3031300d060960864801650304020105000420")
    output = ctypes.create_string_buffer(512)

    def verify(digest):
        length = library.wc_RsaSSL_Verify(signature, len(signature), output, len(output), structure)
        return length > 0 and output.raw[:length] == prefix + digest
    return verify


def operations():
    """Returns, by name, functions of the installed libraries that verify one signature."""
    found = {}
    libraries = mbedtls_library(), wolfssl_library()
    for name, key, signature, digest in keys():
        if libraries[0]:
            title = f"mbedtls/{name}"
            found[title] = checked(title, mbedtls(libraries[0][0], key, signature, digest), digest)
        if libraries[1]:
            title = f"wolfssl/{name}"
            verifier = wolfssl_rsa if name.startswith("rsa") else wolfssl_ecdsa
            found[title] = checked(title, verifier(libraries[1][0], key, signature, digest), digest)
    return found
