import PureECDSA

/// A file of test vectors of any of the known forms, recognised by its content.
public struct VectorFile: Sendable {
    /// What the file was recognised as.
    public let form: String
    /// What running its cases gave.
    public let outcome: SuiteOutcome

    /// Recognises and runs a file.
    ///
    /// - Throws: ``VectorFileError``, or the decoding error of the form that the file seemed to have.
    public init(running contents: Data) throws {
        if contents.first(where: { !($0 == 0x20 || (0x09...0x0d).contains($0)) }).map({ $0 == 0x7b || $0 == 0x5b })
            ?? false
        {
            (form, outcome) = try Self.runJSON(contents)
        } else {
            (form, outcome) = try Self.runResponseFile(contents)
        }
        guard outcome.total > 0 else { throw VectorFileError.noCases }
    }

    private static func runJSON(_ contents: Data) throws -> (String, SuiteOutcome) {
        let shape = try JSONDecoder().decode(JSONShape.self, from: contents)
        if shape.firstElement.contains("cbor") {
            return ("CBOR, RFC 8949 appendix A", try CBORSuites.appendixA(contents))
        }
        let members = shape.members
        if let group = shape.firstElements["testGroups"] {
            if members.isSuperset(of: ["algorithm", "vsId"]) { return ("ACVP", try ACVPSuites.run(contents)) }
            if group.contains("encoding") {
                return ("Wycheproof ECDH public keys", try Wycheproof.runECDH(contents))
            }
            if group.contains("sha") { return ("Wycheproof ECDSA", try Wycheproof.runECDSA(contents)) }
        }
        if members.contains("adversarialCases") { return ("adversarial objects", try AdversarialSuite.run(contents)) }
        if members.contains("testcases") { return ("certification paths", try X509ChainSuites.run(contents)) }
        if members.contains("attestation") { return ("App Attest objects", try ObjectFile.run(contents)) }
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
        let fields = Set(file.records.flatMap(\.fieldNames))
        if fields.isSuperset(of: ["MD"]) { return ("CAVP SHA-2", try SHA2Suites.run(file)) }
        if fields.isSuperset(of: ["Msg", "Qx", "Qy", "R", "S", "Result"]) {
            return ("CAVP ECDSA signatures", try CAVPSuites.runSignatureVerification(file))
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
    /// A member that the form needs is not there.
    case missingMember
    /// The file has no cases.
    case noCases
    /// A value is not hexadecimal.
    case notHexadecimal
}
