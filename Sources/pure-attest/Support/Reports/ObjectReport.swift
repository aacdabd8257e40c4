import PureAttest
import PureBytes
import PureCBOR
import PureDER
import PureX509

extension Report {
    /// Reports an attestation. If the object is malformed, reports only the reason and `value`, the decoded CBOR.
    init(attestation bytes: ArraySlice<UInt8>, _ value: CBORValue) {
        do {
            let object = try AttestationObject(decoding: bytes)
            add("size", "Size in bytes", .number(Int64(bytes.count)))
            addAuthenticatorData(object.authenticatorData) { data throws(PureAttestError) in
                try AuthenticatorData(attestation: data)
            }
            addUnsignedBuild(object.unverifiedCodeDirectoryHash)
            add("certificates", "Certificate", .list(object.certificates.map { Report(certificate: $0) }))
            add("receipt", "Receipt (CMS)", .group(Report(receipt: object.receipt)))
        } catch {
            addMalformed(value, "\(error)")
        }
    }

    init(assertion bytes: ArraySlice<UInt8>, _ value: CBORValue) {
        do {
            let object = try AssertionObject(decoding: bytes)
            add("size", "Size in bytes", .number(Int64(bytes.count)))
            add("signature", "Signature (DER)", .bytes([UInt8](object.signature)))
            addAuthenticatorData(object.authenticatorData) { data throws(PureAttestError) in
                try AuthenticatorData(assertion: data)
            }
            addUnsignedBuild(object.unverifiedCodeDirectoryHash)
        } catch {
            addMalformed(value, "\(error)")
        }
    }

    private mutating func addUnsignedBuild(_ hash: CodeDirectoryHash?) {
        guard let hash else { return }
        add("unverifiedCodeDirectoryHash", "cdHash", .text(hash.description), note: "unsigned")
    }

    private mutating func addMalformed(_ value: CBORValue, _ reason: String) {
        add("malformed", "Malformed", .text(reason))
        add("cbor", "CBOR", .text(value.diagnosticNotation))
    }

    private mutating func addAuthenticatorData(
        _ bytes: ArraySlice<UInt8>, parse: (ArraySlice<UInt8>) throws(PureAttestError) -> AuthenticatorData
    ) {
        var report = Report()
        do {
            let data = try parse(bytes)
            report.add("size", "Size in bytes", .number(Int64(bytes.count)))
            report.add("rpIDHash", "RP ID hash", .bytes([UInt8](data.rpIDHash)), note: "SHA-256 of the App ID")
            report.add("flags", "Flags", .text("0x" + hexEncodedString([data.flags])))
            report.add("counter", "Counter", .number(Int64(data.counter)))
            if let credential = data.credential {
                let aaguid = (0..<16).map { UInt8(truncatingIfNeeded: credential.aaguid >> (8 * UInt128(15 - $0))) }
                report.add("aaguid", "AAGUID", .bytes(aaguid), note: Self.environmentName(aaguid))
                report.add("credentialID", "Credential ID", .bytes([UInt8](credential.id)))
                report.add("x", "Key, x", .bytes([UInt8](credential.x)))
                report.add("y", "Key, y", .bytes([UInt8](credential.y)))
            }
            report.addLaunchInformation(data.launchInformation, unverified: data.unverifiedLaunchInformation)
        } catch {
            report.add("malformed", "Malformed", .text("\(error)"))
            report.add("bytes", "Bytes", .bytes([UInt8](bytes)))
        }
        add("authenticatorData", "Authenticator data", .group(report))
    }

    /// Returns a text that names the environment of an AAGUID, which is Apple's identifier for the environment.
    private static func environmentName(_ aaguid: [UInt8]) -> String? {
        switch aaguid {
        case Array("appattestdevelop".utf8): "appattestdevelop: development"
        case Array("appattest".utf8) + [UInt8](repeating: 0, count: 7): "appattest and seven zeros: production"
        default: "neither environment"
        }
    }
}
