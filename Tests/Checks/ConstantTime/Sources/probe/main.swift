// `probe NAME` runs one function on secret inputs, under valgrind. For a secret input, the probe allocates memory and
// never writes to it. valgrind's memcheck treats these bytes as undefined, tracks them through arithmetic, and reports
// every branch and address that depends on them (Adam Langley's ctgrind method). The probe never branches on results,
// because memcheck would report that branch too.

import PureBytes
import PureSHA2

func secret(_ count: Int) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: count) { _, initialized in initialized = count }
}

func known(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
}

/// Stores results. The optimiser cannot prove that the stored results are unused, so it keeps the computation.
nonisolated(unsafe) let sink = UnsafeMutablePointer<UInt8>.allocate(capacity: 64)

@inline(never)
func keep(_ bytes: some Collection<UInt8>) {
    var i = 0
    for byte in bytes {
        unsafe sink[i & 63] = byte
        i &+= 1
    }
}

@inline(never)
func keep(_ flag: Bool) {
    unsafe UnsafeMutableRawPointer(sink).storeBytes(of: flag, as: Bool.self)
}

/// Message lengths that exercise every case of the padding, for block sizes of 64 and 128 bytes.
let lengths = [0, 1, 55, 56, 63, 64, 65, 111, 112, 119, 120, 127, 128, 129, 200, 256, 300]

func hash<H: HashFunction>(_: H.Type) {
    for length in lengths {
        keep(H.hash(data: secret(length)))
        // The second update completes a block that the first update began.
        var function = H()
        function.update(data: secret(length / 3))
        function.update(data: secret(length))
        keep(function.finalize())
        // A lazy collection has no contiguous storage.
        keep(H.hash(data: secret(length).lazy.map { $0 ^ 0x36 }))
    }
}

func authenticate<H: HashFunction>(_: H.Type) {
    for keyLength in [0, 32, 64, 65, 128, 129, 200] {
        for length in [0, 20, 64, 200] {
            let key = secret(keyLength), message = secret(length)
            let code = HMAC<H>.authenticationCode(for: message, using: key)
            keep(code)
            keep(code == HMAC<H>.authenticationCode(for: known(length), using: key))
            keep(HMAC<H>.isValidAuthenticationCode(known(H.Digest.byteCount), authenticating: message, using: key))
            keep(HMAC<H>.isValidAuthenticationCode(secret(H.Digest.byteCount), authenticating: message, using: key))
        }
    }
}

switch CommandLine.arguments.dropFirst().first {
case "constantTimeEquals":
    for length in lengths {
        keep(constantTimeEquals(secret(length), known(length)))
        keep(constantTimeEquals(known(length)[...], secret(length)))
        keep(constantTimeEquals(secret(length).lazy.map { $0 ^ 1 }, known(length)))
    }
case "SHA256": hash(SHA256.self)
case "SHA384": hash(SHA384.self)
case "SHA512": hash(SHA512.self)
case "HMAC-SHA256": authenticate(SHA256.self)
case "HMAC-SHA384": authenticate(SHA384.self)
case "HMAC-SHA512": authenticate(SHA512.self)
case "digest-equality":
    let a = SHA256.hash(data: secret(40)), b = SHA384.hash(data: secret(40)), c = SHA512.hash(data: secret(40))
    keep(a == SHA256.hash(data: known(40)))
    keep(b == SHA384.hash(data: known(40)))
    keep(c == SHA512.hash(data: known(40)))

// Each control branches on a value derived from a secret, or uses such a value as an address, so
// valgrind must report the control.
case "control-comparison":
    keep(secret(32) == known(32))
case "control-address":
    keep([known(256)[Int(secret(4)[3])]])
case "control-through-SHA256":
    keep(SHA256.hash(data: secret(40)).first == 7 ? known(1) : known(2))
case "control-through-HMAC":
    let code = HMAC<SHA512>.authenticationCode(for: known(40), using: secret(32))
    keep(code.elementsEqual(known(64)) ? known(1) : known(2))
case "control-result":
    keep(constantTimeEquals(secret(32), known(32)) ? known(1) : known(2))

default:
    preconditionFailure("usage: probe NAME")
}
