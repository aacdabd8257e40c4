import PureECDSA

/// The result of running a test vector file. The file's content determines its format.
package struct VectorFile: Sendable {
    /// The format of the file.
    package let form: String
    /// The outcome of the file's cases.
    package let outcome: SuiteOutcome

    /// Recognises the format of a file, and runs its cases.
    ///
    /// - Parameters:
    ///   - deviations: the deliberate deviations from the verdicts of this file.
    ///   - trustsTestAnchors: whether to run objects under a test root. The root is trusted only for these objects.
    ///   - informational: additional members of path cases that do not change verdicts.
    /// - Throws: ``VectorFileError``, or the decoding error of the recognised form.
    package init(
        running contents: Data, deviations: [SuiteDeviations.Entry] = [],
        trustingTestAnchors trustsTestAnchors: Bool = false,
        informational: InformationalMembers = InformationalMembers()
    ) throws {
        var outcome: SuiteOutcome
        let start = contents.drop { $0 == 0x20 || (0x09...0x0d).contains($0) }.prefix(2)
        switch (start.first, start.last) {
        // NIST's files may begin with a header such as "[P-256]". In a JSON list, the first letter after the bracket
        // can only begin true, false or null.
        case (0x5b, (0x41...0x5a)?), (0x5b, (0x61...0x7a)?): (form, outcome) = try Self.runResponseFile(contents)
        case (0x5b, _), (0x7b, _): (form, outcome) = try Self.runJSON(contents, trustsTestAnchors, informational)
        default: (form, outcome) = try Self.runResponseFile(contents)
        }
        guard outcome.total > 0 else { throw VectorFileError.noCases }
        outcome.excuse(deviations)
        self.outcome = outcome
    }

    /// The maximum number of JSON values: 256 MB of typical cases contain about as many. JSONDecoder stores about 30
    /// bytes for each value, so a file of only brackets would need 17 times its size in memory.
    static let maximumValueCount = 32 << 20

    static func hasTooManyValues(_ contents: Data, maximum: Int = maximumValueCount) -> Bool {
        // Each value is preceded by one of these characters. Characters inside strings are also counted.
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
        // Excludes HMAC files for RFC 4231 (field Key) and NIST's chains with intermediate values (field i).
        if fields.contains("MD"), fields.isDisjoint(with: ["Key", "i"]) {
            return ("CAVP SHA-2", try SHA2Suites.run(file))
        }
        // RSASSA-PSS files have the same fields, so the comments must name PKCS #1 version 1.5.
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

    /// Returns k·G, or zeros for the point at infinity or an invalid scalar.
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

/// The reason why a file cannot be run.
package enum VectorFileError: Error, Hashable {
    case unknownForm
    /// A required member is absent or empty.
    case missingMember
    /// A list of deviations contains two entries for the same case.
    case caseTwice
    case noCases
    case notHexadecimal
    /// The file has more than 32 Mi values, or a recipe expands to too many bytes.
    case tooManyValues
    /// The caller declared that this member is informational, but it changes verdicts.
    case memberChangesVerdict(String)
}
