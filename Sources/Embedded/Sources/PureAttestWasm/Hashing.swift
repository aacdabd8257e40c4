import PureSHA2

/// SHA-256 of `count` bytes; `digest` has room for 32.
@_expose(wasm, "sha256")
@c(pure_attest_sha256)
public func sha256(_ message: UnsafeRawPointer, _ count: Int32, _ digest: UnsafeMutableRawPointer) {
    unsafe copy(SHA256.hash(data: bytes(message, count)), to: digest)
}
