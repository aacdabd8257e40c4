import PureX509
import Testing

@testable import PureAttest

/// `DamagedBuildTests` checks that the self-test uses the constants compiled into the program.
@Suite struct SelfTestTests {
    @Test func everyPartIsRight() throws {
        try SelfTest.runForAssertions()
        try SelfTest.run()
    }

    @Test(arguments: SelfTest.Part.allCases)
    func aWrongPartIsTheFailure(_ part: SelfTest.Part) {
        #expect(throws: SelfTest.Failure(part: part)) { try SelfTest.run(SelfTest.Part.allCases) { $0 != part } }
    }

    @Test func ofSeveralTheFirst() {
        #expect(throws: SelfTest.Failure(part: .generatorTableP256)) {
            try SelfTest.run(SelfTest.Part.allCases) { _ in false }
        }
    }

    private static func damaged(_ bytes: [UInt8], at index: Int) -> [UInt8] {
        var bytes = bytes
        bytes[index] ^= 1
        return bytes
    }

    /// After a change of any bit of the key or signature, or with another message, the signature is invalid.
    @Test func sample() {
        let key = SelfTest.keyOfRFC6979, signature = SelfTest.signatureOfRFC6979
        #expect(SelfTest.hasSignedSample(key: key, signature: signature))
        for index in 0..<64 {
            #expect(!SelfTest.hasSignedSample(key: Self.damaged(key, at: index), signature: signature))
            #expect(!SelfTest.hasSignedSample(key: key, signature: Self.damaged(signature, at: index)))
        }
        #expect(!SelfTest.hasSignedSample(key: [], signature: signature))
        #expect(!SelfTest.hasSignedSample(key: key, signature: []))
    }

    @Test func certificates() {
        let root = AppleRoots.appAttestationRootCA, intermediate = AppleRoots.appAttestationCA1,
            receipts = AppleRootCAG3.derEncoded
        func haveSigned(_ root: [UInt8], _ intermediate: [UInt8], _ receiptRoot: [UInt8]) -> Bool {
            SelfTest.haveSigned(root: root, intermediate: intermediate, receiptRoot: receiptRoot)
        }
        #expect(haveSigned(root, intermediate, receipts))
        // The last byte of each certificate belongs to its signature. The test damages this byte.
        #expect(!haveSigned(Self.damaged(root, at: root.count - 1), intermediate, receipts))
        #expect(!haveSigned(root, Self.damaged(intermediate, at: intermediate.count - 1), receipts))
        #expect(!haveSigned(root, intermediate, Self.damaged(receipts, at: receipts.count - 1)))
        // A root that did not sign the intermediate, the App Attest root as the receipt root, and missing certificates.
        #expect(!haveSigned(receipts, intermediate, receipts))
        #expect(!haveSigned(root, intermediate, root))
        #expect(!haveSigned(root, intermediate, []))
        #expect(!haveSigned([], intermediate, receipts) && !haveSigned(root, [], receipts))
        // Changes the algorithm of the root key from id-ecPublicKey (1.2.840.10045.2.1) to the unknown …2.0.
        let algorithm: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
        let place = (0..<(root.count - 7)).first { root[$0..<($0 + 7)].elementsEqual(algorithm) }
        #expect(!haveSigned(Self.damaged(root, at: place! + 6), intermediate, receipts))
    }
}
