/// NIST's ECDSA files (CAVS 11.0) and BoringSSL's lists of point multiples: functions from a file to an outcome.
public enum CAVPSuites {
    /// `SigVer.rsp`: sections `[curve,hash]` of messages with key and signature.
    public static func runSignatureVerification(_ file: ResponseFile) throws -> SuiteOutcome {
        var outcome = SuiteOutcome()
        for section in file.sections {
            let names = section.headers.flatMap { $0.split(separator: ",") }
            guard names.count == 2 else {
                outcome.skip("section \(section.headers)", count: section.records.count)
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
                let point = try [4] + coordinate("Qx", of: record, on: curve) + coordinate("Qy", of: record, on: curve)
                let signature = try coordinate("R", of: record, on: curve) + coordinate("S", of: record, on: curve)
                let key = try? VectorKey(point: point, on: curve)
                let message = try record.bytes("Msg")
                let isValid = key?.isValidSignature(signature, as: .raw, hash: hash, message: message) ?? false
                outcome.record("[\(section.headers[0])] \(index + 1)", passed: try isValid == isPositive(record))
            }
        }
        return outcome
    }

    /// `PKV.rsp`: sections `[curve]` of points, valid or with a coordinate out of range or off the curve.
    ///
    /// A coordinate out of range may be longer than the curve's: such a case only tests the length check.
    public static func runPublicKeyValidation(_ file: ResponseFile) throws -> SuiteOutcome {
        try run(file) { record, curve in
            let point = try [4] + coordinate("Qx", of: record, on: curve) + coordinate("Qy", of: record, on: curve)
            return try isPositive(record) == ((try? VectorKey(point: point, on: curve)) != nil)
        }
    }

    /// Computes kG, or kQ where a point is given, as x and y; both zero at infinity.
    public typealias Multiplication = (
        _ scalar: [UInt8], _ point: (x: [UInt8], y: [UInt8])?, _ curve: VectorCurve
    ) -> (x: [UInt8], y: [UInt8])

    /// `KeyPair.rsp`: Q = dG.
    public static func runKeyPairs(_ file: ResponseFile, multiply: Multiplication) throws -> SuiteOutcome {
        try run(file) { record, curve in
            // The header of each list stands as a record of its own: "N = 10".
            if record["d"] == nil, record["N"] != nil { return nil }
            let product = multiply(try coordinate("d", of: record, on: curve), nil, curve)
            return try product.x == coordinate("Qx", of: record, on: curve)
                && product.y == coordinate("Qy", of: record, on: curve)
        }
    }

    /// BoringSSL's `ec_scalar_base_mult_tests.txt`: (X, Y) = N·G, with (0, 0) for infinity.
    public static func runBaseMultiplication(_ file: ResponseFile, multiply: Multiplication) throws -> SuiteOutcome {
        try run(file, curveField: "Curve") { record, curve in
            let product = multiply(try coordinate("N", of: record, on: curve), nil, curve)
            return try product.x == coordinate("X", of: record, on: curve)
                && product.y == coordinate("Y", of: record, on: curve)
        }
    }

    /// BoringSSL's `ecdh_tests.txt` (NIST's ECCCDH primitive): (X, Y) = Private·G and Z the x of Private·(PeerX, PeerY).
    public static func runKeyAgreement(_ file: ResponseFile, multiply: Multiplication) throws -> SuiteOutcome {
        try run(file, curveField: "Curve") { record, curve in
            let scalar = try coordinate("Private", of: record, on: curve)
            let peer = try (
                x: coordinate("PeerX", of: record, on: curve), y: coordinate("PeerY", of: record, on: curve)
            )
            let own = multiply(scalar, nil, curve)
            return try own.x == coordinate("X", of: record, on: curve)
                && own.y == coordinate("Y", of: record, on: curve)
                && multiply(scalar, peer, curve).x == coordinate("Z", of: record, on: curve)
        }
    }

    /// Runs the records whose curve, from the field or the section's first header, the package has; a body that gives `nil`
    /// says that the record is no case.
    private static func run(
        _ file: ResponseFile, curveField: String? = nil, _ body: (ResponseFile.Record, VectorCurve) throws -> Bool?
    ) throws -> SuiteOutcome {
        var outcome = SuiteOutcome()
        for section in file.sections {
            for (index, record) in section.records.enumerated() {
                let name = curveField.flatMap { record[$0] } ?? section.headers.first ?? "none"
                guard let curve = VectorCurve(named: name) else {
                    if record.isCase { outcome.skip("curve \(name)") }
                    continue
                }
                guard let isPassed = try body(record, curve) else { continue }
                outcome.record("[\(name)] \(index + 1)", passed: isPassed)
            }
        }
        return outcome
    }

    /// An integer of the record, filled up with zeros to the curve's length; longer ones stay so.
    private static func coordinate(
        _ name: String, of record: ResponseFile.Record, on curve: VectorCurve
    ) throws -> [UInt8] {
        let bytes = try record.integer(name)
        return Array(repeating: 0, count: max(0, curve.byteCount - bytes.count)) + bytes
    }

    private static func isPositive(_ record: ResponseFile.Record) throws -> Bool {
        guard let result = record["Result"] else { throw ResponseFileError.missing(field: "Result") }
        return result.hasPrefix("P")
    }
}

extension ResponseFile.Record {
    /// False for the line "N = 10" that opens a list of key pairs.
    fileprivate var isCase: Bool { !(fields.count == 1 && self["N"] != nil) }
}
