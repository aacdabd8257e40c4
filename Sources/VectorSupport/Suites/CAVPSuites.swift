/// Runs NIST's ECDSA files (CAVS 11.0) and BoringSSL's lists of point multiples.
package enum CAVPSuites {
    /// Runs `SigVer.rsp`. Its sections `[curve,hash]` contain messages, each with a key and a signature.
    package static func runSignatureVerification(_ file: ResponseFile) throws -> SuiteOutcome {
        try runSignatures(file) { record, _ in try isPositive(record) }
    }

    /// Runs `SigGen.rsp` and `SigGen.txt`, which contain the expected output of a signer. Each signature must be valid.
    /// If the private key d is present, the public key must be d·G.
    package static func runSignatureGeneration(_ file: ResponseFile, multiply: Multiplication) throws -> SuiteOutcome {
        try runSignatures(file) { record, curve in
            guard record["d"] != nil else { return true }
            let product = multiply(try coordinate("d", of: record, on: curve), nil, curve)
            return try isStated(product, x: "Qx", y: "Qy", in: record, on: curve) ? true : nil
        }
    }

    /// Returns whether the record states this product in the fields `x` and `y`.
    private static func isStated(
        _ product: (x: [UInt8], y: [UInt8]), x: String, y: String, in record: ResponseFile.Record,
        on curve: VectorCurve
    ) throws -> Bool {
        try product.x == coordinate(x, of: record, on: curve) && product.y == coordinate(y, of: record, on: curve)
    }

    private static func point(of record: ResponseFile.Record, on curve: VectorCurve) throws -> [UInt8] {
        try [4] + coordinate("Qx", of: record, on: curve) + coordinate("Qy", of: record, on: curve)
    }

    /// Verifies the signature of each record. `expected` returns the expected verdict, or `nil` if the record
    /// contradicts itself.
    private static func runSignatures(
        _ file: ResponseFile, expected: (ResponseFile.Record, VectorCurve) throws -> Bool?
    ) throws -> SuiteOutcome {
        var outcome = SuiteOutcome()
        for section in file.sections {
            let names = section.headers.flatMap { $0.parts(between: ",") }
            // Sections of the tests for FIPS 186-2 name only the curve, because the hash is always SHA-1.
            guard names.count == 2 else {
                outcome.skip("section [\(section.headers.joined(separator: "] ["))]", count: section.records.count)
                continue
            }
            guard let curve = VectorCurve(named: names[0]) else {
                outcome.skip("curve \(names[0])", count: section.records.count)
                continue
            }
            guard let hash = VectorHash(named: names[1]) else {
                outcome.skip("hash \(names[1])", count: section.records.count)
                continue
            }
            for (index, record) in section.records.enumerated() {
                let point = try point(of: record, on: curve)
                let signature = try coordinate("R", of: record, on: curve) + coordinate("S", of: record, on: curve)
                let key = try? VectorKey(point: point, on: curve)
                let message = try record.bytes("Msg")
                let isValid = key?.isValidSignature(signature, as: .raw, hash: hash, message: message) ?? false
                let name = "[\(section.headers[0])] \(index + 1)"
                if let isExpected = try expected(record, curve) {
                    outcome.record(name, accepted: isValid, expected: isExpected)
                } else {
                    outcome.record(name, passed: false, detail: "Q is not dG")
                }
            }
        }
        return outcome
    }

    /// Runs `PKV.rsp`. Its sections `[curve]` contain points. These are valid, out of range, or not on the curve.
    ///
    /// A coordinate out of range may be longer than the curve's coordinates. Such a case tests only the length check.
    package static func runPublicKeyValidation(_ file: ResponseFile) throws -> SuiteOutcome {
        try run(file) { record, curve in
            let point = try point(of: record, on: curve)
            let isKey = (try? VectorKey(point: point, on: curve)) != nil
            return try isKey == isPositive(record) ? .passed : .failed(isKey ? .accepted : .refused)
        }
    }

    /// Computes kG, or kQ for a given point Q. Returns x and y, which are both zero for the point at infinity.
    package typealias Multiplication = (
        _ scalar: [UInt8], _ point: (x: [UInt8], y: [UInt8])?, _ curve: VectorCurve
    ) -> (x: [UInt8], y: [UInt8])

    /// Runs `KeyPair.rsp`: Q = dG.
    package static func runKeyPairs(_ file: ResponseFile, multiply: Multiplication) throws -> SuiteOutcome {
        try run(file) { record, curve in
            // Each list of key pairs starts with a line "N = 10", which is parsed as a separate record.
            if record["d"] == nil, record["N"] != nil { return .noCase }
            let product = multiply(try coordinate("d", of: record, on: curve), nil, curve)
            return try isStated(product, x: "Qx", y: "Qy", in: record, on: curve) ? .passed : .failed(.differs)
        }
    }

    /// Runs BoringSSL's `ec_scalar_base_mult_tests.txt`: (X, Y) = N·G, with (0, 0) for infinity.
    package static func runBaseMultiplication(_ file: ResponseFile, multiply: Multiplication) throws -> SuiteOutcome {
        try run(file, curveField: "Curve") { record, curve in
            let product = multiply(try coordinate("N", of: record, on: curve), nil, curve)
            return try isStated(product, x: "X", y: "Y", in: record, on: curve) ? .passed : .failed(.differs)
        }
    }

    /// Runs BoringSSL's `ecdh_tests.txt` (NIST's ECCCDH primitive): (X, Y) = Private·G, and Z is the x coordinate of
    /// Private·(PeerX, PeerY).
    package static func runKeyAgreement(_ file: ResponseFile, multiply: Multiplication) throws -> SuiteOutcome {
        try run(file, curveField: "Curve") { record, curve in
            let scalar = try coordinate("Private", of: record, on: curve)
            let peer = try (
                x: coordinate("PeerX", of: record, on: curve), y: coordinate("PeerY", of: record, on: curve)
            )
            let own = multiply(scalar, nil, curve)
            let isRight =
                try isStated(own, x: "X", y: "Y", in: record, on: curve)
                && multiply(scalar, peer, curve).x == coordinate("Z", of: record, on: curve)
            return isRight ? .passed : .failed(.differs)
        }
    }

    private enum Result {
        case passed
        case failed(SuiteOutcome.Finding)
        case noCase
    }

    /// Runs the records whose curve the package implements. The field `curveField` of a record names the curve. In
    /// records without this field, the section's first header names it.
    private static func run(
        _ file: ResponseFile, curveField: String? = nil, _ body: (ResponseFile.Record, VectorCurve) throws -> Result
    ) throws -> SuiteOutcome {
        var outcome = SuiteOutcome()
        for section in file.sections {
            for (index, record) in section.records.enumerated() {
                let name = curveField.flatMap { record[$0] } ?? section.headers.first ?? "none"
                guard let curve = VectorCurve(named: name) else {
                    if record.isCase { outcome.skip("curve \(name)") }
                    continue
                }
                switch try body(record, curve) {
                case .passed: outcome.record("[\(name)] \(index + 1)", nil)
                case .failed(let finding): outcome.record("[\(name)] \(index + 1)", finding)
                case .noCase: break
                }
            }
        }
        return outcome
    }

    /// Returns an integer, padded with zeros to the curve's coordinate length. Longer integers remain unchanged.
    private static func coordinate(
        _ name: String, of record: ResponseFile.Record, on curve: VectorCurve
    ) throws -> [UInt8] {
        let bytes = try record.integer(name)
        return Array(repeating: 0, count: max(0, curve.byteCount - bytes.count)) + bytes
    }

    static func isPositive(_ record: ResponseFile.Record) throws -> Bool {
        guard let result = record["Result"] else { throw ResponseFileError.missing(field: "Result") }
        switch result.utf8.first {
        case UInt8(ascii: "P")?: return true
        case UInt8(ascii: "F")?: return false
        default: throw VectorFileError.missingMember
        }
    }
}

extension ResponseFile.Record {
    fileprivate var isCase: Bool { !(fields.count == 1 && self["N"] != nil) }
}
