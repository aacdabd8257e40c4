import PureECDSA

/// A file of test vectors of any of the known forms, recognised by its content.
public struct VectorFile: Sendable {
    /// What the file was recognised as.
    public let form: String
    /// What running its cases gave.
    public let outcome: SuiteOutcome

    /// Recognises and runs a file.
    ///
    /// - Parameters:
    ///   - deviations: the cases of this file that go another way than it says, and are to.
    ///   - trustsTestAnchors: whether objects are run that were made under a test root, which is then trusted for them.
    ///   - informational: further members of path cases that change no verdict.
    /// - Throws: ``VectorFileError``, or the decoding error of the form that the file seemed to have.
    public init(
        running contents: Data, deviations: [SuiteDeviations.Entry] = [],
        trustingTestAnchors trustsTestAnchors: Bool = false,
        informational: InformationalMembers = InformationalMembers()
    ) throws {
        var outcome: SuiteOutcome
        let start = contents.drop { $0 == 0x20 || (0x09...0x0d).contains($0) }.prefix(2)
        switch (start.first, start.last) {
        // NIST's files may begin with a header, "[P-256]": no list of JSON has a letter there, but for true, false and null.
        case (0x5b, (0x41...0x5a)?), (0x5b, (0x61...0x7a)?): (form, outcome) = try Self.runResponseFile(contents)
        case (0x5b, _), (0x7b, _): (form, outcome) = try Self.runJSON(contents, trustsTestAnchors, informational)
        default: (form, outcome) = try Self.runResponseFile(contents)
        }
        guard outcome.total > 0 else { throw VectorFileError.noCases }
        outcome.excuse(deviations)
        self.outcome = outcome
    }

    /// As many as 256 MB of cases have. JSONDecoder keeps some 30 bytes for each, so that a file of brackets alone would take 17
    /// times its size.
    static let maximumValueCount = 32 << 20

    static func hasTooManyValues(_ contents: Data, maximum: Int = maximumValueCount) -> Bool {
        // A value follows one of these; those in texts count too.
        contents.count { $0 == 0x2c || $0 == 0x3a || $0 == 0x5b || $0 == 0x7b } > maximum
    }

    private static func runJSON(
        _ contents: Data, _ trustsTestAnchors: Bool, _ informational: InformationalMembers
    ) throws -> (String, SuiteOutcome) {
        guard !hasTooManyValues(contents) else { throw VectorFileError.tooManyValues }
        let shape = try JSONDecoder().decode(JSONShape.self, from: contents)
        if shape.firstElement.contains("cbor") {
            return ("CBOR, RFC 8949 appendix A", try CBORSuites.appendixA(contents))
        }
        let members = shape.members
        if shape.firstElements["testGroups"] != nil {
            if members.isSuperset(of: ["algorithm", "vsId"]) { return ("ACVP", try ACVPSuites.run(contents)) }
            if members.contains("numberOfTests") { return try Wycheproof.run(contents) }
        }
        if members.contains("adversarialCases") { return ("adversarial objects", try AdversarialSuite.run(contents)) }
        if members.contains("testcases") {
            return ("certification paths", try X509ChainSuites.run(contents, informational: informational))
        }
        if members.contains("attestation") {
            let outcome = try ObjectFile.run(contents, trustingTestAnchors: trustsTestAnchors)
            return (trustsTestAnchors ? "App Attest objects, test roots trusted" : "App Attest objects", outcome)
        }
        if members.isSuperset(of: ["go", "boringssl"]) { return ("DER values", try DERValueSuite.run(contents)) }
        if let test = shape.firstElements["cases"] {
            if test.contains("canonical") { return ("canonical CBOR", try CBORSuites.canonical(contents)) }
            if test.contains("kind") { return ("CBOR, RFC 8949 appendix F", try CBORSuites.appendixF(contents)) }
        }
        throw VectorFileError.unknownForm
    }

    private static func runResponseFile(_ contents: Data) throws -> (String, SuiteOutcome) {
        let file: ResponseFile
        do { file = try ResponseFile(contents: contents) } catch { throw VectorFileError.unknownForm }
        var fields: Set<String> = []
        for record in file.sections.lazy.flatMap(\.records) { fields.formUnion(record.fieldNames) }
        // RFC 4231's HMACs have a key, and NIST's chains with what is between the checkpoints have an i.
        if fields.contains("MD"), fields.isDisjoint(with: ["Key", "i"]) {
            return ("CAVP SHA-2", try SHA2Suites.run(file))
        }
        // Files of RSASSA-PSS have the same fields.
        if fields.isSuperset(of: ["n", "SHAAlg", "e", "Msg", "S", "Result"]),
            file.comments.contains(where: { $0.utf8.contains("PKCS#1 Ver 1.5".utf8) })
        {
            return ("CAVP RSASSA-PKCS1-v1_5 signatures", try CAVPSuites.runRSASignatureVerification(file))
        }
        if fields.isSuperset(of: ["Msg", "Qx", "Qy", "R", "S"]) {
            return fields.contains("Result")
                ? ("CAVP ECDSA signatures", try CAVPSuites.runSignatureVerification(file))
                : (
                    "CAVP ECDSA signature generation",
                    try CAVPSuites.runSignatureGeneration(file, multiply: generatorMultiple)
                )
        }
        if fields.isSuperset(of: ["Qx", "Qy", "Result"]) {
            return ("CAVP public keys", try CAVPSuites.runPublicKeyValidation(file))
        }
        if fields.isSuperset(of: ["d", "Qx", "Qy"]) {
            return ("CAVP key pairs", try CAVPSuites.runKeyPairs(file, multiply: generatorMultiple))
        }
        if fields.isSuperset(of: ["Curve", "N", "X", "Y"]) {
            return (
                "multiples of the generator", try CAVPSuites.runBaseMultiplication(file, multiply: generatorMultiple)
            )
        }
        throw VectorFileError.unknownForm
    }

    /// k·G; zeros at infinity, and for octets that are no scalar.
    private static func generatorMultiple(
        _ k: [UInt8], _ point: (x: [UInt8], y: [UInt8])?, _ curve: VectorCurve
    ) -> (x: [UInt8], y: [UInt8]) {
        let zero = [UInt8](repeating: 0, count: curve.byteCount)
        let operations: any ScalarOperations.Type = curve == .p256 ? P256.self : P384.self
        guard point == nil, operations.isPrivateScalar(k) else { return (zero, zero) }
        let product = operations.generatorMultiple(k).dropFirst()
        return (Array(product.prefix(curve.byteCount)), Array(product.suffix(curve.byteCount)))
    }
}

/// Why a file can't be run.
public enum VectorFileError: Error, Hashable {
    /// No known form.
    case unknownForm
    /// A member that the form needs is not there, or empty.
    case missingMember
    /// Two entries of a list of deviations are for one case.
    case caseTwice
    /// The file has no cases.
    case noCases
    /// A value is not hexadecimal.
    case notHexadecimal
    /// More values than 32 Mi.
    case tooManyValues
    /// A member that changes verdicts is declared informational.
    case memberChangesVerdict(String)
}
