import PureAttest
import PureAttestTesting
import PureBytes
import PureSHA2
import Testing

/// A receipt must match its attestation in type and client data hash.
@Suite struct AttestedReceiptTests {
    private static let authority = TestCertificateAuthority(seed: 11)
    private static let app = AppID(teamID: "ABCDE12345", bundleID: "com.example.test")
    static let time = UnixTime(secondsSince1970: 1_800_000_000)
    private static let hash = [UInt8](SHA256.hash(data: [1, 2, 3]))

    static func receipt(breaking fault: ReceiptFault?) throws -> UnverifiedReceipt {
        let device = VirtualDevice(app: app, authority: authority, seed: 12, time: time)
        let id: String = device.generateKey()
        let attestation: [UInt8]
        if let fault {
            attestation = try device.attestKey(id, clientDataHash: hash, breaking: fault)
        } else {
            attestation = try device.attestKey(id, clientDataHash: hash)
        }
        let verifier = AppAttestVerifier.trustingTestDevices(
            of: authority, apps: [app], environment: .production, launchPolicy: .reportOnly)
        return try verifier.verifyAttestation(
            attestation, keyID: try Base64.decode(Array(id.utf8)), clientDataHash: hash, at: time
        ).unverifiedReceipt
    }

    @Test func genuine() throws {
        let verified = try Self.receipt(breaking: nil).verify(at: Self.time)
        #expect(verified.payload.kind == .attestation && verified.payload.clientDataHash.elementsEqual(Self.hash))
    }

    /// Receipt field 4, receipt field 6.
    @Test(arguments: [ReceiptFault.clientHashMismatch, .typeOfAnswer])
    func ofAnotherAttestation(_ fault: ReceiptFault) throws {
        let receipt = try Self.receipt(breaking: fault)
        #expect(throws: PureAttestError.receiptOfOtherAttestation) { try receipt.verify(at: Self.time) }
    }
}
